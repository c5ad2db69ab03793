"""Players, as admins look for them, ban them and let them back."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from pasyans.api import banning
from pasyans.api import cursor as cursors
from pasyans.api.answers import ADMIN, answer, link_next, replay_headers
from pasyans.api.idempotency import key_of
from pasyans.api.problems import IdempotencyMismatch, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.admin import AdminPlayer, AdminPlayerPage, Grounds
from pasyans.api.v1.parameters import ADMIN_TOKEN, LINK, REPLAYED, CursorText, IdempotencyKey, Limit
from pasyans.api.v1.players import PlayerName
from pasyans.record.times import format_time
from pasyans.store.admin_values import PlayerFilter, PlayerRow

_TAGS: Final = ["Admin"]
_LIST: Final = "players"
_ERRORS: Final = (NotFound, IdempotencyMismatch)

Search = Annotated[
    Annotated[
        str, Meta(min_length=1, max_length=64, description="Only players whose name has this in it, in any case.")
    ]
    | None,
    QueryParameter(),
]
Banned = Annotated[
    Annotated[bool, Meta(description="`true`: only banned players; `false`: only the others.")] | None, QueryParameter()
]
PlayersCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, cursors.decode)})] | None, QueryParameter()
]


@get(
    "/v1/admin/players",
    operation_id="listPlayers",
    summary="Look for players",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    errors=(),
    response_headers=[LINK],
)
async def listed(
    request: ApiRequest,
    search: Search = None,
    banned: Banned = None,
    limit: Limit = 50,
    cursor: PlayersCursor = None,
) -> Response[AdminPlayerPage]:
    """List players by name, with how many games they have and since when they are banned."""
    which = PlayerFilter(search=None if search is None else search.casefold(), banned=banned)
    after = None if cursor is None else cursors.decode(_LIST, cursor)
    found = await request.deps.store.search_players(which, after, limit + 1)
    items = found[:limit]
    more = cursors.encode(_LIST, items[-1].name.casefold()) if len(found) > limit else None
    page = AdminPlayerPage([_shown(row) for row in items], more)
    return answer(page, {**ADMIN, **link_next(request, "cursor", more)})


@post(
    "/v1/admin/players/{name:str}/ban",
    operation_id="banPlayer",
    summary="Ban a player",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    status_code=200,
    errors=_ERRORS,
    response_headers=[REPLAYED],
)
async def ban(
    request: ApiRequest, name: PlayerName, data: JSONBody[Grounds], idempotency_key: IdempotencyKey = None
) -> Response[AdminPlayer]:
    """Take a player off every board, now and later. Who is banned may play on.

    Where that has been done, nothing changes and nothing is added to the audit.
    """
    return await _change(request, name, "ban", data, idempotency_key)


@post(
    "/v1/admin/players/{name:str}/unban",
    operation_id="unbanPlayer",
    summary="End a player's ban",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    status_code=200,
    errors=_ERRORS,
    response_headers=[REPLAYED],
)
async def unban(
    request: ApiRequest, name: PlayerName, data: JSONBody[Grounds], idempotency_key: IdempotencyKey = None
) -> Response[AdminPlayer]:
    """Put a banned player back where the results belong, also those that came meanwhile.

    Where there is no ban, nothing changes and nothing is added to the audit.
    """
    return await _change(request, name, "unban", data, idempotency_key)


async def _change(
    request: ApiRequest, name: str, action: str, data: Grounds, idempotency_key: str | None
) -> Response[AdminPlayer]:
    route = f"POST /v1/admin/players/{name.casefold()}/{action}"
    key = key_of(request.admin.token_id, idempotency_key, route, data)
    done = await banning.ban(request.deps, request.admin, name, data, key, banned=action == "ban")
    return answer(_shown(done.row), {**ADMIN, **replay_headers(done.is_replay)})


def _shown(row: PlayerRow) -> AdminPlayer:
    banned, erased = (None if at is None else format_time(at) for at in (row.banned_at, row.erased_at))
    return AdminPlayer(
        name=row.name,
        guest=row.guest,
        created_at=format_time(row.created_at),
        banned_at=banned,
        erased_at=erased,
        games=row.games,
        running=row.running,
        finished=row.finished,
    )
