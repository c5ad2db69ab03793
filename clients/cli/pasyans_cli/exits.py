"""Exit codes, and the errors that carry them."""

from enum import IntEnum


class Exit(IntEnum):
    """What `pasyans` ends with; the numbers are part of its interface."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    NETWORK = 3
    UNAUTHENTICATED = 4
    REFUSED = 5
    NOT_FOUND = 6
    CONFLICT = 7
    FORBIDDEN = 8
    INVALID = 9
    RATE_LIMITED = 10
    SERVICE = 11
    UNFAIR = 12
    INTERRUPTED = 130


MEANINGS: dict[Exit, str] = {
    Exit.OK: "done",
    Exit.FAILURE: "something of this machine failed (a file, the terminal)",
    Exit.USAGE: "the command line is wrong",
    Exit.NETWORK: "the service could not be reached",
    Exit.UNAUTHENTICATED: "not logged in, or the token is no longer valid",
    Exit.REFUSED: "a move was refused",
    Exit.NOT_FOUND: "no such game, variant or player",
    Exit.CONFLICT: "not as things stand: game over, nothing to undo, name taken, version stale",
    Exit.FORBIDDEN: "not yours, or the deal is still sealed",
    Exit.INVALID: "the request, a record or a saved game is wrong",
    Exit.RATE_LIMITED: "too many requests",
    Exit.SERVICE: "the service failed, or what answered is no Pasyans service",
    Exit.UNFAIR: "a deal is not what was committed to, its cards not those shown, or a game not what its log says",
    Exit.INTERRUPTED: "interrupted",
}


class Failed(Exception):
    """A failure told in one sentence, with its exit code."""

    def __init__(self, message: str, code: Exit) -> None:
        super().__init__(message)
        self.code = code
