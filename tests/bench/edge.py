"""The edge: what counting and measuring add to each request."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Final

from pasyans.api.limits import Limiter
from pasyans.api.windows import WINDOW_MS, Windows
from pasyans.server.counts import KEPT
from pasyans.server.metrics.cells import Cells
from pasyans.server.metrics.recording import Recorder
from pasyans.server.shared import Shared, made

from tests.bench.harness import Line, Plan, benchmark, rate
from tests.bench.stage import Stage

LIMIT: Final = 1_000_000_000
_CLIENTS: Final = 1_000
_AT: Final = 1_900_000_000_000
_ROUTES: Final = [f"/v1/route-{number}/{{id}}" for number in range(20)]
_COST_US: Final = 10.0
_AIM_US: Final = 5.0
_ALONE: Final = "a dictionary"
_LIBRARY: Final = "prometheus_client"


@benchmark("edge", "what the limit and the metrics add to a request")
def edge(_stage: Stage) -> Iterator[Plan]:
    """The limit that workers share, beside one of a process by itself; metrics, beside those of `prometheus_client`.

    The latter has several processes, a counter, a histogram and a gauge.
    """
    with ExitStack() as stack:
        work = {_ALONE: _cost(_counted_alone())}
        for workers in (2, 8):
            shared = Shared(stack.enter_context(made(workers)), workers)
            windows = Windows(shared.windows, shared.columns, 0, LIMIT // (KEPT * workers))
            work[f"a limit for {workers} workers"] = _cost(_limited(Limiter(LIMIT, windows)))
        recorder = Recorder(Cells(Shared(stack.enter_context(made(1)), 1).region(0)))
        work[_LIBRARY] = _cost(_measured(stack.enter_context(tempfile.TemporaryDirectory())))
        work["metrics"] = _cost(_recorded(recorder))
        yield Plan(
            lambda: {name: take() for name, take in work.items()},
            [
                *(
                    Line(name, "µs", _ALONE, must=_COST_US, aim=_AIM_US, less=True)
                    for name in work
                    if name.startswith("a limit")
                ),
                Line("metrics", "µs", _LIBRARY, must=_COST_US, aim=_AIM_US, less=True),
            ],
        )


def _cost(work: Callable[[], int]) -> Callable[[], float]:
    return lambda: 1e6 / rate(work)


def _clients() -> list[str]:
    return [f"token {number:08x}-0000-7000-8000-000000000000" for number in range(_CLIENTS)]


def _limited(limiter: Limiter) -> Callable[[], int]:
    clients = _clients()

    def work() -> int:
        for client in clients:
            _ = limiter.take(client, _AT).headers
        return len(clients)

    return work


def _counted_alone() -> Callable[[], int]:
    """A window for each client in a dictionary: what a single process would do."""
    clients = _clients()
    windows: dict[str, tuple[int, int]] = {}

    def take(client: str) -> dict[str, str]:
        start, count = windows.get(client, (_AT, 0))
        windows[client] = start, count + 1
        reset = -((_AT - start - WINDOW_MS) // 1000)
        return {
            "RateLimit-Policy": f'"requests";q={LIMIT};w=60',
            "RateLimit": f'"requests";r={LIMIT - count - 1};t={reset}',
        }

    def work() -> int:
        for client in clients:
            take(client)
        return len(clients)

    return work


def _recorded(recorder: Recorder) -> Callable[[], int]:
    def work() -> int:
        for route in _ROUTES:
            recorder.began()
            recorder.ended(route, "GET", 200, 0.003)
        return len(_ROUTES)

    return work


def _measured(folder: str) -> Callable[[], int]:
    # It looks there when it is imported, to know that there are several processes.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

    registry = CollectorRegistry()
    requests = Counter("requests", "Requests.", ["route", "method", "status"], registry=registry)
    seconds = Histogram("seconds", "Seconds.", ["route", "method"], registry=registry)
    in_flight = Gauge("in_flight", "Requests.", multiprocess_mode="livesum", registry=registry)

    def work() -> int:
        for route in _ROUTES:
            in_flight.inc()
            in_flight.dec()
            requests.labels(route, "GET", "200").inc()
            seconds.labels(route, "GET").observe(0.003)
        return len(_ROUTES)

    return work
