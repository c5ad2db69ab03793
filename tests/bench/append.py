"""Durable moves a second, over HTTP, with everything on."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Final, TypeVar

from tests.bench.empty import asks, empty
from tests.bench.harness import Line, Of, Plan, benchmark
from tests.bench.load import closed_loop
from tests.bench.pgbench import pgbench
from tests.bench.players import Players
from tests.bench.processes import core_seconds
from tests.bench.stage import Stage

T = TypeVar("T")

_MICRO: Final = 1_000_000
AT_MOST: Final = 10_000
"""Moves a second for which there are games; a faster service ends a round earlier."""


@benchmark("append", "durable moves a second over HTTP, 64 connections with a game each, one move a request")
def append(stage: Stage) -> Iterator[Plan]:
    """Beside pgbench's durable inserts on the same server, and a POST that does nothing through the same stack."""
    sizes = stage.sizes
    with ExitStack() as stack:
        yardstick = stack.enter_context(pgbench(stage))
        database = stack.enter_context(stage.database("append"))
        service = stack.enter_context(stage.service(database))
        nothing = stack.enter_context(empty(stage, database))
        players = Players(service.url, sizes.connections)
        each = round(AT_MOST * sizes.seconds / sizes.connections)

        def measure() -> Mapping[str, float]:
            lanes = players.games(each)
            database_pid, service_pid, nothing_pid = stage.server.pid, service.process.pid, nothing.process.pid
            inserts, (by_insert,) = _beside(lambda: yardstick.inserts(sizes.connections, sizes.seconds), database_pid)
            posts, (by_post,) = _beside(
                lambda: closed_loop(nothing.url, [asks(each)] * sizes.connections, sizes.seconds), nothing_pid
            )
            had = time.process_time()
            moves, (served, stored) = _beside(
                lambda: closed_loop(service.url, lanes, sizes.seconds), service_pid, database_pid
            )
            own = time.process_time() - had
            return {
                "moves": moves.rate,
                "pgbench's inserts": inserts.rate,
                "empty POSTs": posts.rate,
                "of a core, the service, a move": served / len(moves.times) * _MICRO,
                "an empty POST": by_post / len(posts.times) * _MICRO,
                "of a core, PostgreSQL, a move": stored / len(moves.times) * _MICRO,
                "an insert": by_insert / inserts.rows * _MICRO,
                "of a core, the load, a move": own / len(moves.times) * _MICRO,
            }

        yield Plan(
            measure,
            [
                Line("moves", "moves/s", "pgbench's inserts", Of.RATIO, must=0.5, aim=0.75),
                Line("moves", "moves/s", "empty POSTs", Of.RATIO, must=0.5, aim=0.8),
                Line("of a core, the service, a move", "µs", "an empty POST", less=True),
                Line("of a core, PostgreSQL, a move", "µs", "an insert", less=True),
                Line("of a core, the load, a move", "µs", less=True),
            ],
        )


def _beside(work: Callable[[], T], *pids: int) -> tuple[T, list[float]]:
    """What some work gives, and the seconds of a core that these processes had meanwhile."""
    before = [core_seconds(pid) for pid in pids]
    done = work()
    return done, [core_seconds(pid) - had for pid, had in zip(pids, before, strict=True)]
