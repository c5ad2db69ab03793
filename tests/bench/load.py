"""A cheap load: prepared requests on plain sockets, each answer checked.

One `select` serves all connections, since it alone waits to the microsecond; a request costs some 20 µs of a core.
"""

import select
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple
from urllib.parse import urlsplit

_PATIENCE: Final = 30.0
_AT_ONCE: Final = 1 << 16  # bytes; for much more than that, Python would ask the system for memory each time


class Ask(NamedTuple):
    """A request as it is sent, the status that its answer must have, and what must stand in the answer's body."""

    request: bytes
    sign: bytes = b""
    status: int = 200


class WrongAnswer(AssertionError):
    """An answer is not what was expected, or did not come."""


@dataclass(frozen=True)
class Load:
    """What came of a load: seconds from each request to its whole answer, and how long all of it took."""

    times: list[float]
    elapsed: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.times) / self.elapsed


class Connection:
    """One connection, on which requests are made one after the other."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._socket = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._asked: Ask | None = None
        self._received = b""
        self.fd = self._socket.fileno()
        self.answer = b""
        """The body of the last answer."""

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def ask(self, ask: Ask) -> None:
        """Send a request; the answer to the one before must have come."""
        self._asked = ask
        self._socket.sendall(ask.request)

    def hear(self) -> bool:
        """Take in what has come; whether the answer is whole. Raises `WrongAnswer`."""
        piece = self._socket.recv(_AT_ONCE)
        if not piece:
            raise WrongAnswer(f"the connection was closed after {self._received[:500]!r}")
        received = self._received + piece if self._received else piece
        end = received.find(b"\r\n\r\n") + 4
        if end < 4 or len(received) < end + _length(received[:end]):
            self._received = received
            return False
        self._received = b""
        self.answer = received[end:]
        asked = self._asked
        assert asked is not None, f"nothing was asked, and there is an answer: {received[:500]!r}"
        if not received.startswith(b"HTTP/1.1 %d " % asked.status) or asked.sign not in self.answer:
            raise WrongAnswer(f"{asked.sign!r} was to be in the answer to {asked.request!r}, which is {received!r}")
        return True

    def asked(self, ask: Ask) -> float:
        """Ask, and wait for the answer; the seconds that it took."""
        start = time.perf_counter()
        self.ask(ask)
        while not self.hear():
            pass
        return time.perf_counter() - start


def _length(head: bytes) -> int:
    """How long the body is that follows a head."""
    after = head.partition(b"content-length: ")[2] or head.lower().partition(b"content-length:")[2]
    return int(after.partition(b"\r\n")[0]) if after else 0


@contextmanager
def connected(url: str, count: int) -> Iterator[list[Connection]]:
    """So many connections, for as long as the block runs."""
    connections: list[Connection] = []
    try:
        for _ in range(count):
            connections.append(Connection(url))  # noqa: PERF401 - those that were made are closed when one fails
        yield connections
    finally:
        for connection in connections:
            connection.close()


def closed_loop(
    url: str,
    lanes: Sequence[Sequence[Ask]],
    seconds: float | None = None,
    heard: Callable[[int, bytes], None] = lambda _lane, _body: None,
) -> Load:
    """Ask what each lane has, on a connection of its own, the next request when the answer has come.

    With ``seconds`` it ends when they are over, or at once when a lane has nothing left, so that all lanes are busy
    to the end; else when everything was asked. ``heard`` is told the lane and the body of each answer.
    """
    times: list[float] = []
    with connected(url, len(lanes)) as connections:
        lines = {each.fd: (each, iter(lane)) for each, lane in zip(connections, lanes, strict=True)}
        numbers = {fd: number for number, fd in enumerate(lines)}
        begun: dict[int, float] = {}
        start = time.perf_counter()
        for fd, (connection, asks) in lines.items():
            if (ask := next(asks, None)) is not None:
                begun[fd] = time.perf_counter()
                connection.ask(ask)
        give_up = None if seconds is None else start + seconds
        now = start
        while begun:
            for fd in _ready(begun, _PATIENCE):
                connection, asks = lines[fd]
                if not connection.hear():
                    continue
                now = time.perf_counter()
                times.append(now - begun.pop(fd))
                heard(numbers[fd], connection.answer)
                if (ask := next(asks, None)) is not None:
                    begun[fd] = now
                    connection.ask(ask)
                elif give_up is not None:
                    give_up = now
            if give_up is not None and now >= give_up:
                break
        return Load(times, now - start)


def answers(url: str, asks: Sequence[Ask], at_once: int = 16) -> list[bytes]:
    """The bodies of the answers to all of these, in order, asked on so many connections."""
    lanes = [asks[number::at_once] for number in range(at_once)]
    bodies: list[list[bytes]] = [[] for _ in lanes]
    closed_loop(url, lanes, heard=lambda lane, body: bodies[lane].append(body))
    found = [iter(each) for each in bodies]
    return [next(found[number % at_once]) for number in range(len(asks))]


def open_loop(url: str, lanes: Sequence[Sequence[Ask]], rate: float, seconds: float, dice: Random) -> Load:
    """Ask at random moments, ``rate`` a second, whether earlier answers have come or not.

    A request goes to the lane that has been idle for longest, and waits where none is; its time counts from the moment
    at which it was to be made. It ends after so many seconds, or when a lane has nothing left.
    """
    due = deque(_moments(rate, seconds, dice))
    times: list[float] = []
    with connected(url, len(lanes)) as connections:
        lines = {each.fd: (each, iter(lane)) for each, lane in zip(connections, lanes, strict=True)}
        idle = deque(lines)
        begun: dict[int, float] = {}
        start = time.perf_counter()
        while due or begun:
            now = time.perf_counter() - start
            while due and due[0] <= now and idle:
                connection, asks = lines[idle[0]]
                if (ask := next(asks, None)) is None:
                    due.clear()
                    break
                connection.ask(ask)
                begun[idle.popleft()] = due.popleft()
            wait = max(0.0, due[0] - now) if due and idle else _PATIENCE
            for fd in _ready(begun, wait, needed=not (due and idle)):
                connection, _ = lines[fd]
                if connection.hear():
                    times.append(time.perf_counter() - start - begun.pop(fd))
                    idle.append(fd)
        return Load(times, time.perf_counter() - start)


def _moments(rate: float, seconds: float, dice: Random) -> Iterator[float]:
    """Moments of a Poisson process, so many a second, within so many seconds."""
    moment = dice.expovariate(rate)
    while moment < seconds:
        yield moment
        moment += dice.expovariate(rate)


def _ready(fds: Iterable[int], wait: float, *, needed: bool = True) -> list[int]:
    """The connections on which something has come, within ``wait`` seconds; that nothing has may be an error."""
    ready, _, _ = select.select(list(fds), (), (), wait)
    if needed and not ready:
        raise WrongAnswer(f"no answer came within {wait:.0f} s")
    return ready
