"""Requests are repeated where that is safe, and only there."""

from collections.abc import Callable

import pytest
from pasyans.api.windows import WINDOW_MS
from pasyans_client import NEVER, ApiError, Client, ConnectionFailed, RateLimited, Retry, Unavailable, Wait

from tests.client.conftest import DROP, Stub, answer, problem

PLAYER = {"name": "anna", "guest": False, "created_at": "2026-11-29T10:00:00.000Z"}
NEW_PLAYER = {**PLAYER, "token": "secret"}
QUICK = Retry(attempts=3, first_wait=0.001)

Start = Callable[..., Stub]


def test_a_post_whose_answer_is_lost_is_sent_again_with_the_same_key(stub: Start) -> None:
    server = stub(DROP, answer(201, NEW_PLAYER))
    assert Client(server.url, retry=QUICK).create_player("anna").token == "secret"
    first, second = server.seen
    assert (first.method, first.target, first.body) == ("POST", "/v1/players", b'{"name":"anna"}')
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert (second.method, second.target, second.body) == (first.method, first.target, first.body)


def test_each_post_has_a_key_of_its_own(stub: Start) -> None:
    server = stub(answer(201, NEW_PLAYER), answer(201, NEW_PLAYER))
    client = Client(server.url)
    client.create_player()
    client.create_player()
    assert server.seen[0].headers["idempotency-key"] != server.seen[1].headers["idempotency-key"]


def test_a_key_of_the_callers_is_sent_as_it_is(stub: Start) -> None:
    server = stub(answer(201, NEW_PLAYER))
    Client(server.url).create_player(key="mine")
    assert server.seen[0].headers["idempotency-key"] == "mine"


@pytest.mark.parametrize("failure", [DROP, problem(503, "unavailable"), problem(429, "rate-limited")])
def test_attempts_are_bounded(stub: Start, failure: bytes) -> None:
    server = stub(failure, failure, failure, answer(200, PLAYER))
    with pytest.raises((ConnectionFailed, Unavailable, RateLimited)):
        Client(server.url, retry=QUICK).me()
    assert len(server.seen) == 3


def test_retry_after_is_waited_for(stub: Start) -> None:
    server = stub(problem(429, "rate-limited", retry_after=1), answer(200, PLAYER))
    waits: list[Wait] = []
    assert Client(server.url, retry=QUICK, on_wait=waits.append).me().name == "anna"
    assert server.seen[1].at - server.seen[0].at >= 1
    assert [(wait.seconds, wait.attempt, wait.attempts) for wait in waits] == [(1.0, 1, 3)]
    assert isinstance(waits[0].failure, RateLimited)


def test_a_longer_wait_than_allowed_is_raised_at_once_with_its_length(stub: Start) -> None:
    server = stub(problem(503, "unavailable", retry_after=61), answer(200, PLAYER))
    with pytest.raises(Unavailable) as raised:
        Client(server.url).me()
    assert raised.value.retry_after == 61
    assert len(server.seen) == 1


