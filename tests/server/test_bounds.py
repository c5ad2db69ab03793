"""How much a request may be, how long it may take, and how long a connection may say nothing."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from pasyans.api.door import BODY_AT_MOST
from pasyans.api.edge import URL_AT_MOST

from tests.store.servers import raw
from tests.support.api import code, connect, faults, lines_of, new_player
from tests.support.metrics import samples, value
from tests.support.postgres import Postgres
from tests.support.service import Service, serving
from tests.support.streams import streaming
from tests.support.waiting import until

PATIENCE = 20.0
HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture(scope="module")
def hasty(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that waits two seconds for anything."""
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_REQUEST_TIMEOUT": "2",
        "PASYANS_IDLE_TIMEOUT": "2",
    }
    with serving(tmp_path_factory.mktemp("hasty") / "log", settings) as process:
        yield process


@contextmanager
def connection(service: Service) -> Iterator[socket.socket]:
    url = httpx.URL(service.url)
    with socket.create_connection((url.host, url.port or 80), timeout=PATIENCE) as end:
        yield end


def rest(end: socket.socket) -> bytes:
    """What comes until the server closes the connection, which it does in time."""
    received = b""
    while part := end.recv(65_536):
        received += part
    return received


def refused(end: socket.socket, sent: bytes) -> bytes:
    """What comes back for a request that is refused, and the connection closed on it, before all of it has come."""
    received = b""
    with suppress(BrokenPipeError, ConnectionResetError):  # what was answered is there to be read
        end.sendall(sent)
    with suppress(ConnectionResetError):
        while part := end.recv(65_536):
            received += part
    return received


def dripped(end: socket.socket, drops: Iterator[bytes]) -> bytes:
    """What comes back while one drop is sent after the other, until the server has closed the connection."""
    give_up = time.monotonic() + PATIENCE
    end.settimeout(0.1)
    received = b""
    while time.monotonic() < give_up:
        try:
            end.sendall(next(drops))
            part = end.recv(65_536)
        except TimeoutError:
            continue
        except (BrokenPipeError, ConnectionResetError):
            return received
        if not part:
            return received
        received += part
    raise AssertionError("the connection was not closed")


