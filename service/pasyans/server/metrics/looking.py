"""What a worker looks at now and then, to tell how things stand."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final

from pasyans.api import dailies
from pasyans.api.deps import Dependencies
from pasyans.server.metrics import definitions
from pasyans.server.metrics.recording import Recorder
from pasyans.store.errors import StoreError

_PAUSE: Final = 0.01  # seconds
_CHANGES_AT_MOST: Final = 100_000


class Look:
    """The looks of one worker, each to be had again and again."""

    def __init__(self, recorder: Recorder, deps: Dependencies) -> None:
        self._recorder = recorder
        self._deps = deps

    async def at_load(self) -> None:
        """Tell how busy this process is."""
        started = perf_counter()
        await asyncio.sleep(_PAUSE)
        self._recorder.set(definitions.LOOP_LAG, max(0.0, perf_counter() - started - _PAUSE))
        load = self._deps.store.load()
        self._recorder.set(definitions.POOL, load.used, "used")
        self._recorder.set(definitions.POOL, load.idle, "idle")
        self._recorder.set(definitions.POOL_SIZE, load.most)

    async def at_database(self) -> None:
        """Tell whether the database can be served from, and what is behind in it.

        Raises:
            StoreError: it can't be.
        """
        try:
            await self._deps.store.check()
            changes = await self._deps.store.board_changes(_CHANGES_AT_MOST)
            ahead = await dailies.days_ahead(self._deps)
        except StoreError:
            self._recorder.set(definitions.DATABASE_UP, 0)
            raise
        self._recorder.set(definitions.DATABASE_UP, 1)
        self._recorder.set(definitions.CHANGES, changes)
        self._recorder.set(definitions.DAILIES, ahead)
