"""Banning players and letting them back, with an entry in the audit. No HTTP here."""

import msgspec

from pasyans.api.deps import Dependencies
from pasyans.api.idempotency import once
from pasyans.api.problems import NotFound
from pasyans.api.schemas.admin import Grounds
from pasyans.store.admin_values import AdminToken, NewAudit, PlayerRow
from pasyans.store.errors import StoreError
from pasyans.store.values import Key, UsedKey


class Judged(msgspec.Struct, frozen=True):
    """A player after a ban or its end, and whether that is a replay."""

    row: PlayerRow
    is_replay: bool = False


async def ban(
    deps: Dependencies, admin: AdminToken, name: str, grounds: Grounds, key: Key | None, *, banned: bool
) -> Judged:
    """Ban the player of a name, whatever its case, or end the ban. Nothing is done where that has been done.

    Raises:
        NotFound: there is no such player.
        IdempotencyMismatch, StoreError: as the modules say.
    """

    async def do() -> Judged:
        player = await deps.store.player_by_name(name.casefold())
        # Read before it is written: a failure to read would say that nothing was written.
        row = None if player is None else await deps.store.player_row(player.player_id)
        if row is None:
            raise NotFound("There is no player of this name.")
        at = deps.clock()
        entry = NewAudit(
            deps.new_id(at),
            at,
            admin.token_id,
            "banned" if banned else "unbanned",
            player_id=row.player_id,
            reason=grounds.reason,
            note=grounds.note,
        )
        change = deps.store.ban if banned else deps.store.unban
        if await change(row.player_id, at, entry, key):
            return Judged(msgspec.structs.replace(row, banned_at=at if banned else None))
        return Judged(await deps.store.player_row(row.player_id) or row)

    async def repeat(used: UsedKey) -> Judged:
        row = await deps.store.player_row(used.subject)
        if row is None:
            raise StoreError("A player has gone.")
        # What it answered then: the ban was made by it, or was there before.
        banned_at = min(row.banned_at or used.at, used.at) if banned else None
        return Judged(msgspec.structs.replace(row, banned_at=banned_at), is_replay=True)

    return await once(deps.store, key, do, repeat)
