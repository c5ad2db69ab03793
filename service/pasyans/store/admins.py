"""Admins' tokens: stored as hashes, named, revocable. Nobody's but the operator's to make, and each is in the audit."""

from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from pasyans.store import audit as audits
from pasyans.store.admin_values import AdminToken, NewAdminToken, NewAudit
from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.errors import NameTaken

# The columns are those of `AdminToken`, in order.
_SELECT: Final = "SELECT token_id, name, created_at, last_used_at, revoked_at FROM admin_tokens"

_IN_FORCE: Final = f"{_SELECT} WHERE hash = $1 AND revoked_at IS NULL"

_ALL: Final = f"{_SELECT} ORDER BY token_id"

_INSERT: Final = """
INSERT INTO admin_tokens (token_id, name, hash, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING
RETURNING 1
"""

_REVOKE: Final = "UPDATE admin_tokens SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL RETURNING token_id"


async def create(connection: Connection, new: NewAdminToken, audit: NewAudit) -> None:
    """See `AdminStore.create_admin_token`; runs within a transaction."""
    if await connection.fetchval(_INSERT, new.token_id, new.name, new.hash, new.created_at) is None:
        raise NameTaken("Another token in force has this name.")
    await audits.insert(connection, _with_token(audit, new.token_id, new.name))


async def revoke(connection: Connection, name: str, at: int, audit: NewAudit) -> bool:
    """See `AdminStore.revoke_admin_token`; runs within a transaction."""
    token_id = await connection.fetchval(_REVOKE, name, at)
    if token_id is None:
        return False
    await audits.insert(connection, _with_token(audit, token_id, name))
    return True


async def in_force(database: Database, token_hash: bytes) -> AdminToken | None:
    """The token in force with this hash."""
    row = await database.fetchrow(_IN_FORCE, token_hash)
    return AdminToken(*row) if row else None


async def every(database: Database) -> list[AdminToken]:
    """See `AdminStore.admin_tokens`."""
    return [AdminToken(*row) for row in await database.fetch(_ALL)]


def _with_token(audit: NewAudit, token_id: UUID, name: str) -> NewAudit:
    return replace(audit, details=msgspec.json.encode({"token": token_id, "name": name}).decode())
