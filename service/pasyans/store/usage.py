"""Noting that tokens are used: in the background, and at most once a minute for each."""

from contextlib import suppress
from typing import Final, Literal
from uuid import UUID

from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.errors import StoreError

Table = Literal["tokens", "admin_tokens"]

INTERVAL: Final = 60_000
"""Milliseconds for which a token's last use counts as fresh enough."""

# A row that somebody else has locked is being refreshed or revoked just now, which is as good.
_REFRESH: Final = """
WITH old AS (
    SELECT t.token_id, u.at
    FROM unnest($1::uuid[], $2::timestamptz[]) AS u (token_id, at) JOIN {table} t USING (token_id)
    WHERE t.last_used_at IS NULL OR t.last_used_at < u.at
    FOR NO KEY UPDATE OF t SKIP LOCKED
)
UPDATE {table} t SET last_used_at = old.at FROM old WHERE t.token_id = old.token_id
"""


class Usage:
    """The uses, of tokens in a table, that are not yet written; one task at a time writes all there are."""

    def __init__(self, database: Database, table: Table) -> None:
        self._database = database
        self._table: Table = table
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
            await self._database.transaction(lambda connection: refresh(connection, self._table, used))


async def refresh(connection: Connection, table: Table, used: dict[UUID, int]) -> None:
    """Note when each of these tokens was last used, within a transaction."""
    await connection.execute(_REFRESH.format(table=table), list(used), list(used.values()))
