"""Group commit: one task and one connection that write every append of this process.

Whenever the connection is free it takes all that is queued, at most one append of a game, in one statement and so in
one commit. A group that fails is run again one by one, so that only the guilty append fails. A statement that was sent
is never cancelled, since it may commit all the same.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from pasyans.store.appending import FINISHING, SESSION, STATEMENT, Sealed, columns, seal
from pasyans.store.connection import Connection
from pasyans.store.database import GRACE, Database
from pasyans.store.errors import BadRow, Conflict, Overloaded, StoreError, Unavailable
from pasyans.store.measures import Measures
from pasyans.store.trouble import TROUBLE, ends_connection, translated
from pasyans.store.values import Append, Appended

GROUP: Final = 256
"""The most appends in one statement."""

_LOCK_SHARE: Final = 0.2  # of the time for a statement, to wait for a lock in

Outcome = Appended | StoreError


class _Waiting(Struct, eq=False):
    sealed: Sealed
    outcome: asyncio.Future[Outcome]
    until: float

    def tell(self, outcome: Outcome) -> None:
        # A caller that was cancelled has cancelled its future, and nothing else.
        if not self.outcome.done():
            self.outcome.set_result(outcome)


class Writer:
    """The appends of one process, on their way into the log.

    `limit` is how many may wait. `moved` is told which games were written, or may have been; it never waits.
    """

    def __init__(
        self, database: Database, *, limit: int, moved: Callable[[Iterable[UUID]], None], measures: Measures
    ) -> None:
        self._database = database
        self._limit = limit
        self._moved = moved
        self._measures = measures
        # A statement, and one more before it.
        self._patience = 2 * (database.timeout + GRACE)
        self._queue: deque[_Waiting] = deque()
        self._under_way: Sequence[_Waiting] = ()
        self._is_timed = False
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = self._closed = False
        self._connection: Connection = None
        self._statement: Any = None
        self._finishing: Any = None

    async def open(self) -> None:
        """Connect and start. Raises `Misconfigured` or `Unavailable`."""
        await self._connect()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Write what is queued, then stop; what can't be written in time fails as `Unavailable`."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=self._patience)
            self._closed = True
            await self._disconnect()
            await self._task

    def queue(self, append: Append) -> asyncio.Future[Outcome]:
        """Queue an append, to be written whatever becomes of the caller; the future has its outcome."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        refused = self._refusal()
        if refused is not None:
            outcome.set_result(refused)
            return outcome
        try:
            sealed = seal(append)
        except (OverflowError, ValueError) as error:
            outcome.set_result(BadRow(f"This append can't be stored: {error}"))
            return outcome
        self._queue.append(_Waiting(sealed, outcome, perf_counter() + self._patience))
        if not self._is_timed:
            self._set_timer(self._patience)
        self._measures.waiting(len(self._queue))
        self._wake.set()
        return outcome

    def _refusal(self) -> Unavailable | None:
        if self._closing or self._task is None:
            return Unavailable("The store is closed.", written=False)
        if len(self._queue) >= self._limit:
            self._measures.refused()
            return Overloaded(f"{self._limit} appends are waiting already.")
        return None

    def _set_timer(self, seconds: float) -> None:
        """There is one timer for all that wait, set for the one that came first: an append costs none of its own."""
        self._is_timed = True
        asyncio.get_running_loop().call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        """Tell those that have waited too long."""
        self._is_timed = False
        now = perf_counter()
        for waiting in self._under_way:
            if waiting.until <= now:
                waiting.tell(Unavailable("The database is too slow; the commit is under way.", written=None))
        late = [waiting for waiting in self._queue if waiting.until <= now]
        for waiting in late:
            self._queue.remove(waiting)
            waiting.tell(Unavailable("The database is too slow.", written=False))
        left = [waiting.until for waiting in (*self._under_way, *self._queue) if waiting.until > now]
        if left:
            self._set_timer(min(left) - now)

    async def _run(self) -> None:
        while self._queue or not self._closing:
            if self._queue:
                self._under_way = self._take()
                await self._commit(self._under_way)
                self._under_way = ()
            else:
                self._wake.clear()
                await self._wake.wait()

    def _take(self) -> list[_Waiting]:
        """The next group, in the order of arrival; a second append of the same game stays for a later one."""
        group: dict[UUID, _Waiting] = {}
        later: list[_Waiting] = []
        while self._queue and len(group) < GROUP:
            waiting = self._queue.popleft()
            if waiting.sealed.append.game_id in group:
                later.append(waiting)
            else:
                group[waiting.sealed.append.game_id] = waiting
        self._queue.extendleft(reversed(later))
        self._measures.waiting(len(self._queue))
        return list(group.values())

    async def _commit(self, group: Sequence[_Waiting]) -> None:
        try:
            await self._connect()
        except StoreError as error:
            self._measures.failed(len(group))
            _tell_all(group, error)
            return
        started = perf_counter()
        try:
            won = await self._execute(group)
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait are told
            await self._failed(group, error)
            return
        self._measures.committed(len(group), len(won), perf_counter() - started)
        for waiting in group:
            game_won = waiting.sealed.append.game_id in won
            waiting.tell(Appended(waiting.sealed.hash) if game_won else Conflict("The game has moved on."))
        self._moved(won)

    async def _failed(self, group: Sequence[_Waiting], error: Exception) -> None:
        if ends_connection(error):
            self._measures.failed(len(group))
            await self._disconnect()
            _tell_all(group, translated(error, written=None))
            self._moved(waiting.sealed.append.game_id for waiting in group)
        elif len(group) == 1:
            self._measures.failed(1)
            _tell_all(group, translated(error))
        else:
            for waiting in group:
                await self._commit([waiting])

    async def _execute(self, group: Sequence[_Waiting]) -> set[UUID]:
        """Run the statement and give the games that won."""
        finishing = any(waiting.sealed.append.result is not None for waiting in group)
        statement = self._finishing if finishing else self._statement
        # The server ends a slow statement itself; this is for one that no longer answers at all.
        limit = self._database.timeout + GRACE
        guard = asyncio.get_running_loop().call_later(limit, self._connection.terminate)
        try:
            rows = await statement.fetch(*columns((waiting.sealed for waiting in group), finishing=finishing))
        finally:
            guard.cancel()
        return {row[0] for row in rows}

    async def _connect(self) -> None:
        if self._closed:
            raise Unavailable("The store is closed.", written=False)
        if self._connection is not None and not self._connection.is_closed():
            return
        # A head that somebody else keeps locked must not hold up the other games for long.
        lock_timeout = int(self._database.timeout * 1000 * _LOCK_SHARE)
        self._connection = await self._database.connect({**SESSION, "lock_timeout": str(lock_timeout)})
        try:
            # Preparing alone would leave the session in a transaction, with its locks, until the first append.
            async with self._connection.transaction():
                self._statement = await self._connection.prepare(STATEMENT)
                self._finishing = await self._connection.prepare(FINISHING)
        except TROUBLE as error:
            await self._disconnect()
            raise translated(error) from error

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            await connection.close(timeout=GRACE)
        except TROUBLE:
            connection.terminate()


def _tell_all(group: Sequence[_Waiting], outcome: Outcome) -> None:
    for waiting in group:
        waiting.tell(outcome)
