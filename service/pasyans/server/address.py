"""The address that is served, held for us alone."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
from collections.abc import Iterator


class AddressError(Exception):
    """The address cannot be listened on; the message says why and what to do."""


@contextlib.contextmanager
def hold(host: str, port: int) -> Iterator[int]:
    """Hold `host` and `port` for the workers, and give the port: the one that was free, when `port` is 0.

    Each worker binds the address by itself, with SO_REUSEPORT, so the system would let a second service in
    as well. A socket that was bound without that option first keeps others out, and lets ours in afterwards.
    Raises `AddressError`.
    """
    family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
    with socket.socket(family) as guard:
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            guard.bind((host, port))
        except OSError as error:
            raise AddressError(explain(host, port, error)) from error
        # Connections that are just closing were no hindrance; now nobody else shares the port but our workers.
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        yield int(guard.getsockname()[1])


def url(host: str, port: int) -> str:
    """Where a browser on this machine finds what listens on `host` and `port`."""
    found = ipaddress.ip_address(host)
    if found.is_unspecified:
        found = ipaddress.ip_address("127.0.0.1" if found.version == 4 else "::1")
    return f"http://[{found}]:{port}" if found.version == 6 else f"http://{found}:{port}"


def explain(host: str, port: int, error: OSError, of_port: str = "PASYANS_PORT", of_host: str = "PASYANS_HOST") -> str:
    """Say why an address can't be listened on and what to do, with the settings that it comes from."""
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use by another program. Stop it, or choose another {of_port}."
    if error.errno == errno.EACCES:
        return f"Port {port} needs rights that this account lacks. Choose a {of_port} of 1024 or more."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine. Choose another {of_host}."
    return f"Port {port} of {host} cannot be used: {error.strerror}."
