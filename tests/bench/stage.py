"""What benchmarks run on: one PostgreSQL with full durability, databases on it, and services."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate

from tests.bench.sizes import Sizes
from tests.support import crowd
from tests.support.postgres import Postgres, open_folder
from tests.support.service import PASYANSD, Service, serving
from tests.support.sql import query

_UNREACHED: Final = "999999999/min"


class Stage:
    """The server that all benchmarks of a run share, from when one asks for it to the end of the run.

    ``sizes`` says how much they do, ``workers`` how many processes serve requests; None leaves that to the service.
    """

    def __init__(self, sizes: Sizes, workers: int | None) -> None:
        self.sizes = sizes
        self.workers = workers
        self._server: EmbeddedPostgres | None = None
        self._crowds: dict[int, Postgres] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def server(self) -> EmbeddedPostgres:
        """The embedded PostgreSQL, or that of PASYANS_PG_BIN."""
        if self._server is None:
            programs = os.environ.get("PASYANS_PG_BIN")
            folder = self._stack.enter_context(open_folder())
            embedded = EmbeddedPostgres(folder, bin_dir=Path(programs) if programs else None)
            self._server = self._stack.enter_context(embedded)
        return self._server

    @property
    def durability(self) -> str | None:
        """What the server says of itself; None where no benchmark has asked for it."""
        if self._server is None:
            return None
        names = ("server_version", "fsync", "synchronous_commit", "full_page_writes")
        values = query(self._server.superuser_url, "SELECT current_setting(n) FROM unnest($1::text[]) AS n", names)
        return ", ".join(f"{name} {value}" for name, value in zip(names, (row[0] for row in values), strict=True))

    @contextmanager
    def database(self, name: str) -> Iterator[Postgres]:
        """A migrated database of its own, for as long as the block runs."""
        database = self._create(name)
        try:
            yield database
        finally:
            query(self.server.superuser_url, f"DROP DATABASE {name} WITH (FORCE)")

    def crowd(self, results: int) -> Postgres:
        """A database with a crowd of so many results, a tenth as many players; filled once in a run."""
        if results not in self._crowds:
            database = self._create(f"crowd_{results}")
            crowd.fill(database.service_url, results, results // 10)
            settle(self.root(database))
            self._crowds[results] = database
        return self._crowds[results]

    @contextmanager
    def service(self, database: Postgres, command: Sequence[str | Path] = (PASYANSD, "serve")) -> Iterator[Service]:
        """A service with everything on, whose limit of requests is counted and never reached; `command` starts it."""
        settings = {
            "DATABASE_URL": database.service_url,
            "PASYANS_ADMIN_DATABASE_URL": database.admin_url,
            "PASYANS_RATE_LIMIT": _UNREACHED,
            "PASYANS_LOG_LEVEL": "info",
            **({} if self.workers is None else {"PASYANS_WORKERS": str(self.workers)}),
        }
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log", settings, command) as service:
            yield service

    def root(self, database: Postgres) -> str:
        """The URL of a database as the superuser."""
        return _at(self.server.superuser_url, urlsplit(database.service_url).path[1:])

    def _create(self, name: str) -> Postgres:
        root = self.server.superuser_url
        query(root, f"CREATE DATABASE {name} OWNER pasyans_owner")
        query(root, f"GRANT CONNECT ON DATABASE {name} TO pasyans_service")
        database = Postgres(_at(self.server.service_url, name), _at(self.server.admin_url, name))
        migrate.upgrade(database.admin_url)
        return database


def settle(root: str) -> None:
    """Leave the server nothing to do about what was filled in at once."""
    query(root, "VACUUM ANALYZE")
    query(root, "CHECKPOINT")


def _at(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl()
