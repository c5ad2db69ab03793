"""Portable text records: writing one, and judging one."""

import asyncio
from typing import Final

from litestar import Response, get, post
from litestar.params import JSONBody

from pasyans.api import dailies, play, views, visibility, watching
from pasyans.api.answers import SECRET, answer, game_headers, not_modified
from pasyans.api.problems import DealSealed, NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.records import RECORD_AT_MOST, RecordFrame, Verification, VerifyRecord
from pasyans.api.v1.parameters import ETAG, VARY, GameId, IfNoneMatch
from pasyans.deals.days import closes_at, is_day
from pasyans.deals.seeds import commitment, is_drawn
from pasyans.record.errors import BadRecord, SealedRecord
from pasyans.record.text import TextRecord, read_record, replay, write_record

_TAGS: Final = ["Replays"]
_PLAIN: Final = "text/plain"
_SEALED_DAILY: Final = "This is a record of a daily deal that is still sealed: ask again when its day is over."


@get(
    "/v1/games/{id:str}/record",
    operation_id="getRecord",
    summary="Get a game's record",
    tags=_TAGS,
    errors=(NotFound, DealSealed),
    forms=(_PLAIN,),
    response_headers=[ETAG, VARY],
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
    text = write_record(history.game, history.line, player=head.player, is_open=sight.is_open)
    return Response(text, media_type=_PLAIN, headers=game_headers(head, head.version, sight))


@post(
    "/v1/records/verify",
    operation_id="verifyRecord",
    summary="Verify a record",
    tags=_TAGS,
    status_code=200,
    errors=(DealSealed,),
    # A character may take six bytes in JSON, and the other members some more.
    body_at_most=6 * RECORD_AT_MOST + 1024,
)
async def verify(request: ApiRequest, data: JSONBody[VerifyRecord]) -> Response[Verification]:
    """Replay a record on the engine and say what it is worth, or what is the first thing in it that can't be.

    The seed of a daily must be the one that was drawn here for its day, where one was.
    """
    try:
        record = await asyncio.to_thread(read_record, data.record)
        await _refuse_daily(request, record)
        forged = await _other_daily(request, record)
        verification = await asyncio.to_thread(_judged, record, forged, frames=data.frames)
    except SealedRecord as error:
        _refuse_sealed(error, request)
        verification = _wrong(error, "The seed is missing, and has opened since: get the record anew.")
    except BadRecord as error:
        verification = _wrong(error, str(error))
    return answer(verification, SECRET)


async def _refuse_daily(request: ApiRequest, record: TextRecord) -> None:
    """Raise `DealSealed` where a record is of a daily not yet open: by its own words, by its seed or its commitment."""
    deal, date = record.tags.get("Deal"), record.tags.get("Date")
    if deal is not None and deal.value == "daily" and date is not None and is_day(date.value):
        _refuse_until_over(request, date.value)
    seed, committed = (record.tags[name].value if name in record.tags else None for name in ("Seed", "Commitment"))
    if committed is None and (seed is None or not is_drawn(seed)):
        return
    daily = await dailies.still_sealed(request.deps, seed, committed)
    if daily is not None:
        raise visibility.sealed(_SEALED_DAILY, closes_at(daily.date))


async def _other_daily(request: ApiRequest, record: TextRecord) -> BadRecord | None:
    """Return what is wrong with the seed of a daily of a past day, where another deal was drawn for that day."""
    deal, date, variant, seed = (record.tags.get(name) for name in ("Deal", "Date", "Variant", "Seed"))
    if deal is None or deal.value != "daily" or date is None or not is_day(date.value) or seed is None:
        return None
    for daily in await request.deps.store.dailies(date.value, date.value):
        if variant is not None and daily.variant == variant.value and daily.seed != seed.value:
            known = f"the daily deal of {date.value}, whose commitment is {commitment(daily.seed)}"
            return BadRecord(seed.line, f"This is not the seed of {known}.")
    return None


def _refuse_sealed(error: SealedRecord, request: ApiRequest) -> None:
    """Raise `DealSealed` unless the seed that a record leaves out has opened with the end of its day."""
    if error.day is None:
        raise visibility.sealed("The deal of this record is still sealed: ask again when its game is over.", None)
    _refuse_until_over(request, error.day)


def _refuse_until_over(request: ApiRequest, day: str) -> None:
    """Raise `DealSealed` while a day is not over."""
    if not visibility.day_is_over(day, request.deps.clock()):
        raise visibility.sealed(_SEALED_DAILY, closes_at(day))


def _wrong(error: BadRecord, detail: str) -> Verification:
    return Verification(
        valid=False, game=None, frames=None, line=error.line, move=error.move, index=error.index, detail=detail
    )


def _judged(record: TextRecord, forged: BadRecord | None, *, frames: bool) -> Verification:
    """Replay a record; ``forged`` is what is wrong with it beside what the replay finds. Raises what comes first."""
    try:
        found = replay(record)
    except BadRecord as error:
        raise error if forged is None or error.line < forged.line else forged from error
    if forged is not None:
        raise forged
    shown = [RecordFrame(views.framed(frame), views.recorded(frame.game, found)) for frame in found.frames if frames]
    return Verification(
        valid=True,
        game=views.recorded(found.game, found),
        frames=shown if frames else None,
        line=None,
        move=None,
        index=None,
        detail=None,
    )
