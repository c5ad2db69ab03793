"""Times as text: RFC 3339 in UTC with milliseconds, from and to integer milliseconds since the Unix epoch."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def format_time(at: int) -> str:
    """Return ``at`` as, for example, ``2026-11-29T10:00:00.000Z``."""
    return (_EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> int:
    """Return the milliseconds that an RFC 3339 time names.

    Raises:
        ValueError: ``text`` is no such time, or has no offset.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("The time has no offset: end it with Z.")
    return (moment - _EPOCH) // _MILLISECOND
