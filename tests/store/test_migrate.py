"""Bringing databases up to date: fresh ones, current ones, by several at once, and by those who may not."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate
from pasyans.store.errors import BadUrl, ForeignSchema, MigrationFailed, RoleRefused, Unavailable
from pasyans.store.schema import REVISION

from tests.store.servers import at_database, execute, opened, raw

_COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
WHERE table_schema = 'public' ORDER BY 1, 2
"""

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


@pytest.fixture
def fresh(server: EmbeddedPostgres) -> Iterator[str]:
    """An empty database of the owner's."""
    execute(server.superuser_url, "CREATE DATABASE fresh OWNER pasyans_owner")
    yield at_database(server.admin_url, "fresh")
    execute(server.superuser_url, "DROP DATABASE fresh WITH (FORCE)")


@pytest.fixture
def bare(bare_server: EmbeddedPostgres) -> Iterator[str]:
    """An empty database of a user who may make roles, on a server without the service's role."""
    root = bare_server.superuser_url
    execute(root, "CREATE ROLE maker LOGIN CREATEROLE PASSWORD 'secret'", "CREATE DATABASE bare OWNER maker")
    yield at_database(root, "bare", user="maker")
    execute(root, "DROP DATABASE bare WITH (FORCE)", "DROP ROLE IF EXISTS pasyans_service", "DROP ROLE IF EXISTS maker")


def read(url: str, sql: str) -> list[tuple[object, ...]]:
    async def run() -> list[tuple[object, ...]]:
        async with raw(url) as connection:
            return [tuple(row) for row in await connection.fetch(sql)]

    return asyncio.run(run())


def test_the_newest_migration_is_what_the_code_needs() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrate.folder()))
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    assert scripts[0].revision == REVISION
    assert [int(script.revision) for script in scripts] == list(range(len(scripts), 0, -1))
    assert not [script for script in scripts if hasattr(script.module, "downgrade")]


def test_a_fresh_and_a_current_database(fresh: str) -> None:
    assert not migrate.is_current(fresh)
    migrate.upgrade(fresh)
    assert migrate.is_current(fresh)
    before = read(fresh, _COLUMNS), read(fresh, "SELECT hmac FROM secrets")
    assert len(before[0]) > 40
    migrate.upgrade(fresh)
    assert (read(fresh, _COLUMNS), read(fresh, "SELECT hmac FROM secrets")) == before


def test_the_service_sees_whether_it_is_current(server: EmbeddedPostgres, fresh: str) -> None:
    service = at_database(server.service_url, "fresh")
    assert not migrate.is_current(service)
    migrate.upgrade(fresh)
    assert migrate.is_current(service)


def test_several_at_once_take_turns(fresh: str) -> None:
    code = "import sys; from pasyans.store.migrate import upgrade; upgrade(sys.argv[1])"
    running = [subprocess.Popen([sys.executable, "-c", code, fresh], stderr=subprocess.PIPE) for _ in range(3)]
    ended = [(process.communicate()[1], process.returncode) for process in running]
    assert ended == [(b"", 0)] * 3
    assert read(fresh, "SELECT version_num FROM alembic_version") == [(REVISION,)]
    assert len(read(fresh, "SELECT hmac FROM secrets")) == 1


def test_a_migration_that_fails_leaves_nothing_behind(fresh: str) -> None:
    execute(fresh, "CREATE TABLE idempotency (in_the_way int)")
    with pytest.raises(MigrationFailed, match='nothing was changed: relation "idempotency" already exists'):
        migrate.upgrade(fresh)
    assert [row[0] for row in read(fresh, _TABLES)] == ["idempotency"]
    execute(fresh, "DROP TABLE idempotency")
    migrate.upgrade(fresh)
    assert migrate.is_current(fresh)


