"""Bringing a database up to date, by the migrations in `migrations/`. Forward only."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import asyncpg

import pasyans
from pasyans.store import roles
from pasyans.store.connection import Connection, connect
from pasyans.store.errors import MigrationFailed
from pasyans.store.schema import CURRENT, suffices
from pasyans.store.trouble import TROUBLE, translated

_WITHIN: Final = 10.0  # seconds to connect in
_LOCK: Final = 0x70617379616E73  # "pasyans", the advisory lock of those who migrate
_POLL: Final = 0.1


def upgrade(admin_url: str) -> None:
    """Apply every migration that the database lacks; several at once take turns. Call it outside an event loop.

    `admin_url` is that of the database's owner. Raises a `StoreError`; a migration that fails leaves nothing behind.
    """
    asyncio.run(_upgrade(admin_url))


def is_current(url: str) -> bool:
    """Whether the database at `url` (of its owner or of the service) has every migration that this code needs."""
    return asyncio.run(_is_current(url))


def folder() -> Path:
    """Where the migrations are: inside the package in a wheel, beside `service/` in a checkout."""
    package = Path(pasyans.__file__).parent
    packed = package / "migrations"
    return packed if packed.is_dir() else package.parents[1] / "migrations"


async def _upgrade(admin_url: str) -> None:
    async with _connected(admin_url) as connection:
        # Waiting in the server would hold a snapshot, for which an index that is built concurrently would wait.
        while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):  # noqa: ASYNC110
            await asyncio.sleep(_POLL)
        await roles.ensure(connection)
        if not await _suffices(connection):
            await _migrate(admin_url)


async def _migrate(admin_url: str, revision: str = "head") -> None:
    # Slow to import, and a database is most often current.
    import sqlalchemy.exc
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    async def creator() -> Connection:
        return await connect(admin_url, within=_WITHIN)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=creator, poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", str(folder()).replace("%", "%%"))

    def run(connection: sqlalchemy.Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    try:
        async with engine.connect() as connection:
            await connection.run_sync(run)
    except sqlalchemy.exc.DBAPIError as error:
        said = error.orig.__cause__ if error.orig is not None and error.orig.__cause__ else error.orig
        raise MigrationFailed(f"The database refused to be migrated, and nothing was changed: {said}.") from error


async def _is_current(url: str) -> bool:
    async with _connected(url) as connection:
        return await _suffices(connection)


async def _suffices(connection: Connection) -> bool:
    try:
        revision = await connection.fetchval(CURRENT)
    except asyncpg.UndefinedTableError:
        return False
    return revision is not None and suffices(revision)


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Connection]:
    connection = await connect(url, within=_WITHIN)
    try:
        yield connection
    except TROUBLE as error:
        raise translated(error) from error
    finally:
        await connection.close(timeout=_WITHIN)
