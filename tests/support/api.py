"""The API as its clients have it: over a real socket, and every answer held to what holds for all of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

import httpx
from pasyans.api.problems import PROBLEMS

from tests.support.service import Service
from tests.support.waiting import until

_COMMON = {"type", "title", "status", "detail", "code", "instance"}


def connect(url: str, token: str | None = None) -> httpx.Client:
    """A client that asserts of each answer what all answers promise."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    hooks = {"response": [_promises]}
    return httpx.Client(base_url=url, headers=headers, event_hooks=hooks, timeout=20)


def _promises(response: httpx.Response) -> None:
    response.read()
    assert response.headers["x-request-id"]
    if response.is_error:
        assert_problem(response)


def assert_problem(response: httpx.Response) -> None:
    """An error is a problem of the table, with the members that its code promises and no others."""
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["cache-control"] == "no-store"
    if response.request.method == "HEAD":
        return
    body = response.json()
    problem = PROBLEMS[body["code"]]
    assert (body["status"], body["title"]) == (response.status_code, problem.title)
    assert problem.status == response.status_code
    assert body["type"] == f"/problems/{problem.code}"
    assert body["instance"].isascii()
    assert unquote(body["instance"]) == response.request.url.path
    assert body["detail"].endswith(".")
    assert set(body) == _COMMON | set(problem.members_type.__struct_fields__)


@dataclass(frozen=True)
class Player:
    """A player of the service, and a client that has the token."""

    name: str
    token: str
    http: httpx.Client

    def start(self, variant: str = "congress", seed: str | None = None, **headers: str) -> dict[str, Any]:
        """Start a game: a sealed one, or on the shared deal of a seed."""
        deal = {"kind": "sealed"} if seed is None else {"kind": "shared", "seed": seed}
        response = self.http.post("/v1/games", json={"variant": variant, "deal": deal}, headers=headers)
        assert response.status_code == 201, response.text
        return dict(response.json())

    def act(self, game: dict[str, Any], action: str, body: object, **headers: str) -> httpx.Response:
        """Ask something of a game: moves, undo, redo or resign."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.post(f"/v1/games/{game['id']}/{action}", json=body, headers=named)

    def play(self, game: dict[str, Any], *moves: str, **headers: str) -> dict[str, Any]:
        """Play moves that must be legal."""
        response = self.act(game, "moves", {"moves": moves}, **headers)
        assert response.status_code == 200, response.text
        return dict(response.json())


def new_player(url: str) -> Player:
    """A player with a name that nobody has."""
    name = f"p{uuid4().hex[:20]}"
    with connect(url) as http:
        response = http.post("/v1/players", json={"name": name})
    assert response.status_code == 201, response.text
    token = response.json()["token"]
    return Player(name, token, connect(url, token))


def faults(response: httpx.Response) -> dict[str, str]:
    """The faults of an invalid request, by path."""
    assert response.status_code == 400, response.text
    listed = response.json()["errors"]
    found = {fault["path"]: fault["message"] for fault in listed}
    assert len(found) == len(listed)
    return found


def code(response: httpx.Response) -> str:
    """The code of a refusal."""
    assert response.is_error, response.text
    return str(response.json()["code"])


def lines_of(service: Service, request_id: str, count: int) -> list[dict[str, Any]]:
    """The lines of log that carry a request's id; there are to be so many, the last of them after the answer."""

    def found() -> list[str]:
        return [line for line in service.log.splitlines() if request_id in line]

    until(lambda: len(found()) >= count, f"{count} lines of log about {request_id}")
    return [json.loads(line) for line in found()]


def least_ms(service: Service, answers: Sequence[httpx.Response]) -> float:
    """The least time that the service took for one of some like answers: the machine holds up one, and not each."""
    return min(
        float(line["duration_ms"])
        for answer in answers
        for line in lines_of(service, answer.headers["x-request-id"], 1)
    )
