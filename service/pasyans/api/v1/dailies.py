"""Daily deals: what is played today, what is committed to, and what was dealt."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api import dailies, views, visibility
from pasyans.api.answers import FRESH, HOUR, answer, link_next
from pasyans.api.problems import NotFound, fault
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.common import KnownDay
from pasyans.api.schemas.variants import DailyPage
from pasyans.api.v1.parameters import LINK, CursorText, Limit
from pasyans.deals.days import day_of, is_day

_TAGS: Final = ["Variants and deals"]
_LIST: Final = "dailies"


def _decode(kind: str, cursor: str) -> tuple[str, str]:
    """Return the day of a list and the variant that it goes on after."""
    day, _, variant = cursors.decode(kind, cursor).partition(" ")
    if not is_day(day):
        raise cursors.BadCursor(cursor)
    return day, variant


OnDay = Annotated[
    Annotated[KnownDay, Meta(description="The UTC day; today unless told.")] | None, QueryParameter(name="date")
]
DailiesCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, _decode)})] | None, QueryParameter()
]


@get(
    "/v1/daily",
    operation_id="listDailies",
    summary="List a day's deals",
    tags=_TAGS,
    errors=(NotFound,),
    response_headers=[LINK],
)
async def listed(
    request: ApiRequest, day: OnDay = None, limit: Limit = 50, cursor: DailiesCursor = None
) -> Response[DailyPage]:
    """List the deal of every variant on a UTC day, by variant.

    Deals are drawn and committed to a week ahead; the seed of each is there when its day is over.
    """
    now = request.deps.clock()
    begun, after = (day, "") if cursor is None else _decode(_LIST, cursor)
    if day is not None and begun != day:
        raise fault("query.cursor", "is the cursor of another day: take it from `next`, or leave it out")
    # Without a date the list stays that of the day on which it was begun.
    shown = begun or day_of(now)
    found = await dailies.of_day(request.deps, shown, now)
    if not found:
        raise NotFound(f"There are no deals of {shown}: they are drawn from a week before their day, and never later.")
    following = [daily for daily in found if daily.variant > after]
    items = following[:limit]
    more = cursors.encode(_LIST, f"{shown} {items[-1].variant}") if len(following) > limit else None
    keeping = HOUR if visibility.day_is_over(shown, now) else FRESH
    page = DailyPage([views.daily(each, now) for each in items], more)
    return answer(page, {**keeping, **link_next(request, "cursor", more)})
