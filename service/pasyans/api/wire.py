"""What goes in and out of one request at the edge: headers, the body that comes in, the answer that goes out."""

from asyncio import Timeout
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from litestar.types import HTTPReceiveMessage, Message, Receive, Send

from pasyans.api.pages import CSP
from pasyans.api.patience import Patience
from pasyans.api.requests import Exchange

_DRAINED_AT_MOST: Final = 16 * 1024 * 1024

GUARDS: Final = {
    b"content-security-policy": CSP.encode(),
    b"cross-origin-resource-policy": b"cross-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
}
"""What keeps browsers from doing more with any answer than it is for, unless it says otherwise itself.

Pages of any origin may use the answers, as CORS says of those that scripts read: so may an `<img>`.
"""


class Body:
    """The ``receive`` of one request, which knows whether there is more to come."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._size = 0
        self.is_whole = False

    async def __call__(self) -> HTTPReceiveMessage:
        message: HTTPReceiveMessage = await self._receive()  # type: ignore[assignment]
        if message["type"] == "http.request":
            self._size += len(message["body"])
            self.is_whole = not message.get("more_body", False)
        else:
            self.is_whole = True
        return message

    async def drain(self) -> None:
        """Take in what nobody has read.

        A client that is still sending when the connection is closed on it never sees why.
        """
        while not self.is_whole and self._size < _DRAINED_AT_MOST:
            await self()


class Answer:
    """The ``send`` of one request: adds headers, and notes the status.

    ``patience`` with the request ends when the answer begins; what is still to come of the body is taken in until then.
    """

    def __init__(
        self,
        send: Send,
        exchange: Exchange,
        body: Body | None,
        added: dict[bytes, bytes],
        patience: Patience | None = None,
    ) -> None:
        self._send = send
        self._exchange = exchange
        self._body = body
        self._patience = patience
        self._timeout: Timeout | None = None
        self.added = added

    def begin(self, timeout: Timeout) -> None:
        """Let the time run until which the answer must have begun."""
        if self._patience is not None:
            self._timeout = timeout
            self._patience.begin(timeout)

    def end(self) -> None:
        """Let it run no longer."""
        timeout, self._timeout = self._timeout, None
        if timeout is not None and self._patience is not None:
            self._patience.end(timeout)

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = _merged(message["headers"], self.added)
            if self._timeout is not None:
                if self._body is not None:
                    await self._body.drain()
                self.end()
            self._exchange.status = message["status"]
            message["headers"] = headers
        await self._send(message)

    async def empty(self, status: int, headers: dict[str, str]) -> None:
        """Send an answer without a body."""
        await self({"type": "http.response.start", "status": status, "headers": raw(headers).items()})
        await self({"type": "http.response.body", "body": b"", "more_body": False})


def raw(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    """Return headers as ASGI has them, by name."""
    return {_small(name): value.encode("latin-1") for name, value in headers.items()}


@lru_cache
def _small(name: str) -> bytes:
    return name.lower().encode("latin-1")


def _merged(headers: Iterable[tuple[bytes, bytes]], added: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """Return an answer's headers, whose names are in small letters, with those that were added.

    Vary is a list that grows, the others are set.
    """
    merged = GUARDS | dict(headers)
    vary = merged.get(b"vary")
    merged |= added
    if vary is not None and merged[b"vary"] != vary:
        merged[b"vary"] = vary + b", " + merged[b"vary"]
    return list(merged.items())


def headers_of(raw: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return headers by name; several of one name are one list (RFC 9110, 5.3)."""
    lists: dict[bytes, bytes] = {}
    for name, value in raw:
        lists[name] = lists[name] + b", " + value if name in lists else value
    return lists


def text_of(headers: dict[bytes, bytes], name: bytes) -> str | None:
    """Return one header as text."""
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")
