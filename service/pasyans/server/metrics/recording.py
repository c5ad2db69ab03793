"""Taking figures in a worker: what the API, the store and the chores tell, written into its cells."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

import msgspec

from pasyans.server.metrics import definitions
from pasyans.server.metrics.cells import Cells
from pasyans.server.metrics.definitions import Metric

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
_SECONDS: Final = definitions.DURATION.bounds
_BATCH: Final = definitions.BATCH.bounds


def series(metric: Metric, *labels: str) -> str:
    """Return what the figures of a metric are called in the cells, with these labels' values."""
    return msgspec.json.encode((metric.name, *labels)).decode()


class Recorder:
    """The figures of one worker, as `api.Measures` and `store.Measures` want them taken, and its gauges."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._values = cells.values
        self._requests: dict[tuple[str | None, str, int | None], int] = {}
        self._durations: dict[tuple[str | None, str], int] = {}
        self._in_flight = self._one(definitions.IN_FLIGHT)
        self._streams = self._one(definitions.STREAMS)
        self._queue = self._one(definitions.QUEUE)
        outcomes = ("written", "conflict", "failed", "overloaded")
        self._written, self._conflict, self._failed, self._overloaded = (
            self._one(definitions.APPENDS, outcome) for outcome in outcomes
        )
        self._batch = self._histogram(definitions.BATCH)
        self._commit = self._histogram(definitions.COMMIT)
        for gauge in (self._in_flight, self._streams, self._queue):
            self._values[gauge] = 0.0  # what a worker before this one has left
        self._values[cells.place(definitions.PID, 1)] = os.getpid()

    # requests

    def began(self) -> None:
        """See `api.Measures`."""
        self._values[self._in_flight] += 1

    def streams(self) -> None:
        """See `api.Measures`."""
        self._values[self._in_flight] -= 1
        self._values[self._streams] += 1

    def ended(self, route: str | None, method: str, status: int | None, seconds: float | None) -> None:
        """See `api.Measures`."""
        values = self._values
        at = self._requests.get((route, method, status))
        values[self._request(route, method, status) if at is None else at] += 1
        if seconds is None:
            values[self._streams] -= 1
            return
        values[self._in_flight] -= 1
        at = self._durations.get((route, method))
        if at is None:
            at = self._duration(route, method)
        values[at] += seconds
        values[at + 1 + bisect_left(_SECONDS, seconds)] += 1

    def _request(self, route: str | None, method: str, status: int | None) -> int:
        labels = _routed(route), _method(method), "gone" if status is None else str(status)
        at = self._one(definitions.REQUESTS, *labels)
        if method in _METHODS:
            self._requests[route, method, status] = at
        return at

    def _duration(self, route: str | None, method: str) -> int:
        at = self._histogram(definitions.DURATION, _routed(route), _method(method))
        if method in _METHODS:
            self._durations[route, method] = at
        return at

    # appends

    def waiting(self, appends: int) -> None:
        """See `store.Measures`."""
        self._values[self._queue] = appends

    def committed(self, appends: int, won: int, seconds: float) -> None:
        """See `store.Measures`."""
        values = self._values
        values[self._written] += won
        values[self._conflict] += appends - won
        values[self._batch] += appends
        values[self._batch + 1 + bisect_left(_BATCH, appends)] += 1
        values[self._commit] += seconds
        values[self._commit + 1 + bisect_left(_SECONDS, seconds)] += 1

    def failed(self, appends: int) -> None:
        """See `store.Measures`."""
        self._values[self._failed] += appends

    def refused(self) -> None:
        """See `store.Measures`."""
        self._values[self._overloaded] += 1

    # what is looked at now and then

    def set(self, metric: Metric, value: float, *labels: str) -> None:
        """Have a gauge stand at ``value``."""
        self._values[self._one(metric, *labels)] = value

    def add(self, metric: Metric, value: float, *labels: str) -> None:
        """Have a counter rise by ``value``."""
        self._values[self._one(metric, *labels)] += value

    def _one(self, metric: Metric, *labels: str) -> int:
        return self._cells.place(series(metric, *labels), 1)

    def _histogram(self, metric: Metric, *labels: str) -> int:
        """Where a histogram has its sum, which the counts of its buckets follow."""
        return self._cells.place(series(metric, *labels), 2 + len(metric.bounds))


def chore_told(recorder: Recorder, now: Callable[[], int]) -> Callable[[str, float, object], None]:
    """Return what takes note of a chore: its name, the seconds it took, and its result or the error it failed with."""

    def told(name: str, seconds: float, outcome: object) -> None:
        failed = isinstance(outcome, Exception)
        recorder.add(definitions.CHORE_RUNS, 1, name, "failed" if failed else "done")
        recorder.add(definitions.CHORE_SECONDS, seconds, name)
        if not failed:
            recorder.set(definitions.CHORE_LAST, now() / 1000, name)
            recorder.add(definitions.CHORE_DONE, outcome if isinstance(outcome, int) else 0, name)

    return told


def _routed(route: str | None) -> str:
    return "unrouted" if route is None else route


def _method(method: str) -> str:
    return method if method in _METHODS else "other"
