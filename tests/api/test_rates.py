"""Rate limits and origins, as a service with two workers has them that is set to little, while its clock stands."""

import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest

from tests.support.admins import new_admin
from tests.support.api import code, connect
from tests.support.clocked import Clock, clocked
from tests.support.postgres import Postgres
from tests.support.processes import workers
from tests.support.service import Service
from tests.support.waiting import until

LIMIT = 5
WINDOW_MS = 60_000
_addresses = count(1)


@pytest.fixture(scope="module")
def own_clock(tmp_path_factory: pytest.TempPathFactory) -> Clock:
    made = Clock(tmp_path_factory.mktemp("clock") / "now")
    made.set("2025-03-01T12:00:00Z")
    return made


@pytest.fixture(scope="module")
def narrow(clocked_postgres: Postgres, own_clock: Clock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that allows 5 requests a minute, behind a proxy."""
    settings = {
        "DATABASE_URL": clocked_postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": clocked_postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_RATE_LIMIT": f"{LIMIT}/min",
        "PASYANS_TRUSTED_PROXIES": "127.0.0.1",
        "PASYANS_CORS_ORIGINS": "https://play.example",
        "PASYANS_WORKERS": "2",
    }
    with clocked(tmp_path_factory.mktemp("narrow") / "log", own_clock, settings) as process:
        yield process


class Clients:
    """Clients of one address: each with a connection of its own, and so of one worker or the other."""

    def __init__(self, url: str, address: str) -> None:
        self._url = url
        self.address = address
        self.all: list[httpx.Client] = []

    def one(self) -> httpx.Client:
        client = connect(self._url)
        client.headers["X-Forwarded-For"] = self.address
        self.all.append(client)
        return client


@pytest.fixture
def clients(narrow: Service) -> Iterator[Clients]:
    made = Clients(narrow.url, f"203.0.113.{next(_addresses)}")
    yield made
    for client in made.all:
        client.close()


@pytest.fixture
def client(clients: Clients) -> httpx.Client:
    """A client from an address of its own."""
    return clients.one()


def position(answer: httpx.Response) -> tuple[int, int]:
    """How many requests are left, and the seconds until there are all again."""
    assert answer.headers["ratelimit-policy"] == f'"requests";q={LIMIT};w=60'
    name, left, seconds = answer.headers["ratelimit"].split(";")
    assert name == '"requests"'
    return int(left.removeprefix("r=")), int(seconds.removeprefix("t="))


def test_headers_count_down_and_then_the_answer_is_429_until_the_window_is_over(
    client: httpx.Client, own_clock: Clock
) -> None:
    positions = [position(client.get("/v1/variants")) for _ in range(LIMIT)]
    assert [left for left, _ in positions] == [4, 3, 2, 1, 0]
    (reset,) = {seconds for _, seconds in positions}
    assert 1 <= reset <= 60
    refused = client.get("/v1/variants")
    assert (refused.status_code, code(refused)) == (429, "rate-limited")
    assert refused.headers["retry-after"] == str(reset)
    assert position(refused) == (0, reset)
    assert client.get("/nothing").status_code == 429
    assert client.get("/healthz").status_code == client.get("/readyz").status_code == 200
    assert "ratelimit" not in client.get("/healthz").headers
    own_clock.advance((reset - 1) * 1000)
    again = client.get("/v1/variants")
    assert (again.status_code, again.headers["retry-after"]) == (429, "1")
    own_clock.advance(1000)
    assert position(client.get("/v1/variants")) == (4, 60)
    own_clock.advance(WINDOW_MS - 1000)
    assert position(client.get("/v1/variants")) == (3, 1)


def test_the_limit_is_one_for_all_workers(clients: Clients, narrow: Service) -> None:
    """One request at a time: not one too many, whichever worker each of them meets."""
    assert len(workers(narrow)) == 2
    answers = [clients.one().get("/v1/variants") for _ in range(40)]
    assert [answer.status_code for answer in answers] == [200] * LIMIT + [429] * 35


def test_refusals_count_too(client: httpx.Client) -> None:
    assert [client.get("/nothing").status_code for _ in range(LIMIT + 1)] == [404] * LIMIT + [429]


def test_a_token_is_counted_by_itself(clients: Clients, client: httpx.Client, own_clock: Clock) -> None:
    tokens = [client.post("/v1/players", json={}).json()["token"] for _ in range(2)]
    while client.get("/v1/variants").status_code == 200:
        pass
    for token in tokens:
        own = {"Authorization": f"Bearer {token}"}
        statuses = [clients.one().get("/v1/players/me", headers=own).status_code for _ in range(LIMIT + 1)]
        assert statuses == [200] * LIMIT + [429]
    elsewhere = {"Authorization": f"Bearer {tokens[0]}", "X-Forwarded-For": "198.51.100.1"}
    assert client.get("/v1/players/me", headers=elsewhere).status_code == 429
    own_clock.advance(WINDOW_MS)
    assert client.get("/v1/players/me", headers=elsewhere).status_code == 200


def test_an_admin_token_is_counted_as_any_other(
    client: httpx.Client, narrow: Service, clocked_postgres: Postgres
) -> None:
    while client.get("/v1/variants").status_code == 200:
        pass
    for _ in range(2):
        with new_admin(narrow.url, clocked_postgres).http as http:
            statuses = [http.get("/v1/admin/audit").status_code for _ in range(LIMIT + 1)]
        assert statuses == [200] * LIMIT + [429]


def test_wrong_tokens_of_admins_are_counted_by_the_address(
    client: httpx.Client, narrow: Service, clocked_postgres: Postgres
) -> None:
    admin = new_admin(narrow.url, clocked_postgres)
    admin.http.close()

    def status(token: str) -> int:
        return client.get("/v1/admin/audit", headers={"Authorization": f"Bearer {token}"}).status_code

    assert status(admin.token) == 200
    assert [status(f"pasyans_admin_{number:043}") for number in range(LIMIT)] == [401] * LIMIT
    assert status(f"pasyans_{0:043}") == status(f"pasyans_admin_{LIMIT:043}") == 429
    # The one that this worker knows is as good as ever.
    assert status(admin.token) == 200


def test_wrong_tokens_are_counted_by_the_address(clients: Clients, client: httpx.Client, east: Service) -> None:
    with connect(east.url) as elsewhere:
        known, unknown = (elsewhere.post("/v1/players", json={}).json()["token"] for _ in range(2))

    def status(token: str, through: httpx.Client = client) -> int:
        return through.get("/v1/players/me", headers={"Authorization": f"Bearer {token}"}).status_code

    assert status(known) == 200
    wrong = [status(f"pasyans_{number:043}", clients.one()) for number in range(LIMIT + 1)]
    assert wrong == [401] * LIMIT + [429]
    # Tokens that this worker has not seen before are not even looked up then; others are as good as ever.
    assert (status(unknown), status(known)) == (429, 200)
    assert client.get("/v1/variants").status_code == 200


def test_a_client_with_a_whole_network_is_one_client(clients: Clients) -> None:
    clients.address = "2001:db8:1:2::1"
    statuses = [clients.one().get("/v1/variants").status_code for _ in range(LIMIT)]
    clients.address = "2001:db8:1:2:ffff::9"
    assert [*statuses, clients.one().get("/v1/variants").status_code] == [200] * LIMIT + [429]
    clients.address = "2001:db8:1:3::1"
    assert clients.one().get("/v1/variants").status_code == 200


def test_only_the_origins_of_the_setting_may_read(clients: Clients) -> None:
    client = clients.one()
    friend = client.get("/v1/variants", headers={"Origin": "https://play.example"})
    assert friend.headers["access-control-allow-origin"] == "https://play.example"
    assert friend.headers["vary"] == "Origin"
    stranger = client.get("/v1/variants", headers={"Origin": "https://other.example"})
    assert "access-control-allow-origin" not in stranger.headers
    assert stranger.headers["vary"] == "Origin"
    asked = {"Access-Control-Request-Method": "POST"}
    assert (
        "access-control-allow-methods"
        in client.options("/", headers=asked | {"Origin": "https://play.example"}).headers
    )
    refused = client.options("/", headers=asked | {"Origin": "https://other.example"})
    assert "access-control-allow-methods" not in refused.headers
    games = client.get("/v1/games", headers={"Origin": "https://play.example"})
    assert games.headers["vary"] == "Authorization, Origin"


# ---- workers that end, and other servers


@pytest.fixture
def wide(clocked_postgres: Postgres) -> dict[str, str]:
    """The settings of a service that allows 1000 requests a minute."""
    return {
        "DATABASE_URL": clocked_postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": clocked_postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_RATE_LIMIT": "1000/min",
        "PASYANS_TRUSTED_PROXIES": "127.0.0.1",
    }


def left(url: str, address: str) -> int:
    """Ask something; how many requests the address has left after it."""
    answer = httpx.get(f"{url}/v1/variants/court", headers={"X-Forwarded-For": address})
    return int(answer.headers["ratelimit"].split(";")[1].removeprefix("r="))


def test_what_workers_have_counted_outlives_them(wide: dict[str, str], own_clock: Clock, tmp_path: Path) -> None:
    with clocked(tmp_path / "log", own_clock, wide | {"PASYANS_WORKERS": "2"}) as service:
        assert [left(service.url, "192.0.2.1") for _ in range(20)] == list(range(999, 979, -1))
        for pid in workers(service):
            others = set(workers(service)) - {pid}
            os.kill(pid, signal.SIGKILL)
            until(lambda pid=pid, others=others: set(workers(service)) - others - {pid}, "another worker is there")  # type: ignore[misc]
        found: list[int] = []

        def answers() -> bool:
            try:
                found.append(left(service.url, "192.0.2.1"))
            except httpx.TransportError:
                return False
            return True

        until(answers, "requests are answered")
        assert found == [979]


def test_servers_count_together(wide: dict[str, str], own_clock: Clock, tmp_path: Path) -> None:
    with (
        clocked(tmp_path / "log", own_clock, wide) as here,
        clocked(tmp_path / "log2", own_clock, wide | {"PASYANS_WORKERS": "2"}) as there,
        httpx.Client(headers={"X-Forwarded-For": "192.0.2.2"}) as client,
    ):
        for _ in range(900):
            assert client.get(f"{here.url}/v1/variants/court").status_code == 200
        asked: list[int] = []

        def has_heard() -> bool:
            asked.append(left(there.url, "192.0.2.2"))
            return asked[-1] == 1000 - 900 - len(asked)

        until(has_heard, "the other server has heard of all")
        assert 0 < len(asked) < 100
        assert left(there.url, "192.0.2.3") == 999
