"""What can go wrong with the embedded PostgreSQL. Each message is a sentence that says what to do.

EmbeddedPostgresError
├── BinariesError             no usable PostgreSQL programs
├── AccountError              root, and no account to run PostgreSQL as
├── DataDirInUseError         another process has this data
├── DataDirUnreachableError   the account that runs PostgreSQL cannot get at the data
├── DataDirVersionError       the data are of another major version
├── CreationError             initdb or the first roles failed
└── StartError                the server did not come up
"""

from __future__ import annotations

from pathlib import Path


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot be used; the message says why and what to do."""


class BinariesError(EmbeddedPostgresError):
    """There are no PostgreSQL programs, or they cannot be run."""


class AccountError(EmbeddedPostgresError):
    """PostgreSQL refuses to run as root, and there is no other account for it."""


class DataDirInUseError(EmbeddedPostgresError):
    """The data belong to a running process: `pid` and `address`, each `None` when not known."""

    def __init__(self, data_dir: Path, pid: int | None, address: str | None) -> None:
        self.data_dir = data_dir
        self.pid = pid
        self.address = address
        who = f"process {pid}" if pid else "another process"
        where = f", which serves {address}" if address else ""
        super().__init__(
            f"The data in {data_dir} are in use by {who}{where}. Stop it, or choose another PASYANS_DATA_DIR."
        )


class DataDirUnreachableError(EmbeddedPostgresError):
    """The data folder cannot be made, entered or written."""


class DataDirVersionError(EmbeddedPostgresError):
    """The data were made by another major version of PostgreSQL."""


class CreationError(EmbeddedPostgresError):
    """A new database could not be made; nothing of it is left behind."""


class StartError(EmbeddedPostgresError):
    """PostgreSQL ended, or did not become ready in time; the message has the end of its log."""
