"""What goes in and out of one request at the edge: headers, the body that comes in, the answer that goes out."""

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

    ``base`` are the headers that there are unless the answer has them itself, ``added`` those that it gets anyhow.
    When the answer begins, ``patience`` ends; what is still to come of the body is taken in by then.
    """

    def __init__(
        self,
        send: Send,
        exchange: Exchange,
        body: Body | None,
        base: Mapping[bytes, bytes],
        patience: Patience,
    ) -> None:
        self._send = send
        self._exchange = exchange
        self._body = body
        self._base = base
        self._patience = patience
        self.added = {b"x-request-id": exchange.request_id.encode()}

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = _merged(self._base, message["headers"], self.added)
            if not self._exchange.is_late:
                if self._body is not None:
                    await self._body.drain()
                self._patience.end(self._exchange)
            self._exchange.status = message["status"]
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


def _merged(
    base: Mapping[bytes, bytes], headers: Iterable[tuple[bytes, bytes]], added: Mapping[bytes, bytes]
) -> list[tuple[bytes, bytes]]:
    """Return an answer's headers with those that were added; Vary is a list that grows, the others are set.

    All names are in small letters.
    """
    merged = {**base, **dict(headers)}
    vary = merged.get(b"vary")
    merged.update(added)
    if vary is not None and merged[b"vary"] != vary:
        merged[b"vary"] = vary + b", " + merged[b"vary"]
    return list(merged.items())


def headers_of(raw: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return headers by name; several of one name are one list (RFC 9110, 5.3)."""
    pairs = list(raw)
    found = dict(pairs)
    if len(found) < len(pairs):
        found = {}
        for name, value in pairs:
            found[name] = found[name] + b", " + value if name in found else value
    return found


def text_of(headers: dict[bytes, bytes], name: bytes) -> str | None:
    """Return one header as text."""
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")
