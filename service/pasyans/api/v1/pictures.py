"""Pictures of a game's board."""

from typing import Final

from litestar import Response, get
from litestar.datastructures import ResponseHeader

from pasyans.api import watching
from pasyans.api.answers import game_headers, not_modified
from pasyans.api.drawing.board import draw
from pasyans.api.problems import DealSealed, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.v1.games import At
from pasyans.api.v1.parameters import ETAG, VARY, GameId, IfNoneMatch

_TAGS: Final = ["Replays"]
_SVG: Final = "image/svg+xml"
_ALONE: Final = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""A picture that somebody opens by itself is a document: it may load nothing and run nothing."""

_CSP: Final = ResponseHeader(
    name="Content-Security-Policy", description="It may load nothing and run nothing.", documentation_only=True
)


@get(
    "/v1/games/{id:str}/board.svg",
    operation_id="getBoardPicture",
    summary="Picture a game's board",
    tags=_TAGS,
    errors=(NotFound, DealSealed),
    forms=(_SVG,),
    response_headers=[ETAG, VARY, _CSP],
)
async def board(
    request: ApiRequest, game_id: GameId, at: At = None, if_none_match: IfNoneMatch = None
) -> Response[str]:
    """Picture the board as it stands, or as it stood at a version, for an `<img>`: light or dark as the reader likes.

    All pictures of a variant have one size. Face-down cards show their back and how many they are.
    """
    game = await watching.watched(request.deps, game_id, request.viewer)
    head = game.head
    watching.check_version(head, at)
    if (unmodified := not_modified(head, game.sight, if_none_match)) is not None:
        return unmodified
    shown = await watching.game_at(request.deps.store, head, at)
    picture = draw(shown.variant.name.en, shown.rules.layout, shown.piles)
    return Response(picture, media_type=_SVG, headers={**game_headers(head, head.version, game.sight), **_ALONE})
