"""Databases that the store must not serve from, each with a message that says what to do."""

from collections.abc import Iterator

import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate
from pasyans.store.errors import BadUrl, ForeignSchema, NotDurable, NotMigrated, RoleRefused, Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.schema import REVISION

from tests.store.servers import Urls, at_database, execute, opened, raw

pytestmark = pytest.mark.anyio


@pytest.fixture
def empty(server: EmbeddedPostgres) -> Iterator[Urls]:
    """A database without a schema, owned by a user who is no member of the service's role."""
    root = server.superuser_url
    execute(root, "CREATE ROLE loner LOGIN PASSWORD 'secret'", "CREATE DATABASE empty OWNER loner")
    loner = at_database(root, "empty", user="loner")
    yield Urls(loner, at_database(server.service_url, "empty"), root)
    execute(root, "DROP DATABASE empty WITH (FORCE)", "DROP ROLE loner")


@pytest.fixture
def migrated(empty: Urls) -> Urls:
    migrate.upgrade(empty.admin)
    return empty


async def test_without_fsync(bare_server: EmbeddedPostgres) -> None:
    url = bare_server.superuser_url
    with pytest.raises(NotDurable, match="fsync = off"):
        await PostgresStore(url).open()
    with pytest.raises(NotMigrated, match="has no schema"):  # so that was passed over
        await PostgresStore(url, allow_data_loss=True).open()


@pytest.mark.parametrize("place", ["DATABASE empty", "ROLE pasyans_service IN DATABASE empty"])
async def test_without_synchronous_commit(migrated: Urls, place: str) -> None:
    async with opened(migrated.service):
        pass
    await _run(migrated.root, f"ALTER {place} SET synchronous_commit = off")
    try:
        with pytest.raises(NotDurable, match="synchronous_commit = off"):
            await PostgresStore(migrated.service).open()
        async with opened(migrated.service, allow_data_loss=True) as store:
            await store.check()
    finally:
        await _run(migrated.root, f"ALTER {place} RESET synchronous_commit")


async def test_without_a_schema(empty: Urls) -> None:
    with pytest.raises(NotMigrated, match=f"has no schema, this version needs {REVISION}: run `pasyansd migrate`"):
        await PostgresStore(empty.service).open()


async def test_with_an_older_schema(migrated: Urls) -> None:
    async with opened(migrated.service) as store:
        await _run(migrated.admin, "UPDATE alembic_version SET version_num = '0000'")
        with pytest.raises(NotMigrated, match=f"has schema 0000, this version needs {REVISION}"):
            await store.check()
        await _run(migrated.admin, "UPDATE alembic_version SET version_num = '9999'")
        await store.check()
        await _run(migrated.admin, "DROP TABLE alembic_version")
        with pytest.raises(NotMigrated, match="has no schema"):
            await store.check()


async def test_with_another_programs_schema(empty: Urls) -> None:
    await _run(empty.admin, "CREATE TABLE alembic_version AS SELECT '1975ea83b712' AS version_num")
    await _run(empty.admin, "GRANT SELECT ON alembic_version TO pasyans_service")
    with pytest.raises(ForeignSchema, match="another program"):
        await PostgresStore(empty.service).open()


async def test_as_somebody_who_may_not_take_the_role(migrated: Urls) -> None:
    with pytest.raises(RoleRefused, match="loner may not act as pasyans_service") as caught:
        await PostgresStore(migrated.admin).open()
    advice = str(caught.value).partition("run as a superuser: ")[2]
    assert advice == 'GRANT pasyans_service TO "loner";'
    await _run(migrated.root, advice)
    async with opened(migrated.admin) as store:
        await store.check()


async def test_with_a_wrong_login(migrated: Urls) -> None:
    with pytest.raises(BadUrl, match="refuses") as caught:
        await PostgresStore(at_database(migrated.root, "empty", user="nobody")).open()
    assert "secret" not in str(caught.value)
    await _run(migrated.root, "REVOKE CONNECT ON DATABASE empty FROM public")
    with pytest.raises(BadUrl, match="refuses"):
        await PostgresStore(migrated.service).open()


async def test_with_nobody_there() -> None:
    with pytest.raises(Unavailable) as caught:
        await PostgresStore("postgresql://a:b@127.0.0.1:1/c").open()
    assert caught.value.written is False


async def _run(url: str, statement: str) -> None:
    async with raw(url) as connection:
        await connection.execute(statement)
