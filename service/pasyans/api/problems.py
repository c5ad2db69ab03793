"""The errors that the API answers, each as RFC 9457 problem details with a stable code.

    Problem
    ├── InvalidRequest         invalid-request 400         every fault of body, path, query and headers
    ├── Unauthenticated        unauthenticated 401
    ├── Forbidden              forbidden 403
    ├── DealSealed             deal-sealed 403             `until`
    ├── NotFound               not-found 404
    ├── MethodNotAllowed       method-not-allowed 405
    ├── NotAcceptable          not-acceptable 406
    ├── GameOver               game-over 409               `index`
    ├── NameTaken              name-taken 409
    ├── NameFixed              name-fixed 409
    ├── NotFinished            not-finished 409
    ├── NotVoid                not-void 409
    ├── NothingToUndo          nothing-to-undo 409         `available`
    ├── NothingToRedo          nothing-to-redo 409         `available`
    ├── AlreadyPlaying         already-playing 409         `game`
    ├── StaleVersion           stale-version 412           `version`
    ├── TooLarge               too-large 413
    ├── UnsupportedMediaType   unsupported-media-type 415
    ├── UnreadableMove         unreadable-move 422         `move`, `index`, `reason`, `legal_moves`
    ├── IllegalMove            illegal-move 422            `move`, `index`, `reason`, `legal_moves`
    ├── IdempotencyMismatch    idempotency-mismatch 422
    ├── RateLimited            rate-limited 429            with Retry-After
    ├── Internal               internal 500
    └── Unavailable            unavailable 503             `written`, with Retry-After

The table is closed: a client translates the code, so a new one is a new promise.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from pasyans.api.members import (
    Available,
    Current,
    Fault,
    Faults,
    Members,
    OverIndex,
    Refused,
    Running,
    Until,
    Written,
)

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """The root of the API's errors. ``detail`` is an English sentence that says what to do.

    ``headers`` are sent with the answer.
    """

    code: ClassVar[str]
    status: ClassVar[int]
    title: ClassVar[str]
    members_type: ClassVar[type[Members]] = Members

    def __init__(self, detail: str, members: Members | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.members = members
        self.headers = dict(headers or {})

    def body(self, instance: str) -> bytes:
        """Return the problem as JSON; ``instance`` is the path of the request."""
        return msgspec.json.encode(
            {
                "type": f"/problems/{self.code}",
                "title": self.title,
                "status": self.status,
                "detail": self.detail,
                "code": self.code,
                "instance": instance,
                **({} if self.members is None else msgspec.structs.asdict(self.members)),
            }
        )


class InvalidRequest(Problem):
    """A malformed or wrong body, path, query or header."""

    code, status, title = "invalid-request", 400, "Invalid request"
    members_type = Faults

    def __init__(self, faults: list[Fault]) -> None:
        listed = "; ".join(f"{fault.path} {fault.message.removesuffix('.')}" for fault in faults[:3])
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        super().__init__(f"Correct what `errors` lists and send the request again: {listed}{more}.", Faults(faults))


class Unauthenticated(Problem):
    """No token where one is needed, or a token that is not valid."""

    code, status, title = "unauthenticated", 401, "Not authenticated"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, headers={"WWW-Authenticate": 'Bearer realm="pasyans"'})


class Forbidden(Problem):
    """Something that belongs to another player, or that takes another kind of token: a player's or an admin's."""

    code, status, title = "forbidden", 403, "Forbidden"


class DealSealed(Problem):
    """What was asked for would show a deal that is still sealed."""

    code, status, title = "deal-sealed", 403, "The deal is sealed"
    members_type = Until


class NotFound(Problem):
    """There is no such resource."""

    code, status, title = "not-found", 404, "Not found"


class MethodNotAllowed(Problem):
    """The resource has no such method."""

    code, status, title = "method-not-allowed", 405, "Method not allowed"


class NotAcceptable(Problem):
    """The resource comes in no form that the client accepts."""

    code, status, title = "not-acceptable", 406, "Not acceptable"


class TooLarge(Problem):
    """The body is larger than the operation takes."""

    code, status, title = "too-large", 413, "Too large"


class UnsupportedMediaType(Problem):
    """The body is not JSON, or is compressed."""

    code, status, title = "unsupported-media-type", 415, "Unsupported media type"


class GameOver(Problem):
    """The game has ended, or would have ended before this move of the batch."""

    code, status, title = "game-over", 409, "The game is over"
    members_type = OverIndex


class NameTaken(Problem):
    """Another player has the name."""

    code, status, title = "name-taken", 409, "The name is taken"


class NameFixed(Problem):
    """The player has a name already, and a name is taken once."""

    code, status, title = "name-fixed", 409, "The name is fixed"


class NotFinished(Problem):
    """The game has no result that could be voided."""

    code, status, title = "not-finished", 409, "The game is not finished"


class NotVoid(Problem):
    """The game was not voided, so it cannot be restored."""

    code, status, title = "not-void", 409, "The game is not void"


class NothingToUndo(Problem):
    """Fewer moves are left to undo than were asked for."""

    code, status, title = "nothing-to-undo", 409, "Nothing to undo"
    members_type = Available


class NothingToRedo(Problem):
    """Fewer moves are left to redo than were asked for."""

    code, status, title = "nothing-to-redo", 409, "Nothing to redo"
    members_type = Available


class AlreadyPlaying(Problem):
    """The player has a running game of the same daily deal."""

    code, status, title = "already-playing", 409, "Already playing"
    members_type = Running


class StaleVersion(Problem):
    """The game has moved on since the version that If-Match names."""

    code, status, title = "stale-version", 412, "The version is stale"
    members_type = Current


class UnreadableMove(Problem):
    """A text that is not in the move notation."""

    code, status, title = "unreadable-move", 422, "Unreadable move"
    members_type = Refused


class IllegalMove(Problem):
    """A move that the rules refuse."""

    code, status, title = "illegal-move", 422, "Illegal move"
    members_type = Refused


class IdempotencyMismatch(Problem):
    """The key was used with another request."""

    code, status, title = "idempotency-mismatch", 422, "The key belongs to another request"


class RateLimited(Problem):
    """More requests than the limit allows."""

    code, status, title = "rate-limited", 429, "Too many requests"


class Internal(Problem):
    """A fault of the service."""

    code, status, title = "internal", 500, "Internal error"

    def __init__(self) -> None:
        super().__init__(
            "The service failed to answer. Nothing is known to be wrong with the request: repeat it, with the same "
            "Idempotency-Key if it writes, and report the X-Request-Id if it fails again."
        )


class Unavailable(Problem):
    """The database is away, or the service is overloaded."""

    code, status, title = "unavailable", 503, "Unavailable"
    members_type = Written

    def __init__(self, *, written: Literal[False] | None, retry_after: int = 1) -> None:
        if written is None:
            detail = (
                "This may have been written before the database went away: repeat it with the same Idempotency-Key."
            )
        else:
            detail = "The service cannot answer right now and wrote nothing: repeat the request after Retry-After."
        super().__init__(detail, Written(written), {"Retry-After": str(retry_after)})


class Overdue(Unavailable):
    """The answer did not begin within so many seconds of the request's head."""

    def __init__(self, seconds: float, *, written: Literal[False] | None) -> None:
        super().__init__(written=written)
        outcome = (
            "may have been written: repeat it with the same Idempotency-Key."
            if written is None
            else "wrote nothing: repeat it after Retry-After."
        )
        self.detail = (
            f"The request took longer than {seconds:g} s, with the time that its body took to come, and {outcome}"
        )


PROBLEMS: Mapping[str, type[Problem]] = {kind.code: kind for kind in Problem.__subclasses__()}
"""Every problem by its code."""


def fault(path: str, message: str) -> InvalidRequest:
    """Return the problem of a request that has the one fault."""
    return InvalidRequest([Fault(path, message)])
