"""Looking for results, all filters together and sorted by any column.

By the time of the finish, which is what is asked for most, a page goes by an index; another order may take the whole
table. Values that are missing come last, whichever the direction; rows that are equal go by the game's id.
"""

from collections.abc import AsyncGenerator, Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from pasyans.record.result import Result
from pasyans.store.admin_values import FAST_MS, ResultFilter, ResultRow, ResultSort, SortValue
from pasyans.store.connection import Row
from pasyans.store.results import COLUMNS
from pasyans.store.surveys import Surveys

_OPEN: Final = "(kind <> 'daily' OR date < $1)"  # $1 is today
_STATUS: Final = "CASE WHEN is_void THEN 'void' ELSE outcome END"
_ELAPSED: Final = "(extract(epoch FROM finished_at - started_at) * 1000)::int8"


class _Column(Struct, frozen=True):
    """What is sorted by, and the type of a value to go on from."""

    expression: str
    type: str
    has_nulls: bool = False


_COLUMNS: Final[dict[ResultSort, _Column]] = {
    "game": _Column("game_id::text", "text"),
    "player": _Column("name_key", "text"),
    "variant": _Column("variant", "text"),
    "rules": _Column("rules", "int8"),
    "kind": _Column("kind", "text"),
    # The place of a row must not tell of a seed that the row does not show.
    "seed": _Column(f"CASE WHEN {_OPEN} THEN seed END", "text", has_nulls=True),
    "date": _Column("to_char(date, 'YYYY-MM-DD')", "text", has_nulls=True),
    "attempt": _Column("attempt", "int8"),
    "status": _Column(_STATUS, "text"),
    "outcome": _Column("outcome", "text"),
    "score": _Column("score", "int8"),
    "redeals": _Column("redeals", "int8"),
    "moves": _Column("moves", "int8"),
    "undos": _Column("undos", "int8"),
    "elapsed_ms": _Column(_ELAPSED, "int8"),
    "ms_per_move": _Column(f"{_ELAPSED} / NULLIF(moves, 0)", "int8", has_nulls=True),
    "started_at": _Column("started_at", "timestamptz"),
    "finished_at": _Column("finished_at", "timestamptz"),
}

_ROWS: Final = f"""
SELECT {{value}} AS value, name, {COLUMNS}
FROM results JOIN (SELECT player_id AS owner, name, name_key FROM players) AS owners ON owner = player_id
WHERE {{conditions}} ORDER BY {{order}}
"""  # noqa: S608 - made of constants

_COUNT: Final = "SELECT count(*) FROM results WHERE {conditions}"


class _Conditions:
    """Conditions and the values of their parameters, of which today is the first."""

    def __init__(self, which: ResultFilter) -> None:
        self.values: list[Any] = [date.fromisoformat(which.today)]
        self._conditions = ["$1::date IS NOT NULL"]
        self.add("variant = {}", which.variant)
        self.add("player_id = {}", which.player_id)
        self.add(f"(seed = {{}} AND {_OPEN})", which.seed)
        self.add("kind = {}", which.kind)
        self.add(f"{_STATUS} = ANY ({{}}::text[])", which.statuses or None)
        self.add("outcome = {}", which.outcome)
        self.add("rules = {}", which.rules)
        self.add("finished_at >= {}", which.since)
        self.add("finished_at < {}", which.before)
        self.add(f"(finished_at - started_at < moves * interval '{FAST_MS} milliseconds') = {{}}", which.fast)

    def add(self, condition: str, *values: object) -> None:
        """Add a condition, unless its value is None."""
        if values[0] is not None:
            numbers = range(len(self.values) + 1, len(self.values) + 1 + len(values))
            self.values += values
            self._conditions.append(condition.format(*(f"${number}" for number in numbers)))

    @property
    def sql(self) -> str:
        """All of them together."""
        return " AND ".join(self._conditions)


def statement(
    which: ResultFilter, sort: ResultSort, descending: bool, after: tuple[SortValue, UUID] | None, limit: int
) -> tuple[str, list[Any]]:
    """The statement that reads a page, and its values."""
    conditions = _Conditions(which)
    if after is not None:
        _go_on(conditions, _COLUMNS[sort], descending, *after)
    sql = f"{_rows(conditions, sort, descending)} LIMIT ${len(conditions.values) + 1}"
    return sql, [*conditions.values, limit]


async def page(
    surveys: Surveys,
    which: ResultFilter,
    sort: ResultSort,
    descending: bool,
    after: tuple[SortValue, UUID] | None,
    limit: int,
) -> list[ResultRow]:
    """See `AdminStore.results`."""
    sql, values = statement(which, sort, descending, after, limit)
    return _read(await surveys.fetch(sql, *values))


async def batches(
    surveys: Surveys, which: ResultFilter, sort: ResultSort, descending: bool
) -> AsyncGenerator[list[ResultRow], None]:
    """See `AdminStore.result_batches`."""
    conditions = _Conditions(which)
    rows = surveys.batches(_rows(conditions, sort, descending), *conditions.values)
    try:
        async for some in rows:
            yield _read(some)
    finally:
        await rows.aclose()


async def count(surveys: Surveys, which: ResultFilter) -> int:
    """See `AdminStore.count_results`."""
    conditions = _Conditions(which)
    rows = await surveys.fetch(_COUNT.format(conditions=conditions.sql), *conditions.values)
    return int(rows[0][0])


def _go_on(conditions: _Conditions, column: _Column, descending: bool, value: SortValue, game_id: UUID) -> None:
    """Leave only what comes behind a value and a game's id."""
    beyond = "<" if descending else ">"
    if value is None:
        conditions.add(f"({column.expression} IS NULL AND game_id {beyond} {{}})", game_id)
        return
    behind = f"({column.expression}, game_id) {beyond} ({{}}::{column.type}, {{}})"
    conditions.add(f"({behind} OR {column.expression} IS NULL)" if column.has_nulls else behind, value, game_id)


def _rows(conditions: _Conditions, sort: ResultSort, descending: bool) -> str:
    column = _COLUMNS[sort]
    direction = "DESC" if descending else "ASC"
    nulls = " NULLS LAST" if column.has_nulls else ""
    return _ROWS.format(
        value=column.expression,
        conditions=conditions.sql,
        order=f"{column.expression} {direction}{nulls}, game_id {direction}",
    )


def _read(rows: Sequence[Row]) -> list[ResultRow]:
    return [ResultRow(game_id, player, Result(*fields), value) for value, player, game_id, *fields in rows]
