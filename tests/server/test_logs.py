"""The log: its form, and what never gets into it."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.api import Player, lines_of, new_player
from tests.support.service import Service
from tests.support.streams import Reader

_TOKEN = "pasyans_ro35YTX3Q9Lk43kItLuye-ej0Hdwlhrw7jzmOZvHRDA"

_SCRIPT = """
import logging, structlog, sys
from pasyans.server import logs
logs.configure("info", sys.argv[1])
log = structlog.get_logger("test")
log.debug("too little")
log.info("told", authorization="Bearer hidden", url="postgresql://u:hidden@h/d", number=7, path="/x", token="hidden")
log.warning("nested", headers={"Cookie": "hidden", "Accept": "x"}, urls=["postgresql://u:hidden@h/d", "http://h/x"])
log.error("said: Bearer hidden, and TOKEN, of héllo")
logging.getLogger("another.library").warning("at %s", "postgresql://u:hidden@h/d")
logging.getLogger("another.library").debug("too little")
try:
    raise ValueError("no postgresql://u:hidden@h/d with TOKEN")
except ValueError:
    log.exception("failed")
    logging.getLogger("another.library").exception("failed too")
"""


def logged(form: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT.replace("TOKEN", _TOKEN), form], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    return done.stderr


def test_each_event_is_one_line_of_json_on_stderr() -> None:
    events = [json.loads(line) for line in logged("json").splitlines()]
    assert [event["event"].split(":")[0] for event in events] == [
        "told", "nested", "said", "at postgresql", "failed", "failed too",
    ]  # fmt: skip
    first = events[0]
    assert first.pop("timestamp").endswith("Z")
    assert first == {
        "event": "told",
        "level": "info",
        "authorization": "***",
        "url": "postgresql://u:***@h/d",
        "number": 7,
        "path": "/x",
        "token": "***",
    }
    assert events[1]["headers"] == {"Cookie": "***", "Accept": "x"}
    assert events[1]["urls"] == ["postgresql://u:***@h/d", "http://h/x"]
    assert events[2]["event"] == "said: Bearer ***, and ***, of héllo"
    assert (events[3]["logger"], events[3]["level"]) == ("another.library", "warning")
    assert "ValueError" in events[4]["exception"]
    assert "ValueError" in events[5]["exception"]


@pytest.mark.parametrize("form", ["json", "console"])
def test_no_secret_is_in_it(form: str) -> None:
    text = logged(form)
    assert "failed too" in text
    assert "ValueError" in text
    assert "hidden" not in text
    assert _TOKEN not in text
    assert "too little" not in text


# ---- the line of a request

_FIELDS = {"timestamp", "level", "event", "method", "route", "status", "duration_ms", "request_id"}


@pytest.fixture
def player(service: Service) -> Iterator[Player]:
    made = new_player(service.url)
    with made.http:
        yield made


def line_of(service: Service, request_id: str) -> dict[str, Any]:
    """The one line about a request; what it has beside what each has is a problem's code, or that nobody was there."""
    (line,) = lines_of(service, f'"{request_id}"', 1)
    assert _FIELDS <= set(line) <= _FIELDS | {"code", "gone"}
    assert (line["event"], line["level"], line["request_id"]) == ("request", "info", request_id)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line["timestamp"])
    assert line["duration_ms"] > 0
    return line


@pytest.mark.parametrize(
    ("method", "path", "route", "status", "code"),
    [
        ("GET", "/v1/games/{game}", "/v1/games/{id}", 200, None),
        ("HEAD", "/v1/games/{game}?at=1", "/v1/games/{id}", 200, None),
        ("GET", "/v1/players/{name}", "/v1/players/{name}", 200, None),
        ("GET", "/v1/games?player={name}", "/v1/games", 200, None),
        ("GET", "/v1/games/{name}", "/v1/games/{id}", 400, "invalid-request"),
        ("GET", "/v1/players/{name}-", "/v1/players/{name}", 404, "not-found"),
        ("GET", "/v1/{name}", None, 404, "not-found"),
        ("GET", "/{token}", None, 404, "not-found"),
        ("GET", "/v1/games?seed={token}&{name}=1", "/v1/games", 400, "invalid-request"),
        ("GET", "/v1/games/{game}%0a%22,%22event", "/v1/games/{id}", 400, "invalid-request"),
        ("PUT", "/v1/games/{game}", None, 405, "method-not-allowed"),
        ("POST", "/v1/games/{game}/moves", "/v1/games/{id}/moves", 400, "invalid-request"),
        ("OPTIONS", "/v1/games/{game}", "/v1/games/{id}", 204, None),
        ("GET", "/healthz", "/healthz", 200, None),
    ],
)
def test_a_request_is_one_line(
    player: Player, service: Service, method: str, path: str, route: str | None, status: int, code: str | None
) -> None:
    game = player.start("court", "hello")["id"]
    request_id = uuid4().hex
    target = path.format(game=game, name=player.name, token=player.token)
    answer = player.http.request(method, target, headers={"X-Request-Id": request_id, "Idempotency-Key": "hidden"})
    assert answer.status_code == status
    line = line_of(service, request_id)
    assert (line["method"], line["status"], line.get("code")) == (method, status, code)
    assert line["route"] == route
    written = json.dumps(line)
    for secret in (game, player.name, player.token, "hidden", "at=1"):
        assert secret not in written


def test_a_client_that_goes_away_is_a_line_too(player: Player, service: Service) -> None:
    request_id = uuid4().hex
    url = httpx.URL(service.url)
    with socket.create_connection((url.host, url.port or 80), timeout=20) as end:
        end.sendall(
            f"POST /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player.token}\r\n"
            f"X-Request-Id: {request_id}\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{{".encode()
        )
    line = line_of(service, request_id)
    assert (line["method"], line["route"], line["status"], line["gone"]) == ("POST", "/v1/games", None, True)
    assert "code" not in line


@pytest.mark.parametrize("ends", ["by itself", "by its reader"])
def test_a_stream_is_a_line_when_it_is_over(player: Player, service: Service, ends: str) -> None:
    game = player.start("court", "hello")
    request_id = uuid4().hex
    own = {"X-Request-Id": request_id}
    with httpx.stream("GET", f"{service.url}/v1/games/{game['id']}/stream", headers=own, timeout=20) as answer:
        assert answer.headers["x-request-id"] == request_id
        reader = Reader(answer)
        reader.next()
        assert request_id not in service.log
        if ends == "by itself":
            player.act(game, "resign", {})
            assert [message.event for message in reader] == ["game", "end"]
    line = line_of(service, request_id)
    assert (line["route"], line["status"]) == ("/v1/games/{id}/stream", 200)
    assert "gone" not in line


def test_what_a_client_calls_its_request_is_not_believed_blindly(player: Player, service: Service) -> None:
    bad = 'x","status":200,"y":"'
    answer = player.http.get("/healthz", headers={"X-Request-Id": bad})
    line = line_of(service, answer.headers["x-request-id"])
    assert re.fullmatch(r"[0-9a-f]{32}", line["request_id"])
    assert bad not in service.log
