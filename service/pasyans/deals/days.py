"""Days: the UTC days that daily deals belong to, whatever time zone the machine is in.

A day is written as ``2026-11-29``; times are integer milliseconds since the Unix epoch, UTC.
"""

import re
from datetime import date, timedelta
from typing import Final

DAY_PATTERN: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DAY: Final = re.compile(DAY_PATTERN)
_EPOCH: Final = date(1970, 1, 1)
_LENGTH: Final = 24 * 60 * 60 * 1000


def is_day(text: str) -> bool:
    """Tell whether ``text`` names a day of the calendar."""
    if _DAY.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def day_of(at: int) -> str:
    """Return the day that a time belongs to."""
    return (_EPOCH + timedelta(days=at // _LENGTH)).isoformat()


def opens_at(day: str) -> int:
    """Return the first millisecond of a day, from which its deals are played."""
    return (date.fromisoformat(day) - _EPOCH).days * _LENGTH


def closes_at(day: str) -> int:
    """Return the first millisecond after a day, from which its deals are open to everybody."""
    return opens_at(day) + _LENGTH


def days_from(day: str, count: int) -> list[str]:
    """Return ``day`` and the days after it, ``count`` in all."""
    return [day_of(opens_at(day) + _LENGTH * number) for number in range(count)]
