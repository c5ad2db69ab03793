"""Games: starting, reading and listing them."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api import play, views
from pasyans.api.answers import GAME, answer, game_headers, link_next, not_modified, written
from pasyans.api.idempotency import key_of
from pasyans.api.problems import IdempotencyMismatch, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.common import KnownVariant, Seed
from pasyans.api.schemas.games import Game, GamePage, SharedDeal, StartGame, Status
from pasyans.api.v1.parameters import (
    ETAG,
    LINK,
    LOCATION,
    REPLAYED,
    TOKEN,
    CursorText,
    GameId,
    IdempotencyKey,
    IfNoneMatch,
    Limit,
)
from pasyans.store.values import GameFilter

_TAGS: Final = ["Games"]
_LIST: Final = "games"

GamesCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, cursors.decode_id)})] | None, QueryParameter()
]

At = Annotated[
    Annotated[int, Meta(ge=0, le=2**31 - 1, description="Show the game as it stood at this version.")] | None,
    QueryParameter(),
]
OfPlayer = Annotated[
    Annotated[str, Meta(min_length=1, max_length=64, description="Only games of this player.")] | None,
    QueryParameter(),
]
OfVariant = Annotated[KnownVariant | None, QueryParameter()]
OfStatus = Annotated[Annotated[Status, Meta(description="Only games that stand so.")] | None, QueryParameter()]
OfSeed = Annotated[Seed | None, QueryParameter()]


@post(
    "/v1/games",
    operation_id="startGame",
    summary="Start a game",
    tags=_TAGS,
    security=TOKEN,
    errors=(IdempotencyMismatch,),
    response_headers=[LOCATION, ETAG, REPLAYED],
)
async def start(
    request: ApiRequest, data: JSONBody[StartGame], idempotency_key: IdempotencyKey = None
) -> Response[Game]:
    """Start a game of a variant: on a deal that the service draws and seals, or on one that the caller names."""
    player = request.player
    key = key_of(player.player_id, idempotency_key, "POST /v1/games", data)
    seed = data.deal.seed if isinstance(data.deal, SharedDeal) else None
    played = await play.start(request.deps, player, data.variant, seed, key)
    location = {"Location": views.game_path(played.head.game_id)}
    return written(played, views.full(played.head, played.game), status=201, headers=location)


@get(
    "/v1/games",
    operation_id="listGames",
    summary="List games",
    tags=_TAGS,
    errors=(),
    response_headers=[LINK],
)
async def listed(
    request: ApiRequest,
    player: OfPlayer = None,
    variant: OfVariant = None,
    status: OfStatus = None,
    seed: OfSeed = None,
    limit: Limit = 50,
    cursor: GamesCursor = None,
) -> Response[GamePage]:
    """List games, the newest first, without their cards. Only deals that anybody may know are found by seed."""
    store = request.deps.store
    before = None if cursor is None else cursors.decode_id(_LIST, cursor)
    owner = None if player is None else await store.player_by_name(player.casefold())
    if player is not None and owner is None:
        return answer(GamePage([], None), GAME)
    which = GameFilter(
        player_id=None if owner is None else owner.player_id,
        variant=variant,
        statuses=() if status is None else (status,),
        seed=seed,
    )
    found = await store.games(which, before, limit + 1)
    items = found[:limit]
    following = cursors.encode(_LIST, str(items[-1].game_id)) if len(found) > limit else None
    page = GamePage([views.summary(head, play.game_of(head)) for head in items], following)
    return answer(page, {**GAME, **link_next(request, "cursor", following)})


@get(
    "/v1/games/{id:str}",
    operation_id="getGame",
    summary="Show a game",
    tags=_TAGS,
    errors=(NotFound,),
    response_headers=[ETAG],
)
async def one(request: ApiRequest, game_id: GameId, at: At = None, if_none_match: IfNoneMatch = None) -> Response[Game]:
    """Show a game as it stands, or as it stood at a version.

    An earlier state keeps the present `player`, `attempt` and `ranked`, and the seed once it is revealed.
    """
    store = request.deps.store
    head = await play.head_of(store, game_id)
    if at is not None and not 1 <= at <= head.version:
        raise NotFound(f"The game has no version {at}: it has 1 to {head.version}.")
    if (unmodified := not_modified(head, if_none_match)) is not None:
        return unmodified
    present = play.game_of(head)
    game = present if at is None else (await play.frames_of(store, game_id, at - 1, at))[-1].game
    return answer(views.full(head, game, present), game_headers(head, head.version))
