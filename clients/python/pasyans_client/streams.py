"""A stream of Server-Sent Events, followed over as many connections as it takes."""

import random
import re
import time
from collections.abc import Callable, Iterator

import msgspec

from pasyans_client.errors import ApiError, ConnectionFailed
from pasyans_client.models import Answer
from pasyans_client.retry import Retry, Wait
from pasyans_client.transport import Request, Transport, check_type

SILENCE = 45.0
"""Seconds without a sign of life, of which one comes every 15, after which a connection is given up."""

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")


class ServerEvent(msgspec.Struct, frozen=True):
    """One event as the server sent it."""

    event: str
    data: bytes


class Parser:
    """Makes events of what a connection brings, in pieces of any size (HTML, 9.2.6).

    `last_id` is the id that the last event had, `retry` the wait that the server asks for, in seconds.
    """

    def __init__(self, last_id: str | None = None, retry: float | None = None) -> None:
        self.last_id = last_id
        self.retry = retry
        self._rest = b""
        self._id: str | None = last_id
        self._event = ""
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> Iterator[ServerEvent]:
        """The events that are whole with this piece."""
        # A carriage return at the very end may be half of a line's end.
        *lines, self._rest = _LINE_END.split(self._rest + piece)
        for line in lines:
            if line:
                self._field(line)
                continue
            event, data = self._event or "message", self._data
            self._event, self._data = "", []
            self.last_id = self._id
            if data:
                yield ServerEvent(event, b"\n".join(data))

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"event":
                self._event = value.decode(errors="replace")
            case b"data":
                self._data.append(value)
            case b"id" if b"\0" not in value:
                self._id = value.decode(errors="replace")
            case b"retry" if value.isdigit():
                self.retry = int(value) / 1000
            case _:
                pass  # a comment, or a field of times to come


def follow(
    transport: Transport,
    request: Request,
    last_id: str | None,
    *,
    retry: Retry,
    on_wait: Callable[[Wait], None] | None,
) -> Iterator[Answer]:
    """Each message of a stream, as an answer whose body is its data, until the event `end`.

    A connection that breaks is made again, and the stream goes on after the last message. `retry` bounds the attempts
    that bring nothing; between them passes what the service asks for, and twice as much after each that fails.

    Raises:
        ConnectionFailed: no connection comes about any more.
        ApiError: the service refuses.
        BadAnswer: what answers is no stream.
    """
    hint: float | None = None
    attempt = 1
    while True:
        parser = Parser(last_id, hint)
        try:
            headers = {**request.headers, **({} if last_id is None else {"Last-Event-ID": last_id})}
            with transport.open(msgspec.structs.replace(request, headers=headers)) as opened:
                if opened.answer.status != 204:
                    check_type(request, opened.answer)
                for piece in opened.pieces:
                    for event in parser.feed(piece):
                        if event.event == "end":
                            return
                        last_id, attempt = parser.last_id, 1
                        yield msgspec.structs.replace(opened.answer, body=event.data)
            if opened.answer.status == 204:
                return
            raise ConnectionFailed("The stream ended before the game.", sent=True)
        except (ConnectionFailed, ApiError) as failure:
            hint = parser.retry
            seconds = retry.wait(failure, attempt, repeatable=True)
            if seconds is None:
                raise
            if hint is not None:
                spread = random.uniform(0.5, 1)  # noqa: S311 (spreading load, not a secret)
                seconds = min(max(seconds, hint * 2 ** (attempt - 1) * spread), retry.longest_wait)
            if on_wait is not None:
                on_wait(Wait(failure, seconds, attempt, retry.attempts))
        time.sleep(seconds)
        attempt += 1
