"""Requests carry what they should, are repeated where that is safe, and become data or an error."""

import re
import socket
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest
from pasyans.api.windows import WINDOW_MS

from tests.client.conftest import DROP, Stub, answer, problem
from tests.support.service import Service
from tests.typescript.conftest import Drive

Start = Callable[..., Stub]

PLAYER = {"name": "anna", "guest": False, "created_at": "2026-11-29T10:00:00.000Z"}
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def call(method: str, path: str, **init: Any) -> dict[str, Any]:
    return {"call": method, "path": path, "init": init}


ME = call("GET", "/v1/players/me")
MAKE = call("POST", "/v1/players", body={"name": "anna"})
REVOKE = call("DELETE", "/v1/tokens/{id}", params={"path": {"id": "x"}})


def test_requests_carry_what_they_should(stub: Start, drive: Drive) -> None:
    server = stub(answer(200, PLAYER), answer(201, PLAYER), answer(200, PLAYER))
    header = {"Idempotency-Key": "mine", "If-Match": '"17"'}
    move = call(
        "POST", "/v1/games/{id}/moves", params={"path": {"id": "a/b"}, "header": header}, body={"moves": ["draw"]}
    )
    assert drive(f"{server.url}/under/", ME, MAKE, move, token="secret") == [{"data": PLAYER}] * 3
    me, made, moved = server.seen
    assert (me.method, me.target, me.body) == ("GET", "/under/v1/players/me", b"")
    assert "idempotency-key" not in me.headers
    assert (made.method, made.target, made.body) == ("POST", "/under/v1/players", b'{"name":"anna"}')
    assert _UUID.fullmatch(made.headers["idempotency-key"])
    assert (moved.target, moved.body) == ("/under/v1/games/a%2Fb/moves", b'{"moves":["draw"]}')
    assert (moved.headers["idempotency-key"], moved.headers["if-match"]) == ("mine", '"17"')
    assert {seen.headers["authorization"] for seen in server.seen} == {"Bearer secret"}
    assert {seen.headers["content-type"] for seen in (made, moved)} == {"application/json"}


def test_a_post_whose_answer_is_lost_is_sent_again_with_the_same_key(stub: Start, drive: Drive) -> None:
    cut = answer(201, PLAYER)[:-5]
    server = stub(DROP, cut, answer(201, PLAYER))
    *waits, made = drive(server.url, MAKE)
    assert made == {"data": PLAYER}
    assert [(wait["attempt"], wait["after"]) for wait in waits] == [(1, "ConnectionFailed"), (2, "ConnectionFailed")]
    assert len(server.seen) == 3
    assert len({seen.headers["idempotency-key"] for seen in server.seen}) == 1
    assert {seen.body for seen in server.seen} == {b'{"name":"anna"}'}


def test_keys_are_random_uuids(drive: Drive) -> None:
    [told] = drive("http://127.0.0.1:1", {"keys": 100})
    keys = told["keys"]
    assert len(set(keys)) == 100
    assert [key for key in keys if not _UUID.fullmatch(key)] == []


@pytest.mark.parametrize(
    ("failure", "error"),
    [(DROP, "ConnectionFailed"), (problem(503, "unavailable"), "ApiError"), (answer(502, b"<html>"), "ApiError")],
)
def test_attempts_are_bounded(stub: Start, drive: Drive, failure: bytes, error: str) -> None:
    server = stub(failure, failure, failure, answer(200, PLAYER))
    *waits, told = drive(server.url, ME)
    assert (len(waits), told["error"], len(server.seen)) == (2, error, 3)


def test_retry_after_is_waited_for(stub: Start, drive: Drive) -> None:
    soon = formatdate(usegmt=True)  # a date that has come by the time it is read
    limited, away = problem(429, "rate-limited", retry_after=1), problem(503, "unavailable", retry_after=soon)
    server = stub(limited, away, answer(200, PLAYER))
    assert drive(server.url, ME) == [
        {"wait": 1000, "attempt": 1, "after": 429},
        {"wait": 0, "attempt": 2, "after": 503},
        {"data": PLAYER},
    ]
    assert server.seen[1].at - server.seen[0].at >= 1


def test_a_longer_wait_than_allowed_is_told_at_once_with_its_length(stub: Start, drive: Drive) -> None:
    server = stub(problem(429, "rate-limited", retry_after=61), answer(200, PLAYER))
    [told] = drive(server.url, ME)
    assert (told["problem"]["code"], told["retry_after"], len(server.seen)) == ("rate-limited", 61_000, 1)


