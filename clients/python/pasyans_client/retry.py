"""When a request is sent again, and how long is waited before."""

import random
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import msgspec

from pasyans_client.errors import ApiError, ConnectionFailed, PasyansError, RateLimited, Unavailable


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """How stubborn a client is.

    `attempts` counts all, the first one too. Before the second `first_wait` seconds pass, then twice as much each
    time (spread at random between half and the whole, so that clients do not come back in step). Where the service
    sends Retry-After, that long is waited instead. No single wait exceeds `longest_wait`: a Retry-After beyond it is
    raised at once, with the figure in the error's `retry_after`. Unless told it is the window in which the service
    counts requests, beyond which it asks nobody to wait; for a program with a person before it that may be too long.
    """

    attempts: int = 5
    first_wait: float = 0.25
    longest_wait: float = 60.0

    def wait(self, failure: PasyansError, attempt: int, *, repeatable: bool) -> float | None:
        """Seconds to wait after the given attempt (from 1) failed, or `None` to give up.

        `repeatable` tells that sending the request twice does no more than sending it once.
        """
        if attempt >= self.attempts or not worth_repeating(failure, repeatable=repeatable):
            return None
        asked = failure.retry_after if isinstance(failure, ApiError) else None
        if asked is not None:
            return asked if asked <= self.longest_wait else None
        ceiling = min(self.first_wait * 2 ** (attempt - 1), self.longest_wait)
        return random.uniform(ceiling / 2, ceiling)  # noqa: S311 (spreading load, not a secret)


NEVER = Retry(attempts=1)
"""Send once, whatever happens."""


class Wait(msgspec.Struct, frozen=True):
    """A pause before a request is sent again: why, how long, and which attempt failed out of how many."""

    failure: PasyansError
    seconds: float
    attempt: int
    attempts: int


class Attempts:
    """The attempts at one request: which one is being made, and whether one before it may have been done."""

    def __init__(self, retry: Retry, on_wait: Callable[[Wait], None] | None, *, repeatable: bool) -> None:
        self._retry = retry
        self._on_wait = on_wait
        self._repeatable = repeatable
        self._number = 1
        self._in_doubt = False

    def wait(self, failure: ConnectionFailed | ApiError) -> None:
        """Wait until it is worth trying again, or raise the failure. What it tells is true of all attempts."""
        if self._in_doubt:
            cast_doubt(failure)
        self._in_doubt = may_be_done(failure)
        seconds = self._retry.wait(failure, self._number, repeatable=self._repeatable)
        if seconds is None:
            raise failure
        if self._on_wait is not None:
            self._on_wait(Wait(failure, seconds, self._number, self._retry.attempts))
        time.sleep(seconds)
        self._number += 1


def may_be_done(failure: PasyansError) -> bool:
    """Whether the request that failed so may have been done all the same."""
    match failure:
        case ConnectionFailed():
            return failure.sent
        case RateLimited() | Unavailable():
            return failure.written is None
        case _:
            return True


def cast_doubt(failure: PasyansError) -> None:
    """Have a failure tell that the request may have been done, by an attempt before."""
    match failure:
        case ConnectionFailed():
            failure.sent = True
        case RateLimited() | Unavailable():
            failure.members = {**failure.members, "written": None}
            failure.problem = {**failure.problem, "written": None}


def worth_repeating(failure: PasyansError, *, repeatable: bool) -> bool:
    """Whether the same request may succeed later, and sending it again is safe."""
    match failure:
        case ConnectionFailed():
            return repeatable or not failure.sent
        case RateLimited():
            return True
        case Unavailable():
            return repeatable or failure.written is False
        case _:
            return False


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After, seconds or a date, as seconds from now; `None` where there is none or it makes no sense."""
    text = headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
