"""Streams: what an idle listener costs in memory, and how long a move takes to its listeners."""

import json
import resource
import selectors
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate

from tests.bench.harness import Figure, benchmark
from tests.support.api import Player, new_player
from tests.support.postgres import open_folder
from tests.support.service import Service, serving
from tests.support.streams import ENDLESS, endless, opened

LISTENERS: Final = 2_000
_GAMES: Final = 200
_WARM: Final = 100  # connections that are there before memory is looked at
_MOVES: Final = 200  # in one round
_PATIENCE: Final = 10.0

_MEMORY_KB: Final = 30.0
_LATENCY_MS: Final = 50.0


@benchmark("streams", f"{LISTENERS:,} idle listeners: the memory of each, and the time from a move to its listeners")
def streams() -> Iterator[Sequence[Figure]]:
    """Memory of the worker, beside that of connections that wait for their next request.

    Latency is from the request of a move to each message, beside the time to the answer of a move.
    """
    _allow_files(3 * LISTENERS)
    with open_folder() as folder, EmbeddedPostgres(folder) as database, ExitStack() as stack:
        migrate.upgrade(database.admin_url)
        settings = {"DATABASE_URL": database.service_url, "PASYANS_ADMIN_DATABASE_URL": database.admin_url}
        near, far = (stack.enter_context(_served(settings)) for _ in range(2))
        player = new_player(near.url)
        stack.enter_context(player.http)
        room = _Room(player, near)
        stack.callback(room.close)

        def memory(connect: Callable[[str, int], socket.socket]) -> Callable[[], float]:
            return lambda: _memory(settings, connect)

        def latency(name: str, percent: int, through: Service, target: float | None = None) -> Figure:
            return Figure(
                name,
                "ms",
                lambda: _percentile(room.heard(through), percent),
                lambda: _percentile(room.answered(through), percent),
                target,
                less=True,
            )

        yield [
            Figure(
                "memory of an idle listener",
                "kB",
                memory(lambda url, number: opened(url, room.games[number % _GAMES])),
                memory(lambda url, _: _asked(url)),
                _MEMORY_KB,
                less=True,
            ),
            latency("a move to its listeners, p50", 50, near),
            latency("a move to its listeners, p99", 99, near, _LATENCY_MS),
            latency("a move through another server, p99", 99, far, _LATENCY_MS),
        ]


@contextmanager
def _served(settings: Mapping[str, str]) -> Iterator[Service]:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log", settings) as service:
        yield service


class _Room:
    """Games, and a listener for each that comes, all at one server."""

    def __init__(self, player: Player, service: Service) -> None:
        games = [player.start(ENDLESS, "hello")["id"] for _ in range(_GAMES)]
        self.games: list[str] = games
        self._unheard = player.start(ENDLESS, "hello")["id"]
        self._token = player.token
        self._moves = {game: endless("hello") for game in [*games, self._unheard]}
        self._selector = selectors.DefaultSelector()
        self._listeners: dict[str, list[socket.socket]] = {game: [] for game in games}
        self._movers: dict[str, socket.socket] = {}
        for number in range(LISTENERS):
            game = games[number % _GAMES]
            listener = opened(service.url, game)
            assert b"200 OK" in listener.recv(65_536)
            self._listeners[game].append(listener)
            self._selector.register(listener, selectors.EVENT_READ)

    def close(self) -> None:
        """Let everybody go."""
        self._selector.close()
        for each in [*self._movers.values(), *(one for some in self._listeners.values() for one in some)]:
            each.close()

    def heard(self, service: Service) -> list[float]:
        """Make moves, and measure the times, in milliseconds, until each listener has heard of one."""
        times: list[float] = []
        for number in range(_MOVES):
            game = self.games[number % _GAMES]
            waiting = dict.fromkeys(self._listeners[game], b"")
            start = time.perf_counter()
            mover = self._ask(service, game)
            while waiting:
                ready = self._selector.select(_PATIENCE)
                assert ready, "a move was not heard"
                now = (time.perf_counter() - start) * 1000
                for key, _ in ready:
                    _hear(key.fileobj, waiting, times, now)
            _answer(mover)
        return times

    def answered(self, service: Service) -> list[float]:
        """Make moves in a game that nobody listens to, and measure the times, in milliseconds, to the answers."""
        times: list[float] = []
        for _ in range(_MOVES):
            start = time.perf_counter()
            _answer(self._ask(service, self._unheard))
            times.append((time.perf_counter() - start) * 1000)
        return times

    def _ask(self, service: Service, game: str) -> socket.socket:
        if service.url not in self._movers:
            self._movers[service.url] = _connect(service.url)
        mover = self._movers[service.url]
        body = json.dumps({"moves": [next(self._moves[game])]})
        mover.sendall(
            f"POST /v1/games/{game}/moves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        return mover


def _hear(listener: Any, waiting: dict[socket.socket, bytes], times: list[float], now: float) -> None:
    received = listener.recv(65_536)
    assert received, "a stream has ended"
    if listener in waiting:  # the others were sent a comment
        waiting[listener] += received
        if b"event: game" in waiting[listener] and waiting[listener].endswith(b"\n\n\r\n"):
            del waiting[listener]
            times.append(now)


def _answer(mover: socket.socket) -> None:
    received = b""
    while b"\r\n\r\n" not in received:
        received += mover.recv(65_536)
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"200 OK" in head, received
    (length,) = (line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    while len(body) < int(length.partition(b":")[2]):
        body += mover.recv(65_536)


def _percentile(values: list[float], percent: int) -> float:
    return sorted(values)[len(values) * percent // 100]


def _connect(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PATIENCE)


def _asked(url: str) -> socket.socket:
    """A connection on which a request is made; the next one never comes."""
    connection = _connect(url)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    return connection


def _memory(settings: Mapping[str, str], connect: Callable[[str, int], socket.socket]) -> float:
    """The memory, in kilobytes, that one connection takes in the worker of a fresh service."""
    with _served(settings) as service, ExitStack() as stack:
        worker = _worker(service)

        def add(count: int) -> None:
            for number in range(count):
                connection = stack.enter_context(connect(service.url, number))
                assert b"200 OK" in connection.recv(65_536)

        add(_WARM)
        before = _private(worker)
        add(LISTENERS)
        return (_private(worker) - before) / LISTENERS


def _worker(service: Service) -> int:
    """The process id of the one worker; only where there is /proc."""
    pid = service.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    (worker,) = (child for child in children if "pasyansd" in Path(f"/proc/{child}/cmdline").read_text())
    return int(worker)


def _private(pid: int) -> int:
    """The kilobytes that a process has for itself."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean:", "Private_Dirty:")))


def _allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
