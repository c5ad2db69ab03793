"""Databases to test on, and the ways into them that the service does not have."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
from msgspec import Struct
from pasyans.store.appending import STATEMENT
from pasyans.store.connection import Connection, connect, prepare
from pasyans.store.migrate import upgrade
from pasyans.store.postgres import PostgresStore

_DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"

PATIENCE = 60.0
APPENDING = STATEMENT[:100]  # the server shows the beginning of a statement
"""Seconds after which a condition that must come true counts as broken."""


class Urls(Struct, frozen=True):
    """One database: as its owner, as whoever serves, and as the server's superuser."""

    admin: str
    service: str
    root: str

    @property
    def database(self) -> str:
        """The database's name."""
        return urlsplit(self.root).path[1:]


def at_database(url: str, name: str, *, user: str | None = None) -> str:
    """The URL with another database and, if one is given, another user, whose password is `secret`."""
    parts = urlsplit(url)
    netloc = parts.netloc if user is None else f"{user}:secret@{parts.netloc.rpartition('@')[2]}"
    return parts._replace(netloc=netloc, path=f"/{name}").geturl()


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[PostgresStore]:
    """A store that is open within."""
    store = PostgresStore(url, **options)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def raw(url: str) -> AsyncIterator[Connection]:
    """A plain connection, with asyncpg's own types."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def owning(url: str) -> AsyncIterator[Connection]:
    """A connection that may do all with a database, and has times as milliseconds."""
    connection = await connect(url, within=PATIENCE, settings={"enable_seqscan": "off", "jit": "off"})
    try:
        await prepare(connection, allow_data_loss=True, as_owner=True)
        yield connection
    finally:
        await connection.close()


@contextmanager
def bare_database(root: str, name: str) -> Iterator[Urls]:
    """A migrated database on a server that knows no service yet; its superuser does everything there."""
    execute(root, f"CREATE DATABASE {name}")
    url = at_database(root, name)
    upgrade(url)
    yield Urls(url, url, url)
    execute(root, f"DROP DATABASE {name} WITH (FORCE)", "DROP OWNED BY pasyans_service", "DROP ROLE pasyans_service")


@asynccontextmanager
async def serving(url: str) -> AsyncIterator[Connection]:
    """A connection with just the rights that the store's have."""
    connection = await connect(url, within=PATIENCE)
    try:
        await prepare(connection, allow_data_loss=False)
        yield connection
    finally:
        await connection.close()


def execute(url: str, *statements: str) -> None:
    """Run statements, each in a transaction of its own, from outside an event loop."""

    async def run() -> None:
        async with raw(url) as connection:
            for statement in statements:
                await connection.execute(statement)

    asyncio.run(run())


async def eventually(condition: Callable[[], Awaitable[object]]) -> None:
    """Wait until a condition holds; fail when it does not come true."""
    async with asyncio.timeout(PATIENCE):
        while not await condition():  # noqa: ASYNC110 - what is waited for happens in the server
            await asyncio.sleep(0.005)


async def at_rest(root: Connection, urls: Urls) -> None:
    """Wait until no session of the database, other than this one, is at work or in a transaction."""
    busy: list[object] = []

    async def rests() -> bool:
        busy[:] = await root.fetch(
            """
            SELECT pid, state, wait_event, now() - state_change AS since, left(query, 200) AS query
            FROM pg_stat_activity
            WHERE datname = $1 AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'
            """,
            urls.database,
        )
        return not busy

    try:
        await eventually(rests)
    except TimeoutError:
        raise AssertionError(f"Still at work: {busy}") from None


async def backends(root: Connection, database: str, condition: str = "true") -> list[int]:
    """The processes that serve a database's sessions, other than this one, under a condition on pg_stat_activity."""
    rows = await root.fetch(
        f"SELECT pid FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid() AND {condition}", database
    )
    return [row[0] for row in rows]


@asynccontextmanager
async def locked(urls: Urls, *game_ids: UUID) -> AsyncIterator[None]:
    """Somebody else holds the heads of these games meanwhile."""
    async with raw(urls.root) as connection, connection.transaction():
        for game_id in game_ids:
            await connection.execute("SELECT 1 FROM games WHERE game_id = $1 FOR UPDATE", game_id)
        yield


async def waiting_writers(root: Connection, urls: Urls, count: int = 1) -> list[int]:
    """The processes of so many appends that wait for a lock, once they do."""
    found: list[int] = []

    async def wait() -> bool:
        found[:] = await backends(root, urls.database, f"query LIKE '{APPENDING}%' AND wait_event_type = 'Lock'")
        return len(found) == count

    await eventually(wait)
    return found


@asynccontextmanager
async def without_deadlock(urls: Urls) -> AsyncIterator[None]:
    """What happens within, in stores that are closed at its end, makes no deadlock."""
    async with raw(urls.root) as root:
        before = await root.fetchval(_DEADLOCKS)
        yield

        async def reported() -> bool:  # a session reports for certain when it ends
            return not await backends(root, urls.database, "application_name = 'pasyans'")

        await eventually(reported)
        assert await root.fetchval(_DEADLOCKS) == before
