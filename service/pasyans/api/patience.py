"""Patience with requests: how long they may take until their answers begin."""

import asyncio
from math import inf
from time import perf_counter

from pasyans.api.requests import Exchange


class Patience:
    """Cancels requests whose answers have not begun in so many ``seconds``, each in the task that answers it.

    There is one timer for all of them, set for the one that came first: a request costs no timer of its own.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._waiting: dict[Exchange, asyncio.Task[object] | None] = {}
        self._is_timed = False
        self._until = inf

    def hurry(self, seconds: float) -> None:
        """Wait no longer than so many seconds from now for any answer, of requests too that are still to come."""
        self._until = perf_counter() + seconds
        asyncio.get_running_loop().call_later(seconds, self._look)

    def begin(self, exchange: Exchange) -> None:
        """Wait for the exchange's answer, which this task gives, from the time that the exchange started."""
        self._waiting[exchange] = asyncio.current_task()
        if not self._is_timed:
            self._set_timer()

    def end(self, exchange: Exchange) -> None:
        """Wait for the exchange's answer no more."""
        self._waiting.pop(exchange, None)

    def _set_timer(self) -> None:
        first = next(iter(self._waiting))
        asyncio.get_running_loop().call_later(self._deadline(first) - perf_counter(), self._look)
        self._is_timed = True

    def _deadline(self, exchange: Exchange) -> float:
        return min(exchange.started + self.seconds, self._until)

    def _look(self) -> None:
        self._is_timed = False
        now = perf_counter()
        late = []
        for exchange in self._waiting:
            if now < self._deadline(exchange):
                break
            late.append(exchange)
        for exchange in late:
            exchange.is_late = True
            task = self._waiting.pop(exchange)
            if task is not None:
                task.cancel()
        if self._waiting:
            self._set_timer()