def parsed(answer: bytes) -> tuple[int, dict[str, str], dict[str, object]]:
    """Status, headers and JSON of an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split()[1]), headers, json.loads(body)


# ---- connections


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"GET", b""),
        (HEAD, b""),
        (HEAD + b"\r\n", b"HTTP/1.1 200 OK\r\n"),
        (HEAD + b"\r\n" + HEAD, b"HTTP/1.1 200 OK\r\n"),
    ],
    ids=["silent", "in the first line", "in the headers", "idle after an answer", "in the next headers"],
)
def test_a_connection_on_which_no_request_comes_is_closed(hasty: Service, sent: bytes, answer: bytes) -> None:
    with connection(hasty) as end:
        end.sendall(sent)
        received = rest(end)
    assert received.startswith(answer)
    assert received.count(b"HTTP/1.1") == bool(answer)


def test_a_head_that_drips_is_given_up(hasty: Service) -> None:
    with connection(hasty) as end:
        end.sendall(HEAD)
        assert dripped(end, (b"X-%d: 1\r\n" % number for number in range(10_000))) == b""


def test_a_connection_that_goes_on_asking_is_kept(hasty: Service) -> None:
    started = time.monotonic()
    with connection(hasty) as end:
        while time.monotonic() < started + 4:
            end.sendall(HEAD + b"\r\n")
            assert end.recv(65_536).startswith(b"HTTP/1.1 200 OK\r\n")


# ---- requests


def post(length: str, request_id: str, path: str = "/v1/players") -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{length}\r\n"
        f"X-Request-Id: {request_id}\r\n\r\n"
    ).encode()


@pytest.mark.parametrize("path", ["/v1/players", "/v1/games", "/nothing"], ids=["read", "refused", "unknown"])
def test_a_body_that_does_not_come_is_answered(hasty: Service, path: str) -> None:
    request_id = uuid4().hex
    with connection(hasty) as end:
        end.sendall(post("Content-Length: 99", request_id, path) + b'{"name"')
        status, headers, problem = parsed(rest(end))
    assert (status, problem["code"], problem["written"]) == (503, "unavailable", False)
    assert problem["detail"] == (
        "The request took longer than 2 s, with the time that its body took to come, and wrote nothing: "
        "repeat it after Retry-After."
    )
    assert (headers["retry-after"], headers["x-request-id"]) == ("1", request_id)
    (line,) = lines_of(hasty, request_id, 1)
    assert (line["status"], line["code"]) == (503, "unavailable")


def test_a_body_that_drips_is_answered(hasty: Service) -> None:
    with connection(hasty) as end:
        end.sendall(post("Transfer-Encoding: chunked", "drip"))
        answer = dripped(end, (b"1\r\n \r\n" for _ in range(10_000)))
    # It may be lost: a client that sends on when the connection is closed is told so by the system, and reads no more.
    assert answer[:13] in (b"", b"HTTP/1.1 503 ")
    (line,) = lines_of(hasty, '"drip"', 1)
    assert line["status"] == 503


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_request_that_takes_too_long_is_answered_and_what_was_begun_is_written(
    hasty: Service, service: Service, postgres: Postgres
) -> None:
    player = await asyncio.to_thread(new_player, service.url)
    own = {"Authorization": f"Bearer {player.token}", "Idempotency-Key": "slow"}
    body = {"variant": "court", "deal": {"kind": "shared", "seed": "slow"}}
    with player.http, connect(hasty.url) as http:

        def start(through: httpx.Client) -> httpx.Response:
            return through.post("/v1/games", json=body, headers=own)

        async with raw(postgres.admin_url) as held, held.transaction():
            await held.execute("LOCK TABLE games IN ACCESS EXCLUSIVE MODE")
            read = await asyncio.to_thread(http.get, "/v1/games")
            written = await asyncio.to_thread(start, http)
        assert (read.status_code, code(read), read.json()["written"]) == (503, "unavailable", False)
        assert (written.status_code, code(written), written.json()["written"]) == (503, "unavailable", None)
        assert written.json()["detail"].endswith("may have been written: repeat it with the same Idempotency-Key.")
        # The first went on when it was no longer held up; who repeats it is given what came of it.
        again: list[httpx.Response] = []

        def is_done() -> bool:
            again.append(start(player.http))
            return again[-1].status_code == 201

        await asyncio.to_thread(until, is_done, "the game has started")
        mine = await asyncio.to_thread(player.http.get, f"/v1/games?player={player.name}")
    assert again[-1].headers["idempotency-replayed"] == "true"
    assert [game["id"] for game in mine.json()["items"]] == [again[-1].json()["id"]]


def test_a_stream_may_be_open_for_longer(hasty: Service) -> None:
    player = new_player(hasty.url)
    with player.http:
        game = player.start("court", "long")
        with streaming(hasty.url, game["id"]) as reader:
            reader.next()
            started = time.monotonic()
            until(lambda: time.monotonic() > started + 4, "twice the time has gone by")
            assert player.act(game, "resign", {}).status_code == 200
            message, end = reader
    assert (message.event, end.event) == ("game", "end")


def test_at_a_stop_whoever_waits_is_answered(postgres: Postgres, tmp_path: Path) -> None:
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    with serving(tmp_path / "log", settings) as own, connection(own) as end, ThreadPoolExecutor(1) as beside:
        end.sendall(post("Content-Length: 99", "stopped") + b"{")
        until(lambda: value(samples(own), "pasyans_http_requests_in_flight") == 1, "the request is there")
        stopped = beside.submit(own.stop)
        status, headers, problem = parsed(rest(end))
        assert stopped.result() == 0
    assert (status, problem["code"], problem["written"]) == (503, "unavailable", False)
    assert str(problem["detail"]).startswith("The service cannot answer right now and wrote nothing")
    assert headers["retry-after"] == "1"
    (line,) = lines_of(own, '"stopped"', 1)
    assert line["status"] == 503
    assert "Killing" not in own.log


# ---- sizes


@pytest.mark.parametrize("form", ["declared", "chunked"])
def test_a_body_is_as_large_as_it_may_be(service: Service, form: str) -> None:
    with connect(service.url) as http:

        def status(size: int) -> int:
            body = b'{"name": 1}'.ljust(size)
            content = body if form == "declared" else iter([body[:1000], body[1000:]])
            headers = {"Content-Type": "application/json"}
            return http.post("/v1/players", content=content, headers=headers).status_code

        assert [status(size) for size in (BODY_AT_MOST, BODY_AT_MOST + 1, 10 * BODY_AT_MOST)] == [400, 413, 413]


def test_a_url_is_as_long_as_it_may_be(service: Service) -> None:
    with connect(service.url) as http:
        path = "/" + "a" * (URL_AT_MOST - 1)
        assert http.get(path).status_code == 404
        message = f"makes the URL longer than {URL_AT_MOST} bytes"
        assert faults(http.get(path + "a")) == {"path": message}
        fitting, longer = (f"/v1/games?player={'a' * (URL_AT_MOST - 16 + more)}" for more in (0, 1))
        assert len(httpx.URL(fitting).query) + len("/v1/games") == URL_AT_MOST
        assert set(faults(http.get(fitting))) == {"query.player"}
        assert faults(http.get(longer)) == {"query": message}


@pytest.mark.parametrize(
    ("request_line", "headers", "status"),
    [
        (b"GET /healthz HTTP/1.1", b"X-A: " + b"a" * 60_000, 200),
        (b"GET /healthz HTTP/1.1", b"X-A: " + b"a" * 600_000, 431),
        (b"GET /healthz HTTP/1.1", b"\r\n".join(b"X-%d: a" % number for number in range(98)), 200),
        (b"GET /healthz HTTP/1.1", b"\r\n".join(b"X-%d: a" % number for number in range(99)), 431),
        (b"GET /" + b"a" * 66_000 + b" HTTP/1.1", b"X-A: a", 414),
    ],
    ids=["long", "too long", "many", "too many", "a URL"],
)
def test_a_head_is_as_large_as_it_may_be(service: Service, request_line: bytes, headers: bytes, status: int) -> None:
    with connection(service) as end:
        answer = refused(end, b"%b\r\nHost: x\r\nConnection: close\r\n%b\r\n\r\n" % (request_line, headers))
    assert answer.startswith(b"HTTP/1.1 %d " % status)


def test_a_body_that_is_not_what_its_headers_say_is_answered(service: Service) -> None:
    with connection(service) as end:
        end.sendall(post("Transfer-Encoding: chunked", "broken-chunk") + b"xyz\r\n{}\r\n")
        status, headers, problem = parsed(rest(end))
    assert (status, problem["code"], headers["content-type"]) == (400, "invalid-request", "application/problem+json")
    assert problem["errors"] == [{"path": "body", "message": "did not come as its headers say"}]
    (line,) = lines_of(service, '"broken-chunk"', 1)
    assert line["gone"] is True
