"""Durable moves a second, over HTTP, with everything on."""

import resource
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Final

from tests.bench.empty import asks, empty
from tests.bench.harness import Line, Of, Plan, benchmark
from tests.bench.load import closed_loop
from tests.bench.pgbench import pgbench
from tests.bench.players import Players
from tests.bench.stage import Stage

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
            inserts = yardstick.inserts(sizes.connections, sizes.seconds)
            posts = closed_loop(nothing.url, [asks(each)] * sizes.connections, sizes.seconds)
            began, own = time.perf_counter(), _own()
            moves = closed_loop(service.url, lanes, sizes.seconds)
            share = (_own() - own) / (time.perf_counter() - began)
            return {
                "moves": moves.rate,
                "pgbench's inserts": inserts.rate,
                "empty POSTs": posts.rate,
                "the load's own share of a core": share,
            }

        yield Plan(
            measure,
            [
                Line("moves", "moves/s", "pgbench's inserts", Of.RATIO, must=0.5, aim=0.75),
                Line("moves", "moves/s", "empty POSTs", Of.RATIO, must=0.5, aim=0.8),
                Line("the load's own share of a core", "cores"),
            ],
        )


def _own() -> float:
    """The seconds of a core that this process has had."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
