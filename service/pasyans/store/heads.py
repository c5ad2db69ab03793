"""Reading games as they stand: one, or lists.

A packed game may keep no snapshot: it is made again from the log.
"""

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID

from msgspec.structs import replace

from pasyans.record.errors import CorruptLog
from pasyans.record.snapshot import encode_snapshot
from pasyans.store import log, replaying
from pasyans.store.connection import Row
from pasyans.store.database import Database
from pasyans.store.values import GameFilter, Head, Running, RunningPage

# The columns are those of `Head`, in order, and the packed log of a game that keeps no snapshot.
SELECT: Final = """
SELECT g.game_id, g.player_id, p.name, p.name_changes, g.variant, g.rules, g.kind, g.seed,
    to_char(g.date, 'YYYY-MM-DD'), g.attempt, g.version, g.status, g.started_at, g.updated_at, g.finished_at,
    g.snapshot, g.hash, CASE WHEN g.snapshot = '' THEN g.packed END
FROM games g JOIN players p USING (player_id)
"""

HEADS: Final = f"{SELECT} WHERE g.game_id = ANY ($1::uuid[])"
"""Gives the heads of some games, in rows for `head_of`."""

# By the primary key, whose order is that of the starts: no index holds what moves.
_RUNNING: Final = """
WITH page AS MATERIALIZED (
    SELECT game_id, status, updated_at FROM games WHERE game_id > $1 AND game_id < $2 ORDER BY game_id LIMIT $3
),
last AS (
    SELECT game_id FROM page ORDER BY game_id DESC LIMIT 1
)
SELECT game_id, updated_at, status = 'playing' FROM page WHERE status = 'playing' OR game_id = (TABLE last)
ORDER BY game_id
"""

_RUNNING_OF: Final = """
SELECT game_id FROM games WHERE player_id = $1 AND status = 'playing' AND game_id > $2 ORDER BY game_id LIMIT $3
"""

_BEFORE_ALL: Final = UUID(int=0)

# Dailies of a day that is over are everybody's; without a day (NULL), none is.
_SEEN: Final = "(g.kind <> 'daily' OR g.date < $2 OR g.player_id = $3)"

# Only deals that anybody may know by now, lest a seed be found by asking for it.
_OPEN: Final = "(g.kind = 'shared' OR g.kind = 'sealed' AND g.status <> 'playing' OR g.date < $2)"


def head_of(row: Row) -> Head:
    """The head that a row has, with its snapshot."""
    *columns, packed = row
    head = Head(*columns)
    if packed is None:
        return head
    outcome = replaying.replay(head, log.unpacked(head.game_id, packed)).outcome
    # A log that comes to no game leaves it without a snapshot that could be read.
    return head if isinstance(outcome, CorruptLog) else replace(head, snapshot=encode_snapshot(outcome))


def _heads_of(rows: Sequence[Row]) -> list[Head]:
    return [head_of(row) for row in rows]


# The beginning of an id, which says roughly when the game was started: indexes of players and variants go by it.
_STRETCH: Final = "substring(uuid_send({}) FROM 1 FOR {})"


async def games(database: Database, which: GameFilter, before: UUID | None, limit: int) -> list[Head]:
    """See `Store.games`."""
    sql, values = statement(which, before, limit)
    rows = await database.fetch(sql, *values)
    if any(row[-1] is not None for row in rows):
        return await asyncio.to_thread(_heads_of, rows)  # since each takes as long as its log is
    return _heads_of(rows)


def statement(which: GameFilter, before: UUID | None, limit: int) -> tuple[str, list[Any]]:
    """The statement that gives a page of heads, in rows for `head_of`, and its parameters."""
    today = None if which.today is None else date.fromisoformat(which.today)
    values: list[Any] = [limit, today, which.viewer]
    conditions = [_SEEN]

    def where(condition: str, value: object) -> None:
        values.append(value)
        conditions.append(condition.format(f"${len(values)}"))

    if which.player_id is not None:
        where("g.player_id = {}", which.player_id)
    if which.variant is not None:
        where("g.variant = {}", which.variant)
    if which.statuses:
        where("g.status = ANY ({}::text[])", which.statuses)
    if which.seed is not None:
        where("g.seed = {}", which.seed)
        conditions.append(_OPEN)
    if which.rules is not None:
        where("g.rules = {}", which.rules)
    if which.kind is not None:
        where("g.kind = {}", which.kind)
    if before is not None:
        where("g.game_id < {}", before)
    order = "g.game_id DESC"
    # The same order, by the index that leads to these games.
    if (size := _stretch(which)) is not None:
        order = f"{_STRETCH.format('g.game_id', size)} DESC, {order}"
        if before is not None:
            conditions.append(f"{_STRETCH.format('g.game_id', size)} <= {_STRETCH.format(f'${len(values)}', size)}")
    return f"{SELECT} WHERE {' AND '.join(conditions)} ORDER BY {order} LIMIT $1", values


def _stretch(which: GameFilter) -> int | None:
    """How many bytes of ids the index goes by that finds these games; all of them where it is none of the two."""
    if which.player_id is not None:
        return 3
    return 4 if which.variant is not None and which.seed is None else None


async def running(database: Database, after: UUID, before: UUID, limit: int) -> RunningPage:
    """See `Store.running`."""
    rows = await database.fetch(_RUNNING, after, before, limit)
    games = [Running(game_id, updated_at) for game_id, updated_at, is_running in rows if is_running]
    return RunningPage(games, rows[-1][0] if rows else None)


async def running_of(database: Database, player_id: UUID, after: UUID | None, limit: int) -> list[UUID]:
    """See `Store.running_of`."""
    rows = await database.fetch(_RUNNING_OF, player_id, after or _BEFORE_ALL, limit)
    return [row[0] for row in rows]
