"""What every answer carries."""

import json
import re

import httpx
import pytest

from tests.support.api import Player, lines_of
from tests.support.service import Service

PATHS = ["/healthz", "/v1/variants", "/v1/games", "/nothing", "/v1/games?x=1", "/problems", "/", "/v1/openapi.json"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_an_id_of_its_own_or_the_clients(http: httpx.Client, path: str) -> None:
    ids = [http.get(path).headers["x-request-id"] for _ in range(2)]
    assert all(re.fullmatch(r"[0-9a-f]{32}", each) for each in ids)
    assert ids[0] != ids[1]
    assert http.get(path, headers={"X-Request-Id": "a-b.c~1"}).headers["x-request-id"] == "a-b.c~1"
    for insane in ("x" * 65, "a b", 'a"b', "я", ""):
        given = http.get(path, headers=[(b"X-Request-Id", insane.encode())]).headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{32}", given)


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_the_body(http: httpx.Client, path: str) -> None:
    got, headed = http.get(path), http.head(path)
    assert headed.status_code == got.status_code
    assert headed.content == b""
    own = {"date", "x-request-id"}
    assert {name: value for name, value in headed.headers.items() if name not in own} == {
        name: value for name, value in got.headers.items() if name not in own
    }


@pytest.mark.parametrize("path", ["/v1/variants", "/nothing", "/v1/games?x=1"])
def test_any_origin_may_read(http: httpx.Client, path: str) -> None:
    answer = http.get(path, headers={"Origin": "https://play.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    exposed = set(answer.headers["access-control-expose-headers"].split(", "))
    assert exposed == {
        "ETag",
        "Location",
        "Link",
        "Date",
        "Retry-After",
        "RateLimit",
        "RateLimit-Policy",
        "Idempotency-Replayed",
        "X-Request-Id",
    }
    # What a cache keeps of a request without an origin is good for a page of any.
    assert http.get(path).headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/x/moves", "/nothing"])
def test_a_preflight_is_answered_for_any_address(http: httpx.Client, path: str) -> None:
    asked = {"Origin": "https://play.example", "Access-Control-Request-Method": "POST"}
    answer = http.options(path, headers=asked)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "POST" in answer.headers["access-control-allow-methods"]
    for name in ("Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID"):
        assert name in answer.headers["access-control-allow-headers"]


def test_what_only_an_owner_sees_is_private_and_what_is_public_is_kept(player: Player, http: httpx.Client) -> None:
    for path in ("/v1/players/me", "/v1/tokens"):
        answer = player.http.get(path)
        assert (answer.headers["cache-control"], answer.headers["vary"]) == ("private, no-cache", "Authorization")
    for path in ("/v1/variants", "/v1/variants/court", "/v1/variants/court/rules", "/v1/variants/court/deals/x"):
        assert http.get(path).headers["cache-control"] == "public, max-age=3600"


def test_there_is_a_page_for_every_problem(http: httpx.Client) -> None:
    listing = http.get("/problems")
    assert listing.headers["content-type"] == "text/html; charset=utf-8"
    codes = re.findall(r'href="/problems/([a-z-]+)"', listing.text)
    assert len(codes) == 24
    for code in codes:
        page = http.get(f"/problems/{code}")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert code in page.text


# ---- the log


def test_a_request_is_one_line_of_log_with_its_route_and_no_secret(player: Player, service: Service) -> None:
    game = player.start("court", "hello")
    own = {"X-Request-Id": f"id-{game['id']}"}
    player.http.get(f"/v1/games/{game['id']}?at=1", headers=own)
    player.http.post("/v1/tokens?x=1", json={"label": "geheim"}, headers=own | {"Idempotency-Key": "schluessel"})
    player.http.get(f"/nothing/{game['id']}", headers=own)
    player.http.get("/v1/players/me", headers=own | {"Authorization": "Bearer pasyans_falsch"})
    lines = lines_of(service, own["X-Request-Id"], 4)
    told = [(line["event"], line["method"], line["route"], line["status"], line.get("code")) for line in lines]
    assert told == [
        ("request", "GET", "/v1/games/{id}", 200, None),
        ("request", "POST", "/v1/tokens", 400, "invalid-request"),
        ("request", "GET", None, 404, "not-found"),
        ("request", "GET", "/v1/players/me", 401, "unauthenticated"),
    ]
    assert all(line["duration_ms"] > 0 for line in lines)
    written = "\n".join(map(json.dumps, lines)).replace(own["X-Request-Id"], "")
    for secret in (player.token, "pasyans_falsch", "geheim", "schluessel", game["id"], "at=1"):
        assert secret not in written
    assert player.token not in service.log
