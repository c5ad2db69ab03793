"""Memory that the processes of one server share: the parent makes it, its workers write it, whoever has it reads it.

It begins with the server's own id. Then comes the table of `Windows`, and then a region for each worker. A worker
claims a column, which is its region and its cells of the table, for as long as it lives: the system takes the claim
back from a process that ends in any way, and the worker that comes next goes on with what lies there.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pasyans.api.windows import Windows
from pasyans.server.clock import random_bytes

REGION: Final = 512 * 1024
"""The bytes of one worker's region."""

_ID: Final = 8
_SPARE: Final = 1  # a worker that replaces another may be there before that has quite gone
_LEAD: Final = 1 << 20  # bytes are locked as signs, and need not be there


class Shared:
    """The memory in the file at ``path``, for a server with so many workers."""

    def __init__(self, path: str, workers: int) -> None:
        self.columns = columns(workers)
        # It stays open: to close any descriptor of a file gives up all claims on it.
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._memory = memoryview(mmap.mmap(self._file, _size(workers)))

    @property
    def server_id(self) -> bytes:
        """What tells this server from others."""
        return bytes(self._memory[:_ID])

    @property
    def windows(self) -> memoryview:
        """The table of `Windows`."""
        return self._memory[_ID : _ID + Windows.size(self.columns)]

    def region(self, column: int) -> memoryview:
        """The region of a column."""
        start = _ID + Windows.size(self.columns) + column * REGION
        return self._memory[start : start + REGION]

    def claim(self) -> int:
        """Take a column that no living process has, until this one ends."""
        for column in range(self.columns):
            if self._lock(column):
                return column
        raise RuntimeError("There are more workers than the server was started with.")

    def leads(self) -> bool:
        """Whether this worker is the one that does what one worker of a server is to do. Another takes its place."""
        return self._lock(_LEAD)

    def _lock(self, byte: int) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except OSError:
            return False
        return True


def columns(workers: int) -> int:
    """How many columns there are for so many workers."""
    return workers + _SPARE


@contextlib.contextmanager
def made(workers: int) -> Iterator[str]:
    """Make the memory for a server, all zero but its id; the path at which its processes find it."""
    with _file() as (file, path):
        os.truncate(file, _size(workers))
        os.pwrite(file, random_bytes(_ID), 0)
        yield path


@contextlib.contextmanager
def _file() -> Iterator[tuple[int, str]]:
    """A file that is gone when this process is, and the path to it."""
    if sys.platform == "linux":
        file = os.memfd_create("pasyans")
        try:
            yield file, f"/proc/{os.getpid()}/fd/{file}"
        finally:
            os.close(file)
    else:
        file, path = tempfile.mkstemp(prefix="pasyans-")
        try:
            yield file, path
        finally:
            os.close(file)
            Path(path).unlink()


def _size(workers: int) -> int:
    return _ID + Windows.size(columns(workers)) + columns(workers) * REGION
