"""Tokens: stored as hashes, revocable, and their use noted now and then."""

from typing import Final
from uuid import UUID

from pasyans.store import keys
from pasyans.store.connection import Connection, Row
from pasyans.store.database import Database
from pasyans.store.errors import PlayerGone
from pasyans.store.values import KeptToken, Key, NewToken, Player, Token, TokenOwner

_INSERT: Final = """
INSERT INTO tokens (token_id, player_id, hash, label, created_at) VALUES ($1, $2, $3, $4, $5)
"""

# The row stays locked until the commit, so that an erasure that begins meanwhile waits and finds the token.
_HOLD: Final = "SELECT 1 FROM players WHERE player_id = $1 AND erased_at IS NULL FOR SHARE"

OWNERS: Final = """
SELECT t.hash, t.token_id, t.last_used_at, p.player_id, p.name, p.guest, p.name_changes, p.created_at, p.erased_at
FROM tokens t JOIN players p USING (player_id)
WHERE t.hash = ANY ($1::bytea[]) AND t.revoked_at IS NULL
"""
"""Gives who comes with some tokens in force, by their hashes, as `owner_of` reads it."""

_LIST: Final = """
SELECT token_id, label, created_at, last_used_at FROM tokens
WHERE player_id = $1 AND token_id > $2 AND revoked_at IS NULL
ORDER BY token_id LIMIT $3
"""

_KEPT: Final = """
SELECT token_id, label, created_at, last_used_at, revoked_at FROM tokens
WHERE player_id = $1 AND token_id > $2
ORDER BY token_id LIMIT $3
"""

_DELETE: Final = "DELETE FROM tokens WHERE player_id = $1"

_REVOKE: Final = """
UPDATE tokens SET revoked_at = $3 WHERE token_id = $2 AND player_id = $1 AND revoked_at IS NULL RETURNING token_id
"""

_BEFORE_ALL: Final = UUID(int=0)


async def insert(connection: Connection, new: NewToken) -> None:
    """Add a token, within a transaction."""
    await connection.execute(_INSERT, new.token_id, new.player_id, new.hash, new.label, new.created_at)


async def create(connection: Connection, new: NewToken, key: Key | None) -> None:
    """See `Store.create_token`; runs within a transaction."""
    await keys.use(connection, key, new.token_id, 0, new.created_at)
    if await connection.fetchval(_HOLD, new.player_id) is None:
        raise PlayerGone("There is no such player any more.")
    await insert(connection, new)


def owner_of(row: Row) -> tuple[TokenOwner, int | None]:
    """Who comes with a token in force, and when its use was last noted."""
    _, token_id, last_used_at, *player = row
    return TokenOwner(token_id, Player(*player)), last_used_at


async def after(database: Database, player_id: UUID, token_id: UUID | None, limit: int) -> list[Token]:
    """See `Store.tokens`."""
    rows = await database.fetch(_LIST, player_id, token_id or _BEFORE_ALL, limit)
    return [Token(*row) for row in rows]


async def kept(database: Database, player_id: UUID, token_id: UUID | None, limit: int) -> list[KeptToken]:
    """See `Store.kept_tokens`."""
    rows = await database.fetch(_KEPT, player_id, token_id or _BEFORE_ALL, limit)
    return [KeptToken(*row) for row in rows]


async def delete(connection: Connection, player_id: UUID) -> None:
    """Delete all the tokens of a player, within a transaction."""
    await connection.execute(_DELETE, player_id)


async def revoke(connection: Connection, player_id: UUID, token_id: UUID, at: int) -> bool:
    """See `Store.revoke_token`; runs within a transaction."""
    return await connection.fetchval(_REVOKE, player_id, token_id, at) is not None
