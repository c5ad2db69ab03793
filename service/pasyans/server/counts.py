"""What the servers on one database tell each other of their clients' requests, so that a limit holds for all of them.

Every worker tells what it has counted, each time that it is its share of a twentieth of the limit; one worker of each
server hears it, and adds it to the table that they share. A message is the sender's server id, then a mark, the number
of a window and a count for each client. One that is lost is a count that is lost: more is let through then, and nobody
is refused for it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

from pasyans.api.limits import Limiter
from pasyans.api.windows import Told, Windows
from pasyans.server.shared import Shared
from pasyans.store.base import Store

KEPT: Final = 20
"""What part of a limit the workers of a server together may have counted and not told."""

_ONE: Final = struct.Struct("<QII")
_AT_ONCE: Final = 300  # clients in a message, which is then below 5,000 bytes


def limiter_of(limit: int | None, shared: Shared, column: int, workers: int) -> Limiter | None:
    """The limiter of one worker; None without a limit."""
    if limit is None:
        return None
    return Limiter(limit, Windows(shared.windows, shared.columns, column, max(1, limit // (KEPT * workers))))


class Counts:
    """The counts of one worker, told to other servers and heard from them."""

    def __init__(self, windows: Windows, store: Store, shared: Shared, clock: Callable[[], int]) -> None:
        self._windows = windows
        self._store = store
        self._shared = shared
        self._clock = clock

    async def open(self) -> None:
        """Begin to hear, and have marks mean the same on every server. Raises `StoreError`."""
        self._windows.key(await self._store.secret())
        self._store.listen(self._hear)

    async def tell(self) -> int:
        """Tell what is to be told; of how many clients."""
        told = self._windows.tell()
        for start in range(0, len(told), _AT_ONCE):
            some = b"".join(_ONE.pack(*one) for one in told[start : start + _AT_ONCE])
            self._store.tell(self._shared.server_id + some)
        return len(told)

    def _hear(self, message: bytes) -> None:
        server_id = self._shared.server_id
        counts = message[len(server_id) :]
        if message.startswith(server_id) or len(counts) % _ONE.size or not self._shared.leads():
            return
        self._windows.hear((Told(*one) for one in _ONE.iter_unpack(counts)), self._clock())
