"""Idempotency keys: used in the transaction that they are for, and freed again later."""

from typing import Final
from uuid import UUID

from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.errors import KeyUsed
from pasyans.store.values import KeptKey, Key, UsedKey

# A key that is hurt would put its scope, which may be a client's secret, into the server's log.
_USE: Final = """
INSERT INTO idempotency (scope, key, request, subject, version, at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING
RETURNING 1
"""

_USED: Final = "SELECT request, subject, version, at FROM idempotency WHERE scope = $1 AND key = $2"

_KEPT: Final = """
SELECT key, request, subject, version, at FROM idempotency WHERE scope = $1 AND key > $2 ORDER BY key LIMIT $3
"""

_DELETE: Final = "DELETE FROM idempotency WHERE scope = $1"

_FORGET: Final = """
WITH gone AS (
    DELETE FROM idempotency
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency WHERE at < $1 LIMIT $2))
    RETURNING 1
)
SELECT count(*) FROM gone
"""
_AT_ONCE: Final = 10_000  # few enough that nobody waits long for the locks


async def use(connection: Connection, key: Key | None, subject: UUID, version: int, at: int) -> None:
    """Use a key, if there is one, within a transaction; first of all in it, so that a second use waits here.

    Raises `KeyUsed`.
    """
    if key is None:
        return
    if await connection.fetchval(_USE, key.scope, key.key, key.request, subject, version, at) is None:
        raise KeyUsed("This key has been used.")


async def used(database: Database, scope: UUID, key: bytes) -> UsedKey | None:
    """See `Store.used_key`."""
    row = await database.fetchrow(_USED, scope, key)
    return UsedKey(*row) if row else None


async def kept(database: Database, scope: UUID, after: bytes | None, limit: int) -> list[KeptKey]:
    """See `Store.kept_keys`."""
    return [KeptKey(*row) for row in await database.fetch(_KEPT, scope, after or b"", limit)]


async def delete(connection: Connection, scope: UUID) -> None:
    """Delete all the keys of a scope, within a transaction."""
    await connection.execute(_DELETE, scope)


async def forget(database: Database, before: int) -> int:
    """See `Store.forget_keys`."""

    async def some(connection: Connection) -> int:
        return int(await connection.fetchval(_FORGET, before, _AT_ONCE))

    forgotten = 0
    while gone := await database.write(some):
        forgotten += gone
    return forgotten