def test_the_longest_wait_that_the_service_asks_for_is_waited(stub: Start) -> None:
    class LeftError(Exception):
        pass

    def leave(wait: Wait) -> None:
        waits.append(wait.seconds)
        raise LeftError

    waits: list[float] = []
    with pytest.raises(LeftError):
        Client(stub(problem(429, "rate-limited", retry_after=WINDOW_MS // 1000)).url, on_wait=leave).me()
    assert waits == [60.0]


def test_without_retry_after_each_wait_may_be_twice_the_one_before() -> None:
    lost = ConnectionFailed("lost", sent=True)
    retry = Retry(attempts=6, first_wait=1, longest_wait=5)
    waits = [retry.wait(lost, attempt, repeatable=True) for attempt in range(1, 7)]
    for wait, ceiling in zip(waits, [1, 2, 4, 5, 5], strict=False):
        assert wait is not None
        assert ceiling / 2 <= wait <= ceiling
    assert waits[5] is None


@pytest.mark.parametrize(
    ("failure", "again"),
    [
        (DROP, False),
        (problem(503, "unavailable", written=None), False),
        (problem(503, "unavailable", written=False), True),
        (problem(429, "rate-limited"), True),
    ],
)
def test_a_request_without_a_key_is_repeated_only_where_nothing_was_written(
    stub: Start, failure: bytes, again: bool
) -> None:
    server = stub(failure, answer(204, b""))
    client = Client(server.url, "token", retry=QUICK)
    if again:
        client.revoke_token("id")
    else:
        with pytest.raises((ConnectionFailed, Unavailable)):
            client.revoke_token("id")
    assert len(server.seen) == 1 + again


def test_a_name_is_asked_for_again_and_an_erasure_is_not(stub: Start) -> None:
    server = stub(DROP, answer(200, PLAYER), DROP, answer(204, b""))
    client = Client(server.url, "token", retry=QUICK)
    assert client.take_name("anna").name == "anna"
    with pytest.raises(ConnectionFailed):
        client.erase()
    assert [seen.method for seen in server.seen] == ["PATCH", "PATCH", "DELETE"]


def test_an_export_that_breaks_off_says_so_and_is_not_asked_for_again(stub: Start) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    chunk = head + b"Connection: close\r\n\r\n2\r\n{}\r\n"
    server = stub(chunk, chunk + b"0\r\n\r\n")
    client = Client(server.url, "token", retry=QUICK)
    pieces: list[bytes] = []
    with pytest.raises(ConnectionFailed, match="broke before the answer was whole"):
        pieces.extend(client.export())
    assert len(server.seen) == 1
    assert list(client.export()) == [b"{}"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 422, 500])
def test_an_answer_that_would_be_the_same_again_is_not_asked_for_again(stub: Start, status: int) -> None:
    server = stub(problem(status, "some-code"), answer(200, PLAYER))
    with pytest.raises(Exception, match=r"So it is\."):
        Client(server.url, retry=QUICK).me()
    assert len(server.seen) == 1


def test_never_sends_once(stub: Start) -> None:
    server = stub(DROP, answer(200, PLAYER))
    with pytest.raises(ConnectionFailed) as raised:
        Client(server.url, retry=NEVER).me()
    assert raised.value.sent
    assert len(server.seen) == 1


def test_a_refused_connection_was_surely_not_sent(stub: Start) -> None:
    server = stub()
    server.close()
    with pytest.raises(ConnectionFailed, match="cannot be reached") as raised:
        Client(server.url, retry=QUICK).me()
    assert not raised.value.sent


BUSY = problem(429, "rate-limited")
UNKNOWN = problem(503, "unavailable", written=None)
UNWRITTEN = problem(503, "unavailable", written=False)


@pytest.mark.parametrize(
    ("before", "sent"), [([DROP], True), ([UNKNOWN], True), ([DROP, BUSY], True), ([UNWRITTEN], False), ([BUSY], False)]
)
def test_what_an_attempt_may_have_sent_is_not_taken_back_by_a_later_refusal(
    stub: Start, before: list[bytes], sent: bool
) -> None:
    server = stub(*before)  # connecting is refused from then on
    with pytest.raises(ConnectionFailed, match="cannot be reached") as raised:
        Client(server.url, retry=QUICK).create_player("anna")
    assert raised.value.sent is sent
    assert len(server.seen) == len(before)


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
    stub: Start, before: list[bytes], last: bytes, written: bool | None
) -> None:
    server = stub(*before, last)
    with pytest.raises(ApiError, match=r"So it is\.") as raised:
        Client(server.url, retry=QUICK).create_player("anna")
    assert isinstance(raised.value, RateLimited | Unavailable)
    assert raised.value.written is written
    assert raised.value.members.get("written", False) is written
    assert raised.value.problem.get("written", False) is written
    assert len(server.seen) == 3


def test_a_gateway_without_its_service_counts_as_away(stub: Start) -> None:
    server = stub(answer(502, b"<html>Bad gateway</html>"), answer(200, PLAYER))
    assert Client(server.url, retry=QUICK).me().name == "anna"
