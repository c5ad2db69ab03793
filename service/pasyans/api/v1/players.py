"""Players: making one, and looking at them."""

from typing import Annotated, Final
from urllib.parse import quote
from uuid import UUID

from litestar import Response, get, post
from litestar.params import HeaderParameter, JSONBody, PathParameter
from msgspec import Meta

from pasyans.api.accounts import create_player
from pasyans.api.answers import FRESH, PRIVATE, SECRET, answer, replay_headers
from pasyans.api.problems import IdempotencyMismatch, NameTaken, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.players import CreatedPlayer, CreatePlayer, Player
from pasyans.api.v1.parameters import LOCATION, REPLAYED, TOKEN
from pasyans.record.times import format_time
from pasyans.store import values

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
)
async def me(request: ApiRequest) -> Response[Player]:
    """Show the player whose token came with the request."""
    return answer(_shown(request.player), PRIVATE)


@get(
    "/v1/players/{name:str}",
    operation_id="getPlayer",
    summary="Show a player",
    tags=_TAGS,
    errors=(NotFound,),
)
async def one(request: ApiRequest, name: PlayerName) -> Response[Player]:
    """Show a player, found by name whatever the case."""
    player = await request.deps.store.player_by_name(name.casefold())
    if player is None:
        raise NotFound("There is no player of this name.")
    return answer(_shown(player), FRESH)


def _shown(player: values.Player) -> Player:
    return Player(player.name, player.guest, format_time(player.created_at))
