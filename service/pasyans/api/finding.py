"""Finding results: from what admins ask for to what the store is asked, and from its rows to what is shown.

No HTTP here. The seed of a daily whose day is not over is in no answer, and no filter or order tells of it.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final, cast
from uuid import UUID

import msgspec

from pasyans.api import cursor as cursors
from pasyans.api import spreadsheets, visibility
from pasyans.api.problems import fault
from pasyans.api.schemas.results import FinishedResult, Sort, VoidableResults
from pasyans.deals.days import day_of
from pasyans.record.events import Outcome
from pasyans.record.times import format_time, parse_time
from pasyans.store.admin_values import ResultFilter, ResultRow, ResultSort, ResultStatus, SortValue
from pasyans.store.base import Store

_COLUMNS: Final = FinishedResult.__struct_fields__
_LINES: Final = 200  # in a piece: what is made at once, while nobody else is served
_KEY: Final = msgspec.json.Decoder(tuple[str, int | str | None, UUID], strict=True)


NOBODY: Final = UUID(int=0)
"""The id of no player."""


class Place(msgspec.Struct, frozen=True):
    """The last row of a page: the order of the list, what the row is sorted by there, and its game."""

    sort: str
    value: SortValue
    game_id: UUID


def order_of(sort: Sort) -> tuple[ResultSort, bool]:
    """Return the column to sort by, and whether the greatest comes first."""
    return cast("ResultSort", sort.removeprefix("-")), sort.startswith("-")


def encode_place(kind: str, sort: Sort, row: ResultRow) -> str:
    """Return the cursor of the page that begins behind a row in a list of ``kind``, sorted so."""
    return cursors.encode(kind, msgspec.json.encode((sort, row.value, row.game_id)).decode())


def decode_place(kind: str, cursor: str) -> Place:
    """Return the place in a cursor.

    Raises:
        BadCursor: this is no cursor of such a list.
    """
    try:
        return Place(*_KEY.decode(cursors.decode(kind, cursor)))
    except msgspec.MsgspecError as error:
        raise cursors.BadCursor(cursor) from error


def shown(row: ResultRow, now: int) -> FinishedResult:
    """Return a result as it is seen at the time ``now``."""
    result = row.result
    return FinishedResult(
        game=row.game_id,
        player=row.player,
        variant=result.variant,
        rules=result.rules,
        kind=result.kind,
        seed=visibility.result_seed(result, now),
        date=result.date,
        attempt=result.attempt,
        status="void" if result.is_void else result.outcome,
        outcome=result.outcome,
        score=result.score,
        redeals=result.redeals,
        moves=result.moves,
        undos=result.undos,
        elapsed_ms=result.elapsed_ms,
        ms_per_move=result.elapsed_ms // result.moves if result.moves else None,
        started_at=format_time(result.started_at),
        finished_at=format_time(result.finished_at),
    )


async def filter_of(
    store: Store,
    wanted: VoidableResults,
    statuses: Sequence[ResultStatus],
    outcome: Outcome | None,
    now: int,
    path: str,
) -> ResultFilter:
    """Return what the store is asked for, at the time ``now``; ``path`` is where the request has ``wanted``.

    ``statuses`` and ``outcome`` go before those of ``wanted``, which has only the ones of what can be voided.

    Raises:
        InvalidRequest: no time is within the bounds.
        StoreError: the player that is named could not be looked up.
    """
    since, before = bounds(wanted.since, wanted.before, path)
    return ResultFilter(
        today=day_of(now),
        variant=wanted.variant,
        player_id=await player_named(store, wanted.player),
        seed=wanted.seed,
        kind=wanted.kind,
        statuses=tuple(statuses),
        outcome=outcome,
        rules=wanted.rules,
        since=since,
        before=before,
        fast=wanted.fast,
    )


def bounds(since: str | None, before: str | None, path: str) -> tuple[int | None, int | None]:
    """Return the bounds of a range of times, which the request has at ``path``.

    Raises:
        InvalidRequest: no time is within them.
    """
    first, end = (None if text is None else parse_time(text) for text in (since, before))
    if first is not None and end is not None and end <= first:
        raise fault(f"{path}.before", "is not after since: no time is between them")
    return first, end


async def player_named(store: Store, name: str | None) -> UUID | None:
    """Return the id of the player of a name, whatever its case; `NOBODY` where there is none."""
    if name is None:
        return None
    player = await store.player_by_name(name.casefold())
    return NOBODY if player is None else player.player_id


async def table(batches: AsyncGenerator[list[ResultRow]], now: int) -> AsyncGenerator[bytes]:
    """Yield the pieces of a CSV of results, as they are seen at the time ``now``.

    Raises:
        StoreError: the results, or the rest of them, can't be read.
    """
    head = spreadsheets.lines([_COLUMNS])
    async with aclosing(batches):
        async for rows in batches:
            for start in range(0, len(rows), _LINES):
                some = rows[start : start + _LINES]
                yield head + spreadsheets.lines(msgspec.structs.astuple(shown(row, now)) for row in some)
                head = b""
    if head:
        yield head
