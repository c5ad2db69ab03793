"""The only source of time, ids and chance. What needs them is handed them when it is put together."""

from __future__ import annotations

import os
import random
import secrets
import threading
import time
import uuid

_VERSION = 7 << 76
_VARIANT = 0b10 << 62


class Clock:
    """The time of this process, which never goes backwards, whatever is done to the machine's clock."""

    def __init__(self) -> None:
        self._latest = 0
        self._lock = threading.Lock()

    def now(self) -> int:
        """Milliseconds since the Unix epoch, UTC; not less than in any earlier call."""
        with self._lock:
            self._latest = max(self._latest, time.time_ns() // 1_000_000)
            return self._latest


def microseconds() -> int:
    """Microseconds since the Unix epoch, as the machine has it: for telling people, not for anything to go by."""
    return time.time_ns() // 1000


def new_id(at: int) -> uuid.UUID:
    """A new UUIDv7 (RFC 9562) whose time is exactly `at` milliseconds since the Unix epoch; its rest is random."""
    if not 0 <= at < 1 << 48:
        raise ValueError(f"{at} is no time that a UUIDv7 can hold.")
    chance = secrets.randbits(74)
    return uuid.UUID(int=at << 80 | _VERSION | chance >> 62 << 64 | _VARIANT | chance & (1 << 62) - 1)


def random_bytes(count: int) -> bytes:
    """`count` bytes that nobody can foretell, for seeds, tokens and keys."""
    return os.urandom(count)


def fraction() -> float:
    """A number from 0 to 1, for spreading waits."""
    return random.random()  # noqa: S311 - nothing hangs on its being foretold
