"""Replays: a game's course with the cards, as JSON, as a stream, and as pictures."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import Meta

from pasyans.api import watching
from pasyans.api.answers import answer, empty, game_headers, in_pieces, kept, link_next
from pasyans.api.door import JSON
from pasyans.api.etag import unchanged
from pasyans.api.problems import DealSealed, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.replays import ReplayFrame, ReplayPage
from pasyans.api.v1.events import After
from pasyans.api.v1.parameters import ETAG, LINK, VARY, GameId, IfNoneMatch

_TAGS: Final = ["Replays"]
_NDJSON: Final = "application/x-ndjson"
_BY_FORM: Final = {"Vary": "Accept, Authorization"}
_PAGE: Final = 50
_LINES: Final = msgspec.json.Encoder()

ReplayLimit = Annotated[
    Annotated[
        int,
        Meta(
            ge=1,
            le=200,
            description="How many frames there are at most: in a page 50 unless told, in a stream all.",
            examples=[50],
        ),
    ]
    | None,
    QueryParameter(),
]


@get(
    "/v1/games/{id:str}/replay",
    operation_id="getReplay",
    summary="Replay a game",
    tags=_TAGS,
    errors=(NotFound, DealSealed),
    forms=(JSON, _NDJSON),
    types={_NDJSON: ReplayFrame},
    response_headers=[ETAG, LINK, VARY],
)
async def frames(
    request: ApiRequest,
    game_id: GameId,
    after: After = 0,
    limit: ReplayLimit = None,
    if_none_match: IfNoneMatch = None,
) -> Response[ReplayPage]:
    """Watch how a game went: a frame for each event, with the game after it as `?at=` shows it.

    JSON comes in pages. `application/x-ndjson` is a stream of all frames up to the present one, each a line; it alone
    has an ETag. A stream whose connection ends before its last chunk is broken, and goes on with `after`.
    """
    store = request.deps.store
    game = await watching.watched(request.deps, game_id, request.viewer)
    head = game.head
    is_stream = request.scope["state"]["form"] == _NDJSON
    upto = head.version if limit is None and is_stream else min(after + (limit or _PAGE), head.version)
    reel = watching.reel(store, game, after, upto)
    if is_stream:
        headers = {**game_headers(head, head.version, game.sight), **_BY_FORM}
        if unchanged(headers["ETag"], if_none_match):
            return empty(304, headers)
        return await in_pieces(request, (_LINES.encode_lines(part) async for part in reel), _NDJSON, headers)
    items = [frame async for part in reel for frame in part]
    following = upto if after < upto < head.version else None
    return answer(
        ReplayPage(items, following), {**kept(game.sight), **_BY_FORM, **link_next(request, "after", following)}
    )
