"""Reading a game's log."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.values import LogRow

# The row that holds event `after + 1` is the last one that starts at or before it, so the index leads straight there.
_LOG: Final = """
SELECT first_seq, last_seq, events, at, hash FROM game_events
WHERE game_id = $1
    AND first_seq >= COALESCE((
        SELECT max(first_seq) FROM game_events WHERE game_id = $1 AND first_seq <= $2
    ), 1)
    AND first_seq <= $3
    AND last_seq >= $2
ORDER BY first_seq
"""

_WHOLE: Final = """
SELECT game_id, first_seq, last_seq, events, at, hash FROM game_events
WHERE game_id = ANY ($1) ORDER BY game_id, first_seq
"""

_LAST: Final = 2**31 - 1  # no event has a higher number


async def log(database: Database, game_id: UUID, after: int, upto: int | None) -> list[LogRow]:
    """See `Store.log`."""
    upto = _LAST if upto is None else min(upto, _LAST)
    if upto <= after:
        return []
    rows = await database.fetch(_LOG, game_id, after + 1, upto)
    return [LogRow(*row) for row in rows]


async def whole(connection: Connection, game_ids: Sequence[UUID]) -> dict[UUID, list[LogRow]]:
    """The logs of these games, from the first row to the last; an empty one for a game that has none."""
    logs: dict[UUID, list[LogRow]] = {game_id: [] for game_id in game_ids}
    for game_id, *row in await connection.fetch(_WHOLE, game_ids):
        logs[game_id].append(LogRow(*row))
    return logs
