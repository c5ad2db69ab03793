"""Players: the only table with names in it."""

from typing import Final
from uuid import UUID

from pasyans.store import keys, tokens
from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.values import Key, NewPlayer, NewToken, Player

_INSERT: Final = """
INSERT INTO players (player_id, name, name_key, guest, created_at) VALUES ($1, $2, $3, $4, $5)
"""

# The columns are those of `Player`, in order.
_BY_ID: Final = "SELECT player_id, name, guest, name_changes, created_at FROM players WHERE player_id = $1"
_BY_NAME: Final = "SELECT player_id, name, guest, name_changes, created_at FROM players WHERE name_key = $1"


async def create(connection: Connection, new: NewPlayer, token: NewToken, key: Key | None) -> None:
    """See `Store.create_player`; runs within a transaction."""
    await keys.use(connection, key, new.player_id, 0, new.created_at)
    await connection.execute(_INSERT, new.player_id, new.name, new.name_key, new.guest, new.created_at)
    await tokens.insert(connection, token)


async def by_id(database: Database, player_id: UUID) -> Player | None:
    """See `Store.player`."""
    row = await database.fetchrow(_BY_ID, player_id)
    return Player(*row) if row else None


async def by_name(database: Database, name_key: str) -> Player | None:
    """See `Store.player_by_name`."""
    row = await database.fetchrow(_BY_NAME, name_key)
    return Player(*row) if row else None
