"""The address: held for one service, open to its workers."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pasyans.server.address import AddressError, hold, url


@contextmanager
def worker(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens as a worker's does."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind((host, port))
        listening.listen()
        yield listening


def test_workers_listen_on_a_port_that_is_held_and_get_every_connection() -> None:
    with hold("127.0.0.1", 0) as port, worker("127.0.0.1", port) as one, worker("127.0.0.1", port) as two:
        assert port > 0
        clients = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(40)]
        taken = 0
        for listening in (one, two):
            listening.setblocking(False)
            try:
                while True:
                    listening.accept()[0].close()
                    taken += 1
            except BlockingIOError:
                pass
        for client in clients:
            client.close()
        assert taken == 40


def test_a_port_that_is_held_is_refused_before_and_after_workers_listen() -> None:
    with hold("127.0.0.1", 0) as port:
        with pytest.raises(AddressError, match="in use"), hold("127.0.0.1", port):
            pass
        with worker("127.0.0.1", port), pytest.raises(AddressError, match="in use"), hold("127.0.0.1", port):
            pass
    with hold("127.0.0.1", port) as again:
        assert again == port


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(AddressError, match="no address of this machine"), hold("192.0.2.1", 0):
        pass


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),  # noqa: S104 - shown only
        ("::1", "http://[::1]:80"),
        ("::", "http://[::1]:80"),
        ("192.0.2.1", "http://192.0.2.1:80"),
    ],
)
def test_the_address_is_one_that_a_browser_finds(host: str, shown: str) -> None:
    assert url(host, 80) == shown
