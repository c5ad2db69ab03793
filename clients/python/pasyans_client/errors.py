"""What can go wrong, as a tree:

    PasyansError
    ├── ConnectionFailed          no answer came: refused, lost, timed out
    ├── BadAnswer                 an answer came, but not one of this API
    ├── BadEvidence               what was saved is no game and no record, or is of another game
    └── ApiError                  the service refused: code, status, detail, members
        ├── InvalidRequest        400, 405, 406, 413, 415, 422 idempotency-mismatch: the request itself is wrong
        ├── Unauthenticated       401: no token, or a wrong or revoked one
        ├── Forbidden             403: not yours
        │   └── DealSealed        it would show cards of a sealed deal; `until` says when it opens
        ├── NotFound              404
        ├── Conflict              409: not as the game, or the player, now stands
        │   ├── GameOver          the game has ended
        │   ├── NothingLeft       nothing, or too little, to undo or redo; `available` says how much
        │   └── AlreadyPlaying    a running game of this daily exists: `game`
        ├── StaleVersion          412: the game has moved on; `version` is where it stands
        ├── MoveRefused           422: `move`, `index`, `legal_moves`
        │   ├── UnreadableMove    it is no move at all
        │   └── IllegalMove       `reason` is one of a closed list
        ├── RateLimited           429; `retry_after`, `written`
        └── ServiceError          5xx
            └── Unavailable       503; `retry_after`, `written`

Codes that a newer service may add come as the family of their status.
"""

from collections.abc import Mapping
from typing import Any


class PasyansError(Exception):
    """Anything that this package raises on its own account."""


class ConnectionFailed(PasyansError):
    """No answer came.

    `sent` is `False` where the request surely never reached the service (nothing was written), however often it was
    tried, and `True` where an attempt may have: repeat it with the same idempotency key to learn which.
    """

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


class BadAnswer(PasyansError):
    """An answer that breaks the contract: a missing or wrong field, not JSON, or another server's page."""


class BadEvidence(PasyansError):
    """A saved game or a record that no deal can be checked with: it cannot be read, or it is of another game."""


class ApiError(PasyansError):
    """An answer `application/problem+json`.

    `code` is stable and meant for programs, `detail` is an English sentence for people, `members` holds what this
    kind of problem adds (`reason`, `legal_moves`, …), `problem` all of it as it came, `request_id` is what the
    service's logs carry.
    """

    def __init__(
        self,
        *,
        code: str,
        status: int,
        detail: str,
        members: Mapping[str, Any],
        problem: Mapping[str, Any],
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.status = status
        self.detail = detail
        self.members = members
        self.problem = problem
        self.request_id = request_id
        self.retry_after = retry_after
        """Seconds to wait before the next attempt, where the service said so."""


class InvalidRequest(ApiError):
    """The request is wrong as it stands; `errors` lists every fault found."""

    @property
    def errors(self) -> list[tuple[str, str]]:
        """Pairs of the place (`moves[3]`, `seed`) and what is wrong there; empty where the service lists none."""
        listed = self.members.get("errors")
        if not isinstance(listed, list):
            return []
        return [(str(e.get("path")), str(e.get("message"))) for e in listed if isinstance(e, dict)]


class Unauthenticated(ApiError):
    """No token, or one that is wrong or revoked."""


class Forbidden(ApiError):
    """The token is good, but this is not its owner's."""


class DealSealed(Forbidden):
    """It would show cards of a deal that is still sealed."""

    @property
    def until(self) -> str | None:
        """When the deal opens (RFC 3339); `None`: when its game ends."""
        until = self.members.get("until")
        return until if isinstance(until, str) else None


class NotFound(ApiError):
    """There is no such thing."""


class Conflict(ApiError):
    """The request is sound, but not as things now stand."""


class GameOver(Conflict):
    """The game has ended; `index` is the move of the batch that would have come after its end, if any."""

    @property
    def index(self) -> int | None:
        """Where in the batch the game was over, from 0."""
        index = self.members.get("index")
        return index if isinstance(index, int) else None


class NothingLeft(Conflict):
    """There is nothing, or less than asked for, to undo or redo."""

    @property
    def available(self) -> int:
        """How many moves can be undone or redone."""
        available = self.members.get("available")
        return available if isinstance(available, int) else 0


class AlreadyPlaying(Conflict):
    """One running game of a daily deal is allowed, and there is one."""

    @property
    def game(self) -> str | None:
        """The id of the game that runs."""
        game = self.members.get("game")
        return game if isinstance(game, str) else None


class StaleVersion(ApiError):
    """`If-Match` was given, and the game has moved on."""

    @property
    def version(self) -> int | None:
        """The game's present version."""
        version = self.members.get("version")
        return version if isinstance(version, int) else None


class MoveRefused(ApiError):
    """A move of a batch was refused, so nothing of the batch was played."""

    @property
    def move(self) -> str:
        """The move that was refused, as the service read it."""
        return str(self.members.get("move", ""))

    @property
    def index(self) -> int:
        """Its place in the batch, from 0."""
        index = self.members.get("index")
        return index if isinstance(index, int) else 0

    @property
    def reason(self) -> str | None:
        """Why, as one of the API's closed list (`no-such-pile`, `not-next-rank`, …)."""
        reason = self.members.get("reason")
        return reason if isinstance(reason, str) else None

    @property
    def legal_moves(self) -> list[str]:
        """What would have been legal at that point of the batch."""
        legal = self.members.get("legal_moves")
        return [str(move) for move in legal] if isinstance(legal, list) else []


class UnreadableMove(MoveRefused):
    """The text is no move in any game."""


class IllegalMove(MoveRefused):
    """A readable move that the rules do not allow here."""


class RateLimited(ApiError):
    """Too many requests, and the wait that the service asks for is longer than the client was told to wait."""

    @property
    def written(self) -> bool | None:
        """`False`: nothing was written. `None`: unknown, as an attempt before this one may have been done."""
        return None if self.members.get("written", False) is None else False


class ServiceError(ApiError):
    """The service failed; the same request may succeed later."""


class Unavailable(ServiceError):
    """The service is overloaded or its database is away."""

    @property
    def written(self) -> bool | None:
        """`False`: nothing was written, by any attempt. `None`: unknown; repeat with the same idempotency key."""
        return False if self.members.get("written") is False else None


BY_CODE: Mapping[str, type[ApiError]] = {
    "unauthenticated": Unauthenticated,
    "deal-sealed": DealSealed,
    "game-over": GameOver,
    "nothing-to-undo": NothingLeft,
    "nothing-to-redo": NothingLeft,
    "already-playing": AlreadyPlaying,
    "unreadable-move": UnreadableMove,
    "illegal-move": IllegalMove,
}

BY_STATUS: Mapping[int, type[ApiError]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: StaleVersion,
    429: RateLimited,
    503: Unavailable,
}


def family(code: str, status: int) -> type[ApiError]:
    """The class for a problem's code, or else for its status."""
    general = ServiceError if status >= 500 else InvalidRequest
    return BY_CODE.get(code) or BY_STATUS.get(status) or general
