"""Chores: what a worker does every now and then beside serving.

Each worker does every chore by itself, so a chore must stand being done by several at once, in any order, and being
cut short by a stop. The waits are spread at random, so that workers which started together do not work together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import structlog

from pasyans.store.errors import StoreError

_FIRST_RETRY: Final = 1.0  # seconds; doubled with each failure that follows
_DOUBLED_AT_MOST: Final = 20


@dataclass(frozen=True)
class Chore:
    """One chore: its name in the log, the seconds from one time to the next, and what is done."""

    name: str
    every: float
    work: Callable[[], Awaitable[object]]


class Chores:
    """The chores of one worker, at once and then again and again from `start` to `stop`.

    A chore that fails is logged and tried again soon, then less and less often, up to its usual time. `fraction` gives
    a random number from 0 to 1, by which the waits are spread: from half to one and a half times their length. `told`
    is called after each time with the chore's name, the seconds it took, and its result or the error it failed with.
    """

    def __init__(
        self,
        chores: Iterable[Chore],
        fraction: Callable[[], float],
        told: Callable[[str, float, object], None] = lambda _name, _seconds, _outcome: None,
    ) -> None:
        self._chores = tuple(chores)
        self._fraction = fraction
        self._told = told
        self._tasks: list[asyncio.Task[None]] = []
        self._log = structlog.get_logger("pasyans.chores")

    async def start(self) -> None:
        """Begin, in the background."""
        self._tasks = [asyncio.create_task(self._repeat(chore), name=f"chore {chore.name}") for chore in self._chores]

    async def stop(self) -> None:
        """End, cutting short what is being done; a statement that the database has got is left to the store."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repeat(self, chore: Chore) -> None:
        failures = 0
        while True:
            failures = 0 if await self._succeeds(chore) else failures + 1
            retry = _FIRST_RETRY * 2 ** min(failures - 1, _DOUBLED_AT_MOST)
            wait = min(chore.every, retry) if failures else chore.every
            await asyncio.sleep(wait * (0.5 + self._fraction()))

    async def _succeeds(self, chore: Chore) -> bool:
        started = perf_counter()
        outcome: object
        try:
            outcome = await chore.work()
        except StoreError as error:
            self._log.warning("chore.failed", chore=chore.name, error=str(error))
            outcome = error
        except Exception as error:  # noqa: BLE001 - whatever it is, the chore is to be done again
            self._log.exception("chore.failed", chore=chore.name)
            outcome = error
        self._told(chore.name, perf_counter() - started, outcome)
        return not isinstance(outcome, Exception)
