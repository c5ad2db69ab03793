"""Rate limits and origins, as a service has them that is set to little."""

from collections.abc import Iterator
from itertools import count

import httpx
import pytest

from tests.support.api import code, connect
from tests.support.postgres import Postgres
from tests.support.service import Service, serving

LIMIT = 5
_addresses = count(1)


@pytest.fixture(scope="module")
def narrow(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that allows 5 requests a minute, behind a proxy."""
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_RATE_LIMIT": f"{LIMIT}/min",
        "PASYANS_TRUSTED_PROXIES": "127.0.0.1",
        "PASYANS_CORS_ORIGINS": "https://play.example",
    }
    with serving(tmp_path_factory.mktemp("narrow") / "log", settings) as process:
        yield process


@pytest.fixture
def client(narrow: Service) -> Iterator[httpx.Client]:
    """A client from an address of its own."""
    with connect(narrow.url) as http:
        http.headers["X-Forwarded-For"] = f"203.0.113.{next(_addresses)}"
        yield http


def test_headers_count_down_and_then_the_answer_is_429(client: httpx.Client) -> None:
    for left in range(LIMIT - 1, -1, -1):
        answer = client.get("/v1/variants")
        assert answer.headers["ratelimit-policy"] == '"requests";q=5;w=60'
        limit, seconds = answer.headers["ratelimit"].rsplit(";t=", 1)
        assert limit == f'"requests";r={left}'
        assert 1 <= int(seconds) <= 60
    refused = client.get("/v1/variants")
    assert (refused.status_code, code(refused)) == (429, "rate-limited")
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.headers["ratelimit"].startswith('"requests";r=0;')
    assert client.get("/nothing").status_code == 429
    assert client.get("/healthz").status_code == client.get("/readyz").status_code == 200


def test_refusals_count_too(client: httpx.Client) -> None:
    assert [client.get("/nothing").status_code for _ in range(LIMIT + 1)] == [404] * LIMIT + [429]


def test_a_token_is_counted_by_itself(client: httpx.Client) -> None:
    tokens = [client.post("/v1/players", json={}).json()["token"] for _ in range(2)]
    while client.get("/v1/variants").status_code == 200:
        pass
    for token in tokens:
        own = {"Authorization": f"Bearer {token}"}
        statuses = [client.get("/v1/players/me", headers=own).status_code for _ in range(LIMIT + 1)]
        assert statuses == [200] * LIMIT + [429]
    elsewhere = {"Authorization": f"Bearer {tokens[0]}", "X-Forwarded-For": "198.51.100.1"}
    assert client.get("/v1/players/me", headers=elsewhere).status_code == 429


def test_wrong_tokens_are_counted_by_the_address(client: httpx.Client, service: Service) -> None:
    with connect(service.url) as elsewhere:
        known, unknown = (elsewhere.post("/v1/players", json={}).json()["token"] for _ in range(2))

    def status(token: str) -> int:
        return client.get("/v1/players/me", headers={"Authorization": f"Bearer {token}"}).status_code

    assert status(known) == 200
    assert [status(f"pasyans_{number:043}") for number in range(LIMIT + 1)] == [401] * LIMIT + [429]
    # Tokens that this server has not seen before are not even looked up then; others are as good as ever.
    assert (status(unknown), status(known)) == (429, 200)
    assert client.get("/v1/variants").status_code == 200


def test_only_the_origins_of_the_setting_may_read(client: httpx.Client) -> None:
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
