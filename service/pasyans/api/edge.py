"""The edge of the API, around everything: what holds for every request and every answer, whatever becomes of them.

It gives the request its id, finds out who asks, counts the request, answers HEAD as GET without the body, adds the
headers that all answers carry, writes one line of log, and turns what nobody caught into a problem.
"""

import asyncio
import re
from collections.abc import Iterable
from typing import Any, cast

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from pasyans.api.addresses import client_address
from pasyans.api.auth import Caller, caller_of, wrong_from
from pasyans.api.cors import Cors
from pasyans.api.deps import Dependencies
from pasyans.api.door import ClientGone
from pasyans.api.errors import problem_of, send_problem
from pasyans.api.limits import Limiter, Verdict, WindowLimiter
from pasyans.api.problems import RateLimited
from pasyans.api.requests import Exchange

_log = structlog.get_logger("pasyans.request")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._~-]{1,64}")
_UNCOUNTED = frozenset({"/healthz", "/readyz"})


class Edge:
    """The ASGI application that stands around Litestar."""

    def __init__(self, app: ASGIApp, deps: Dependencies) -> None:
        self._app = app
        self._deps = deps
        self._cors = Cors(deps.cors_origins)
        self._limiter: Limiter | None = None if deps.rate_limit is None else WindowLimiter(deps.rate_limit)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; see the module."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = _lists(scope["headers"])
        exchange = Exchange(self._request_id(headers), asyncio.get_running_loop().time())
        scope.setdefault("state", {})["exchange"] = exchange
        added = {"X-Request-Id": exchange.request_id} | self._cors.answer(_text(headers, b"origin"))
        answer = _Answer(send, exchange, added, is_head=scope["method"] == "HEAD")
        try:
            await self._handle(scope, receive, answer, headers)
        except ClientGone:
            pass
        except Exception as error:
            if exchange.status is not None:
                raise
            await send_problem(problem_of(error, exchange), scope, answer)
        finally:
            _write_line(scope, exchange, answer.method)

    async def _handle(self, scope: HTTPScope, receive: Receive, answer: "_Answer", headers: dict[bytes, bytes]) -> None:
        answer.method = scope["method"]
        origin = _text(headers, b"origin")
        if scope["method"] == "OPTIONS" and origin and b"access-control-request-method" in headers:
            await answer.empty(204, self._cors.preflight(origin))
            return
        if scope["path"] in _UNCOUNTED:
            scope["state"]["caller"] = Caller(limited_as="")
        else:
            caller = await self._identify(scope, headers, answer)
            scope["state"]["caller"] = caller
            if self._limiter is not None:
                self._admit(await self._limiter.take(caller.limited_as, self._deps.clock()), answer)
        if scope["method"] == "HEAD":
            scope["method"] = "GET"
        await self._app(scope, receive, answer)

    async def _identify(self, scope: HTTPScope, headers: dict[bytes, bytes], answer: "_Answer") -> Caller:
        peer = scope.get("client")
        address = client_address(
            peer[0] if peer else None, _text(headers, b"x-forwarded-for"), self._deps.trusted_proxies
        )
        authorization = _text(headers, b"authorization")
        if authorization is None:
            return Caller(limited_as=address)
        if self._limiter is not None:
            # Wrong tokens are looked up no more often than the limit allows.
            verdict = await self._limiter.look(wrong_from(address), self._deps.clock())
            if not verdict.allowed:
                self._admit(verdict, answer)
        return await caller_of(self._deps.store, authorization, address, self._deps.clock())

    @staticmethod
    def _admit(verdict: Verdict, answer: "_Answer") -> None:
        answer.added |= verdict.headers()
        if not verdict.allowed:
            raise RateLimited(
                f"Only {verdict.limit} requests a minute are allowed: wait {verdict.reset_s} s and go on.",
                headers={"Retry-After": str(verdict.reset_s)},
            )

    def _request_id(self, headers: dict[bytes, bytes]) -> str:
        given = headers.get(b"x-request-id", b"")
        return given.decode() if _REQUEST_ID.fullmatch(given) else self._deps.random_bytes(16).hex()


class _Answer:
    """The ``send`` of one request: adds headers, drops the body of an answer to HEAD, and notes the status."""

    def __init__(self, send: Send, exchange: Exchange, added: dict[str, str], *, is_head: bool) -> None:
        self._send = send
        self._exchange = exchange
        self._is_head = is_head
        self.added = added
        self.method = ""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._exchange.status = message["status"]
            message["headers"] = _merged(message["headers"], self.added)
        elif message["type"] == "http.response.body" and self._is_head:
            if message.get("more_body"):
                return
            message["body"] = b""
        await self._send(message)

    async def empty(self, status: int, headers: dict[str, str]) -> None:
        """Send an answer without a body."""
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await self({"type": "http.response.start", "status": status, "headers": raw})
        await self({"type": "http.response.body", "body": b"", "more_body": False})


def _merged(headers: Iterable[tuple[bytes, bytes]], added: dict[str, str]) -> list[tuple[bytes, bytes]]:
    """Return an answer's headers with those that were added; Vary is a list that grows, the others are set."""
    merged = dict(headers)
    for name, value in added.items():
        key = name.lower().encode()
        merged[key] = merged[key] + b", " + value.encode() if key == b"vary" and key in merged else value.encode()
    return list(merged.items())


def _lists(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return headers by name; several of one name are one list (RFC 9110, 5.3)."""
    lists: dict[bytes, bytes] = {}
    for name, value in headers:
        lists[name] = lists[name] + b", " + value if name in lists else value
    return lists


def _text(headers: dict[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


def _write_line(scope: Scope, exchange: Exchange, method: str) -> None:
    """Write the request's line of log: the route's template, never the path, a query or a token."""
    template: str | None = cast("dict[str, Any]", scope).get("path_template")
    fields: dict[str, Any] = {
        "method": method,
        "route": template,
        "status": exchange.status,
        "duration_ms": round((asyncio.get_running_loop().time() - exchange.started) * 1000, 2),
        "request_id": exchange.request_id,
    }
    if exchange.code is not None:
        fields["code"] = exchange.code
    if exchange.status is None:
        fields["gone"] = True
    _log.info("request", **fields)