def test_the_longest_wait_that_the_service_asks_for_is_waited(stub: Start, drive: Drive) -> None:
    server = stub(problem(429, "rate-limited", retry_after=WINDOW_MS // 1000))
    wait, told = drive(server.url, {**ME, "leave_at": "wait"})
    assert (wait["wait"], told["error"]) == (60_000, "AbortError")


def test_without_retry_after_each_wait_may_be_twice_the_one_before(stub: Start, drive: Drive) -> None:
    server = stub(*[DROP] * 5, answer(200, PLAYER))
    *waits, _ = drive(server.url, ME, retry={"attempts": 6, "firstWait": 4, "longestWait": 20})
    for wait, ceiling in zip(waits, [4, 8, 16, 20, 20], strict=True):
        assert ceiling / 2 <= wait["wait"] <= ceiling


@pytest.mark.parametrize(
    ("failure", "again"),
    [
        (DROP, False),
        (problem(503, "unavailable", written=None), False),
        (problem(503, "unavailable", written=False), True),
        (problem(429, "rate-limited"), True),
    ],
)
def test_what_has_no_key_is_repeated_only_where_nothing_was_written(
    stub: Start, drive: Drive, failure: bytes, again: bool
) -> None:
    server = stub(failure, b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    *waits, told = drive(server.url, REVOKE)
    assert (told == {"data": None}, len(waits), len(server.seen)) == (again, again, 1 + again)


BUSY = problem(429, "rate-limited", "Later.")
UNKNOWN = problem(503, "unavailable", "Later.", written=None)
UNWRITTEN = problem(503, "unavailable", "Later.", written=False)


@pytest.mark.parametrize("last", [UNWRITTEN, BUSY])
@pytest.mark.parametrize(
    ("before", "written"),
    [
        ([DROP, UNKNOWN], None),
        ([DROP, UNWRITTEN], None),
        ([UNKNOWN, BUSY], None),
        ([answer(502, b"<html>Bad gateway</html>"), BUSY], None),
        ([UNWRITTEN, BUSY], False),
    ],
)
def test_what_an_attempt_may_have_written_is_not_taken_back_by_a_later_answer(
    stub: Start, drive: Drive, before: list[bytes], last: bytes, written: bool | None
) -> None:
    server = stub(*before, last)
    *_, told = drive(server.url, MAKE)
    assert (told["error"], told["text"], len(server.seen)) == ("ApiError", "Later.", 3)
    assert told["problem"].get("written", False) is written


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 422, 500])
def test_a_refusal_is_told_with_all_that_it_says(stub: Start, drive: Drive, status: int) -> None:
    server = stub(problem(status, "a-code-to-come", "Do this.", extra=[1]), answer(200, PLAYER))
    [told] = drive(server.url, ME)
    assert (told["error"], told["text"], len(server.seen)) == ("ApiError", "Do this.", 1)
    assert (told["problem"]["code"], told["problem"]["extra"]) == ("a-code-to-come", [1])


@pytest.mark.parametrize("status", [200, 404])
def test_what_is_none_of_this_api_is_a_bad_answer(stub: Start, drive: Drive, status: int) -> None:
    [told] = drive(stub(answer(status, b"<html>Welcome</html>")).url, ME)
    assert told["error"] == "BadAnswer"
    assert "is this a Pasyans service?" in told["text"]


def test_an_answer_that_takes_too_long_is_given_up(drive: Drive) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        [told] = drive(f"http://127.0.0.1:{silent.getsockname()[1]}", ME, retry={"attempts": 1, "timeout": 50})
    assert told["error"] == "ConnectionFailed"
    assert "no answer within 50 ms" in told["text"]


def test_a_call_can_be_left_while_it_waits(stub: Start, drive: Drive) -> None:
    server = stub(problem(429, "rate-limited", retry_after=20))
    wait, told = drive(server.url, {**ME, "leave_at": "wait"})
    assert (wait["wait"], told["error"], len(server.seen)) == (20_000, "AbortError", 1)


def test_the_service_answers_as_the_types_say(service: Service, drive: Drive) -> None:
    taken, wrong = drive(
        service.url,
        call("POST", "/v1/players", body={"name": "me"}),
        call("GET", "/v1/players/me"),
    )
    assert (taken["problem"]["code"], len(taken["problem"]["errors"])) == ("invalid-request", 1)
    assert wrong["problem"]["code"] == "unauthenticated"
