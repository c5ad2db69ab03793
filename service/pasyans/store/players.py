"""Players: the only table with names in it.

A name is looked for before it is written: a unique key that is hurt would put the name into the server's log.
"""

from typing import Final
from uuid import UUID

from pasyans.store import keys, tokens
from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.errors import NameTaken, PlayerGone
from pasyans.store.values import Key, NewPlayer, NewToken, Player

_INSERT: Final = """
INSERT INTO players (player_id, name, name_key, guest, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (name_key) DO NOTHING
RETURNING player_id
"""

# The columns are those of `Player`, in order.
_SELECT: Final = "SELECT player_id, name, guest, name_changes, created_at, erased_at FROM players"

_LOCKED: Final = f"{_SELECT} WHERE player_id = $1 FOR NO KEY UPDATE"

_RENAME: Final = """
UPDATE players SET name = $2, name_key = $3, guest = false, name_changes = name_changes + 1, erased_at = $4
WHERE player_id = $1 AND NOT EXISTS (SELECT FROM players WHERE name_key = $3)
RETURNING player_id, name, guest, name_changes, created_at, erased_at
"""

_ERASURES: Final = """
SELECT player_id FROM players p
WHERE erased_at IS NOT NULL AND EXISTS (SELECT FROM tokens t WHERE t.player_id = p.player_id)
LIMIT $1
"""


async def create(connection: Connection, new: NewPlayer, token: NewToken, key: Key | None) -> None:
    """See `Store.create_player`; runs within a transaction."""
    await keys.use(connection, key, new.player_id, 0, new.created_at)
    made = await connection.fetchval(_INSERT, new.player_id, new.name, new.name_key, new.guest, new.created_at)
    if made is None:
        raise NameTaken("Another player has this name.")
    await tokens.insert(connection, token)


async def by_id(database: Database, player_id: UUID) -> Player | None:
    """See `Store.player`."""
    row = await database.fetchrow(f"{_SELECT} WHERE player_id = $1", player_id)
    return Player(*row) if row else None


async def by_name(database: Database, name_key: str) -> Player | None:
    """See `Store.player_by_name`."""
    row = await database.fetchrow(f"{_SELECT} WHERE name_key = $1", name_key)
    return Player(*row) if row else None


async def take_name(connection: Connection, player_id: UUID, name: str, name_key: str) -> Player:
    """See `Store.take_name`; runs within a transaction."""
    row = await connection.fetchrow(_LOCKED, player_id)
    if row is None or (player := Player(*row)).erased_at is not None:
        raise PlayerGone("There is no such player any more.")
    return await _rename(connection, player_id, name, name_key, None) if player.guest else player


async def begin_erasure(connection: Connection, player_id: UUID, name: str, at: int) -> None:
    """See `Store.begin_erasure`; runs within a transaction.

    It waits for the games and tokens that are being started, whose transactions hold the player, and those that come
    later find the player gone.
    """
    row = await connection.fetchrow(_LOCKED, player_id)
    if row is not None and Player(*row).erased_at is None:
        await _rename(connection, player_id, name, name, at)


async def _rename(connection: Connection, player_id: UUID, name: str, name_key: str, erased_at: int | None) -> Player:
    renamed = await connection.fetchrow(_RENAME, player_id, name, name_key, erased_at)
    if renamed is None:
        raise NameTaken("Another player has this name.")
    return Player(*renamed)


async def end_erasure(connection: Connection, player_id: UUID) -> None:
    """See `Store.end_erasure`; runs within a transaction."""
    await keys.delete(connection, player_id)
    await tokens.delete(connection, player_id)


async def erasures(database: Database, limit: int) -> list[UUID]:
    """See `Store.erasures`. An erasure ends with the player's tokens, so that it is not over while there are any."""
    return [row[0] for row in await database.fetch(_ERASURES, limit)]
