"""Reading a game's stream as a client does: what was sent, message by message."""

import json
import math
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx
from pasyans.deals.deal import chance, deal
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS

ENDLESS = "vokzal-36"
"""A variant in which the stock may be gone through again and again."""

PATIENCE = 20.0
"""Seconds after which a message that must come counts as lost."""


def endless(seed: str) -> Iterator[str]:
    """Legal moves of a game of `ENDLESS`, without end."""
    rules, shuffle, position = (
        rules_of(VARIANTS[ENDLESS]),
        chance(VARIANTS[ENDLESS], seed),
        deal(VARIANTS[ENDLESS], seed),
    )
    while True:
        move = "draw" if "draw" in rules.legal_moves(position) else "redeal"
        position = rules.play(position, move, shuffle)
        yield move


class Message(NamedTuple):
    """One message: its `id`, if it has one, its `event` and its data."""

    id: int | None
    event: str
    data: Any

    @property
    def seqs(self) -> list[int]:
        """The numbers of its events."""
        return [event["seq"] for event in self.data["events"]]

    @property
    def game(self) -> dict[str, Any]:
        """The game after them."""
        return dict(self.data["game"])


class Parser:
    """Makes messages of what a connection brings, in pieces of any size.

    `comments` counts the comments so far, `retry` is the hint of the service.
    """

    def __init__(self) -> None:
        self.comments = 0
        self.retry: int | None = None
        self._received = b""
        self._is_body = False
        self._body = b""

    def feed(self, received: bytes) -> Iterator[Message]:
        """The messages that are whole with this piece of an HTTP answer in chunks."""
        self._received += received
        if not self._is_body:
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 200 OK\r\n"), head
            assert b"transfer-encoding: chunked" in head.lower()
            self._is_body, self._received = True, rest
        while (chunk := self._chunk()) is not None:
            yield from self.text(chunk)

    def _chunk(self) -> bytes | None:
        size, end, rest = self._received.partition(b"\r\n")
        if not end or len(rest) < int(size, 16) + 2:
            return None
        self._received = rest[int(size, 16) + 2 :]
        return rest[: int(size, 16)]

    def text(self, text: bytes) -> Iterator[Message]:
        """The messages that are whole with this piece of the answer's body."""
        *blocks, self._body = (self._body + text).split(b"\n\n")
        for block in blocks:
            fields: dict[str, str] = {}
            for line in block.decode().split("\n"):
                name, _, value = line.partition(":")
                assert name in ("", "id", "event", "data", "retry"), line
                assert name not in fields, line
                fields[name] = value.removeprefix(" ")
            if "" in fields:
                self.comments += 1
            if "retry" in fields:
                self.retry = int(fields["retry"])
            if "data" in fields:
                yield _message(fields)

    @property
    def is_between(self) -> bool:
        """Whether the last message is whole."""
        return not self._body


class Reader:
    """Reads the messages of a stream as they come."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.parser = Parser()
        self._messages = self._read()
        self._give_up = math.inf

    def _read(self) -> Iterator[Message]:
        for text in self.response.iter_raw():
            yield from self.parser.text(text)
            # Comments keep the connection's own timeout from running out.
            assert time.monotonic() < self._give_up, f"no message within {PATIENCE} s"
        assert self.parser.is_between, "the stream ended within a message"

    def __iter__(self) -> Iterator[Message]:
        return self._messages

    def next(self) -> Message:
        """The next message; it comes within moments."""
        self._give_up = time.monotonic() + PATIENCE
        for message in self._messages:
            self._give_up = math.inf
            return message
        raise AssertionError("the stream ended")

    def upto(self, version: int) -> list[Message]:
        """The messages up to the one that is at a version."""
        found = [self.next()]
        while found[-1].id != version:
            found.append(self.next())
        return found


def _message(fields: dict[str, str]) -> Message:
    return Message(int(fields["id"]) if "id" in fields else None, fields["event"], json.loads(fields["data"]))


@contextmanager
def streaming(url: str, game: str, last: int | None = None, token: str | None = None) -> Iterator[Reader]:
    """A stream of a game, open for as long as the block runs."""
    headers = {"Accept": "text/event-stream"}
    if last is not None:
        headers["Last-Event-ID"] = str(last)
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    with httpx.stream("GET", f"{url}/v1/games/{game}/stream", headers=headers, timeout=PATIENCE) as response:
        assert response.status_code == 200, response.read()
        yield Reader(response)


def whole(url: str, game: str, last: int | None = None, token: str | None = None) -> list[Message]:
    """All messages of a stream that ends; the last of them says so."""
    with streaming(url, game, last, token) as reader:
        *messages, end = reader
    assert end == Message(None, "end", {})
    return messages


def opened(url: str, game: str, last: int | None = None) -> socket.socket:
    """A connection on which a stream was asked for; nothing of it is read."""
    parts = httpx.URL(url)
    head = f"GET /v1/games/{game}/stream HTTP/1.1\r\nHost: x\r\n"
    if last is not None:
        head += f"Last-Event-ID: {last}\r\n"
    end = socket.create_connection((parts.host, parts.port or 80), timeout=PATIENCE)
    end.sendall(f"{head}\r\n".encode())
    return end


def cut(end: socket.socket) -> None:
    """Break a connection as if the cable were cut."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    end.close()