def test_packed_logs_move_into_their_heads(server: EmbeddedPostgres, fresh: str) -> None:
    asyncio.run(migrate._migrate(fresh, "0006"))
    execute(
        fresh,
        """
        INSERT INTO games SELECT now(), now(), now(), 3, 1, 1, NULL, id, id, decode(md5(n), 'hex'), 'court', 'sealed',
            'lost', n, 'x'
        FROM unnest(array['1', '2', '3']) AS n, CAST(lpad(n, 32, '0') AS uuid) AS id
        """,
        "INSERT INTO packed_logs SELECT 3 - attempt * (seed = '2')::int, game_id, hash FROM games WHERE seed <> '3'",
    )
    kept = "SELECT game_id, last_seq, log FROM packed_logs UNION SELECT game_id, NULL, NULL FROM games WHERE seed = '3'"
    before = read(fresh, f"{kept} ORDER BY 1")
    migrate.upgrade(fresh)
    assert read(fresh, "SELECT game_id, packed_upto, packed FROM games ORDER BY 1") == before
    assert [row[1] for row in before] == [3, 2, None]
    assert read(fresh, "SELECT DISTINCT snapshot FROM games") == [(b"x",)]
    service = at_database(server.service_url, "fresh")
    assert len(read(service, "SELECT packed FROM games")) == 3


def test_one_who_does_not_own_the_database(server: EmbeddedPostgres, fresh: str) -> None:
    with pytest.raises(MigrationFailed, match="permission denied for schema public"):
        migrate.upgrade(at_database(server.service_url, "fresh"))
    assert not migrate.is_current(fresh)


def test_a_database_that_is_ahead_is_left_alone(fresh: str) -> None:
    migrate.upgrade(fresh)
    execute(fresh, "UPDATE alembic_version SET version_num = '9999'")
    migrate.upgrade(fresh)
    assert migrate.is_current(fresh)
    assert read(fresh, "SELECT version_num FROM alembic_version") == [("9999",)]


def test_another_programs_database_is_left_alone(fresh: str) -> None:
    execute(
        fresh, "CREATE TABLE alembic_version (version_num text)", "INSERT INTO alembic_version VALUES ('1975ea83b712')"
    )
    with pytest.raises(ForeignSchema, match="another program"):
        migrate.upgrade(fresh)
    with pytest.raises(ForeignSchema, match="1975ea83b712"):
        migrate.is_current(fresh)
    assert [row[0] for row in read(fresh, _TABLES)] == ["alembic_version"]


def test_one_who_may_make_roles_makes_the_services(bare: str) -> None:
    migrate.upgrade(bare)
    assert read(bare, "SELECT rolcanlogin, rolsuper FROM pg_roles WHERE rolname = 'pasyans_service'") == [
        (False, False)
    ]

    async def serve() -> None:
        async with opened(bare, allow_data_loss=True) as store:
            await store.secret()

    asyncio.run(serve())
    migrate.upgrade(bare)


def test_one_who_may_not_is_told_what_to_do(bare: str, bare_server: EmbeddedPostgres) -> None:
    execute(bare_server.superuser_url, "ALTER ROLE maker NOCREATEROLE")
    with pytest.raises(RoleRefused) as caught:
        migrate.upgrade(bare)
    advice = str(caught.value).partition("Run as a superuser: ")[2]
    assert advice == 'CREATE ROLE pasyans_service NOLOGIN; GRANT pasyans_service TO "maker";'
    assert not migrate.is_current(bare)
    execute(bare_server.superuser_url, advice)
    migrate.upgrade(bare)
    assert migrate.is_current(bare)


@pytest.mark.parametrize(
    "url", ["mysql://a:geheim@b/c", "postgresql://a:geheim@localhost:port/c", "geheim", "postgresql://a:ge/heim@b:x/c"]
)
def test_a_url_that_cannot_be_read(url: str) -> None:
    with pytest.raises(BadUrl, match="can't be read") as caught:
        migrate.upgrade(url)
    assert "heim" not in str(caught.value)


def test_a_login_that_is_refused(server: EmbeddedPostgres) -> None:
    for url in (at_database(server.admin_url, "nowhere"), at_database(server.admin_url, "pasyans", user="single_not")):
        with pytest.raises(BadUrl, match="refuses") as caught:
            migrate.is_current(url)
        assert "secret" not in str(caught.value)


def test_nobody_there() -> None:
    with pytest.raises(Unavailable):
        migrate.is_current("postgresql://a:b@127.0.0.1:1/c")


def test_sqlalchemys_way_to_write_a_url_is_understood(fresh: str) -> None:
    url = fresh.replace("postgresql://", "postgresql+asyncpg://")
    migrate.upgrade(url)
    assert migrate.is_current(url)


def test_alembics_own_command_is_refused(tmp_path: Path) -> None:
    ini = tmp_path / "alembic.ini"
    ini.write_text(f"[alembic]\nscript_location = {migrate.folder()}\npath_separator = os\n")
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "-c", str(ini), "upgrade", "head"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "pasyansd migrate" in done.stderr
