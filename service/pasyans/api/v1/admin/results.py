"""Results: looking for them, and voiding many at once."""

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api import finding, judging, spreadsheets
from pasyans.api.answers import ADMIN, answer, in_pieces, link_next, replay_headers
from pasyans.api.door import JSON
from pasyans.api.idempotency import key_of
from pasyans.api.members import Fault
from pasyans.api.problems import IdempotencyMismatch, InvalidRequest, fault
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.common import KnownVariant, RulesNumber
from pasyans.api.schemas.results import (
    Before,
    Fast,
    FinishedOutcome,
    FinishedStatus,
    Kind,
    OfPlayer,
    OfSeed,
    ResultPage,
    Since,
    Sort,
    VoidableResults,
    VoidedResults,
    VoidResults,
)
from pasyans.api.v1.parameters import ADMIN_TOKEN, DISPOSITION, LINK, REPLAYED, VARY, CursorText, IdempotencyKey
from pasyans.store.admin_values import ResultFilter, ResultStatus
from pasyans.store.errors import BadRow

_TAGS: Final = ["Admin"]
_LIST: Final = "results"
_PAGE: Final = 50
_CSV_TYPE: Final = f"{spreadsheets.MEDIA_TYPE}; header=present"
_FILE: Final = {"Content-Disposition": 'attachment; filename="results.csv"'}
_BY_FORM: Final = {"Vary": "Accept"}
_STANDING: Final[tuple[ResultStatus, ...]] = ("won", "lost")
_WRONG_CURSOR: Final = "take it from `next`, or leave it out"

OfVariant = Annotated[Annotated[KnownVariant, Meta(description="Only games of this variant.")] | None, QueryParameter()]
OfStatus = Annotated[Annotated[FinishedStatus, Meta(description="Only games that stand so.")] | None, QueryParameter()]
OfOutcome = Annotated[
    Annotated[FinishedOutcome, Meta(description="Only games that ended so, whether or not they were voided since.")]
    | None,
    QueryParameter(),
]
OfRules = Annotated[
    Annotated[RulesNumber, Meta(description="Only games under this number of the rules.")] | None, QueryParameter()
]
SortBy = Annotated[
    Sort,
    QueryParameter(),
    Meta(
        description="The column to sort by, with a minus for the greatest first. What has no value there comes last; "
        "equals go by the game.",
        examples=["-finished_at"],
    ),
]
ResultsLimit = Annotated[
    Annotated[int, Meta(ge=1, le=200, description="How many items a page has at most: 50 unless told.", examples=[50])]
    | None,
    QueryParameter(),
]
ResultsCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, finding.decode_place)})] | None, QueryParameter()
]


@get(
    "/v1/admin/results",
    operation_id="listResults",
    summary="Look for results",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    errors=(),
    forms=(JSON, spreadsheets.MEDIA_TYPE),
    types={spreadsheets.MEDIA_TYPE: str},
    response_headers=[LINK, VARY, DISPOSITION],
)
async def listed(
    request: ApiRequest,
    variant: OfVariant = None,
    player: Annotated[OfPlayer | None, QueryParameter()] = None,
    seed: Annotated[OfSeed | None, QueryParameter()] = None,
    kind: Annotated[Kind | None, QueryParameter()] = None,
    status: OfStatus = None,
    outcome: OfOutcome = None,
    rules: OfRules = None,
    since: Annotated[Since | None, QueryParameter()] = None,
    before: Annotated[Before | None, QueryParameter()] = None,
    fast: Annotated[Fast | None, QueryParameter()] = None,
    sort: SortBy = "-finished_at",
    limit: ResultsLimit = None,
    cursor: ResultsCursor = None,
) -> Response[ResultPage]:
    """List what finished games came to, counted or not: those that fit all filters together.

    JSON comes in pages. `text/csv` is all of them at once, of one moment: a header, then a line each, in UTF-8; a text
    that a spreadsheet would take for a formula begins with an apostrophe. A table whose connection ends before its last
    chunk is broken.
    """
    deps, is_table = request.deps, request.scope["state"]["form"] == spreadsheets.MEDIA_TYPE
    if is_table:
        _refuse_pages(limit, cursor)
    now = deps.clock()
    wanted = VoidableResults(variant, player, seed, kind, rules=rules, since=since, before=before, fast=fast)
    which = await finding.filter_of(deps.store, wanted, () if status is None else (status,), outcome, now, "query")
    column, descending = finding.order_of(sort)
    if is_table:
        rows = deps.store.result_batches(which, column, descending)
        return await in_pieces(request, finding.table(rows, now), _CSV_TYPE, {**ADMIN, **_BY_FORM, **_FILE})
    after = None if cursor is None else finding.decode_place(_LIST, cursor)
    if after is not None and after.sort != sort:
        raise fault("query.cursor", f"is of a list sorted by {after.sort}: {_WRONG_CURSOR}")
    size = limit or _PAGE
    place = None if after is None else (after.value, after.game_id)
    try:
        found = await deps.store.results(which, column, descending, place, size + 1)
    except BadRow as error:
        raise fault("query.cursor", f"is not a cursor of this list: {_WRONG_CURSOR}") from error
    items = found[:size]
    more = finding.encode_place(_LIST, sort, items[-1]) if len(found) > size else None
    page = ResultPage([finding.shown(row, now) for row in items], more)
    return answer(page, {**ADMIN, **_BY_FORM, **link_next(request, "cursor", more)})


@post(
    "/v1/admin/results/void",
    operation_id="voidResults",
    summary="Void results by a filter",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    status_code=200,
    errors=(IdempotencyMismatch,),
    response_headers=[REPLAYED],
)
async def void(
    request: ApiRequest, data: JSONBody[VoidResults], idempotency_key: IdempotencyKey = None
) -> Response[VoidedResults]:
    """Void all results that were won or lost, stand and fit a filter; or count them first, by `dry_run`.

    Many take their time, and are voided some at a time. Where that is longer than a request may take (30 seconds unless
    the operator says otherwise), it stops with 503, `written` null, and what is void by then stays so. After that, or
    another interruption, repeat the request with the same key until it is answered: each time it goes on with the rest.
    The numbers are of the request that came to its end.
    """
    deps = request.deps
    key = key_of(request.admin.token_id, idempotency_key, "POST /v1/admin/results/void", data)

    async def find() -> ResultFilter:
        wanted = data.filter
        statuses = _STANDING if wanted.status is None else (wanted.status,)
        which = await finding.filter_of(deps.store, wanted, statuses, wanted.outcome, deps.clock(), "body.filter")
        if which.player_id == finding.NOBODY:
            raise fault("body.filter.player", "is the name of no player")
        return which

    done = await judging.void_results(deps, request.admin, data, find, key)
    return answer(done.results, {**ADMIN, **replay_headers(done.is_replay)})


def _refuse_pages(limit: int | None, cursor: str | None) -> None:
    given = [name for name, value in (("limit", limit), ("cursor", cursor)) if value is not None]
    if given:
        raise InvalidRequest([Fault(f"query.{name}", "is for pages in JSON: a table has all rows") for name in given])
