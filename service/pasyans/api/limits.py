"""Rate limits: how many requests a token, or else an address, may make in a minute."""

from typing import Final, Protocol

import msgspec

WINDOW_MS: Final = 60_000
_KEYS_AT_MOST: Final = 50_000


class Verdict(msgspec.Struct, frozen=True):
    """What the limiter says of one request. ``reset_s`` is when the count begins anew, in whole seconds, rounded up."""

    allowed: bool
    limit: int
    remaining: int
    reset_s: int

    def headers(self) -> dict[str, str]:
        """Return the RateLimit headers that tell a client where it stands."""
        return {
            "RateLimit-Policy": f'"requests";q={self.limit};w={WINDOW_MS // 1000}',
            "RateLimit": f'"requests";r={self.remaining};t={self.reset_s}',
        }


class Limiter(Protocol):
    """What counts requests."""

    async def take(self, key: str, now: int) -> Verdict:
        """Count one request of ``key`` at ``now`` (milliseconds), and say whether it is still within the limit."""

    async def look(self, key: str, now: int) -> Verdict:
        """Say what `take` would say, without counting."""


class WindowLimiter:
    """Counts in this process alone, in a window that begins with a key's first request."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._windows: dict[str, tuple[int, int]] = {}

    async def take(self, key: str, now: int) -> Verdict:
        """Count one request; see `Limiter.take`."""
        verdict = await self.look(key, now)
        if verdict.allowed:
            start, count = self._window(key, now)
            self._windows.pop(key, None)
            self._windows[key] = (start, count + 1)
            self._forget(now)
        return verdict

    async def look(self, key: str, now: int) -> Verdict:
        """Say what `take` would say; see `Limiter.look`."""
        start, count = self._window(key, now)
        return Verdict(
            allowed=count < self._limit,
            limit=self._limit,
            remaining=max(self._limit - count - 1, 0),
            reset_s=-((now - start - WINDOW_MS) // 1000),
        )

    def _window(self, key: str, now: int) -> tuple[int, int]:
        start, count = self._windows.get(key, (now, 0))
        return (start, count) if now < start + WINDOW_MS else (now, 0)

    def _forget(self, now: int) -> None:
        """Keep the memory bounded: drop what has run out, or else the keys that were quiet for longest."""
        if len(self._windows) <= _KEYS_AT_MOST:
            return
        self._windows = {key: window for key, window in self._windows.items() if now < window[0] + WINDOW_MS}
        for key in list(self._windows)[: max(len(self._windows) - _KEYS_AT_MOST // 2, 0)]:
            del self._windows[key]
