"""Judging: what admins do to games and players, each with its entry in the audit. No HTTP here."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal
from uuid import UUID

import msgspec

from pasyans.api import play
from pasyans.api.deps import Dependencies
from pasyans.api.idempotency import once, use_of
from pasyans.api.play import Command
from pasyans.api.problems import Unavailable
from pasyans.api.schemas.admin import Grounds
from pasyans.api.schemas.audit import AuditDetails
from pasyans.api.schemas.results import VoidedResults, VoidResults
from pasyans.record import decide
from pasyans.record.decide import Decision
from pasyans.record.errors import NotFinished
from pasyans.record.events import VoidReason
from pasyans.record.game import Game
from pasyans.store.admin_values import AdminToken, NewAudit, ResultFilter
from pasyans.store.base import Store
from pasyans.store.errors import StoreError
from pasyans.store.errors import Unavailable as StoreUnavailable
from pasyans.store.values import Head, Key, UsedKey

Verdict = Literal["voided", "restored"]
"""What is done to a result, as the audit names it."""

_DECIDE: Final[Mapping[Verdict, Callable[[Game, VoidReason, int], Decision]]] = {
    "voided": decide.void,
    "restored": decide.restore,
}
_PAGE: Final = 200


def verdict_on_game(deps: Dependencies, admin: AdminToken, verdict: Verdict, grounds: Grounds) -> Command:
    """Return the command that voids or restores a game.

    It raises `NotFinished` or `NotVoid`, as the game stands.
    """

    async def judge(_head: Head, game: Game, at: int) -> Decision:
        return _DECIDE[verdict](game, grounds.reason, at)

    def audit(head: Head, at: int) -> NewAudit:
        return NewAudit(
            deps.new_id(at),
            at,
            admin.token_id,
            verdict,
            game_id=head.game_id,
            player_id=head.player_id,
            reason=grounds.reason,
            note=grounds.note,
        )

    return Command(judge, audit=audit)


class Voided(msgspec.Struct, frozen=True):
    """What became of results that were to be voided, and whether that is a replay."""

    results: VoidedResults
    is_replay: bool = False


async def void_results(
    deps: Dependencies,
    admin: AdminToken,
    wanted: VoidResults,
    find: Callable[[], Awaitable[ResultFilter]],
    key: Key | None,
) -> Voided:
    """Void the results that stand and fit a filter, or only count them.

    ``find`` gives what ``wanted`` asks for. It is called unless that was done before with the same key: who was meant
    may have another name since.

    They are voided some at a time, so what was done before something went wrong stays done, and to repeat the request
    goes on with the rest.

    Raises:
        IdempotencyMismatch, StoreError: as the modules say.
        InvalidRequest: as ``find`` does.
        Unavailable: the database went away, and something may have been voided.
    """

    async def repeat(used: UsedKey) -> Voided:
        entry = await deps.store.audit_entry(used.subject)
        if entry is None or entry.details is None:
            raise StoreError("An entry of the audit has gone.")
        details = msgspec.json.decode(entry.details, type=AuditDetails)
        found = VoidedResults(dry_run=False, matched=details.matched or 0, voided=details.voided or 0)
        return Voided(found, is_replay=True)

    # First of all, since what has come since it was done is not to be voided by its repetition.
    used = None if wanted.dry_run else await use_of(deps.store, key)
    if used is not None:
        return await repeat(used)
    which = await find()
    if wanted.dry_run:
        return Voided(VoidedResults(dry_run=True, matched=await deps.store.count_results(which), voided=0))

    async def do() -> Voided:
        command = verdict_on_game(deps, admin, "voided", wanted)
        matched = voided = 0
        try:
            async for games in _games(deps.store, which):
                matched += len(games)
                voided += await _void(deps, games, command)
            at = deps.clock()
            details = AuditDetails(msgspec.structs.replace(wanted.filter, player=None), matched, voided)
            entry = NewAudit(
                deps.new_id(at),
                at,
                admin.token_id,
                "results-voided",
                player_id=which.player_id,
                reason=wanted.reason,
                note=wanted.note,
                details=msgspec.json.encode(details).decode(),
            )
            await deps.store.note_audit(entry, key)
        except (StoreUnavailable, Unavailable) as error:
            if matched == 0:
                raise
            raise Unavailable(written=None) from error
        return Voided(VoidedResults(dry_run=False, matched=matched, voided=voided))

    return await once(deps.store, key, do, repeat)


async def _games(store: Store, which: ResultFilter) -> AsyncIterator[list[UUID]]:
    """Yield the games of results, some at a time, the earliest first; what is done to them meanwhile is no matter."""
    after = None
    while rows := await store.results(which, "finished_at", False, after, _PAGE):
        yield [row.game_id for row in rows]
        after = rows[-1].value, rows[-1].game_id


async def _void(deps: Dependencies, games: Sequence[UUID], command: Command) -> int:
    """Void games, together but for those that somebody else judges meanwhile; how many it were."""
    appends = []
    for game_id in games:
        with suppress(NotFinished):
            _, append = await play.decided(deps, await play.standing_of(deps.store, game_id), command)
            appends.append(append)
    voided = len(done := await deps.store.void_many(appends))
    for append in appends:
        if append.game_id not in done:
            with suppress(NotFinished):
                await play.write(deps, append.game_id, command, lambda played: played)
                voided += 1
    return voided
