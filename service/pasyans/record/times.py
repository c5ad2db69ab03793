"""Times as text: RFC 3339 in UTC with milliseconds, from and to integer milliseconds since the Unix epoch."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)


def format_time(at: int) -> str:
    """Return ``at`` as, for example, ``2026-11-29T10:00:00.000Z``."""
    second, millisecond = divmod(at, 1000)
    return f"{_format_second(second)}.{millisecond:03}Z"


@lru_cache(4096)
def _format_second(second: int) -> str:
    return (_EPOCH + timedelta(seconds=second)).isoformat()[: -len("+00:00")]


def parse_time(text: str) -> int:
    """Return the milliseconds that an RFC 3339 time names.

    Raises:
        ValueError: ``text`` is no such time, or has no offset.
    """
    if _TIME.fullmatch(text) is None:
        raise ValueError(f"{text[:40]!r} is no time in RFC 3339.")
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{text!r} is no time in UTC.") from error
    return (moment - _EPOCH) // _MILLISECOND
