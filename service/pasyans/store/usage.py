"""Noting that tokens are used: in the background, and at most once a minute for each."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final
from uuid import UUID

from pasyans.store import tokens
from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.errors import StoreError

INTERVAL: Final = 60_000
"""Milliseconds for which a token's last use counts as fresh enough."""


class Usage:
    """The uses that are not yet written; one task at a time writes all there are."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unwritten: dict[UUID, int] = {}
        self._writing = False

    def note(self, token_id: UUID, last: int | None, at: int) -> None:
        """A token whose `last` use is known was used at `at`; never waits and never fails."""
        if last is not None and at - last < INTERVAL:
            return
        self._unwritten[token_id] = at
        if not self._writing:
            self._writing = True
            self._database.spawn(self._write())

    async def _write(self) -> None:
        try:
            while self._unwritten:
                await self._write_some()
        finally:
            self._writing = False

    async def _write_some(self) -> None:
        used, self._unwritten = self._unwritten, {}
        # Known some time later will do: the next use after a failure notes itself again.
        with suppress(StoreError):
            await self._database.transaction(_refreshing(used))


def _refreshing(used: dict[UUID, int]) -> Callable[[Connection], Awaitable[None]]:
    return lambda connection: tokens.refresh(connection, used)
