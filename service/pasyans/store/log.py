"""Reading a game's log."""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.packed import BadPack, unpack
from pasyans.store.values import LogRow

# The row that holds event `after + 1` is the last one that starts at or before it, so the index leads straight there.
# Rows that are packed may be there still, for as long as packing takes.
_LOG: Final = """
SELECT first_seq, last_seq, events, at, hash, NULL::bytea FROM game_events
WHERE game_id = $1
    AND first_seq >= COALESCE((
        SELECT max(first_seq) FROM game_events WHERE game_id = $1 AND first_seq <= $2
    ), 1)
    AND first_seq > COALESCE((SELECT packed_upto FROM games WHERE game_id = $1), 0)
    AND first_seq <= $3
    AND last_seq >= $2
UNION ALL
SELECT 0, NULL, NULL, NULL, NULL, packed FROM games WHERE game_id = $1 AND packed_upto >= $2
ORDER BY 1
"""

# A row for each game, whose columns hold those of `LogRow`, in order, from all its rows: very much less to read than a
# row for each of them.
_WHOLE: Final = """
SELECT game_id, array_agg(first_seq ORDER BY first_seq), array_agg(last_seq ORDER BY first_seq),
    array_agg(events ORDER BY first_seq), array_agg(at ORDER BY first_seq), array_agg(hash ORDER BY first_seq)
FROM game_events WHERE game_id = ANY ($1) GROUP BY game_id
"""

_PACKED: Final = "SELECT game_id, packed FROM games WHERE game_id = ANY ($1) AND packed IS NOT NULL"

_LONG: Final = 4096  # bytes of a packed log, of some 700 events
_KEPT: Final = 2  # long logs that are kept unpacked

_LAST: Final = 2**31 - 1  # no event has a higher number


async def log(database: Database, game_id: UUID, after: int, upto: int | None) -> list[LogRow]:
    """See `Store.log`."""
    upto = _LAST if upto is None else min(upto, _LAST)
    if upto <= after:
        return []
    found: list[LogRow] = []
    for *row, packed in await database.fetch(_LOG, game_id, after + 1, upto):
        if packed is None:
            found.append(LogRow(*row))
        else:
            # Beside the event loop where it takes long; and whoever reads a log by stretches needs the same rows again.
            is_long = len(packed) > _LONG
            rows = await asyncio.to_thread(_recent, game_id, packed) if is_long else unpacked(game_id, packed)
            found += (row for row in rows if row.last_seq > after and row.first_seq <= upto)
    return found


async def whole(connection: Connection, game_ids: Sequence[UUID]) -> dict[UUID, list[LogRow]]:
    """The logs of these games, from the first row to the last; an empty one for a game that has none.

    Runs within a transaction that is one snapshot.
    """
    logs: dict[UUID, list[LogRow]] = {game_id: [] for game_id in game_ids}
    for game_id, packed in await connection.fetch(_PACKED, game_ids):
        logs[game_id] = unpacked(game_id, packed)
    for game_id, *columns in await connection.fetch(_WHOLE, game_ids):
        log, rows = logs[game_id], map(LogRow, *columns)
        log += [row for row in rows if row.first_seq > log[-1].last_seq] if log else rows
    return logs


def unpacked(game_id: UUID, packed: bytes) -> list[LogRow]:
    """A packed log that can't be read is as one that is gone: whoever replays it says so."""
    try:
        return unpack(game_id, packed)
    except BadPack:
        return []


_recent = lru_cache(_KEPT)(unpacked)
