"""Waiting for whatever comes first: being roused, a time, or the end of the connection."""

import asyncio
from typing import Any

from litestar.types import Receive


class Waiting:
    """What one answer waits for while it has nothing to say: one future and one timer, and no task."""

    __slots__ = ("_future", "_is_roused", "_loop", "_receive", "_received", "is_gone")

    def __init__(self) -> None:
        self.is_gone = False
        self._is_roused = False
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[None] | None = None
        self._receive: Receive | None = None
        self._received: asyncio.Future[Any] | None = None

    def rouse(self) -> None:
        """End the wait, or the next one."""
        self._is_roused = True
        self._end()

    def listen(self, receive: Receive) -> None:
        """End the wait, and set ``is_gone``, when the client goes."""
        self._receive = receive
        # A future of the server's own is taken as it is.
        self._received = asyncio.ensure_future(receive())
        self._received.add_done_callback(self._heard)

    def close(self) -> None:
        """Listen no more."""
        self._receive = None
        if self._received is not None:
            self._received.cancel()

    async def until(self, at: float) -> bool:
        """Wait until a time of the loop at the latest; tell whether somebody has roused since the last call."""
        if not self._is_roused and not self.is_gone:
            self._future = self._loop.create_future()
            timer = self._loop.call_at(at, self._end)
            try:
                await self._future
            finally:
                timer.cancel()
                self._future = None
        is_roused, self._is_roused = self._is_roused, False
        return is_roused

    def _end(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    def _heard(self, received: asyncio.Future[Any]) -> None:
        if self._receive is None or received.cancelled():
            return
        if received.exception() is None and received.result()["type"] != "http.disconnect":
            self.listen(self._receive)
            return
        self.is_gone = True
        self._end()
