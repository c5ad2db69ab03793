"""Portable text records: writing one, and judging one."""

import asyncio
from typing import Final

from litestar import Response, get, post
from litestar.params import JSONBody

from pasyans.api import play, views, watching
from pasyans.api.answers import SECRET, answer, game_headers, not_modified
from pasyans.api.members import Until
from pasyans.api.problems import DealSealed, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.records import RECORD_AT_MOST, RecordFrame, Verification, VerifyRecord
from pasyans.api.v1.parameters import ETAG, GameId, IfNoneMatch
from pasyans.record.errors import BadRecord, SealedRecord
from pasyans.record.text import Replay, replay_record, write_record

_TAGS: Final = ["Replays"]
_PLAIN: Final = "text/plain"


@get(
    "/v1/games/{id:str}/record",
    operation_id="getRecord",
    summary="Get a game's record",
    tags=_TAGS,
    errors=(NotFound, DealSealed),
    forms=(_PLAIN,),
    response_headers=[ETAG],
)
async def one(request: ApiRequest, game_id: GameId, if_none_match: IfNoneMatch = None) -> Response[str]:
    """Get a game as a text that a person can read and any program can replay: tags, then the moves that stand.

    While the deal is sealed, its seed is left out.
    """
    seen = await watching.watched(request.deps, game_id, request.viewer)
    head, sight = seen.head, seen.sight
    if (unmodified := not_modified(head, sight, if_none_match)) is not None:
        return unmodified
    history = await play.history_of(request.deps.store, head)
    moves = [step.move for step in history.line]
    text = write_record(history.game, moves, player=head.player, is_open=sight.is_open)
    return Response(text, media_type=_PLAIN, headers=game_headers(head, head.version, sight))


@post(
    "/v1/records/verify",
    operation_id="verifyRecord",
    summary="Verify a record",
    tags=_TAGS,
    status_code=200,
    errors=(DealSealed,),
    # A character may take six bytes in JSON, and the other members some more.
    request_max_body_size=6 * RECORD_AT_MOST + 1024,
)
async def verify(request: ApiRequest, data: JSONBody[VerifyRecord]) -> Response[Verification]:  # noqa: ARG001
    """Replay a record on the engine and say what it is worth, or what is the first thing in it that can't be."""
    try:
        return answer(await asyncio.to_thread(_verified, data), SECRET)
    except SealedRecord as error:
        raise DealSealed(f"{error} Ask again when the game is over.", Until(None)) from error
    except BadRecord as error:
        wrong = Verification(
            valid=False,
            game=None,
            frames=None,
            line=error.line,
            move=error.move,
            index=error.index,
            detail=str(error),
        )
        return answer(wrong, SECRET)


def _verified(wanted: VerifyRecord) -> Verification:
    replay: Replay = replay_record(wanted.record)
    frames = None
    if wanted.frames:
        frames = [RecordFrame(views.framed(frame), views.recorded(frame.game, replay)) for frame in replay.frames]
    return Verification(
        valid=True,
        game=views.recorded(replay.game, replay),
        frames=frames,
        line=None,
        move=None,
        index=None,
        detail=None,
    )
