"""The pool of connections: single reads, and transactions that run to their end whatever becomes of the caller."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Literal, TypeVar

import asyncpg

from pasyans.store.connection import Connection, Row, connect, prepare
from pasyans.store.errors import Unavailable
from pasyans.store.trouble import TROUBLE, translated
from pasyans.store.values import Load

T = TypeVar("T")

GRACE: Final = 1.0
"""Seconds by which the server gives up on a statement before we do."""


class Database:
    """Connections to one database, each of them prepared to serve.

    `url` is that of the service; `size` the most connections in the pool; `timeout`, in seconds, what each statement
    and each wait for a connection may take.
    """

    def __init__(self, url: str, *, size: int, timeout: float, allow_data_loss: bool) -> None:
        self.timeout = timeout
        self._url = url
        self._size = size
        self._allow_data_loss = allow_data_loss
        self._pool: Any = None
        self._serving = False
        self._running: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Make the pool; it connects when it is first used."""
        self._pool = await asyncpg.create_pool(
            min_size=0, max_size=self._size, connect=self._pooled, reset=_keep_session
        )
        self._serving = True

    async def close(self) -> None:
        """Finish the transactions that have begun or wait for a connection, within the timeout, and disconnect."""
        self._serving = False
        if self._pool is None:
            return
        if self._running:
            await asyncio.wait(self._running, timeout=self.timeout)
        try:
            await asyncio.wait_for(self._pool.close(), self.timeout)
        except TROUBLE:
            self._pool.terminate()

    async def connect(self, settings: Mapping[str, str], patience: float | None = None) -> Connection:
        """A connection of one's own, outside the pool, with these session settings.

        Its statements are cancelled from here after `patience` seconds; None leaves giving up to the server.
        Raises `Misconfigured` or `Unavailable`.
        """
        limit = str(int(self.timeout * 1000))
        connection = await connect(
            self._url,
            within=self.timeout,
            patience=patience,
            settings={
                "statement_timeout": limit,
                "idle_in_transaction_session_timeout": limit,
                "jit": "off",
                # Every query is meant to go by an index, and tables that have just been made know no better; entries
                # of rows that are gone are dropped from an index by plain scans of it only. It is planned once on a
                # connection, since planning takes longer than most take to run.
                "enable_seqscan": "off",
                "enable_bitmapscan": "off",
                "plan_cache_mode": "force_generic_plan",
                **settings,
            },
        )
        try:
            await prepare(connection, allow_data_loss=self._allow_data_loss)
        except BaseException as error:
            connection.terminate()
            if isinstance(error, TROUBLE):
                raise translated(error) from error
            raise
        return connection

    async def fetch(self, sql: str, *values: object) -> list[Row]:
        """The rows of one statement that writes nothing.

        It too runs in a task of its own: a caller who is cancelled would else wait until the server has heard of it.
        """
        self.require_open()
        return await self._aside(self._fetched(sql, *values))

    async def _fetched(self, sql: str, *values: object) -> list[Row]:
        try:
            async with self._acquire() as connection:
                rows: list[Row] = await connection.fetch(sql, *values)
        except TROUBLE as error:
            raise translated(error) from error
        return rows

    async def fetchrow(self, sql: str, *values: object) -> Row | None:
        """The first row of one statement that writes nothing, or None."""
        rows = await self.fetch(sql, *values)
        return rows[0] if rows else None

    async def write(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` in a transaction and give its result after the commit.

        It runs in a task of its own: when the caller is cancelled it goes on to its end, and no half-done transaction
        is handed back to the pool.
        """
        self.require_open()
        return await self._aside(self.transaction(work))

    async def _aside(self, work: Coroutine[Any, Any, T]) -> T:
        """What some work gives, which goes on to its end when the caller is cancelled."""
        ended: asyncio.Future[asyncio.Task[T]] = asyncio.get_running_loop().create_future()
        task = self.spawn(work)
        task.add_done_callback(lambda done: None if ended.done() else ended.set_result(done))
        return (await ended).result()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task that `close` waits for, and whose failure is not reported when nobody asks for it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()

    async def transaction(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """`write` for a task that was spawned, and so runs to its end anyway, also while the store closes."""
        written: Literal[False] | None = False
        try:
            async with self._acquire() as connection:
                transaction = connection.transaction()
                await transaction.start()
                try:
                    result = await work(connection)
                except BaseException:
                    await transaction.rollback()
                    raise
                written = None
                await transaction.commit()
        except TROUBLE as error:
            raise translated(error, written) from error
        return result

    def load(self) -> Load:
        """How busy the pool is."""
        if self._pool is None:
            return Load(0, 0, self._size)
        idle = self._pool.get_idle_size()
        return Load(self._pool.get_size() - idle, idle, self._size)

    def _acquire(self) -> AbstractAsyncContextManager[Connection]:
        acquired: AbstractAsyncContextManager[Connection] = self._pool.acquire(timeout=self.timeout)
        return acquired

    def require_open(self) -> None:
        """Raise `Unavailable` before the store is open, and when it has been closed."""
        if not self._serving:
            raise Unavailable("The store is closed.", written=False)

    async def _pooled(self, *_: object, **__: object) -> Connection:
        return await self.connect({}, patience=self.timeout + GRACE)


async def _keep_session(_: Connection) -> None:
    """Nothing that serves changes its session, so there is nothing to reset between two users of a connection."""
