"""Games: starting, reading and listing them."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api import play, starting, views, visibility, watching
from pasyans.api.answers import GAME, PRIVATE, answer, game_headers, link_next, not_modified, written
from pasyans.api.idempotency import key_of
from pasyans.api.problems import AlreadyPlaying, DealSealed, IdempotencyMismatch, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.common import KnownVariant, Seed
from pasyans.api.schemas.games import Game, GamePage, StartGame, Status
from pasyans.api.v1.parameters import (
    ETAG,
    LINK,
    LOCATION,
    REPLAYED,
    TOKEN,
    VARY,
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
    errors=(AlreadyPlaying, IdempotencyMismatch),
    response_headers=[LOCATION, ETAG, VARY, REPLAYED],
)
async def start(
    request: ApiRequest, data: JSONBody[StartGame], idempotency_key: IdempotencyKey = None
) -> Response[Game]:
    """Start a game of a variant: on a deal that is drawn for it and sealed, on the day's, or on one that is named.

    Of each daily deal a player has one running game.
    """
    player = request.player
    key = key_of(player.player_id, idempotency_key, "POST /v1/games", data)
    played = await starting.start(request.deps, player, data.variant, data.deal, key)
    location = {"Location": views.game_path(played.head.game_id)}
    sight = played.sight
    return written(played, views.full(played.head, played.game, sight), sight, status=201, headers=location)


@get(
    "/v1/games",
    operation_id="listGames",
    summary="List games",
    tags=_TAGS,
    errors=(),
    response_headers=[LINK, VARY],
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
    """List games, the newest first, without their cards.

    Of a daily deal whose day is not over, only the caller's own are there. A seed finds what anybody may know by now.
    """
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
    now = request.deps.clock()
    found = await store.games(visibility.listed(which, request.viewer, now), before, limit + 1)
    items = found[:limit]
    sights = [visibility.look(head, request.viewer, now) for head in items]
    following = cursors.encode(_LIST, str(items[-1].game_id)) if len(found) > limit else None
    shown = [views.summary(head, play.game_of(head), sight) for head, sight in zip(items, sights, strict=True)]
    keeping = PRIVATE if any(sight.is_private for sight in sights) else GAME
    return answer(GamePage(shown, following), {**keeping, **link_next(request, "cursor", following)})


@get(
    "/v1/games/{id:str}",
    operation_id="getGame",
    summary="Show a game",
    tags=_TAGS,
    errors=(NotFound, DealSealed),
    response_headers=[ETAG, VARY],
)
async def one(request: ApiRequest, game_id: GameId, at: At = None, if_none_match: IfNoneMatch = None) -> Response[Game]:
    """Show a game as it stands, or as it stood at a version.

    An earlier state keeps the present `player`, `attempt` and `ranked`, and the seed once it is revealed.
    """
    seen = await watching.watched(request.deps, game_id, request.viewer)
    watching.check_version(seen.head, at)
    if (unmodified := not_modified(seen.head, seen.sight, if_none_match)) is not None:
        return unmodified
    game = await watching.game_at(request.deps.store, seen.head, at)
    return answer(views.full(seen.head, game, seen.sight), game_headers(seen.head, seen.head.version, seen.sight))
