"""What goes wrong in a command, told in a sentence (or, with --json, as the API's problem) and an exit code."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from pasyans_client import errors

from pasyans_cli import faults
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import Options
from pasyans_cli.saying import say

CODES: tuple[tuple[type[errors.PasyansError], Exit], ...] = (
    (errors.ConnectionFailed, Exit.NETWORK),
    (errors.BadAnswer, Exit.SERVICE),
    (errors.BadEvidence, Exit.INVALID),
    (errors.Unauthenticated, Exit.UNAUTHENTICATED),
    (errors.Forbidden, Exit.FORBIDDEN),
    (errors.NotFound, Exit.NOT_FOUND),
    (errors.Conflict, Exit.CONFLICT),
    (errors.StaleVersion, Exit.CONFLICT),
    (errors.MoveRefused, Exit.REFUSED),
    (errors.RateLimited, Exit.RATE_LIMITED),
    (errors.ServiceError, Exit.SERVICE),
    (errors.InvalidRequest, Exit.INVALID),
)


class PartlyPlayed(Exception):
    """An error at moves of which the first ones were sent before the others, and played."""

    def __init__(self, error: errors.PasyansError, played: int, moves: Sequence[str]) -> None:
        super().__init__(f"{played} of {len(moves)} moves were played, up to {moves[played - 1]}.")
        self.error = error
        self.played = played


@contextmanager
def told(options: Options) -> Iterator[None]:
    """Turn what the client raises into one message on stderr and the exit code of its kind."""
    try:
        yield
    except Failed as failure:
        message, code = f"Error: {failure}", failure.code
    except PartlyPlayed as partly:
        message, code = refusal(partly.error, options, partly), exit_code(partly.error)
    except errors.PasyansError as error:
        message, code = refusal(error, options), exit_code(error)
    except BrokenPipeError:
        # The reader of a pipe has seen enough; what is still in the buffer would raise again at the end.
        sys.stdout = None
        message, code = "", Exit.OK
    except OSError as error:
        message, code = f"Error: {error}", Exit.FAILURE
    except (KeyboardInterrupt, click.Abort):
        message, code = "\nInterrupted.", Exit.INTERRUPTED
    else:
        return
    if message:
        say(message)
    raise click.exceptions.Exit(code)


def refusal(error: errors.PasyansError, options: Options, partly: PartlyPlayed | None = None) -> str:
    """What to print of an error: with --json the problem that the API answered, on one line, else a sentence."""
    if isinstance(error, errors.ApiError) and options.json:
        import msgspec

        played = {} if partly is None else {"played": partly.played}
        return msgspec.json.encode({**error.problem, **played}).decode()
    before = "" if partly is None else f"{partly}\n"
    return f"{before}Error: {sentence(error, options.advice)}"


def exit_code(error: errors.PasyansError) -> Exit:
    """The exit code of an error's family; what can be no variant and no player is one that there is not."""
    if isinstance(error, errors.InvalidRequest) and faults.is_of_no_such_thing(error):
        return Exit.NOT_FOUND
    return next((code for kind, code in CODES if isinstance(error, kind)), Exit.FAILURE)


def sentence(error: errors.PasyansError, advice: str = Options.advice) -> str:
    """What to tell a person; `advice` is for one whose token is no good."""
    text = str(error)
    match error:
        case errors.Unauthenticated():
            return f"The token is wrong, or no longer valid. {advice}"
        case errors.ConnectionFailed() if not error.sent:
            return f"{text} Is it running there? Another address is given with --server or PASYANS_URL."
        case errors.RateLimited(retry_after=float(seconds)):
            return f"{text} Try again in {seconds:g} s."
        case errors.MoveRefused():
            place = f" (Move {error.index + 1} of those sent; none of them was played.)" if error.index else ""
            legal = f"\nLegal there: {' '.join(error.legal_moves)}" if error.legal_moves else ""
            subject = "" if isinstance(error, errors.UnreadableMove) else f"{error.move}: "
            return f"{subject}{text}{place}{legal}"
        case errors.InvalidRequest() if error.errors:
            return "\n".join(["That cannot be asked:", *(f"  {fault}" for fault in faults.sentences(error))])
        case _:
            return text
