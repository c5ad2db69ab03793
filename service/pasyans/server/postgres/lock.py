"""One owner for a data folder. The kernel drops the lock when its holder ends, however that happens."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

from pasyans.server.postgres.errors import DataDirInUseError


class DataDirLock:
    """A lock on `folder`, kept as a file in it that says who holds it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the lock. Raises `DataDirInUseError` when another process has it."""
        file = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid, address = _read_holder(file)
            os.close(file)
            raise DataDirInUseError(self._folder, pid, address) from None
        self._file = file
        self.describe(None)

    def describe(self, address: str | None) -> None:
        """Write down for others who holds the lock: our pid, and the address that is served, if any."""
        if self._file is None:
            raise ValueError("The lock is not held.")
        text = json.dumps({"pid": os.getpid(), "address": address}).encode()
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text, 0)

    def release(self) -> None:
        """Give the lock back; nothing happens when it is not held."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = None


def _read_holder(file: int) -> tuple[int | None, str | None]:
    try:
        note = json.loads(os.pread(file, 4096, 0))
        return int(note["pid"]), note["address"]
    except (ValueError, KeyError, TypeError):  # its holder is just writing it
        return None, None
