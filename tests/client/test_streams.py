"""A stream is followed over connections that break, and nothing is lost or doubled on the way."""

import json
import threading
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans_client import (
    NEVER,
    BadAnswer,
    Client,
    ConnectionFailed,
    InvalidRequest,
    NotFound,
    Retry,
    Unavailable,
    Wait,
)
from pasyans_client.streams import Parser, ServerEvent, follow
from pasyans_client.transport import Request, Transport

from tests.cli.proxy import line_to
from tests.client.conftest import DROP, Stub, answer, problem
from tests.support.postgres import Postgres
from tests.support.service import Service, serving
from tests.support.streams import ENDLESS, endless
from tests.support.waiting import until

Start = Callable[..., Stub]
QUICK = Retry(attempts=3, first_wait=0.001)


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with Client(service.url) as anyone:
        token = anyone.create_player().token
    with Client(service.url, token) as someone:
        yield someone


# --- at the real service ---


def test_a_game_is_followed_to_its_end(client: Client) -> None:
    game = client.start_game("congress", seed="hello")
    messages = client.stream(game.id)
    first = next(messages)
    assert (first.events, first.game) == ((), game)
    played = client.move(game.id, ["draw", "draw"])
    second = next(messages)
    assert second.events == played.events
    assert second.game.piles == played.piles
    answered = client.last_answer
    assert answered is not None
    assert set(json.loads(answered.body)) == {"events", "game"}
    assert answered.headers["content-type"] == "text/event-stream"
    client.resign(game.id)
    (last,) = messages
    assert [event.type for event in last.events] == ["finished"]
    assert last.game.status == "lost"


def test_it_goes_on_after_a_version(client: Client) -> None:
    game = client.start_game("congress", seed="hello")
    client.move(game.id, ["draw"] * 5)
    over = client.resign(game.id)
    for last in range(over.version):
        told = [event.seq for message in client.stream(game.id, last) for event in message.events]
        assert told == list(range(last + 1, over.version + 1))
    assert list(client.stream(game.id, over.version)) == []
    with pytest.raises(InvalidRequest):
        next(client.stream(game.id, over.version + 1))
    with pytest.raises(NotFound):
        next(client.stream("01936f0e-0000-7000-8000-000000000000"))


def test_who_leaves_early_may_go_on_with_the_client(client: Client) -> None:
    game = client.start_game("congress", seed="hello")
    for _ in range(20):
        messages = client.stream(game.id)
        assert next(messages).game == game
        messages.close()
    assert client.game(game.id) == game


def test_nothing_is_lost_or_doubled_over_a_line_that_is_cut(client: Client, service: Service) -> None:
    game = client.start_game(ENDLESS, seed="hello")
    moves = list(islice(endless("hello"), 300))
    seqs: list[int] = []
    waits: list[Wait] = []
    with line_to(service.url) as line, Client(line.url, retry=Retry(first_wait=0.01), on_wait=waits.append) as watcher:

        def met(count: int) -> None:
            until(lambda: len(seqs) == count, f"{count} events")

        def play() -> None:
            try:
                for number, move in enumerate(moves):
                    client.move(game.id, [move])
                    if number % 60 == 30:
                        met(number + 1)  # the watcher is there, so that the cut meets it
                        line.cut()
                        line.mend()
            finally:
                client.resign(game.id)

        messages = watcher.stream(game.id)
        assert next(messages).game == game
        playing = threading.Thread(target=play)
        playing.start()
        for message in messages:
            seqs += [event.seq for event in message.events]
        playing.join()
    assert seqs == list(range(2, len(moves) + 3))
    assert [wait.attempt for wait in waits].count(1) == 5  # after each cut anew; it may be early for the line once more


def test_a_server_that_stops_and_one_in_its_place(client: Client, postgres: Postgres, tmp_path: Path) -> None:
    """What ends as it should, but without the game's end, is taken up again where it was."""
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    game = client.start_game("congress", seed="hello")
    with serving(tmp_path / "log", settings) as first:
        port = first.url.rpartition(":")[2]
        with Client(first.url) as watcher:
            messages = watcher.stream(game.id)
            assert next(messages).game == game
            assert first.stop() == 0
            client.move(game.id, ["draw"])
            with serving(tmp_path / "log", settings | {"PASYANS_PORT": port}):
                assert [event.seq for event in next(messages).events] == [2]
                messages.close()


# --- at a server that answers as it is told ---


def stream(*texts: str) -> bytes:
    """An answer that is a stream, and ends with its connection."""
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"
    return "".join([head, *texts]).encode()


def chunk(text: str) -> str:
    return f"{len(text):x}\r\n{text}\r\n"


def game(version: int, data: str = "{}") -> str:
    return f"id: {version}\nevent: game\ndata: {data}\n\n"


END = "event: end\ndata: {}\n\n"


