"""The audit: what admins and the operator did. Entries are added in the transactions of what they tell of."""

from typing import Any, Final
from uuid import UUID

from pasyans.store import keys
from pasyans.store.admin_values import AuditEntry, AuditFilter, NewAudit
from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.surveys import Surveys
from pasyans.store.values import Key

_INSERT: Final = """
INSERT INTO audit (entry_id, at, actor, action, game_id, player_id, reason, note, details)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""

# The columns are those of `AuditEntry`, in order.
_SELECT: Final = """
SELECT a.entry_id, a.at, a.actor, a.action, a.game_id, a.player_id, a.reason, a.note, a.details, t.name, p.name
FROM audit a LEFT JOIN admin_tokens t ON t.token_id = a.actor LEFT JOIN players p ON p.player_id = a.player_id
"""


async def insert(connection: Connection, new: NewAudit) -> None:
    """Add an entry, within a transaction."""
    await connection.execute(
        _INSERT,
        new.entry_id,
        new.at,
        new.actor,
        new.action,
        new.game_id,
        new.player_id,
        new.reason,
        new.note,
        new.details,
    )


async def note(connection: Connection, new: NewAudit, key: Key | None) -> None:
    """See `AdminStore.note_audit`; runs within a transaction."""
    await keys.use(connection, key, new.entry_id, 0, new.at)
    await insert(connection, new)


async def entry(database: Database, entry_id: UUID) -> AuditEntry | None:
    """See `AdminStore.audit_entry`."""
    row = await database.fetchrow(f"{_SELECT} WHERE a.entry_id = $1", entry_id)
    return AuditEntry(*row) if row else None


async def listed(surveys: Surveys, which: AuditFilter, before: UUID | None, limit: int) -> list[AuditEntry]:
    """See `AdminStore.audit`."""
    values: list[Any] = [limit]
    conditions = ["true"]

    def where(condition: str, value: object) -> None:
        if value is not None:
            values.append(value)
            conditions.append(condition.format(f"${len(values)}"))

    where("t.name = {}", which.actor_name)
    where("a.action = ANY ({}::text[])", which.actions or None)
    where("a.game_id = {}", which.game_id)
    where("a.player_id = {}", which.player_id)
    where("a.at >= {}", which.since)
    where("a.at < {}", which.before)
    where("a.entry_id < {}", before)
    sql = f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY a.entry_id DESC LIMIT $1"
    return [AuditEntry(*row) for row in await surveys.fetch(sql, *values)]
