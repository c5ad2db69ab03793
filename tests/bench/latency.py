"""How long one move takes, beside what a durable insert takes on the same server."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from random import Random
from typing import Final

from tests.bench.append import AT_MOST
from tests.bench.harness import Line, Of, Plan, benchmark, percentile
from tests.bench.load import Load, closed_loop, open_loop
from tests.bench.pgbench import pgbench
from tests.bench.players import Players
from tests.bench.stage import Stage

CONNECTIONS: Final = 16
"""Enough to keep the service busy, and few enough that nobody waits long for a turn."""


@benchmark(
    "latency", "one move: at 16 connections, and as requests come at random at half the load that append reached"
)
def latency(stage: Stage) -> Iterator[Plan]:
    """At random means that a request does not wait for the answers before it, as those of players don't."""
    sizes = stage.sizes
    dice = Random(20261130)
    with ExitStack() as stack:
        yardstick = stack.enter_context(pgbench(stage))
        database = stack.enter_context(stage.database("latency"))
        service = stack.enter_context(stage.service(database))
        few = Players(service.url, CONNECTIONS)
        many = Players(service.url, sizes.connections)
        each = round(AT_MOST * sizes.seconds / sizes.connections)

        def measure() -> Mapping[str, float]:
            lanes, all_lanes, more_lanes = few.games(each), many.games(each), many.games(each)
            insert = yardstick.inserts(CONNECTIONS, sizes.seconds)
            closed = closed_loop(service.url, lanes, sizes.seconds)
            most = closed_loop(service.url, all_lanes, sizes.seconds)
            random = open_loop(service.url, more_lanes, most.rate / 2, sizes.seconds, dice)
            return {
                "an insert of pgbench, mean": insert.mean_ms,
                "a move at 16 connections, p50": _ms(closed, 50),
                "a move at 16 connections, p99": _ms(closed, 99),
                "a move at half the load, p50": _ms(random, 50),
                "a move at half the load, p99": _ms(random, 99),
            }

        def line(figure: str, must: float | None = None, aim: float | None = None) -> Line:
            return Line(figure, "ms", "an insert of pgbench, mean", Of.RATIO, must, aim, less=True)

        yield Plan(
            measure,
            [
                line("a move at 16 connections, p50"),
                line("a move at 16 connections, p99", 6.0, 4.0),
                line("a move at half the load, p50"),
                line("a move at half the load, p99", 4.0, 2.5),
            ],
        )


def _ms(load: Load, percent: float) -> float:
    return percentile(load.times, percent) * 1000
