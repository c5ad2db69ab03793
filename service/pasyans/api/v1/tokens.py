"""A player's own tokens."""

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api.accounts import create_token
from pasyans.api.answers import PRIVATE, SECRET, answer, empty, link_next, replay_headers
from pasyans.api.problems import IdempotencyMismatch, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.players import CreatedToken, CreateToken, Token, TokenPage
from pasyans.api.v1.parameters import LINK, REPLAYED, TOKEN, VARY, CursorText, IdempotencyKey, Limit
from pasyans.record.times import format_time
from pasyans.store import values

_TAGS: Final = ["Players"]
_LIST: Final = "tokens"

TokensCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, cursors.decode_id)})] | None, QueryParameter()
]

TokenId = Annotated[UUID, PathParameter(name="id"), Meta(description="The id of a token.")]


@post(
    "/v1/tokens",
    operation_id="createToken",
    summary="Make a token",
    tags=_TAGS,
    security=TOKEN,
    errors=(IdempotencyMismatch,),
    response_headers=[REPLAYED],
)
async def create(
    request: ApiRequest, data: JSONBody[CreateToken], idempotency_key: IdempotencyKey = None
) -> Response[CreatedToken]:
    """Make one more token for the caller, for another device say, and show it, this once."""
    fresh = await create_token(request.deps, request.player, data, idempotency_key)
    shown = CreatedToken(fresh.token_id, fresh.label, format_time(fresh.created_at), None, fresh.token)
    return answer(shown, {**SECRET, **replay_headers(fresh.is_replay)}, status=201)


@get(
    "/v1/tokens",
    operation_id="listTokens",
    summary="List the caller's tokens",
    tags=_TAGS,
    security=TOKEN,
    errors=(),
    response_headers=[LINK, VARY],
)
async def listed(request: ApiRequest, limit: Limit = 50, cursor: TokensCursor = None) -> Response[TokenPage]:
    """List the caller's tokens in force, the oldest first, without their text."""
    after = None if cursor is None else cursors.decode_id(_LIST, cursor)
    found = await request.deps.store.tokens(request.player.player_id, after, limit + 1)
    items = found[:limit]
    following = cursors.encode(_LIST, str(items[-1].token_id)) if len(found) > limit else None
    page = TokenPage([_shown(token) for token in items], following)
    return answer(page, {**PRIVATE, **link_next(request, "cursor", following)})


@delete(
    "/v1/tokens/{id:str}",
    operation_id="revokeToken",
    summary="Revoke a token",
    tags=_TAGS,
    security=TOKEN,
    errors=(NotFound,),
)
async def revoke(request: ApiRequest, token_id: TokenId) -> Response[None]:
    """Revoke one of the caller's tokens, which may be the one that the request came with. It ends at once."""
    deps = request.deps
    if not await deps.store.revoke_token(request.player.player_id, token_id, deps.clock()):
        raise NotFound("You have no token with this id.")
    gone: Response[Any] = empty(204, SECRET)
    return gone


def _shown(token: values.Token) -> Token:
    used = None if token.last_used_at is None else format_time(token.last_used_at)
    return Token(token.token_id, token.label, format_time(token.created_at), used)
