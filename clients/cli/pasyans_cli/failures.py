"""What goes wrong in a command, told in a sentence (or, with --json, as the API's problem) and an exit code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
from pasyans_client import errors

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


@contextmanager
def told(options: Options) -> Iterator[None]:
    """Turn what the client raises into a message on stderr and the exit code of its kind."""
    try:
        yield
    except Failed as failure:
        message, code = f"Error: {failure}", failure.code
    except errors.PasyansError as error:
        code = exit_code(error)
        message = (
            problem_json(error)
            if isinstance(error, errors.ApiError) and options.json
            else f"Error: {sentence(error, options.advice)}"
        )
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


def exit_code(error: errors.PasyansError) -> Exit:
    """The exit code of an error's family."""
    return next((code for kind, code in CODES if isinstance(error, kind)), Exit.FAILURE)


def sentence(error: errors.PasyansError, advice: str = Options.advice) -> str:
    """What to tell a person; `advice` is for one whose token is no good."""
    text = str(error)
    match error:
        case errors.Unauthenticated():
            return f"{text} {advice}"
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
            return "\n".join(["That cannot be asked:", *(f"  {path} {message}" for path, message in error.errors)])
        case _:
            return text


def problem_json(error: errors.ApiError) -> str:
    """The problem that the API answered, on one line."""
    import msgspec

    problem = {"code": error.code, "status": error.status, "detail": error.detail, **error.members}
    return msgspec.json.encode(problem).decode()
