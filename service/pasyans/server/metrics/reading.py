"""Reading the figures of all workers, as one page for Prometheus."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from math import inf
from typing import Any, Final

import msgspec
from prometheus_client import ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from pasyans.server.metrics.cells import read
from pasyans.server.metrics.definitions import METRICS, PID, Metric
from pasyans.server.shared import Shared

_MERGES: Final[Mapping[str, Callable[[Iterable[float]], float]]] = {"sum": sum, "max": max, "min": min}

Found = dict[tuple[str, ...], list[list[float]]]
"""The figures of each worker that has some, by the values of their labels."""


class Workers(Collector):
    """The figures of a server's workers; ``living`` gives the ids of the processes that serve."""

    def __init__(self, shared: Shared, living: Callable[[], list[int]]) -> None:
        self._shared = shared
        self._living = living

    def collect(self) -> Iterator[Family]:
        """Yield every figure."""
        living = self._living()
        yield from self._measured(living)
        yield GaugeMetricFamily("pasyans_workers", "Worker processes that run.", value=len(living))
        yield _build_info()
        yield from _processes({"server": os.getpid()} | {f"worker-{n}": pid for n, pid in enumerate(living, 1)})

    def _measured(self, living: list[int]) -> Iterator[Family]:
        found: dict[str, Found] = {metric.name: {} for metric in METRICS}
        gauges = {metric.name for metric in METRICS if metric.kind == "gauge"}
        for column in range(self._shared.columns):
            region = self._shared.region(column)
            figures = read(region)
            is_alive = int(figures.get(PID, [0.0])[0]) in living
            for name, values in figures.items():
                if name == PID:
                    continue
                called, *labels = msgspec.json.decode(name, type=list[str])
                if is_alive or called not in gauges:
                    found[called].setdefault(tuple(labels), []).append(values)
        for metric in METRICS:
            yield _family(metric, found[metric.name])


def _family(metric: Metric, found: Found) -> Family:
    merge = _MERGES[metric.merge]
    merged = {labels: [merge(each) for each in zip(*figures, strict=True)] for labels, figures in found.items()}
    if metric.kind == "histogram":
        histogram = HistogramMetricFamily(metric.name, metric.meaning, labels=metric.labels)
        for labels, (total, *counts) in merged.items():
            histogram.add_metric(labels, _buckets(metric, counts), total)
        return histogram
    kind: Any = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family: Family = kind(metric.name, metric.meaning, labels=metric.labels)
    for labels, (value,) in merged.items():
        family.add_metric(labels, value)  # type: ignore[attr-defined]
    return family


def _buckets(metric: Metric, counts: list[float]) -> list[tuple[str, float]]:
    """Prometheus counts in each bucket what is in all the smaller ones as well."""
    total = 0.0
    buckets = []
    for bound, count in zip((*metric.bounds, inf), counts, strict=True):
        total += count
        buckets.append(("+Inf" if bound == inf else str(bound), total))
    return buckets


def _build_info() -> Family:
    family = GaugeMetricFamily("pasyans_build_info", "What runs; always 1.", labels=["version", "python"])
    family.add_metric([version("pasyans"), platform.python_version()], 1)
    return family


def _processes(pids: Mapping[str, int]) -> Iterator[Family]:
    """Memory, CPU time and files of each process, as prometheus_client tells them of one."""
    families: dict[str, Family] = {}
    for name, pid in pids.items():
        for family in ProcessCollector(pid=lambda pid=pid: pid, registry=None).collect():  # type: ignore[misc]
            known = families.setdefault(family.name, Family(family.name, family.documentation, family.type))
            for sample in family.samples:
                known.add_sample(sample.name, {"process": name}, sample.value)
    yield from families.values()
