"""The edge of the API, around everything: what holds for every request and every answer, whatever becomes of them.

It gives the request its id, finds out who asks, counts the request, answers HEAD as GET, adds the headers that all
answers carry, sees that it does not take for ever, writes one line of log, and turns what nobody caught into a problem.
"""

import asyncio
import re
from collections.abc import Coroutine
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, Literal, cast

import msgspec
import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from pasyans.api.addresses import client_address
from pasyans.api.auth import NOBODY, Caller, Callers, wrong_from
from pasyans.api.cors import Cors
from pasyans.api.deps import Dependencies
from pasyans.api.door import ClientGone
from pasyans.api.errors import problem_of, send_problem
from pasyans.api.limits import Verdict
from pasyans.api.patience import Patience
from pasyans.api.problems import Overdue, RateLimited, Unavailable, fault
from pasyans.api.requests import Exchange
from pasyans.api.wire import GUARDS, Answer, Body, headers_of, raw, text_of

URL_AT_MOST: Final = 8_192
"""The most bytes of a path and its query together."""

_log = structlog.get_logger("pasyans.request")
_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._~-]{1,64}")
_UNCOUNTED: Final = frozenset({"/healthz", "/readyz"})
_READS: Final = frozenset({"GET", "HEAD"})


class Edge:
    """The ASGI application that stands around Litestar."""

    def __init__(self, app: ASGIApp, deps: Dependencies) -> None:
        self._app = app
        self._deps = deps
        self._cors = Cors(deps.cors_origins)
        self._base = GUARDS | raw(self._cors.always)
        self._patience = Patience(deps.request_s)
        self._callers = Callers(deps.store)
        self._is_stopping = False

    def hurry(self, seconds: float) -> None:
        """Answer within so many seconds whatever is still to be answered: the service is about to stop."""
        self._is_stopping = True
        self._patience.hurry(seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; see the module."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = headers_of(scope["headers"])
        method = scope["method"]
        exchange = self._begin(headers, method)
        state = scope.setdefault("state", {})
        state["exchange"], state["deps"] = exchange, self._deps
        has_body = b"content-length" in headers or b"transfer-encoding" in headers
        body = Body(receive) if has_body else None
        answer = Answer(send, exchange, body, self._base, self._patience)
        if not self._cors.always:
            answer.added |= raw(self._cors.answer(text_of(headers, b"origin")))
        self._patience.begin(exchange)
        try:
            try:
                await self._handle(scope, exchange, body or receive, answer, headers)
            except Exception as error:
                if isinstance(error, ClientGone) or exchange.status is not None:
                    raise
                await send_problem(problem_of(error, exchange), scope, answer)
        except ClientGone:
            if exchange.status is None:
                await self._bid_farewell(scope, send)
        except asyncio.CancelledError:
            if not exchange.is_late:
                raise
            await send_problem(problem_of(self._overdue(method, body), exchange), scope, answer)
        finally:
            exchange.confirm = None  # it leads back to the exchange, and would leave a cycle for the garbage collector
            self._patience.end(exchange)
            self._end(scope, exchange, method)

    async def _handle(
        self, scope: HTTPScope, exchange: Exchange, receive: Receive, answer: Answer, headers: dict[bytes, bytes]
    ) -> None:
        origin = text_of(headers, b"origin")
        if scope["method"] == "OPTIONS" and origin and b"access-control-request-method" in headers:
            await answer.empty(204, self._cors.preflight(origin))
            return
        if scope["path"] not in _UNCOUNTED:
            exchange.caller = await self._identify(scope, exchange, headers, answer)
            self._count(exchange.caller, answer)
        if len(scope["path"]) + len(scope["query_string"]) > URL_AT_MOST:
            raise fault("query" if scope["query_string"] else "path", f"makes the URL longer than {URL_AT_MOST} bytes")
        if scope["method"] == "HEAD":
            # The server leaves the body out.
            scope["method"] = "GET"
        await self._app(scope, receive, answer)
        if exchange.rest is not None:
            rest, exchange.rest = exchange.rest, None
            exchange.is_stream = True
            self._deps.measures.streams()
            _forget(scope, exchange)
            await rest(receive, answer)

    def _begin(self, headers: dict[bytes, bytes], method: str) -> Exchange:
        """Take note of a request that has come."""
        self._deps.measures.began()
        return Exchange(self._request_id(headers), perf_counter(), headers, is_head=method == "HEAD")

    def _end(self, scope: Scope, exchange: Exchange, method: str) -> None:
        """Take note of a request that is through: measure it, and write its line of log."""
        seconds = perf_counter() - exchange.started
        route = cast("dict[str, Any]", scope).get("path_template")
        self._deps.measures.ended(route, method, exchange.status, None if exchange.is_stream else seconds)
        _write_line(route, exchange, method, seconds)

    async def _identify(
        self, scope: HTTPScope, exchange: Exchange, headers: dict[bytes, bytes], answer: Answer
    ) -> Caller:
        """Return who asks, or seems to: then the exchange has a way to confirm it."""
        authorization = text_of(headers, b"authorization")
        if authorization is None:
            return Caller(limited_as=self._address(scope, headers))
        caller = self._callers.assumed(authorization, self._deps.clock())
        if caller is not None:
            exchange.confirm = lambda: self._look_up(authorization, self._address(scope, headers))
            return caller
        address = self._address(scope, headers)
        limiter = self._deps.limiter
        if limiter is not None and not self._callers.was_good(authorization):
            # Wrong tokens are looked up no more often than the limit allows; those once found good always are.
            verdict = limiter.look(wrong_from(address), self._deps.clock())
            if not verdict.allowed:
                _admit(verdict, answer)
        return await self._look_up(authorization, address)

    def _look_up(self, authorization: str, address: str) -> Coroutine[Any, Any, Caller]:
        return self._callers.look_up(authorization, address, self._deps.clock())

    def _address(self, scope: HTTPScope, headers: dict[bytes, bytes]) -> str:
        peer = scope.get("client")
        forwarded_for = text_of(headers, b"x-forwarded-for")
        return client_address(peer[0] if peer else None, forwarded_for, self._deps.trusted_proxies)

    def _count(self, caller: Caller, answer: Answer) -> None:
        """Count the request of a caller, and raise `RateLimited` where it is one too many."""
        if self._deps.limiter is not None:
            _admit(self._deps.limiter.take(caller.limited_as, self._deps.clock()), answer)

    def _request_id(self, headers: dict[bytes, bytes]) -> str:
        given = headers.get(b"x-request-id")
        return given.decode() if given and _REQUEST_ID.fullmatch(given) else self._deps.random_bytes(16).hex()

    async def _bid_farewell(self, scope: Scope, send: Send) -> None:
        """Answer where a body ended too soon: it may be the body that is broken, and not the connection."""
        exchange: Exchange = cast("dict[str, Any]", scope)["state"]["exchange"]
        untold = msgspec.structs.replace(exchange)
        with suppress(Exception):
            await send_problem(
                fault("body", "did not come as its headers say"),
                scope,
                Answer(send, untold, None, self._base, self._patience),
            )

    def _overdue(self, method: str, body: Body | None) -> Unavailable:
        """What a request is answered that took too long; what was begun by then goes on to its end all the same."""
        may_be_written = method not in _READS and (body is None or body.is_whole)
        written: Literal[False] | None = None if may_be_written else False
        return Unavailable(written=written) if self._is_stopping else Overdue(self._patience.seconds, written=written)


def _forget(scope: HTTPScope, exchange: Exchange) -> None:
    """Drop what is no longer needed of a request whose answer may take hours: thousands of them may be waiting."""
    whole = cast("dict[str, Any]", scope)
    kept = {name: whole[name] for name in ("path", "path_template")}
    whole.clear()
    whole.update(kept)
    exchange.headers.clear()
    exchange.caller = NOBODY


def _admit(verdict: Verdict, answer: Answer) -> None:
    answer.added |= verdict.headers
    if not verdict.allowed:
        raise RateLimited(
            f"Only {verdict.limit} requests a minute are allowed: wait {verdict.reset_s} s and go on.",
            headers={"Retry-After": str(verdict.reset_s)},
        )


def _write_line(route: str | None, exchange: Exchange, method: str, seconds: float) -> None:
    """Write the request's line of log: the route's template, never the path, a query or a token."""
    fields: dict[str, Any] = {
        "method": method,
        "route": route,
        "status": exchange.status,
        "duration_ms": round(seconds * 1000, 2),
        "request_id": exchange.request_id,
    }
    if exchange.code is not None:
        fields["code"] = exchange.code
    if exchange.status is None:
        fields["gone"] = True
    _log.info("request", **fields)
