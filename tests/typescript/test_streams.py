"""A stream is followed to its end over as many connections as it takes, and every event is met once."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans_client import Client

from tests.client.conftest import DROP, Stub, answer, problem
from tests.support.service import Service
from tests.typescript.conftest import Drive

Start = Callable[..., Stub]

END = "event: end\ndata: {}\n\n"
FOLLOWED = {"followed": "g"}


def stream(*parts: str) -> bytes:
    return ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + "".join(parts)).encode()


def game(version: int) -> str:
    return f'id: {version}\nevent: game\ndata: {{"game": {version}}}\n\n'


def messages(*versions: int) -> list[dict[str, Any]]:
    return [{"message": {"game": version}} for version in versions]


def test_each_connection_asks_for_what_follows_the_last_message(stub: Start, drive: Drive) -> None:
    server = stub(
        stream(game(3), game(4)),
        stream(),
        stream(game(5), "id: 6\nevent: game\ndata: half of it"),
        stream(game(6), END),
    )
    assert drive(server.url, {"follow": "g", "last": 2}) == [*messages(3, 4, 5, 6), FOLLOWED]
    assert [seen.headers["last-event-id"] for seen in server.seen] == ["2", "4", "4", "5"]
    assert {seen.target for seen in server.seen} == {"/v1/games/g/stream"}


def test_without_a_last_message_nothing_is_asked_for(stub: Start, drive: Drive) -> None:
    server = stub(stream(), stream(game(1), END))
    assert drive(server.url, {"follow": "g"}) == [*messages(1), FOLLOWED]
    assert ["last-event-id" in seen.headers for seen in server.seen] == [False, False]


def test_a_service_that_is_away_is_asked_again(stub: Start, drive: Drive) -> None:
    server = stub(DROP, problem(503, "unavailable"), stream(game(1)), DROP, stream(game(2), END))
    told = drive(server.url, {"follow": "g"})
    assert [each for each in told if "wait" not in each] == [*messages(1, 2), FOLLOWED]
    assert [seen.headers.get("last-event-id") for seen in server.seen] == [None, None, None, "1", "1"]


def test_nothing_follows(stub: Start, drive: Drive) -> None:
    server = stub(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    assert drive(server.url, {"follow": "g", "last": 7}) == [FOLLOWED]


def test_connections_that_bring_nothing_are_bounded_and_a_message_begins_anew(stub: Start, drive: Drive) -> None:
    empty = stream(": alive\n\n")
    server = stub(empty, empty, stream(game(1)), empty, empty, stream(game(2), END))
    *told, error = drive(server.url, {"follow": "g"})
    assert told == messages(1)
    assert error["error"] == "ConnectionFailed"
    assert len(server.seen) == 5


def test_the_wait_that_the_service_asks_for_is_kept_and_grows(stub: Start, drive: Drive) -> None:
    server = stub(stream("retry: 100\n", game(1)), stream(), stream(game(2), END))
    assert drive(server.url, {"follow": "g"}) == [*messages(1, 2), FOLLOWED]
    for (before, after), least in zip(pairwise(server.seen), (0.05, 0.1), strict=True):
        assert after.at - before.at >= least


def test_what_is_refused_or_no_stream_is_an_error(stub: Start, drive: Drive) -> None:
    [told] = drive(stub(problem(404, "not-found")).url, {"follow": "g"})
    assert told["problem"]["code"] == "not-found"
    [told] = drive(stub(answer(200, {}, content_type="application/json")).url, {"follow": "g"})
    assert told["error"] == "BadAnswer"


def test_a_stream_can_be_left(service: Service, drive: Drive) -> None:
    with Client(service.url) as anyone, Client(service.url, anyone.create_player().token) as client:
        running = client.start_game("court", seed="hello").id
    message, left = drive(service.url, {"follow": running, "at_most": 1})
    assert (message["message"]["events"], message["message"]["game"]["version"]) == ([], 1)
    assert left == {"followed": running}
    message, left = drive(service.url, {"follow": running, "leave_at": "message"})
    assert (message["message"]["game"]["id"], left["error"]) == (running, "AbortError")


# --- the format ---

TEXT = """retry: 2000
id: 1
event: game
data: {"a": 1}

:
: a comment

data:two
data: lines
future: field
nothing

event: game
id
data

event: lost
id: 9

id: 1\0
retry: soon
event: end
data: {}

data: no blank line follows
"""
EVENTS = [
    {"event": "game", "data": '{"a": 1}'},
    {"event": "message", "data": "two\nlines"},
    {"event": "game", "data": ""},
    {"event": "end", "data": "{}"},
]


def pieces(sizes: list[int], text: str) -> list[str]:
    found = []
    for size in sizes:
        found.append(text[:size])
        text = text[size:]
    return [*found, text]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_are_read_whatever_the_pieces_and_the_ends_of_lines(drive: Drive, end: str) -> None:
    text = TEXT.replace("\n", end)
    cuts: list[list[int]] = [[1] * len(text), [2] * len(text), []]
    cuts += [[cut] for cut in range(1, len(text))]

    @given(st.lists(st.integers(1, 40), max_size=30))
    def any_cut(sizes: list[int]) -> None:
        cuts.append(sizes)

    any_cut()
    told = drive("http://127.0.0.1:1", *({"parse": pieces(sizes, text)} for sizes in cuts))
    assert len(told) == len(cuts)
    for each, sizes in zip(told, cuts, strict=True):
        assert each == {"events": EVENTS, "last": "9", "retry": 2000}, json.dumps(sizes)
