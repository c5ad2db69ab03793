"""Patience: an end to what takes too long, at next to no cost for what does not.

All have the same time, so whoever began first is due first, and one timer for the oldest serves all.
"""

import asyncio


class Patience:
    """Lets a timeout run out ``seconds`` after it was begun, unless it has been ended by then."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._due: dict[asyncio.Timeout, float] = {}
        self._is_looking = False

    def begin(self, timeout: asyncio.Timeout) -> None:
        """Let the time of ``timeout``, which is being waited in, run."""
        loop = asyncio.get_running_loop()
        self._due[timeout] = loop.time() + self.seconds
        if not self._is_looking:
            self._is_looking = True
            loop.call_later(self.seconds, self._look, loop)

    def end(self, timeout: asyncio.Timeout) -> None:
        """Let the time of ``timeout`` run no longer; does nothing where it has ended."""
        self._due.pop(timeout, None)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        while self._due:
            timeout, due = next(iter(self._due.items()))
            if due > now:
                loop.call_at(due, self._look, loop)
                return
            del self._due[timeout]
            timeout.reschedule(now)
        self._is_looking = False
