"""Streams: what an idle listener costs in memory, and how long a move takes to its listeners."""

import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, Final
from urllib.parse import urlsplit

from tests.bench.harness import Line, Plan, benchmark, percentile
from tests.bench.load import Ask, connected
from tests.bench.players import request
from tests.bench.processes import private_kb, workers
from tests.bench.stage import Stage
from tests.support.api import Player, new_player
from tests.support.service import Service
from tests.support.streams import ENDLESS, endless, opened

_GAMES: Final = 200
_WARM: Final = 100  # connections that are there before memory is looked at
_PATIENCE: Final = 30.0


@benchmark("streams", "idle listeners: the memory of each, and the time from a move to its listeners")
def streams(stage: Stage) -> Iterator[Plan]:
    """Memory of the worker, beside that of connections that wait for their next request.

    Latency is from the request of a move to each message, beside the time to the answer of a move.
    """
    listeners = stage.sizes.listeners
    _allow_files(3 * listeners)
    with stage.database("streams") as database, ExitStack() as stack:
        near, far = (stack.enter_context(stage.service(database)) for _ in range(2))
        player = new_player(near.url)
        stack.enter_context(player.http)
        room = _Room(player, near, listeners)
        stack.callback(room.close)

        def memory(connect: Callable[[str, int], socket.socket]) -> float:
            with stage.service(database) as fresh:
                return _memory(fresh, connect, listeners)

        def measure() -> Mapping[str, float]:
            moves = stage.sizes.moves
            heard, answered = room.heard(near, moves), room.answered(near, moves)
            heard_far, answered_far = room.heard(far, moves), room.answered(far, moves)
            return {
                "an idle listener": memory(lambda url, number: opened(url, room.games[number % len(room.games)])),
                "an idle connection": memory(lambda url, _: _asked(url)),
                "a move to its listeners, p50": percentile(heard, 50),
                "a move to its listeners, p99": percentile(heard, 99),
                "a move to its answer, p50": percentile(answered, 50),
                "a move to its answer, p99": percentile(answered, 99),
                "a move via another server to its listeners, p99": percentile(heard_far, 99),
                "a move via another server to its answer, p99": percentile(answered_far, 99),
            }

        far_heard, far_answered = (f"a move via another server to its {end}, p99" for end in ("listeners", "answer"))
        yield Plan(
            measure,
            [
                Line("an idle listener", "kB", "an idle connection", must=30.0, aim=15.0, less=True),
                Line("a move to its listeners, p50", "ms", "a move to its answer, p50", less=True),
                Line("a move to its listeners, p99", "ms", "a move to its answer, p99", must=50.0, aim=20.0, less=True),
                Line(far_heard, "ms", far_answered, must=50.0, aim=20.0, less=True),
            ],
        )


class _Room:
    """Games, and a listener for each that comes, all at one server."""

    def __init__(self, player: Player, service: Service, listeners: int) -> None:
        games = [player.start(ENDLESS, "hello")["id"] for _ in range(min(_GAMES, listeners))]
        self.games: list[str] = games
        self._unheard = player.start(ENDLESS, "hello")["id"]
        self._token = player.token
        self._moves = {game: endless("hello") for game in [*games, self._unheard]}
        self._selector = selectors.DefaultSelector()
        self._listeners: dict[str, list[socket.socket]] = {game: [] for game in games}
        for number in range(listeners):
            game = games[number % len(games)]
            listener = opened(service.url, game)
            assert b"200 OK" in listener.recv(65_536)
            self._listeners[game].append(listener)
            self._selector.register(listener, selectors.EVENT_READ)

    def close(self) -> None:
        """Let everybody go."""
        self._selector.close()
        for listener in (one for some in self._listeners.values() for one in some):
            listener.close()

    def heard(self, service: Service, moves: int) -> list[float]:
        """Make moves, and measure the times, in milliseconds, until each listener has heard of one."""
        times: list[float] = []
        with connected(service.url, 1) as (mover,):
            for number in range(moves):
                game = self.games[number % len(self.games)]
                waiting = dict.fromkeys(self._listeners[game], b"")
                start = time.perf_counter()
                mover.ask(self._move(game))
                while waiting:
                    ready = self._selector.select(_PATIENCE)
                    now = (time.perf_counter() - start) * 1000
                    # Comments come to others all the time.
                    assert now < _PATIENCE * 1000, "a move was not heard"
                    for key, _ in ready:
                        _hear(key.fileobj, waiting, times, now)
                while not mover.hear():
                    pass
        return times

    def answered(self, service: Service, moves: int) -> list[float]:
        """Make moves in a game that nobody listens to, and measure the times, in milliseconds, to the answers."""
        with connected(service.url, 1) as (mover,):
            return [mover.asked(self._move(self._unheard)) * 1000 for _ in range(moves)]

    def _move(self, game: str) -> Ask:
        return Ask(request("POST", f"/v1/games/{game}/moves", self._token, {"moves": [next(self._moves[game])]}))


def _hear(listener: Any, waiting: dict[socket.socket, bytes], times: list[float], now: float) -> None:
    received = listener.recv(65_536)
    assert received, "a stream has ended"
    if listener in waiting:  # the others were sent a comment
        waiting[listener] += received
        if b"event: game" in waiting[listener] and waiting[listener].endswith(b"\n\n\r\n"):
            del waiting[listener]
            times.append(now)


def _connect(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PATIENCE)


def _asked(url: str) -> socket.socket:
    """A connection on which a request is made; the next one never comes."""
    connection = _connect(url)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    return connection


def _memory(service: Service, connect: Callable[[str, int], socket.socket], listeners: int) -> float:
    """The memory, in kilobytes, that one connection takes in the workers of a fresh service."""
    with ExitStack() as stack:
        found = workers(service)

        def add(count: int) -> None:
            for number in range(count):
                connection = stack.enter_context(connect(service.url, number))
                assert b"200 OK" in connection.recv(65_536)

        add(_WARM)
        before = sum(map(private_kb, found))
        add(listeners)
        return (sum(map(private_kb, found)) - before) / listeners


def _allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