def followed(
    server: Stub, last: str | None = None, retry: Retry = QUICK, on_wait: Callable[[Wait], None] | None = None
) -> Iterator[bytes]:
    """The data of what comes."""
    transport = Transport(server.url, None, timeout=5, retry=NEVER, on_wait=None)
    request = Request(method="GET", path="/s", headers={"Accept": "text/event-stream"}, repeatable=True)
    for message in follow(transport, request, last, retry=retry, on_wait=on_wait):
        yield message.body
    transport.close()


def test_each_connection_asks_for_what_follows_the_last_message(stub: Start) -> None:
    server = stub(
        stream(game(3, "a"), game(4, "b")),
        stream(),
        stream(game(5, "c"), "id: 6\nevent: game\ndata: half of it"),
        stream(game(6, "d"), END),
    )
    assert list(followed(server, "2")) == [b"a", b"b", b"c", b"d"]
    assert [seen.headers["last-event-id"] for seen in server.seen] == ["2", "4", "4", "5"]
    assert {seen.headers["accept"] for seen in server.seen} == {"text/event-stream"}


def test_without_a_last_message_nothing_is_asked_for(stub: Start) -> None:
    server = stub(DROP, stream(game(1, "a"), END))
    assert list(followed(server)) == [b"a"]
    assert ["last-event-id" in seen.headers for seen in server.seen] == [False, False]


def test_an_answer_in_chunks_that_breaks_off_is_no_end(stub: Start) -> None:
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    server = stub((head + chunk(game(1, "a")) + "ff\r\nid: 2").encode(), stream(game(2, "b"), END))
    assert list(followed(server)) == [b"a", b"b"]


def test_nothing_follows(stub: Start) -> None:
    server = stub(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    assert list(followed(server, "7")) == []


def test_attempts_that_bring_nothing_are_bounded_and_a_message_begins_anew(stub: Start) -> None:
    waits: list[Wait] = []
    server = stub(DROP, stream(": alive\n\n"), stream(game(1, "a")), DROP, problem(503, "unavailable"), stream())
    messages = followed(server, on_wait=waits.append)
    assert next(messages) == b"a"
    with pytest.raises(Unavailable):
        list(messages)
    assert [wait.attempt for wait in waits] == [1, 2, 1, 2]
    assert len(server.seen) == 5


def test_the_wait_that_the_service_asks_for_is_kept_and_grows(stub: Start) -> None:
    waits: list[Wait] = []
    server = stub(stream("retry: 40\n", game(1, "a")), DROP, DROP, stream(game(2, "b"), END))
    retry = Retry(attempts=5, first_wait=0.001)
    assert list(followed(server, retry=retry, on_wait=waits.append)) == [b"a", b"b"]
    for wait, least in zip(waits, (0.02, 0.04, 0.08), strict=True):
        assert least <= wait.seconds <= 2 * least
    for (before, after), wait in zip(pairwise(server.seen), waits, strict=True):
        assert after.at - before.at >= wait.seconds


def test_no_wait_is_longer_than_the_longest(stub: Start) -> None:
    waits: list[Wait] = []
    server = stub(stream("retry: 9000000\n", game(1, "a")), stream(END))
    list(followed(server, retry=Retry(first_wait=0.001, longest_wait=0.01), on_wait=waits.append))
    assert [wait.seconds for wait in waits] == [0.01]


def test_what_is_refused_is_raised(stub: Start) -> None:
    with pytest.raises(NotFound):
        list(followed(stub(problem(404, "not-found"))))
    server = stub(stream(game(1, "a")), problem(400, "invalid-request"))
    with pytest.raises(InvalidRequest):
        list(followed(server))
    with pytest.raises(ConnectionFailed):
        list(followed(stub(DROP), retry=NEVER))


@pytest.mark.parametrize("body", [{}, b"<html>"])
def test_what_is_no_stream_is_a_bad_answer(stub: Start, body: object) -> None:
    with pytest.raises(BadAnswer, match="and not with text/event-stream"):
        list(followed(stub(answer(200, body, content_type="application/json"))))


def test_a_message_that_is_no_game_is_a_bad_answer(stub: Start) -> None:
    with pytest.raises(BadAnswer, match="StreamMessage"):
        next(Client(stub(stream(game(1, "{}"))).url).stream("g"))


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
    ServerEvent("game", b'{"a": 1}'),
    ServerEvent("message", b"two\nlines"),
    ServerEvent("game", b""),
    ServerEvent("end", b"{}"),
]


@given(end=st.sampled_from(["\n", "\r\n", "\r"]), sizes=st.lists(st.integers(1, 40), max_size=30))
def test_events_are_read_whatever_the_pieces_and_the_ends_of_lines(end: str, sizes: list[int]) -> None:
    rest, parser = TEXT.replace("\n", end).encode(), Parser("0")
    found: list[ServerEvent] = []
    for size in sizes:
        found += parser.feed(rest[:size])
        rest = rest[size:]
    found += parser.feed(rest)
    assert found == EVENTS
    assert (parser.retry, parser.last_id) == (2.0, "9")
