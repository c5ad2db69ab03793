"""Taking results off the boards and putting them back: voiding, restoring, banning, with what the audit says of it.

A restored game comes back as a finished one comes: by `FINISHING`. All else here locks the player's row first, and
reads after that; `boards.py` says why.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from pasyans.record.boards import RANKED, boards_of
from pasyans.record.result import Result
from pasyans.store import audit as audits
from pasyans.store import keys, results
from pasyans.store.admin_values import NewAudit
from pasyans.store.appending import FINISHING, Sealed, columns
from pasyans.store.boards import board_id
from pasyans.store.connection import Connection
from pasyans.store.values import Key

_LOCK: Final = "SELECT player_id, banned_at FROM players WHERE player_id = ANY ($1) ORDER BY player_id FOR UPDATE"

_BAN: Final = "UPDATE players SET banned_at = $2 WHERE player_id = $1"

_ROWS: Final = "SELECT player_id, board, place, game_id FROM board_rows WHERE player_id = ANY ($1)"

_REMOVE: Final = """
WITH gone AS (
    DELETE FROM board_rows b USING unnest($1::uuid[], $2::bytea[]) AS g (player_id, board)
    WHERE b.player_id = g.player_id AND b.board = g.board
    RETURNING b.board, b.place
)
INSERT INTO board_changes (board, place, n) SELECT board, substring(place FROM 1 FOR $3), -1 FROM gone
"""

_ADD: Final = """
WITH come AS (
    INSERT INTO board_rows (player_id, board, place, game_id)
    SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::uuid[])
    RETURNING board, place
)
INSERT INTO board_changes (board, place, n) SELECT board, substring(place FROM 1 FOR $5), 1 FROM come
"""

Spot = tuple[UUID, bytes]
"""A player and a board."""

Best = tuple[bytes, UUID]
"""A place and the game that has it."""


async def append(connection: Connection, group: Sequence[Sealed]) -> set[UUID]:
    """Append to different games, within a transaction, what takes more than one statement; those that had not moved on.

    Games that are void by it go off their boards. The entries for the audit, where there are any, are written too. A
    game that is restored is alone in its group: its statement holds the player's row, in a way that others may share.
    """
    here = {row[0] for row in await connection.fetch(FINISHING, *columns(group, finishing=True))}
    added = [sealed.append for sealed in group if sealed.append.game_id in here]
    voided = {UUID(each.result.player) for each in added if each.status == "void" and each.result is not None}
    # One by one, since a player may have very many results; in the order in which all lock them.
    for player in sorted(voided):
        await settle(connection, [player])
    for each in added:
        if each.audit is not None:
            await audits.insert(connection, each.audit)
    return here


async def ban(
    connection: Connection, player_id: UUID, at: int, audit: NewAudit | None, key: Key | None, *, banned: bool
) -> bool:
    """See `Store.ban`, and where it is not to be `banned`, `Store.unban`; runs within a transaction."""
    await keys.use(connection, key, player_id, 0, at)
    locked = await connection.fetch(_LOCK, [player_id])
    if not locked or (locked[0][1] is not None) is banned:
        return False
    await connection.execute(_BAN, player_id, at if banned else None)
    await settle(connection, [player_id])
    if audit is not None:
        await audits.insert(connection, audit)
    return True


async def settle(connection: Connection, players: Sequence[UUID]) -> None:
    """Make all rows of these players what their results say, within a transaction, which then has them locked."""
    locked = await connection.fetch(_LOCK, players)
    banned = {player_id for player_id, banned_at in locked if banned_at is not None}
    found = await results.of_players(connection, players)
    wanted = best((game_id, result) for game_id, result in found if UUID(result.player) not in banned)
    stored = await rows_of(connection, players)
    await _change(connection, stored, wanted)


async def rows_of(connection: Connection, players: Sequence[UUID]) -> dict[Spot, Best]:
    """The rows that players have on boards."""
    rows = await connection.fetch(_ROWS, players)
    return {(player_id, board): (place, game_id) for player_id, board, place, game_id in rows}


def best(found: Iterable[tuple[UUID, Result]]) -> dict[Spot, Best]:
    """The rows that results come to."""
    wanted: dict[Spot, Best] = {}
    for game_id, result in found:
        player_id = UUID(result.player)
        for board, place in boards_of(result):
            spot, one = (player_id, board_id(board)), (place, game_id)
            if spot not in wanted or one < wanted[spot]:
                wanted[spot] = one
    return wanted


async def _change(connection: Connection, stored: dict[Spot, Best], wanted: dict[Spot, Best]) -> None:
    gone = [spot for spot, one in stored.items() if wanted.get(spot) != one]
    if gone:
        players, boards = zip(*gone, strict=True)
        await connection.execute(_REMOVE, players, boards, RANKED)
    come = sorted((*spot, *one) for spot, one in wanted.items() if stored.get(spot) != one)
    if come:
        await connection.execute(_ADD, *zip(*come, strict=True), RANKED)
