"""Rate limits: how many requests a token, or else an address, may make in a minute."""

from typing import Final

import msgspec

from pasyans.api.windows import WINDOW_MS, Windows

_WINDOW_S: Final = WINDOW_MS // 1000


class Verdict(msgspec.Struct, frozen=True):
    """What the limiter says of one request. ``reset_s`` is when the count begins anew, in whole seconds, rounded up."""

    allowed: bool
    limit: int
    remaining: int
    reset_s: int

    @property
    def headers(self) -> dict[bytes, bytes]:
        """The RateLimit headers that tell a client where it stands, by name in small letters."""
        return {
            b"ratelimit-policy": b'"requests";q=%d;w=%d' % (self.limit, _WINDOW_S),
            b"ratelimit": b'"requests";r=%d;t=%d' % (self.remaining, self.reset_s),
        }


class Limiter:
    """Lets through as many requests as ``limit`` of each client in each of its windows."""

    def __init__(self, limit: int, windows: Windows) -> None:
        self.windows = windows
        self._limit = limit

    def take(self, client: str, now: int) -> Verdict:
        """Count one request of ``client`` at ``now`` (milliseconds), and say whether it is still within the limit."""
        return self._verdict(*self.windows.count(client, now, self._limit))

    def look(self, client: str, now: int) -> Verdict:
        """Say what `take` would say, without counting."""
        return self._verdict(*self.windows.counted(client, now))

    def _verdict(self, used: int, reset_ms: int) -> Verdict:
        return Verdict(used < self._limit, self._limit, max(self._limit - used - 1, 0), -(-reset_ms // 1000))
