"""Reading a game's log."""

from typing import Final
from uuid import UUID

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

_LAST: Final = 2**31 - 1  # no event has a higher number


async def log(database: Database, game_id: UUID, after: int, upto: int | None) -> list[LogRow]:
    """See `Store.log`."""
    upto = _LAST if upto is None else min(upto, _LAST)
    if upto <= after:
        return []
    rows = await database.fetch(_LOG, game_id, after + 1, upto)
    return [LogRow(*row) for row in rows]
