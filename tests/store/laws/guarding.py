"""What the database itself forbids the service, and what the hash chain shows of those who may do more."""

import asyncpg
import pytest
from pasyans.store import chain
from pasyans.store.postgres import PostgresStore

from tests.store.making import a_game, head, move
from tests.store.servers import Urls, raw, serving

_FORBIDDEN = {
    "game_events": [
        "UPDATE game_events SET events = 'won'",
        "DELETE FROM game_events",
        "TRUNCATE game_events",
        "DROP TABLE game_events",
        "ALTER TABLE game_events ADD COLUMN note text",
        "MERGE INTO game_events e USING games g ON g.game_id = e.game_id WHEN MATCHED THEN DELETE",
    ],
    "games": [
        "DELETE FROM games",
        "TRUNCATE games",
        "UPDATE games SET seed = 'easy'",
        "UPDATE games SET player_id = game_id",
        "UPDATE games SET attempt = 1",
        "UPDATE games SET started_at = updated_at",
        "UPDATE games SET packed_upto = version, packed = hash",
        "INSERT INTO games SELECT * FROM games",
    ],
    "dailies": [
        "UPDATE dailies SET seed = md5('easy')",
        "UPDATE dailies SET drawn_at = drawn_at",
        "DELETE FROM dailies",
        "TRUNCATE dailies",
    ],
    "audit": [
        "UPDATE audit SET note = NULL",
        "UPDATE audit SET player_id = NULL",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "MERGE INTO audit a USING games g ON g.game_id = a.game_id WHEN MATCHED THEN DELETE",
        "ALTER TABLE audit ALTER COLUMN action DROP NOT NULL",
        "DROP TABLE audit",
    ],
    "admin_tokens": [
        "UPDATE admin_tokens SET hash = hash",
        "UPDATE admin_tokens SET name = 'boss'",
        "DELETE FROM admin_tokens",
        "TRUNCATE admin_tokens CASCADE",
    ],
    "secrets": ["UPDATE secrets SET hmac = hmac", "DELETE FROM secrets"],
    "players": ["DELETE FROM players", "UPDATE players SET player_id = player_id"],
    "tokens": ["UPDATE tokens SET hash = hash", "UPDATE tokens SET label = ''", "TRUNCATE tokens"],
    "alembic_version": ["UPDATE alembic_version SET version_num = '9999'"],
}

_TAMPERING = {
    "events": ("UPDATE game_events SET events = 'Third' WHERE game_id = $1 AND first_seq = 4", 4),
    "time": ("UPDATE game_events SET at = at + interval '1 ms' WHERE game_id = $1 AND first_seq = 2", 2),
    "link": ("UPDATE game_events SET hash = substr(sha256(hash), 1, 16) WHERE game_id = $1 AND first_seq = 2", 2),
    "row gone": ("DELETE FROM game_events WHERE game_id = $1 AND first_seq = 4", 4),
    "end gone": ("DELETE FROM game_events WHERE game_id = $1 AND first_seq = 5", 5),
    "start gone": ("DELETE FROM game_events WHERE game_id = $1 AND first_seq = 1", 1),
    "all gone": ("DELETE FROM game_events WHERE game_id = $1", 1),
    "numbers": ("UPDATE game_events SET last_seq = 4 WHERE game_id = $1 AND first_seq = 2", 5),
    "head": ("UPDATE games SET hash = substr(sha256(hash), 1, 16) WHERE game_id = $1", 6),
    "version": ("UPDATE games SET version = 6 WHERE game_id = $1", 6),
    "owner": ("UPDATE game_events SET game_id = $2 WHERE game_id = $1", 1),
}


class Guarding:
    @pytest.mark.parametrize(("table", "statement"), [(t, s) for t, group in _FORBIDDEN.items() for s in group])
    async def test_the_service_may_not(self, store: PostgresStore, urls: Urls, table: str, statement: str) -> None:
        game = await a_game(store)
        async with serving(urls.service) as connection:
            with pytest.raises(asyncpg.InsufficientPrivilegeError, match=rf"(denied for|owner of) table {table}$"):
                await connection.execute(statement)
        assert len(await store.log(game.game_id)) == 1

    async def test_no_head_is_without_its_snapshot_unless_its_log_is_packed(
        self, store: PostgresStore, urls: Urls
    ) -> None:
        game = await a_game(store)
        await store.append(move(game))
        without = "UPDATE games SET snapshot = '', packed = $2, packed_upto = $3 WHERE game_id = $1"
        async with raw(urls.admin) as owner:
            for packed, upto in ((None, None), (b"packed", 1)):
                with pytest.raises(asyncpg.CheckViolationError, match="games_snapshot_or_packed"):
                    await owner.execute(without, game.game_id, packed, upto)
            for packed, upto in ((None, 2), (b"packed", None)):
                with pytest.raises(asyncpg.CheckViolationError, match="games_packed_whole"):
                    await owner.execute(without.replace("snapshot = '', ", ""), game.game_id, packed, upto)
            assert await owner.execute(without, game.game_id, b"packed", 2) == "UPDATE 1"

    async def test_the_secret_is_the_same_for_all(self, store: PostgresStore, other: PostgresStore) -> None:
        secret = await store.secret()
        assert len(secret) == 32
        assert secret != bytes(32)
        assert await other.secret() == secret

    @pytest.mark.parametrize(("statement", "broken"), _TAMPERING.values(), ids=_TAMPERING)
    async def test_a_log_that_was_tampered_with_shows(
        self, store: PostgresStore, urls: Urls, statement: str, broken: int
    ) -> None:
        game = await a_game(store)
        for text, count in (("second", 2), ("third", 1), ("fourth", 1)):
            await store.append(move(game, text, count=count))
            game = await head(store, game.game_id)
        rows = await store.log(game.game_id)
        assert chain.first_broken(game.game_id, rows, game.version, game.hash) is None
        async with raw(urls.admin) as owner:
            values = [game.game_id, game.player_id][: statement.count("$")]
            assert await owner.execute(statement, *values) != "UPDATE 0"
        stands = await head(store, game.game_id)
        where = game.player_id if "$2" in statement else game.game_id
        assert chain.first_broken(where, await store.log(where), stands.version, stands.hash) == broken
