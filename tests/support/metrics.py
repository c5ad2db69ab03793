"""Asking a service for its metrics, as Prometheus does."""

import json
from collections.abc import Mapping

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.support.service import Service

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def address(service: Service) -> str:
    """Where the metrics are, as the log tells."""
    (line,) = (line for line in service.log.splitlines() if '"metrics.served"' in line)
    return str(json.loads(line)["url"])


def samples(service: Service) -> Samples:
    """Every sample, by its name and labels."""
    answer = httpx.get(address(service), timeout=20)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found: Samples = {}
    for family in text_string_to_metric_families(answer.text):
        assert family.documentation, family.name
        for sample in family.samples:
            key = sample.name, frozenset(sample.labels.items())
            assert key not in found, key
            found[key] = sample.value
    return found


def value(found: Samples, name: str, labels: Mapping[str, str] | None = None) -> float:
    """One sample; 0 where there is none."""
    return found.get((name, frozenset((labels or {}).items())), 0.0)


def total(found: Samples, name: str, labels: Mapping[str, str] | None = None) -> float:
    """The sum of the samples that have these labels, and maybe others."""
    wanted = set((labels or {}).items())
    return sum(each for (called, own), each in found.items() if called == name and wanted <= own)
