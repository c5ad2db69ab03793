"""A game as it goes on."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.datastructures import ResponseHeader
from litestar.params import HeaderParameter
from msgspec import Meta

from pasyans.api import watching
from pasyans.api.answers import empty, kept
from pasyans.api.feeds import Seen
from pasyans.api.problems import DealSealed, NotFound, fault
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.common import VERSION_AT_MOST
from pasyans.api.schemas.streams import StreamMessage
from pasyans.api.streams import MEDIA_TYPE, GameStream, StreamAnswer
from pasyans.api.v1.parameters import VARY, GameId

_TAGS: Final = ["Replays"]
_UNBUFFERED: Final = ResponseHeader(
    name="X-Accel-Buffering", description="A proxy is to pass each message on at once.", documentation_only=True
)

LastEventId = Annotated[
    Annotated[
        int,
        Meta(
            ge=0,
            le=VERSION_AT_MOST,
            description="The `id` of the last message that the client has: the stream goes on after it.",
            examples=[17],
        ),
    ]
    | None,
    HeaderParameter(name="Last-Event-ID"),
]


@get(
    "/v1/games/{id:str}/stream",
    operation_id="streamGame",
    summary="Watch a game as it goes on",
    tags=_TAGS,
    errors=(NotFound, DealSealed),
    forms=(MEDIA_TYPE,),
    response_headers=[VARY, _UNBUFFERED],
    nothing="The game is over, and nothing follows Last-Event-ID.",
)
async def one(request: ApiRequest, game_id: GameId, last_event_id: LastEventId = None) -> Response[StreamMessage]:
    """Watch a game as it goes on, by Server-Sent Events.

    Each message is `event: game`, its `id` is the game's version, and its data is described here. Without
    Last-Event-ID the first message is the present game, with no events; with it the stream goes on after that version,
    and nothing is lost or doubled. A message has all events that have come since the one before, in order: often one,
    several where moves were played together or the reader was away, and 500 at most. The opening of a daily's seed is
    a message with no events, which a reader that comes back later gets again. A comment comes every 15 seconds. After
    the end of the game comes `event: end`, and the connection ends; where it ends without, come back with
    Last-Event-ID. Browsers read this by `fetch` where a token is needed.
    """
    game = await watching.watched(request.deps, game_id, request.viewer)
    seen = None
    if last_event_id is not None:
        if last_event_id > game.head.version:
            raise fault("header.Last-Event-ID", f"is above the game's version, {game.head.version}")
        if last_event_id == game.head.version and game.head.status != "playing":
            return empty(204, kept(game.sight))
        seen = Seen(last_event_id, has_opened=False)
    authorization = request.header(b"authorization") if game.sight.is_private else None
    return StreamAnswer(
        GameStream(request.deps.streams, game_id, seen, game.sight.opens_at, authorization, is_head=request.is_head)
    )
