"""What all operations share: sending requests, following lists, decoding answers."""

import uuid
from collections.abc import Callable, Iterator, Mapping, Sized
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from pasyans_client.errors import BadAnswer, InvalidRequest
from pasyans_client.models import Answer, Page, Played
from pasyans_client.retry import Retry, Wait
from pasyans_client.transport import Request, Transport

LARGEST_PAGE = 200
"""How many items the service puts on a page at most."""


class Paged(Protocol):
    """A page of a list, whatever else it tells."""

    @property
    def items(self) -> Sized: ...

    @property
    def next(self) -> str | int | None: ...


class Texts(Protocol):
    """Some texts, in order. A text alone, which Python takes for a sequence of its letters, is none: type checkers see
    that it cannot be asked for anything but text.
    """

    def __contains__(self, value: object, /) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...

    def __len__(self) -> int: ...


T = TypeVar("T")
P = TypeVar("P", bound=Paged)


class Caller:
    """A connection to one service, for a player, an admin or nobody."""

    last_answer: Answer | None = None
    """The last answer of class 2xx, as it came: for its headers (`etag`, `ratelimit`, …) or its exact JSON."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        timeout: float = 10.0,
        retry: Retry | None = None,
        on_wait: Callable[[Wait], None] | None = None,
    ) -> None:
        """Take the address of a service, such as `https://host/pasyans`, and a token.

        `timeout` is in seconds, for connecting and for each read and write. `on_wait` is called before each wait that
        precedes a repeated request.

        Raises:
            ValueError: `base_url` is no HTTP address, or `token` holds what no token holds.
        """
        self.base_url = http_address(base_url)
        if token is not None and not (token.isascii() and token.isprintable() and token and " " not in token):
            raise ValueError("a token is printable ASCII without spaces")
        self._retry = retry or Retry()
        self._on_wait = on_wait
        self._transport = Transport(self.base_url, token, timeout=timeout, retry=self._retry, on_wait=on_wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self._transport.close()

    def _get(self, path: str, kind: type[T], query: Mapping[str, str] | None = None) -> T:
        return self._decode(self._send(Request(method="GET", path=path, query=query or {}, repeatable=True)), kind)

    def _text(self, path: str, query: Mapping[str, str], media_type: str) -> str:
        headers = {"Accept": media_type}
        answer = self._send(Request(method="GET", path=path, query=query, headers=headers, repeatable=True))
        try:
            return answer.body.decode()
        except UnicodeDecodeError as error:
            raise BadAnswer(f"{path}: the answer is not UTF-8 ({error})") from error

    def _pages(
        self,
        path: str,
        query: Mapping[str, str],
        kind: type[T],
        next_name: str = "cursor",
        most: int | None = None,
    ) -> Iterator[list[T]]:
        for page in self._whole_pages(path, query, Page, next_name, most):
            yield [self._decode_part(path, item, kind) for item in page.items]

    def _whole_pages(
        self,
        path: str,
        query: Mapping[str, str],
        kind: type[P],
        next_name: str = "cursor",
        most: int | None = None,
    ) -> Iterator[P]:
        """The pages of a list, at least one; with `most` they have that many items in all, if there are so many."""
        size = int(query.get("limit", LARGEST_PAGE))
        while True:
            if most is not None:
                query = {**query, "limit": str(min(size, most))}
            page = self._get(path, kind, query)
            yield page
            if most is not None:
                most -= len(page.items)
            if page.next is None or most == 0:
                return
            query = {**query, next_name: str(page.next)}

    def _game_post(self, game: str, action: str, body: object, if_version: int | None, key: str | None) -> Played:
        return self._post(f"/v1/games/{part(game, 'id')}/{action}", body, Played, key=key, if_version=if_version)

    def _post(
        self,
        path: str,
        body: object,
        kind: type[T],
        *,
        key: str | None,
        if_version: int | None = None,
        silence: float | None = None,
    ) -> T:
        headers = {"Idempotency-Key": str(uuid.uuid4()) if key is None else checked_key(key)}
        if if_version is not None:
            headers["If-Match"] = f'"{if_version}"'
        return self._decode(self._write("POST", path, body, headers, repeatable=True, silence=silence), kind)

    def _write(
        self,
        method: str,
        path: str,
        body: object,
        headers: Mapping[str, str],
        *,
        repeatable: bool,
        silence: float | None = None,
    ) -> Answer:
        encoded = None if body is None else msgspec.json.encode(body)
        return self._send(
            Request(method=method, path=path, headers=headers, body=encoded, repeatable=repeatable, silence=silence)
        )

    def _send(self, request: Request) -> Answer:
        self.last_answer = self._transport.send(request)
        return self.last_answer

    def _decode(self, answer: Answer, kind: type[T]) -> T:
        return self._decode_part("the answer", answer.body, kind)

    def _decode_part(self, where: str, data: bytes | msgspec.Raw, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.DecodeError as error:
            raise BadAnswer(f"{self.base_url}: {where} is not the {kind.__name__} expected: {error}") from error


def http_address(text: str) -> str:
    """An HTTP address without the slash at its end. Raises `ValueError` where it is none."""
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        good = False
    if not good or not text.isprintable() or " " in text:
        raise ValueError(f"{text!r} is not an address such as http://127.0.0.1:8000")
    return text.rstrip("/")


def checked_key(key: str) -> str:
    """An idempotency key. Raises `ValueError` where it is none, as with an empty one nothing is safe to repeat."""
    if not (key and key.isascii() and key.isprintable() and key == key.strip()):
        raise ValueError(f"{key!r} is no key: that is printable ASCII, with no blank at its ends")
    return key


def part(text: str, name: str) -> str:
    """A text as one part of a path; `name` is what the API calls it there.

    Raises:
        InvalidRequest: no path can have such a part, so that another address would be asked. The service is not asked.
    """
    if text in ("", ".", "..") or "/" in text:
        raise _no_part(text, name)
    return quote(text, safe="")


def _no_part(text: str, name: str) -> InvalidRequest:
    fault = {"path": f"path.{name}", "message": f"does not fit into an address: {text!r}"}
    told: dict[str, Any] = {"code": "invalid-request", "status": 400, "detail": " ".join(fault.values())}
    members = {"errors": [fault]}
    return InvalidRequest(**told, members=members, problem={**told, **members})


def queried(members: Mapping[str, object]) -> dict[str, str]:
    """Members of a query as they are written in an address; those that are `None` are left out.

    Raises:
        ValueError: a time does not say its zone.
    """
    return {name: _written(value) for name, value in members.items() if value is not None}


def _written(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case datetime():
            if value.tzinfo is None:
                raise ValueError(f"{value} does not say its zone")
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case _:
            return str(value)
