"""Players: making one, naming one, and looking at them."""

from typing import Annotated, Final
from urllib.parse import quote
from uuid import UUID

from litestar import Response, get, patch, post
from litestar.params import HeaderParameter, JSONBody, PathParameter
from msgspec import Meta

from pasyans.api.accounts import create_player, take_name
from pasyans.api.answers import FRESH, PRIVATE, SECRET, answer, replay_headers
from pasyans.api.problems import IdempotencyMismatch, NameFixed, NameTaken, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.players import CreatedPlayer, CreatePlayer, Player, TakeName
from pasyans.api.v1.parameters import LOCATION, REPLAYED, TOKEN, VARY
from pasyans.record.times import format_time
from pasyans.store import values
from pasyans.store.base import Store

_TAGS: Final = ["Players"]

PlayerKey = Annotated[
    Annotated[
        UUID,
        Meta(
            description="A UUID of the client's own, not to be guessed: whoever repeats the request with it is given "
            "the same token again."
        ),
    ]
    | None,
    HeaderParameter(name="Idempotency-Key"),
]
PlayerName = Annotated[
    str, PathParameter(name="name"), Meta(min_length=1, max_length=64, description="A name, in any case.")
]


@post(
    "/v1/players",
    operation_id="createPlayer",
    summary="Make a player",
    tags=_TAGS,
    errors=(NameTaken, IdempotencyMismatch),
    response_headers=[LOCATION, REPLAYED],
)
async def create(
    request: ApiRequest, data: JSONBody[CreatePlayer], idempotency_key: PlayerKey = None
) -> Response[CreatedPlayer]:
    """Make a player with a name, or a guest, and show the player's first token, this once.

    A lost token is a lost player: keep it.
    """
    account = await create_player(request.deps, data, idempotency_key)
    player = account.player
    shown = CreatedPlayer(player.name, player.guest, format_time(player.created_at), account.token)
    location = {"Location": f"/v1/players/{quote(player.name)}"}
    return answer(shown, {**SECRET, **location, **replay_headers(account.is_replay)}, status=201)


@get(
    "/v1/players/me",
    operation_id="getMe",
    summary="Show the caller",
    tags=_TAGS,
    security=TOKEN,
    errors=(),
    response_headers=[VARY],
)
async def me(request: ApiRequest) -> Response[Player]:
    """Show the player whose token came with the request."""
    return answer(_shown(request.player), PRIVATE)


@patch(
    "/v1/players/me",
    operation_id="takeName",
    summary="Take a name",
    tags=_TAGS,
    security=TOKEN,
    errors=(NameTaken, NameFixed),
    response_headers=[VARY],
)
async def rename(request: ApiRequest, data: JSONBody[TakeName]) -> Response[Player]:
    """Give the caller, who is a guest, a name. It is taken once and stays; to repeat the request does no harm."""
    return answer(_shown(await take_name(request.deps, request.player, data)), PRIVATE)


@get(
    "/v1/players/{name:str}",
    operation_id="getPlayer",
    summary="Show a player",
    tags=_TAGS,
    errors=(NotFound,),
)
async def one(request: ApiRequest, name: PlayerName) -> Response[Player]:
    """Show a player, found by name whatever the case."""
    return answer(_shown(await player_of(request.deps.store, name)), FRESH)


async def player_of(store: Store, name: str) -> values.Player:
    """Return the player of a name, whatever its case.

    Raises:
        NotFound: there is none.
    """
    player = await store.player_by_name(name.casefold())
    if player is None:
        raise NotFound("There is no player of this name.")
    return player


def _shown(player: values.Player) -> Player:
    return Player(player.name, player.guest, format_time(player.created_at))
