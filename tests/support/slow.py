"""Clients that take their time, and what a service holds meanwhile."""

import os
import socket
from pathlib import Path
from typing import Self

import httpx

from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query


class Slow:
    """A client that has asked for a long answer and takes nothing of it yet. `name` is the id of its request."""

    def __init__(self, url: str, path: str, name: str, **headers: str) -> None:
        address = httpx.URL(url)
        self._end = socket.create_connection((address.host, address.port or 80), timeout=20)
        self._end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        lines = [f"GET {path} HTTP/1.1", "Host: x", f"X-Request-Id: {name}", "Connection: close"]
        lines += [f"{header}: {value}" for header, value in headers.items()]
        self._end.sendall("\r\n".join([*lines, "", ""]).encode())
        assert self._end.recv(12, socket.MSG_WAITALL) == b"HTTP/1.1 200"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.go()

    def take(self, size: int) -> bytes:
        """Take in some of what comes; nothing at its end."""
        return self._end.recv(size)

    def rest(self) -> bytes:
        """Take in all that comes until the connection ends."""
        parts = []
        while part := self.take(1 << 20):
            parts.append(part)
        return b"".join(parts)

    def go(self) -> None:
        """Go away."""
        self._end.close()


def busy(postgres: Postgres, statement: str = "%") -> object:
    """How many sessions of the service are at work, or within a transaction, on a statement that is LIKE this."""
    ((count,),) = query(
        postgres.service_url,  # what a session does is shown to its own role
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND (xact_start IS NOT NULL OR state <> 'idle') AND query LIKE $1
        """,
        statement,
    )
    return count


def workers(service: Service) -> list[int]:
    """The processes that serve requests."""
    found = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    assert found
    return [int(pid) for pid in found]


def resident(service: Service) -> int:
    """The bytes of memory that the workers have."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in workers(service))
    return pages * os.sysconf("SC_PAGE_SIZE")


def connections(service: Service) -> int:
    """How many connections of clients the service has not let go of."""
    port = f":{httpx.URL(service.url).port:04X}"
    established, close_wait = "01", "08"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(local.endswith(port) and state in (established, close_wait) for _, local, _, state, *_ in rows)
