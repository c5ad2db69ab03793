"""Replaying what is stored, player by player: every game from its log, in memory that does not grow with their number.

All that is read of some players comes from one snapshot, however long it takes and whatever is played meanwhile.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from typing import Final
from uuid import UUID

from msgspec import Struct

from pasyans.games.catalogue import UnknownVariant
from pasyans.record.errors import CorruptLog
from pasyans.record.events import Event
from pasyans.record.fold import fold
from pasyans.record.game import Game
from pasyans.record.lines import decode
from pasyans.store import log
from pasyans.store.connection import Connection
from pasyans.store.values import Head, LogRow

_PLAYERS_AT_ONCE: Final = 100
_EVENTS_AT_ONCE: Final = 20_000

_PLAYERS: Final = "SELECT player_id FROM players WHERE player_id > $1 ORDER BY player_id LIMIT $2"

# The columns are those of `Head`, in order; names are nobody's business here. A packed game may keep no snapshot.
_SELECT: Final = """
SELECT game_id, player_id, '', 0, variant, rules, kind, seed, to_char(date, 'YYYY-MM-DD'), attempt, version, status,
    started_at, updated_at, finished_at, snapshot, hash
FROM games
"""

_HEADS: Final = f"{_SELECT} WHERE player_id = ANY ($1) AND (status <> 'playing' OR $2)"
_HEAD: Final = f"{_SELECT} WHERE game_id = $1"
_SOME: Final = f"{_SELECT} WHERE game_id = ANY ($1) ORDER BY game_id"

_EVENTS: Final = "SELECT COALESCE(sum(version), 0)::int8 FROM games WHERE status <> 'playing' OR $1"

_BEFORE_ALL: Final = UUID(int=0)


class Replayed(Struct, frozen=True):
    """A game as its head has it, its log, and what the log comes to: a game, or why it comes to none.

    An empty snapshot is none: the database lets no head be without one whose log is not packed to its end.
    """

    head: Head
    rows: list[LogRow]
    outcome: Game | CorruptLog


async def events_in_all(connection: Connection, *, playing: bool) -> int:
    """How many events there are, with those of games that are being played or without."""
    return int(await connection.fetchval(_EVENTS, playing))


async def players(connection: Connection) -> AsyncIterator[list[UUID]]:
    """Every player, some at a time, in the order of ids."""
    last = _BEFORE_ALL
    while found := [row[0] for row in await connection.fetch(_PLAYERS, last, _PLAYERS_AT_ONCE)]:
        yield found
        last = found[-1]


async def games(connection: Connection, of: Sequence[UUID], *, playing: bool) -> AsyncGenerator[Replayed]:
    """The games of some players, within a transaction that is one snapshot.

    While they are replayed, the logs of the next are read. So the connection is in use until this has come to its end
    or was closed (`aclosing`).
    """
    async with aclosing(_batches(connection, of, playing)) as batches:
        coming = asyncio.ensure_future(anext(batches, None))
        try:
            while (batch := await coming) is not None:
                coming = asyncio.ensure_future(anext(batches, None))
                for head, rows in batch:
                    await asyncio.sleep(0)  # what has come meanwhile is taken from the socket
                    yield replay(head, rows)
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)


async def _batches(
    connection: Connection, of: Sequence[UUID], playing: bool
) -> AsyncGenerator[list[tuple[Head, list[LogRow]]]]:
    """The heads and logs of some players' games, about as many at a time as have `_EVENTS_AT_ONCE`."""
    heads: list[Head] = []
    events = 0
    async for row in connection.cursor(_HEADS, of, playing):
        heads.append(head := Head(*row))
        events += head.version
        if events >= _EVENTS_AT_ONCE:
            yield await _logs(connection, heads)
            heads, events = [], 0
    yield await _logs(connection, heads)


async def some(connection: Connection, game_ids: Sequence[UUID]) -> list[Replayed]:
    """These games, by id, within a transaction that is one snapshot."""
    heads = [Head(*row) for row in await connection.fetch(_SOME, game_ids)]
    return [replay(head, rows) for head, rows in await _logs(connection, heads)]


async def head(connection: Connection, game_id: UUID) -> Head | None:
    """The head of one game."""
    row = await connection.fetchrow(_HEAD, game_id)
    return Head(*row) if row else None


def replay(head: Head, rows: list[LogRow]) -> Replayed:
    """Replay a game from its log; takes as long as that is."""
    return Replayed(head, rows, _fold(rows))


async def _logs(connection: Connection, heads: list[Head]) -> list[tuple[Head, list[LogRow]]]:
    logs = await log.whole(connection, [head.game_id for head in heads])
    return [(head, logs[head.game_id]) for head in heads]


def _fold(rows: list[LogRow]) -> Game | CorruptLog:
    try:
        return fold(_events(rows)).game
    except CorruptLog as error:
        return error
    except UnknownVariant as error:
        return CorruptLog(1, str(error))


def _events(rows: list[LogRow]) -> Iterator[tuple[Event, int]]:
    for row in rows:
        for event in decode(row.events, row.first_seq):
            yield event, row.at
