"""The database that a process works with: the one it was told of, or its own, started and up to date."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import structlog

from pasyans.server.embedded import EmbeddedPostgres, url_elsewhere
from pasyans.server.postgres.cluster import OWNER, SERVICE
from pasyans.server.postgres.errors import DataDirInUseError, EmbeddedPostgresError
from pasyans.server.settings import Settings

_POLL = 0.05
_READY_WITHIN = 10.0


class DatabaseError(Exception):
    """There is no database to work with; the message says why and what to do."""


class DatabaseInUseError(DatabaseError):
    """The embedded server's data belong to another process."""


@dataclass(frozen=True)
class Database:
    """A database with the present schema.

    `announce` tells others who want the same data where they are served; `lost` says, once the database
    that we started is gone, what happened to it.
    """

    service_url: str
    admin_url: str
    announce: Callable[[str], None]
    lost: Callable[[], str | None]


@contextlib.contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    """The database that the settings name, else the embedded one, which runs for as long as the block does.

    Raises `DatabaseError`.
    """
    if settings.database_url is not None:
        admin_url = settings.admin_database_url or settings.database_url
        _prepare(admin_url, settings.database_url, settings)
        yield Database(settings.database_url, admin_url, announce=lambda _address: None, lost=lambda: None)
        return
    log = structlog.get_logger("pasyans.server")
    embedded = EmbeddedPostgres(settings.data_dir / "postgres", bin_dir=settings.pg_bin)
    try:
        embedded.start()
    except DataDirInUseError as error:
        raise DatabaseInUseError(str(error)) from error
    except EmbeddedPostgresError as error:
        raise DatabaseError(str(error)) from error
    log.debug("postgres.started", data_dir=str(embedded.data_dir), pid=embedded.pid)
    try:
        _prepare(embedded.admin_url, embedded.service_url, settings)
        yield Database(
            embedded.service_url, embedded.admin_url, announce=embedded.announce, lost=lambda: _ended(embedded)
        )
    finally:
        embedded.stop()
        log.debug("postgres.stopped", data_dir=str(embedded.data_dir))


@contextlib.contextmanager
def reached(settings: Settings, *, as_owner: bool = False) -> Iterator[str]:
    """The URL of the database that the settings name, served or not: for what an operator does beside the service.

    It is that of the service's user, or of the database's owner. A database that runs is left as it is; the embedded
    one is started for as long as the block runs where no other process has it, and never made.

    Raises `DatabaseError`.
    """
    if settings.database_url is not None:
        yield (as_owner and settings.admin_database_url) or settings.database_url
        return
    embedded = settings.data_dir / "postgres"
    if not _is_made(embedded / "data"):
        raise DatabaseError(
            f"There is no database in {embedded}. Is PASYANS_DATA_DIR right? `pasyansd migrate` makes a new one."
        )
    with contextlib.ExitStack() as stack:
        url: str | None
        try:
            found = stack.enter_context(opened(settings))
            url = found.admin_url if as_owner else found.service_url
        except DatabaseInUseError:
            url = _elsewhere(embedded, OWNER if as_owner else SERVICE)
            if url is None:
                raise
        yield url


def _is_made(data: Path) -> bool:
    """Whether a database was made there; true as well where that cannot be seen, which is told when it is opened."""
    try:
        data.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


def _elsewhere(data_dir: Path, role: str) -> str | None:
    """The URL of the embedded database that another process runs, once it is ready."""
    give_up = time.monotonic() + _READY_WITHIN
    while (url := url_elsewhere(data_dir, role)) is None and time.monotonic() < give_up:
        time.sleep(_POLL)
    return url


def _ended(embedded: EmbeddedPostgres) -> str | None:
    if embedded.returncode is None:
        return None
    return f"PostgreSQL ended by itself; see {embedded.data_dir / 'postgres.log'}"


def _prepare(admin_url: str, service_url: str, settings: Settings) -> None:
    """Migrate the database, and see that requests can be served from it."""
    # Slow to import, and not needed by whoever only gets an error.
    from pasyans.store import migrate
    from pasyans.store.errors import StoreError
    from pasyans.store.postgres import PostgresStore

    async def check() -> None:
        store = PostgresStore(service_url, allow_data_loss=settings.allow_data_loss)
        await store.open()
        await store.close()

    try:
        migrate.upgrade(admin_url)
        asyncio.run(check())
    except StoreError as error:
        raise DatabaseError(str(error)) from error
