"""When a request is sent again, and how long is waited before."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import msgspec

from pasyans_client.errors import ApiError, ConnectionFailed, PasyansError, RateLimited, Unavailable


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """How stubborn a client is.

    `attempts` counts all, the first one too. Before the second `first_wait` seconds pass, then twice as much each
    time (spread at random between half and the whole, so that clients do not come back in step). Where the service
    sends Retry-After, that long is waited instead. No single wait exceeds `longest_wait`: a Retry-After beyond it is
    raised at once, with the figure in the error's `retry_after`.
    """

    attempts: int = 5
    first_wait: float = 0.25
    longest_wait: float = 30.0

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
