"""What a player does in a game: moves, undo, redo, resigning."""

from typing import Any, Final

import msgspec
from litestar import Response, post
from litestar.params import JSONBody

from pasyans.api import play, views, visibility
from pasyans.api.answers import written
from pasyans.api.idempotency import key_of
from pasyans.api.problems import (
    Forbidden,
    GameOver,
    IdempotencyMismatch,
    IllegalMove,
    NotFound,
    NothingToRedo,
    NothingToUndo,
    StaleVersion,
    UnreadableMove,
)
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.games import CountMoves, PlayedGame, PlayMoves, Resign
from pasyans.api.v1.parameters import ETAG, REPLAYED, TOKEN, VARY, GameId, IdempotencyKey, IfMatch
from pasyans.record import decide
from pasyans.record.decide import Decision
from pasyans.record.game import Game
from pasyans.store.values import Head

_TAGS: Final = ["Games"]
_ERRORS: Final = (Forbidden, NotFound, GameOver, StaleVersion, IdempotencyMismatch)


@post(
    "/v1/games/{id:str}/moves",
    operation_id="playMoves",
    summary="Play moves",
    tags=_TAGS,
    security=TOKEN,
    status_code=200,
    assumes=True,
    errors=(*_ERRORS, UnreadableMove, IllegalMove),
    response_headers=[ETAG, VARY, REPLAYED],
)
async def moves(
    request: ApiRequest,
    game_id: GameId,
    data: JSONBody[PlayMoves],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[PlayedGame]:
    """Play moves, all or none; each is one event, and a winning one is followed by the end of the game.

    Full forms are what `legal_moves` lists; `w-f`, `t3-f` and `r-f` are the first foundation that takes the card.
    """

    async def play_them(_head: Head, game: Game, at: int) -> Decision:
        return decide.play(game, data.moves, at, is_sealed=not visibility.own(game, at).is_open)

    return await _write(request, game_id, "moves", data, idempotency_key, if_match, play_them)


@post(
    "/v1/games/{id:str}/undo",
    operation_id="undoMoves",
    summary="Undo moves",
    tags=_TAGS,
    security=TOKEN,
    status_code=200,
    assumes=True,
    errors=(*_ERRORS, NothingToUndo),
    response_headers=[ETAG, VARY, REPLAYED],
)
async def undo(
    request: ApiRequest,
    game_id: GameId,
    data: JSONBody[CountMoves],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[PlayedGame]:
    """Take moves back, across draws and redeals too; one event, and nothing is deleted."""

    async def take_back(head: Head, _game: Game, at: int) -> Decision:
        return decide.undo(await play.history_of(request.deps.store, head), data.count, at)

    return await _write(request, game_id, "undo", data, idempotency_key, if_match, take_back)


@post(
    "/v1/games/{id:str}/redo",
    operation_id="redoMoves",
    summary="Redo moves",
    tags=_TAGS,
    security=TOKEN,
    status_code=200,
    assumes=True,
    errors=(*_ERRORS, NothingToRedo),
    response_headers=[ETAG, VARY, REPLAYED],
)
async def redo(
    request: ApiRequest,
    game_id: GameId,
    data: JSONBody[CountMoves],
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[PlayedGame]:
    """Make moves again that were taken back; they meet the same cards. A new move ends what could be redone."""

    async def make_again(head: Head, _game: Game, at: int) -> Decision:
        return decide.redo(await play.history_of(request.deps.store, head), data.count, at)

    return await _write(request, game_id, "redo", data, idempotency_key, if_match, make_again)


@post(
    "/v1/games/{id:str}/resign",
    operation_id="resignGame",
    summary="Resign",
    tags=_TAGS,
    security=TOKEN,
    status_code=200,
    assumes=True,
    errors=_ERRORS,
    response_headers=[ETAG, VARY, REPLAYED],
)
async def resign(
    request: ApiRequest,
    game_id: GameId,
    data: JSONBody[Resign] = Resign(),
    idempotency_key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[PlayedGame]:
    """End the game as lost, or as abandoned where nothing has been played."""

    async def give_up(_head: Head, game: Game, at: int) -> Decision:
        return decide.resign(game, at)

    return await _write(request, game_id, "resign", data, idempotency_key, if_match, give_up)


async def _write(
    request: ApiRequest,
    game_id: GameId,
    action: str,
    data: msgspec.Struct,
    idempotency_key: str | None,
    if_match: str | None,
    decision: play.Decide,
) -> Response[Any]:
    key = key_of(request.player.player_id, idempotency_key, f"POST {views.game_path(game_id)}/{action}", data)
    return await play.write(request.deps, game_id, play.Command(decision, request), _shown, if_match, key)


def _shown(played: play.Played) -> Response[PlayedGame]:
    sight = played.sight
    return written(played, views.played(played.head, played.game, sight, played.events), sight)
