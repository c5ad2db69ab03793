"""A game's events."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import Meta

from pasyans.api import play, views, watching
from pasyans.api.answers import answer, kept, link_next
from pasyans.api.problems import DealSealed, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.common import VERSION_AT_MOST
from pasyans.api.schemas.events import EventPage
from pasyans.api.v1.parameters import LINK, VARY, GameId, Limit

_TAGS: Final = ["Replays"]

After = Annotated[
    int,
    QueryParameter(),
    Meta(ge=0, le=VERSION_AT_MOST, description="Only events whose number is above this.", examples=[0]),
]


@get(
    "/v1/games/{id:str}/events",
    operation_id="listEvents",
    summary="List a game's events",
    tags=_TAGS,
    errors=(NotFound, DealSealed),
    response_headers=[LINK, VARY],
)
async def listed(request: ApiRequest, game_id: GameId, after: After = 0, limit: Limit = 50) -> Response[EventPage]:
    """List what happened in a game, in order, each event with its net effect on the piles."""
    game = await watching.watched(request.deps, game_id, request.viewer)
    head = game.head
    upto = min(after + limit, head.version)
    frames = await play.frames_of(request.deps.store, game_id, after, upto) if after < upto else []
    following = upto if after < upto < head.version else None
    page = EventPage([views.framed(frame) for frame in frames], following)
    return answer(page, {**kept(game.sight), **link_next(request, "after", following)})
