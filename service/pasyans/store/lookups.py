"""Look-ups by key that are made together: whoever asks while queries are under way shares the next one.

So a row is never older than the question for it, and a busy process asks the database no more often than it answers.
"""

import asyncio
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from pasyans.store.connection import Row
from pasyans.store.database import Database
from pasyans.store.errors import StoreError, Unavailable

K = TypeVar("K", bound=Hashable)

_QUERIES: Final = 2  # at a time, so that one that hangs does not hold up everybody
_AT_ONCE: Final = 256  # keys in one


class Lookups(Generic[K]):
    """Look-ups of one kind.

    ``sql`` gives for an array of keys, its one parameter, the rows that there are, each with its key first; no key has
    more than one.
    """

    def __init__(self, database: Database, sql: str) -> None:
        self._database = database
        self._sql = sql
        self._waiting: list[tuple[K, asyncio.Future[Row | None]]] = []
        self._asking = 0

    async def find(self, key: K) -> Row | None:
        """The row of a key, or None. Raises a `StoreError`."""
        found: asyncio.Future[Row | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, found))
        if self._asking < _QUERIES:
            self._asking += 1
            self._database.spawn(self._ask())
        return await found

    async def _ask(self) -> None:
        try:
            while self._waiting:
                some, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
                await self._answer(some)
        finally:
            self._asking -= 1

    async def _answer(self, some: list[tuple[K, asyncio.Future[Row | None]]]) -> None:
        try:
            rows = {row[0]: row for row in await self._database.fetch(self._sql, list({key for key, _ in some}))}
        except BaseException as error:
            told = error if isinstance(error, StoreError) else Unavailable("The look-up broke off.", written=False)
            for _, found in some:
                _fail(found, told)
            if not isinstance(error, StoreError):
                raise
            return
        for key, found in some:
            if not found.done():
                found.set_result(rows.get(key))


def _fail(found: asyncio.Future[Row | None], error: StoreError) -> None:
    # A caller that was cancelled has cancelled its future, and nothing else.
    if not found.done():
        found.set_exception(error)
