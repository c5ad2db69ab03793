"""From whatever was raised to the problem that is answered.

Problem                     as it is
record.Refusal              game-over, nothing-to-undo, nothing-to-redo, illegal-move, unreadable-move…
store.Unavailable           unavailable
store.PlayerGone            unauthenticated
litestar.HTTPException      not-found, method-not-allowed, invalid-request, by its status
anything else               internal, and a line of log with the trace
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import quote

import structlog
from litestar import Response
from litestar.exceptions import HTTPException
from litestar.types import Scope

from pasyans.api import problems
from pasyans.api.door import ClientGone
from pasyans.api.members import Available, OverIndex, Refused
from pasyans.api.negotiation import allow
from pasyans.api.problems import MEDIA_TYPE, Problem, fault
from pasyans.api.requests import ApiRequest, Exchange
from pasyans.engine.errors import IllegalMove
from pasyans.record import errors as record
from pasyans.store import errors as store

_log = structlog.get_logger("pasyans.api")
_RETRY_OVERLOADED_S: Final = 1
_RETRY_AWAY_S: Final = 5


def problem_of(error: BaseException, exchange: Exchange) -> Problem:
    """Return the problem that answers ``error``; what nobody foresaw is logged and says nothing to the client."""
    problem = _problem(error, exchange)
    if isinstance(problem, problems.Internal):
        _log.error("internal", request_id=exchange.request_id, exc_info=error)
    exchange.code = problem.code
    return problem


def _problem(error: BaseException, exchange: Exchange) -> Problem:
    match error:
        case Problem():
            return error
        case record.Refusal():
            return _refusal(error)
        case store.Unavailable():
            retry_after = _RETRY_OVERLOADED_S if isinstance(error, store.Overloaded) else _RETRY_AWAY_S
            # This request may have written nothing; an earlier one with its key may have.
            written = None if exchange.has_key else error.written
            return problems.Unavailable(written=written, retry_after=retry_after)
        case store.PlayerGone():
            return problems.Unauthenticated("The player of this token has just been erased.")
        case HTTPException() if error.status_code < 500:
            return _http(error)
    return problems.Internal()


def _refusal(error: record.Refusal) -> Problem:
    match error:
        case record.GameOver(index=index):
            return problems.GameOver(
                "The game is over: start another one."
                if index is None or index == 0
                else f"Move {index} comes after the end of the game: leave out what follows the winning move.",
                OverIndex(index),
            )
        case record.NothingToUndo(available=available):
            return problems.NothingToUndo(str(error), Available(available))
        case record.NothingToRedo(available=available):
            return problems.NothingToRedo(str(error), Available(available))
        case record.TurnsUpEarly(index=index):
            return fault(f"body.moves[{index}]", f"{error}")
        case record.MoveRefused(cause=cause):
            reason = cause.reason if isinstance(cause, IllegalMove) else None
            members = Refused(error.move, error.index, reason, error.legal_moves)
            kind = problems.UnreadableMove if reason is None else problems.IllegalMove
            return kind(str(error), members)
        case record.NotFinished():
            return problems.NotFinished(str(error))
        case record.NotVoid():
            return problems.NotVoid(str(error))
    raise TypeError(f"{type(error).__name__} is no known refusal") from error


def _http(error: HTTPException) -> Problem:
    headers = {name.title(): str(value) for name, value in (error.headers or {}).items()}
    match error.status_code:
        case 404:
            return problems.NotFound("There is nothing at this address: check the path.")
        case 405:
            allowed = allow(name.strip() for name in headers.get("Allow", "").split(","))
            return problems.MethodNotAllowed(f"Use one of: {allowed}.", headers={"Allow": allowed})
        case _:
            return fault("header", f"is malformed: {error.detail}")


def handle(request: ApiRequest, error: Exception) -> Response[bytes]:
    """Answer an exception with a problem; Litestar calls this for every one."""
    if isinstance(error, ClientGone):
        raise error
    problem = problem_of(error, request.scope["state"]["exchange"])
    return Response(
        problem.body(instance_of(request.scope)),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **problem.headers},
    )


async def send_problem(problem: Problem, scope: Scope, send: Callable[[Any], Awaitable[None]]) -> None:
    """Send a problem without Litestar, for what happens around it."""
    body = problem.body(instance_of(scope))
    headers = {
        "Content-Type": MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        **problem.headers,
    }
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def instance_of(scope: Scope) -> str:
    """Return the path of the request as it stands in a URL."""
    return quote(scope["path"], safe="/:@!$&'()*+,;=~-._")
