"""Metrics: one page for all workers, at an address of its own."""

import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from pasyans.server.metrics.definitions import METRICS

from tests.support.api import connect, new_player
from tests.support.metrics import address, samples, total, value
from tests.support.postgres import Postgres
from tests.support.processes import workers
from tests.support.service import Service, pasyansd, serving
from tests.support.streams import streaming
from tests.support.waiting import until

README = Path(__file__).parents[2] / "README.md"
REQUESTS = "pasyans_http_requests_total"


@pytest.fixture(scope="module")
def settings(postgres: Postgres) -> dict[str, str]:
    return {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_WORKERS": "2",
    }


@pytest.fixture(scope="module")
def measured(settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with two workers, for the tests of this module alone."""
    with serving(tmp_path_factory.mktemp("measured") / "log", settings) as process:
        yield process


def test_requests_are_counted_by_route_method_and_status(measured: Service) -> None:
    before = samples(measured)
    player = new_player(measured.url)
    game = player.start("court", "hello")["id"]
    for _ in range(20):
        with connect(measured.url) as http:  # each time a worker by chance
            http.get(f"/v1/games/{game}")
    http = player.http
    with closing(http):
        http.head(f"/v1/games/{game}")
        http.get(f"/v1/games/{game}", headers={"If-None-Match": '"1"'})
        http.get("/v1/games/nonsense")
        http.get(f"/nothing/{game}")
        http.get(f"/elsewhere/{player.name}")
        http.request("BREW", "/v1/games")
        http.options("/v1/games", headers={"Origin": "https://a.example", "Access-Control-Request-Method": "POST"})
        http.options("/v1/games")
    expected = {
        ("/v1/games/{id}", "GET", "200"): 20,
        ("/v1/games/{id}", "HEAD", "200"): 1,
        ("/v1/games/{id}", "GET", "304"): 1,
        ("/v1/games/{id}", "GET", "400"): 1,
        ("/v1/games", "POST", "201"): 1,
        ("/v1/games", "OPTIONS", "204"): 1,
        ("/v1/players", "POST", "201"): 1,
        ("unrouted", "GET", "404"): 2,
        ("unrouted", "OPTIONS", "204"): 1,
        ("unrouted", "other", "405"): 1,
    }

    def counted() -> dict[tuple[str, ...], float]:
        after = samples(measured)
        labels = [(route, method, status) for route, method, status in expected]
        named = [dict(zip(("route", "method", "status"), each, strict=True)) for each in labels]
        return {
            each: value(after, REQUESTS, own) - value(before, REQUESTS, own)
            for each, own in zip(labels, named, strict=True)
        }

    until(lambda: sum(counted().values()) >= sum(expected.values()), "all requests are counted")
    assert counted() == expected
    after = samples(measured)
    text = httpx.get(address(measured)).text
    for secret in (game, player.name, player.token, "nonsense", "nothing", "BREW"):
        assert secret not in text
    # Each is in the histogram of its route and method.
    timed = "pasyans_http_request_duration_seconds"
    own = {"route": "/v1/games/{id}", "method": "GET"}
    assert value(after, f"{timed}_count", own) - value(before, f"{timed}_count", own) == 22
    assert value(after, f"{timed}_bucket", own | {"le": "+Inf"}) == value(after, f"{timed}_count", own)
    buckets = [
        (float(dict(labels)["le"]), each)
        for (name, labels), each in after.items()
        if name == f"{timed}_bucket" and own.items() <= dict(labels).items()
    ]
    assert len(buckets) == 14
    assert [each for _, each in sorted(buckets)] == sorted(each for _, each in buckets)
    assert 0 < value(after, f"{timed}_sum", own) < 22 * 20


def test_every_metric_that_is_defined_is_there_and_no_series_is_a_games(measured: Service) -> None:
    player = new_player(measured.url)
    with player.http:
        player.play(player.start("court", "hello"), "draw")
    until(lambda: value(samples(measured), "pasyans_database_up") == 1, "the database was looked at")
    found = {name for name, _ in samples(measured)}
    endings = {"counter": [""], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]}
    expected = {metric.name + ending for metric in METRICS for ending in endings[metric.kind]}
    assert expected - found == set()
    others = {name for name in found - expected if not name.startswith("process_")}
    assert others == {"pasyans_workers", "pasyans_build_info"}


def test_what_is_going_on_is_shown(measured: Service) -> None:
    player = new_player(measured.url)
    with player.http:
        games = [player.start("court", "hello")["id"] for _ in range(3)]
        for open_ in (1, 2, 3):
            with streaming(measured.url, games[0]), streaming(measured.url, games[1]):
                until(lambda: value(samples(measured), "pasyans_streams_open") == 2, "two streams are open")
                # The streams are no requests in flight, and neither are those that are answered.
                until(
                    lambda: value(samples(measured), "pasyans_http_requests_in_flight") == 0, "no request is in flight"
                )
            until(lambda: value(samples(measured), "pasyans_streams_open") == 0, f"the streams are closed, {open_}")
        own = {"route": "/v1/games/{id}/stream", "method": "GET", "status": "200"}
        until(lambda: value(samples(measured), REQUESTS, own) == 6, "the streams are counted")
    assert not total(samples(measured), "pasyans_http_request_duration_seconds_count", {"route": own["route"]})
    up = samples(measured)
    assert value(up, "pasyans_workers") == 2
    assert value(up, "pasyans_pool_connections_max") == 16
    assert 0 < total(up, "pasyans_pool_connections") <= 16
    until(lambda: value(samples(measured), "pasyans_dailies_ahead_days") == 7, "the dailies are drawn")


def test_appends_are_measured(measured: Service) -> None:
    before = samples(measured)
    player = new_player(measured.url)
    with player.http:
        game = player.start("court", "hello")
        player.play(game, "draw")
        player.play(game, "draw")

        def undo(_: int) -> int:
            with connect(measured.url, player.token) as http:
                return http.post(f"/v1/games/{game['id']}/undo", json={"count": 1}).status_code

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(undo, range(2))) == [200, 200]
    after = samples(measured)

    def grown(name: str, **labels: str) -> float:
        return value(after, name, labels) - value(before, name, labels)

    assert grown("pasyans_appends_total", outcome="written") == 4
    assert grown("pasyans_appends_total", outcome="failed") == grown("pasyans_appends_total", outcome="overloaded") == 0
    conflicts = grown("pasyans_appends_total", outcome="conflict")
    assert grown("pasyans_commit_batch_size_sum") == 4 + conflicts
    assert 1 <= grown("pasyans_commit_batch_size_count") <= 4 + conflicts
    assert grown("pasyans_commit_duration_seconds_count") == grown("pasyans_commit_batch_size_count")
    assert grown("pasyans_commit_duration_seconds_sum") > 0
    assert value(after, "pasyans_append_queue_depth") == 0


def test_processes_and_chores_are_shown(measured: Service) -> None:
    def folded() -> float:
        return value(samples(measured), "pasyans_chore_runs_total", {"chore": "fold boards", "outcome": "done"})

    until(lambda: folded() >= 4, "boards were folded")
    found = samples(measured)
    assert value(found, "pasyans_chore_seconds_total", {"chore": "fold boards"}) > 0
    last = value(found, "pasyans_chore_last_success_timestamp_seconds", {"chore": "fold boards"})
    until(
        lambda: (
            value(samples(measured), "pasyans_chore_last_success_timestamp_seconds", {"chore": "fold boards"}) > last
        ),
        "boards were folded again",
    )
    for name in ("server", "worker-1", "worker-2"):
        own = {"process": name}
        assert value(found, "process_resident_memory_bytes", own) > 10_000_000
        assert value(found, "process_cpu_seconds_total", own) > 0
        assert 0 < value(found, "process_open_fds", own) < value(found, "process_max_fds", own)
    ((_, labels),) = (key for key in found if key[0] == "pasyans_build_info")
    assert set(dict(labels)) == {"version", "python"}


def test_a_worker_that_dies_takes_nothing_along_but_what_it_was_doing(settings: dict[str, str], tmp_path: Path) -> None:
    with serving(tmp_path / "log", settings) as service:
        player = new_player(service.url)
        with player.http:
            game = player.start("court", "hello")["id"]
        # Streams of both workers.
        with streaming(service.url, game), streaming(service.url, game), streaming(service.url, game):
            until(lambda: value(samples(service), "pasyans_streams_open") == 3, "three streams are open")
            before = total(samples(service), REQUESTS)
            for pid in workers(service):
                others = set(workers(service)) - {pid}
                os.kill(pid, signal.SIGKILL)
                until(lambda pid=pid, others=others: set(workers(service)) - others - {pid}, "another worker is there")  # type: ignore[misc]
            until(lambda: value(samples(service), "pasyans_streams_open") == 0, "no stream is open")
        until(lambda: value(samples(service), "pasyans_workers") == 2, "two workers run")
        assert total(samples(service), REQUESTS) >= before
        own = {"route": "/v1/games", "method": "POST", "status": "201"}
        assert value(samples(service), REQUESTS, own) == 1


# ---- the address


def test_the_public_address_has_no_metrics_and_theirs_has_nothing_else(measured: Service) -> None:
    assert httpx.get(f"{measured.url}/metrics").status_code == 404
    own = address(measured)
    assert urlsplit(own).port != urlsplit(measured.url).port
    assert urlsplit(own).hostname == "127.0.0.1"
    for path in ("", "/", "/healthz", "/v1/variants", "/metrics/x"):
        assert httpx.get(own.removesuffix("/metrics") + path).status_code == 404
    for method in ("POST", "DELETE"):
        assert httpx.request(method, own).status_code == 501
    answer = httpx.get(own, headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    assert answer.text.endswith("# EOF\n")


def test_without_an_address_there_are_none(settings: dict[str, str], tmp_path: Path) -> None:
    with serving(tmp_path / "log", settings | {"PASYANS_METRICS_BIND": "off"}) as service:
        assert httpx.get(f"{service.url}/healthz").status_code == 200
        assert "metrics.served" not in service.log


def test_an_address_that_is_taken_is_refused(measured: Service, settings: dict[str, str]) -> None:
    port = urlsplit(address(measured)).port
    done = pasyansd("serve", **settings, PASYANS_PORT="0", PASYANS_METRICS_BIND=f"127.0.0.1:{port}")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.splitlines()[-1] == (
        f"pasyansd: Port {port} of 127.0.0.1 is in use by another program. Stop it, or choose another "
        "PASYANS_METRICS_BIND."
    )


# ---- the operator's page


def test_alerts_name_metrics_that_there_are(measured: Service) -> None:
    block = README.read_text().partition("<!-- alerts -->")[2].partition("<!-- /alerts -->")[0]
    expressions = re.findall(r"^\| `(.+?)` \|", block, flags=re.MULTILINE)
    assert len(expressions) >= 8
    found = {name for name, _ in samples(measured)}
    for expression in expressions:
        named = set(re.findall(r"\b(?:pasyans|process)_[a-z_]+", expression))
        assert named or "up{" in expression, expression
        assert named <= found, expression
        by_name = {
            name: {label for called, own in samples(measured) if called == name for label, _ in own} for name in named
        }
        for name, labels in re.findall(r"((?:pasyans|process)_[a-z_]+)\{(.*?)\}", expression):
            assert set(re.findall(r"(\w+)\s*[=!]", labels)) <= by_name[name], expression
