"""How the figures of several workers become one."""

import os
from collections.abc import Iterator

import pytest
from pasyans.server.metrics import definitions
from pasyans.server.metrics.cells import Cells
from pasyans.server.metrics.reading import Workers
from pasyans.server.metrics.recording import Recorder, chore_told
from pasyans.server.shared import Shared, made
from prometheus_client import CollectorRegistry

OWN = os.getpid()


class Server:
    """Workers whose processes are said to be there."""

    def __init__(self, path: str) -> None:
        self.shared = Shared(path, 2)
        self.living: list[int] = []
        self._registry = CollectorRegistry()
        self._registry.register(Workers(self.shared, lambda: self.living))

    def worker(self, column: int, pid: int) -> Recorder:
        cells = Cells(self.shared.region(column))
        recorder = Recorder(cells)
        cells.values[cells.place(definitions.PID, 1)] = pid
        self.living.append(pid)
        return recorder

    def value(self, name: str, **labels: str) -> float | None:
        return self._registry.get_sample_value(name, labels)


@pytest.fixture
def server() -> Iterator[Server]:
    with made(2) as path:
        yield Server(path)


def test_counters_add_up_and_outlive_their_workers(server: Server) -> None:
    one, other = server.worker(0, OWN), server.worker(1, 1)
    labels = {"route": "/x/{id}", "method": "GET", "status": "200"}
    for recorder, times in ((one, 3), (other, 4)):
        for _ in range(times):
            recorder.began()
            recorder.ended("/x/{id}", "GET", 200, 0.25)
    one.ended("/y", "GET", 200, 1)
    assert server.value("pasyans_http_requests_total", **labels) == 7
    server.living.remove(1)
    assert server.value("pasyans_http_requests_total", **labels) == 7
    server.worker(1, 2).ended("/x/{id}", "GET", 200, 0.25)
    assert server.value("pasyans_http_requests_total", **labels) == 8


def test_a_histogram_counts_up_to_each_bound_that_included(server: Server) -> None:
    recorder = server.worker(0, OWN)
    for seconds in (0.0005, 0.001, 0.0011, 5.0, 99.0):
        recorder.ended("/x", "GET", 200, seconds)
    name, labels = "pasyans_http_request_duration_seconds", {"route": "/x", "method": "GET"}
    buckets = {bound: server.value(f"{name}_bucket", **labels, le=str(bound)) for bound in (0.001, 0.0025, 2.5, 5.0)}
    assert buckets == {0.001: 2, 0.0025: 3, 2.5: 3, 5.0: 4}
    assert server.value(f"{name}_bucket", **labels, le="+Inf") == server.value(f"{name}_count", **labels) == 5
    assert server.value(f"{name}_sum", **labels) == pytest.approx(104.0026)


def test_gauges_are_of_workers_that_live(server: Server) -> None:
    one, other = server.worker(0, OWN), server.worker(1, 1)
    for recorder, figure in ((one, 2), (other, 5)):
        recorder.set(definitions.POOL, figure, "used")
        recorder.set(definitions.CHANGES, figure)
        recorder.set(definitions.DAILIES, figure)
        recorder.began()
        recorder.began()
        recorder.streams()

    def seen() -> list[float | None]:
        return [
            server.value("pasyans_pool_connections", state="used"),
            server.value("pasyans_board_changes_waiting"),
            server.value("pasyans_dailies_ahead_days"),
            server.value("pasyans_http_requests_in_flight"),
            server.value("pasyans_streams_open"),
            server.value("pasyans_workers"),
        ]

    assert seen() == [7, 5, 2, 2, 2, 2]
    server.living.remove(1)
    assert seen() == [2, 2, 2, 1, 1, 1]
    # Who comes next has none of the requests and streams of the one before.
    server.worker(1, 2)
    assert seen()[3:] == [1, 1, 2]


def test_what_nobody_has_asked_for_before_is_one_series(server: Server) -> None:
    recorder = server.worker(0, OWN)
    for number in range(100):
        recorder.ended(None, f"BREW{number}", 405, 0.1)
    recorder.ended(None, "GET", None, 0.1)
    assert server.value("pasyans_http_requests_total", route="unrouted", method="other", status="405") == 100
    assert server.value("pasyans_http_requests_total", route="unrouted", method="GET", status="gone") == 1


def test_chores_are_told(server: Server) -> None:
    told = chore_told(server.worker(0, OWN), lambda: 1_900_000_000_500)
    told("sweep", 0.5, 3)
    told("sweep", 1.0, None)
    told("sweep", 0.25, ValueError("no"))
    assert server.value("pasyans_chore_runs_total", chore="sweep", outcome="done") == 2
    assert server.value("pasyans_chore_runs_total", chore="sweep", outcome="failed") == 1
    assert server.value("pasyans_chore_seconds_total", chore="sweep") == 1.75
    assert server.value("pasyans_chore_items_total", chore="sweep") == 3
    assert server.value("pasyans_chore_last_success_timestamp_seconds", chore="sweep") == 1_900_000_000.5


def test_appends_are_told(server: Server) -> None:
    recorder = server.worker(0, OWN)
    recorder.waiting(7)
    recorder.committed(5, 4, 0.003)
    recorder.failed(2)
    recorder.refused()
    outcomes = {
        outcome: server.value("pasyans_appends_total", outcome=outcome)
        for outcome in ("written", "conflict", "failed", "overloaded")
    }
    assert outcomes == {"written": 4, "conflict": 1, "failed": 2, "overloaded": 1}
    assert server.value("pasyans_append_queue_depth") == 7
    assert server.value("pasyans_commit_batch_size_bucket", le="4.0") == 0
    assert server.value("pasyans_commit_batch_size_bucket", le="8.0") == 1
    assert server.value("pasyans_commit_duration_seconds_sum") == 0.003
