"""Reading much at a time: what admins look for may take a whole table, sorted by anything.

The sessions that serve go by indexes alone and give up soon; here the planner is free, and there is more time. So that
whoever plays always finds a connection, no more than half of the pool is ever used for it, unless there is but one.
What is read at the pace of somebody far away, in batches, has a connection of its own.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

from pasyans.store.connection import Connection, Row
from pasyans.store.database import GRACE, Database
from pasyans.store.errors import Unavailable
from pasyans.store.trouble import TROUBLE, translated

T = TypeVar("T")

BATCHES_AT_ONCE: Final = 2
"""How many may read in batches at once, in this process."""

BATCH: Final = 1000
"""Rows in a batch."""

_LIMIT: Final = 30.0  # seconds for one statement
_BATCH_LIMIT: Final = 120.0  # seconds for a batch; before the first, everything may have to be sorted
_TAKEN_WITHIN: Final = 60.0  # seconds in which a batch must be taken, since the snapshot hinders vacuum meanwhile

_SESSION: Final = {
    "enable_seqscan": "on",
    "enable_bitmapscan": "on",
    "plan_cache_mode": "force_custom_plan",
    "statement_timeout": str(int(_LIMIT * 1000)),
}

_BATCHES: Final = _SESSION | {
    "statement_timeout": str(int(_BATCH_LIMIT * 1000)),
    "idle_in_transaction_session_timeout": str(int(_TAKEN_WITHIN * 1000)),
}

# Of one round trip, and for this transaction alone.
_FREE: Final = "; ".join(
    (
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
        *(f"SET LOCAL {name} = {value}" for name, value in _SESSION.items()),
    )
)


class Surveys:
    """The large reads of one process."""

    def __init__(self, database: Database, *, size: int) -> None:
        self._database = database
        self._at_once = asyncio.Semaphore(max(1, size // 2))
        self._batches_at_once = asyncio.Semaphore(BATCHES_AT_ONCE)
        self._reading: set[Connection] = set()

    def close(self) -> None:
        """Break off what is being read in batches."""
        for connection in tuple(self._reading):
            connection.terminate()

    async def fetch(self, sql: str, *values: object) -> list[Row]:
        """The rows of one statement that writes nothing."""

        async def fetch(connection: Connection) -> list[Row]:
            rows: list[Row] = await connection.fetch(sql, *values, timeout=_LIMIT + GRACE)
            return rows

        return await self.read(fetch)

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` in a snapshot that nothing can be written in. When the caller is cancelled, so is the work."""

        async def read(connection: Connection) -> T:
            await connection.execute(_FREE)
            return await work(connection)

        self._database.require_open()
        await self._acquire(self._at_once, "Too many ask for much at once.")
        # In a task of its own, which is cancelled once and no more: so it always gets to its rollback.
        task = self._database.spawn(self._database.transaction(read))
        task.add_done_callback(lambda _: self._at_once.release())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.cancel()
            raise

    async def batches(self, sql: str, *values: object) -> AsyncGenerator[list[Row], None]:
        """The rows of one statement, some at a time, from one snapshot, in memory that does not grow with them.

        However the generator ends, its connection ends with it.
        """
        self._database.require_open()
        await self._acquire(self._batches_at_once, f"{BATCHES_AT_ONCE} long lists are being read already.")
        connection: Connection = None
        try:
            connection = await self._database.connect(_BATCHES, patience=_BATCH_LIMIT + GRACE)
            self._reading.add(connection)
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                cursor = await connection.cursor(sql, *values)
                while rows := await cursor.fetch(BATCH):
                    yield rows
        except TROUBLE as error:
            raise translated(error) from error
        finally:
            self._batches_at_once.release()
            if connection is not None:
                self._reading.discard(connection)
                with suppress(*TROUBLE):
                    await connection.close(timeout=GRACE)

    async def _acquire(self, turns: asyncio.Semaphore, busy: str) -> None:
        try:
            async with asyncio.timeout(self._database.timeout):
                await turns.acquire()
        except TimeoutError:
            raise Unavailable(busy, written=False) from None
