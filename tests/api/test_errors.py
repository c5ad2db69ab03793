"""Every refusal is a problem: of the address, the method, the form, the body; and of what goes wrong inside."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate

from tests.support.api import Player, code, connect, faults, lines_of
from tests.support.postgres import Postgres, open_folder
from tests.support.service import Service, serving
from tests.support.sql import query
from tests.support.waiting import until

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "path",
    ["/v1", "/v1/nothing", "/v2/games", "/favicon.ico", "/v1/games/x/y/z", "/problems/nothing", "/%00", "/%ff", "/я"],
)
def test_an_address_where_nothing_is(http: httpx.Client, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        missing = http.request(method, path)
        if path == "/problems/nothing" and method != "GET":
            assert code(missing) == "method-not-allowed"
        else:
            assert (missing.status_code, code(missing)) == (404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/games", "GET, HEAD, OPTIONS, POST"),
        ("DELETE", "/v1/variants", "GET, HEAD, OPTIONS"),
        ("GET", "/v1/records/verify", "OPTIONS, POST"),
        ("HEAD", "/v1/records/verify", "OPTIONS, POST"),
        ("GET", "/v1/games/x/moves", "OPTIONS, POST"),
        ("POST", "/healthz", "GET, HEAD, OPTIONS"),
        ("TRACE", "/v1/games", "GET, HEAD, OPTIONS, POST"),
        ("PURGE", "/v1/games", "GET, HEAD, OPTIONS, POST"),
    ],
)
def test_a_method_that_is_not_there(http: httpx.Client, method: str, path: str, allowed: str) -> None:
    refused = http.request(method, path)
    assert refused.status_code == 405
    assert refused.headers["allow"] == allowed
    if method != "HEAD":
        assert code(refused) == "method-not-allowed"


def test_options_tells_the_methods(http: httpx.Client) -> None:
    for path, allowed in (("/v1/games", "GET, HEAD, OPTIONS, POST"), ("/v1/records/verify", "OPTIONS, POST")):
        told = http.options(path)
        assert (told.status_code, told.headers["allow"], told.content) == (204, allowed, b"")


@pytest.mark.parametrize("path", ["/v1/variants", "/v1/games", "/v1/variants/court/deals/x"])
def test_json_is_the_only_form(http: httpx.Client, path: str) -> None:
    for accept in ("application/json", "*/*", "application/*", "text/html, */*;q=0.1", "application/json;q=0.5"):
        assert http.get(path, headers={"Accept": accept}).status_code == 200
    for accept in ("text/html", "application/xml", "application/json;q=0", "x"):
        refused = http.get(path, headers={"Accept": accept})
        assert (refused.status_code, code(refused)) == (406, "not-acceptable")


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "application/problem+json",
        "application/json; charset=latin-1",
        "",
        "json",
    ],
)
def test_a_body_that_is_not_json_by_its_type(player: Player, content_type: str) -> None:
    for path in ("/v1/games", f"/v1/games/{player.start()['id']}/resign"):
        refused = player.http.post(path, content=b"{}", headers={"Content-Type": content_type})
        assert (refused.status_code, code(refused)) == (415, "unsupported-media-type")


def test_a_body_without_a_type_or_in_a_coding(player: Player) -> None:
    assert code(player.http.post("/v1/games", content=b"{}")) == "unsupported-media-type"
    coded = player.http.post("/v1/games", content=b"{}", headers=JSON | {"Content-Encoding": "gzip"})
    assert code(coded) == "unsupported-media-type"


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']
)
def test_json_by_any_of_its_names(player: Player, content_type: str) -> None:
    body = json.dumps({"variant": "court", "deal": {"kind": "sealed"}}).encode()
    assert player.http.post("/v1/games", content=body, headers={"Content-Type": content_type}).status_code == 201


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"nope", b'{"variant": "court",}', b"\xff", b'{"a": "\xff"}', b'"\\ud800"', b"[" * 60_000, b"NaN"],
)
def test_a_body_that_is_not_json(player: Player, body: bytes) -> None:
    assert list(faults(player.http.post("/v1/games", content=body, headers=JSON))) == ["body"]


def test_a_body_that_is_too_large(player: Player, http: httpx.Client) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(200):
            yield b" " * 1000

    for content in (b" " * 65_537, chunks()):
        refused = player.http.post("/v1/games", content=content, headers=JSON)
        assert (refused.status_code, code(refused)) == (413, "too-large")
    at_most = player.http.post("/v1/games", content=b" " * 65_536, headers=JSON)
    assert list(faults(at_most)) == ["body"]
    record = http.post("/v1/records/verify", content=b" " * 800_000, headers=JSON)
    assert code(record) == "too-large"


def test_everything_that_is_wrong_is_said_at_once(player: Player) -> None:
    wrong = player.http.post(
        "/v1/games/x/moves?dry=1",
        json={"moves": ["", 1], "x": {}},
        headers=[(b"If-Match", b"2"), (b"Idempotency-Key", "ключ".encode())],
    )
    assert set(faults(wrong)) == {
        "path.id",
        "query.dry",
        "header.If-Match",
        "header.Idempotency-Key",
        "body.moves[0]",
        "body.moves[1]",
        "body.x",
    }


def raw(url: str, request: bytes) -> bytes:
    """Send bytes as they are, and return all that comes back."""
    with socket.create_connection((httpx.URL(url).host, httpx.URL(url).port or 80), timeout=10) as end:
        end.sendall(request)
        answer = b""
        while chunk := end.recv(65536):
            answer += chunk
        return answer


@pytest.mark.parametrize(
    "target",
    [b"/%ff%fe", b"/v1/players/%ED%A0%80", b"/v1/players/%00", b"/v1/players/a%0db", b"//", b"/v1/games/%2e%2e/"],
)
def test_a_path_that_is_no_text_is_refused_and_breaks_nothing(service: Service, target: bytes) -> None:
    answer = raw(service.url, b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    status = int(answer.split(b" ", 2)[1])
    assert status in (200, 400, 404)
    if status != 200:
        assert b"application/problem+json" in answer


def test_a_host_that_is_none(service: Service) -> None:
    answer = raw(service.url, b"GET /v1/variants HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n")
    assert answer.split(b" ", 2)[1] == b"400"


# ---- what goes wrong inside


@pytest.mark.parametrize(
    ("column", "value"),
    [("snapshot", b"\x00rubbish"), ("snapshot", b"\x97")],
)
def test_a_corrupted_row_is_an_internal_error_that_says_nothing(
    player: Player, postgres: Postgres, service: Service, column: str, value: bytes
) -> None:
    game = player.start("court", "hello")
    query(postgres.admin_url, f"UPDATE games SET {column} = $1 WHERE game_id = $2", value, game["id"])
    for answer in (player.http.get(f"/v1/games/{game['id']}"), player.act(game, "moves", {"moves": ["draw"]})):
        assert (answer.status_code, code(answer)) == (500, "internal")
        for word in ("Traceback", "snapshot", "pasyans/", "SELECT", "msgpack"):
            assert word not in answer.text
        logged = lines_of(service, answer.headers["x-request-id"], 2)
        assert [line["event"] for line in logged] == ["internal", "request"]
        assert "BadSnapshot" in logged[0]["exception"]
    query(postgres.admin_url, "DELETE FROM game_events WHERE game_id = $1", game["id"])
    query(postgres.admin_url, "DELETE FROM games WHERE game_id = $1", game["id"])


@contextmanager
def own_service() -> Iterator[tuple[EmbeddedPostgres, Service]]:
    """A service on a PostgreSQL of its own, that a test may shut off."""
    with open_folder() as folder, EmbeddedPostgres(folder, durable=False) as embedded:
        migrate.upgrade(embedded.admin_url)
        settings = {
            "DATABASE_URL": embedded.service_url,
            "PASYANS_ADMIN_DATABASE_URL": embedded.admin_url,
            "PASYANS_ALLOW_DATA_LOSS": "yes",
        }
        with serving(folder / "log", settings) as process:
            yield embedded, process


def let_in(embedded: EmbeddedPostgres, answer: str) -> None:
    """Let connections to the database in, or throw all of them out and let none in."""
    query(embedded.superuser_url, f"ALTER DATABASE pasyans ALLOW_CONNECTIONS {answer}")
    query(embedded.superuser_url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'pasyans'")


def test_without_its_database_the_service_says_so_and_comes_back() -> None:
    with own_service() as (embedded, service), connect(service.url) as http:
        token = http.post("/v1/players", json={}).json()["token"]
        mine = {"Authorization": f"Bearer {token}"}
        key = {"Idempotency-Key": "01936f0e-7c1a-7b3e-9d55-0123456789ab"}
        once = {**mine, "Idempotency-Key": "once"}
        unknown = {"Authorization": f"Bearer pasyans_{'A' * 43}"}
        start = {"variant": "congress", "deal": {"kind": "shared", "seed": "hello"}}
        path = f"/v1/games/{http.post('/v1/games', json=start, headers=mine).json()['id']}/moves"
        played = http.post(path, json={"moves": ["draw"]}, headers=once)
        assert (played.status_code, played.json()["version"]) == (200, 2)
        assert http.get("/readyz").status_code == 200
        let_in(embedded, "false")
        for answer, written in (
            (http.get("/readyz"), False),
            (http.get("/v1/games"), False),
            (http.get("/v1/players/me", headers=mine), False),
            (http.post(path, json={"moves": ["draw"]}, headers=mine), False),
            (http.post("/v1/players", json={}, headers=key), None),  # an earlier request with the key may have written
            (http.post(path, json={"moves": ["draw"]}, headers=once), None),
            (http.post(path, json={"moves": ["draw"]}, headers=once | unknown), None),
        ):
            assert (answer.status_code, code(answer)) == (503, "unavailable")
            assert answer.json()["written"] is written
            assert int(answer.headers["retry-after"]) >= 1
        assert http.get("/healthz").status_code == 200
        assert http.get("/v1/variants").status_code == 200
        let_in(embedded, "true")
        until(lambda: http.get("/readyz").status_code == 200, "the database is there again")
        assert http.post("/v1/players", json={}, headers=key).status_code == 201
        again = http.post(path, json={"moves": ["draw"]}, headers=once)
        assert (again.json(), again.headers["idempotency-replayed"]) == (played.json(), "true")
