"""A line to the service that can be cut, and that can lose answers: what happens on a bad network."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Line:
    """Carries bytes to and from one address, connection by connection."""

    def __init__(self, url: str) -> None:
        self.lead_to(url)
        self._listening: socket.socket | None = None
        self._port = 0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.loses_answers = False
        """Whether requests get through and their answers do not."""
        self.holds: int | None = None
        """How many bytes of answers a connection brings before it breaks, if it does."""
        self.broken = 0
        """How many connections broke so."""
        self.mend()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def lead_to(self, url: str) -> None:
        """New connections are carried to this address."""
        parts = urlsplit(url)
        self._to = (parts.hostname or "", parts.port or 80)

    def mend(self) -> None:
        """Connections are taken again, at the same address."""
        self._listening = socket.create_server(("127.0.0.1", self._port), backlog=16)
        self._port = self._listening.getsockname()[1]
        threading.Thread(target=self._take, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        """Every connection breaks, and no new one is taken."""
        with self._lock:
            if self._listening is not None:
                _end(self._listening)
                self._listening = None
            for each in self._open:
                _end(each)
            self._open.clear()

    def _take(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listening.accept()
                try:
                    far = socket.create_connection(self._to)
                except OSError:  # nobody is there at the moment
                    _end(near)
                    continue
                with self._lock:
                    if self._listening is not listening:  # the line was cut meanwhile
                        _end(near)
                        _end(far)
                        return
                    self._open |= {near, far}
                threading.Thread(target=self._carry, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._carry, args=(far, near, True), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        left = self.holds if is_answer else None
        with contextlib.suppress(OSError):
            while data := source.recv(65536 if left is None else min(left, 65536)):
                if is_answer and self.loses_answers:
                    break
                target.sendall(data)
                left = None if left is None else left - len(data)
            self.broken += left == 0
        _end(source)
        _end(target)


def _end(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()


@contextmanager
def line_to(url: str) -> Iterator[Line]:
    """A line to a service, cut at the end."""
    line = Line(url)
    try:
        yield line
    finally:
        line.cut()
