"""Leaderboards: a page of one, and a player's row on it among its neighbours."""

import re
from typing import Annotated, Final, Literal

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api import standings
from pasyans.api.answers import FRESH, answer, link_next
from pasyans.api.problems import NotFound, fault
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.boards import Leaderboard, Neighbourhood
from pasyans.api.schemas.common import OTHER_YEARS, YEARS, RulesNumber, Seed
from pasyans.api.standings import Filters
from pasyans.api.v1.parameters import LINK, CursorText, Limit
from pasyans.api.v1.players import PlayerName
from pasyans.api.v1.variants import VariantPath, variant_of
from pasyans.deals.days import DAY_PATTERN, day_of, is_day
from pasyans.record.boards import Window
from pasyans.store.boards import board_id

_TAGS: Final = ["Leaderboards"]
_LIST: Final = "leaderboard"


def _known_day(day: str) -> str | None:
    """Say what is wrong with a date."""
    if not is_day(day):
        return "is no day of the calendar"
    return f"is not in the years {YEARS[0]} to {YEARS[1]}" if re.match(OTHER_YEARS, day) else None


def _decode_cursor(kind: str, cursor: str) -> standings.Key:
    try:
        key = standings.decode_key(cursors.decode(kind, cursor))
    except ValueError as error:
        raise cursors.BadCursor(cursor) from error
    if _known_day(key.day) is not None:
        raise cursors.BadCursor(cursor)
    return key


_Day = Annotated[
    str,
    Meta(
        pattern=f"^{DAY_PATTERN}$",
        examples=["2026-11-29"],
        extra={"check": _known_day},
        extra_json_schema={"format": "date", "not": {"pattern": OTHER_YEARS}},
    ),
]

BoardCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, _decode_cursor)})] | None, QueryParameter()
]
OnSeed = Annotated[
    Annotated[Seed, Meta(description="Only shared games on this seed; elapsed time is not compared then.")] | None,
    QueryParameter(),
]
OnDaily = Annotated[Annotated[_Day, Meta(description="Only the daily deal of this date.")] | None, QueryParameter()]
In = Annotated[
    Window,
    QueryParameter(),
    Meta(description="Only games that ended in this day, week (from Monday) or month of the UTC calendar."),
]
At = Annotated[Annotated[_Day, Meta(description="A date in the window; today unless given.")] | None, QueryParameter()]
Attempts = Annotated[
    Annotated[
        Literal["best", "first"],
        Meta(description="`first`: only games with `attempt` 1, which is the default on a daily; else `best`."),
    ]
    | None,
    QueryParameter(),
]
Undo = Annotated[
    Literal["any", "none"], QueryParameter(), Meta(description="`none`: only games in which nothing was undone.")
]
Rules = Annotated[
    Annotated[RulesNumber, Meta(description="The number of the rules; the present one unless given.")] | None,
    QueryParameter(),
]
Around = Annotated[
    int, QueryParameter(), Meta(ge=0, le=100, description="How many neighbours on either side.", examples=[5])
]


@get(
    "/v1/leaderboards/{variant:str}",
    operation_id="getLeaderboard",
    summary="Show a leaderboard",
    tags=_TAGS,
    errors=(NotFound,),
    response_headers=[LINK],
)
async def top(
    request: ApiRequest,
    variant: VariantPath,
    seed: OnSeed = None,
    daily: OnDaily = None,
    window: In = "all",
    at: At = None,
    attempts: Attempts = None,
    undo: Undo = "any",
    rules: Rules = None,
    limit: Limit = 50,
    cursor: BoardCursor = None,
) -> Response[Leaderboard]:
    """Show the best games of a variant, of a daily deal or of a seed: one row a player, the best first.

    Variant-wide, sealed games rank, and dailies' first attempts that ended before closing.
    """
    after = None if cursor is None else _decode_cursor(_LIST, cursor)
    if after is not None and window != "all":
        at = at or after.day
    filters = _filters(request, variant, seed, daily, window, at, attempts, undo, rules)
    if after is not None and (filters.board is None or after.board != board_id(filters.board)):
        raise fault("query.cursor", "is of another board: take it from `next`, or leave it out")
    page, last = await standings.top(request.deps.store, filters, after, limit)
    following = None if last is None else cursors.encode(_LIST, standings.encode_key(last))
    return answer(msgspec.structs.replace(page, next=following), {**FRESH, **link_next(request, "cursor", following)})


@get(
    "/v1/leaderboards/{variant:str}/players/{name:str}",
    operation_id="getLeaderboardAround",
    summary="Show a player on a leaderboard",
    tags=_TAGS,
    errors=(NotFound,),
)
async def around(
    request: ApiRequest,
    variant: VariantPath,
    name: PlayerName,
    seed: OnSeed = None,
    daily: OnDaily = None,
    window: In = "all",
    at: At = None,
    attempts: Attempts = None,
    undo: Undo = "any",
    rules: Rules = None,
    around: Around = 5,
) -> Response[Neighbourhood]:
    """Show a player's row on a leaderboard, and those just above and below it."""
    filters = _filters(request, variant, seed, daily, window, at, attempts, undo, rules)
    player = await request.deps.store.player_by_name(name.casefold())
    if player is None:
        raise NotFound("There is no player of this name.")
    found = await standings.around(request.deps.store, filters, player.player_id, around)
    if found is None:
        raise NotFound(f"{player.name} has no row on this leaderboard: no game of theirs counts here.")
    return answer(found, FRESH)


def _filters(
    request: ApiRequest,
    variant: str,
    seed: str | None,
    daily: str | None,
    window: Window,
    at: str | None,
    attempts: str | None,
    undo: str,
    rules: int | None,
) -> Filters:
    found = variant_of(variant, rules)
    if seed is not None and daily is not None:
        raise fault("query.daily", "cannot be combined with seed: leave one of the two out")
    if at is not None and window == "all":
        raise fault("query.at", "says nothing without a window: add window=day, week or month, or leave it out")
    is_first = attempts == "first" or (attempts is None and daily is not None)
    day = day_of(request.deps.clock()) if at is None else at
    return Filters(found.id, found.rules, seed, daily, window, day, is_first=is_first, is_clean=undo == "none")
