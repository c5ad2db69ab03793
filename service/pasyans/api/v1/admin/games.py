"""Games, as admins judge them: voiding, restoring, verifying."""

from typing import Any, Final

from litestar import Response, post
from litestar.params import JSONBody

from pasyans.api import judging, play, views
from pasyans.api.answers import ADMIN, answer, written
from pasyans.api.idempotency import key_of
from pasyans.api.judging import Verdict
from pasyans.api.problems import IdempotencyMismatch, NotFinished, NotFound, NotVoid, StaleVersion
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.admin import GameCheck, Grounds, JudgedGame, VerifyGame
from pasyans.api.v1.parameters import ADMIN_TOKEN, ETAG, REPLAYED, VARY, GameId, IdempotencyKey, IfMatch

_TAGS: Final = ["Admin"]
_ERRORS: Final = (NotFound, StaleVersion, IdempotencyMismatch)


@post(
    "/v1/admin/games/{id:str}/void",
    operation_id="voidGame",
    summary="Void a game",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    status_code=200,
    errors=(*_ERRORS, NotFinished),
    response_headers=[ETAG, VARY, REPLAYED],
)
async def void(
    request: ApiRequest,
    game_id: GameId,
    data: JSONBody[Grounds],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[JudgedGame]:
    """Void a game that was won or lost: its result counts no longer, and leaves every board at once.

    `finished_at` stays. The reason is in the game's events, for everybody; the note is in the audit alone.
    """
    return await _judge(request, game_id, "void", "voided", data, idempotency_key, if_match)


@post(
    "/v1/admin/games/{id:str}/restore",
    operation_id="restoreGame",
    summary="Restore a void game",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    status_code=200,
    errors=(*_ERRORS, NotVoid),
    response_headers=[ETAG, VARY, REPLAYED],
)
async def restore(
    request: ApiRequest,
    game_id: GameId,
    data: JSONBody[Grounds],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[JudgedGame]:
    """Restore a void game to the status that it had: its result counts again, and is on its boards at once."""
    return await _judge(request, game_id, "restore", "restored", data, idempotency_key, if_match)


@post(
    "/v1/admin/games/{id:str}/verify",
    operation_id="verifyGame",
    summary="Verify a game",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    status_code=200,
    errors=(NotFound,),
)
async def verify(
    request: ApiRequest,
    game_id: GameId,
    data: JSONBody[VerifyGame] = VerifyGame(),  # noqa: ARG001 - so that a body that says something is refused
) -> Response[GameCheck]:
    """Replay a game's log from nothing, and compare it with all that is stored. Nothing is written.

    That is the chain of hashes, the game as it stands, its result, and the player's rows on the boards.
    """
    found = await request.deps.store.verify_game(game_id)
    if found is None:
        raise NotFound("There is no game with this id.")
    return answer(GameCheck(game_id, found.version, found.difference is None, found.difference), ADMIN)


async def _judge(
    request: ApiRequest,
    game_id: GameId,
    action: str,
    verdict: Verdict,
    data: Grounds,
    idempotency_key: str | None,
    if_match: str | None,
) -> Response[Any]:
    key = key_of(request.admin.token_id, idempotency_key, f"POST /v1/admin/games/{game_id}/{action}", data)
    command = judging.verdict_on_game(request.deps, request.admin, verdict, data)
    return await play.write(request.deps, game_id, command, _shown, if_match, key)


def _shown(played: play.Played) -> Response[Any]:
    sight = played.sight
    return written(played, views.judged(played.head, played.game, sight), sight, headers=ADMIN)
