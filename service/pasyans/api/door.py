"""The door of the API: what every operation asks of a request before its handler runs.

In this order: the caller's token, the form that the client accepts, the type and size of the body, and then all the
parameters and the body at once, with every fault listed. Litestar's own conversion would turn ``"5"`` into a number
and stop at the first fault, so the door reads the request by the handler's plan and calls the handler itself.
"""

from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.status_codes import HTTP_204_NO_CONTENT

from pasyans.api.members import Fault
from pasyans.api.negotiation import allow, choose
from pasyans.api.plan import Input, Plan, plan_of
from pasyans.api.problems import InvalidRequest, NotAcceptable, Problem, TooLarge, Unauthenticated, UnsupportedMediaType
from pasyans.api.requests import ApiRequest
from pasyans.api.validation import check, check_members, decode_json, from_text, shown

JSON = "application/json"
BODY_AT_MOST = 65_536


class ClientGone(Exception):
    """The client went away before its request was read; there is nobody to answer."""


async def enter(request: ApiRequest) -> Response[Any] | None:
    """Read the request and let the handler answer it; ``None`` leaves it to Litestar, for what is no operation."""
    if request.method == "OPTIONS":
        return _options(request)
    handler: HTTPRouteHandler = request.route_handler
    return await admit(request, handler) if "errors" in handler.opt else None


async def admit(request: ApiRequest, handler: HTTPRouteHandler) -> Response[Any]:
    """Read the request to an operation, and let its handler answer it."""
    if "assumes" not in handler.opt:
        await request.confirm()
    if request.caller.leaving is None or "erases" not in handler.opt:
        _authenticate(request, handler)
    try:
        _negotiate(request, handler)
        values = await read(plan_of(handler.fn), request)
    except Problem:
        await request.confirm()
        _authenticate(request, handler)
        raise
    answer: Response[Any] = await handler.fn(request=request, **values)
    return answer


def _options(request: ApiRequest) -> Response[Any]:
    """Say what the resource allows. Litestar's own answer knows only the first handler of a path."""
    path = request.scope["path_template"]
    methods = {method for route in request.app.routes if route.path_format == path for method in route.methods}
    return Response(None, status_code=HTTP_204_NO_CONTENT, headers={"Allow": allow(methods)})


def _authenticate(request: ApiRequest, handler: HTTPRouteHandler) -> None:
    """Ask for the token that the handler takes, as the OpenAPI document names it."""
    if request.caller.refusal is not None:
        raise Unauthenticated(request.caller.refusal)
    for needed in handler.resolve_security():
        _ = request.admin if "adminToken" in needed else request.player


def _negotiate(request: ApiRequest, handler: HTTPRouteHandler) -> None:
    if handler.status_code == HTTP_204_NO_CONTENT:
        return
    offers = handler.opt.get("forms", (JSON,))
    form = choose(request.header(b"accept"), offers)
    if form is None:
        raise NotAcceptable(f"Accept {' or '.join(offers)}: this comes in no other form.")
    request.scope["state"]["form"] = form


async def read(plan: Plan, request: ApiRequest) -> dict[str, Any]:
    """Return the arguments that the request gives to the handler of ``plan``.

    Raises:
        InvalidRequest: with every fault of the path, the query, the headers and the body.
        UnsupportedMediaType: there is a body that is not JSON.
        ClientGone: the connection broke before the body was there.
    """
    faults: list[Fault] = []
    found: dict[str, Any] = {}
    body = b""
    if plan.body is not None:
        body = await _body(request, request.route_handler.opt.get("body_at_most", BODY_AT_MOST))
    _read_texts(plan.path, request.scope["path_params"], found, faults)
    query = _query(request, faults)
    if query or plan.query:
        _read_texts(plan.query, query, found, faults)
        _refuse_unknown(plan.query, query, faults)
    _read_texts(plan.headers, _headers(plan, request, faults), found, faults)
    if plan.body is not None:
        _read_body(plan.body, body, found, faults)
    if faults:
        raise InvalidRequest(faults)
    for each in plan.inputs:
        if each.argument not in found:
            found[each.argument] = each.default
        elif each.converts:
            found[each.argument] = msgspec.convert(found[each.argument], each.annotation)
    return found


async def _body(request: ApiRequest, at_most: int) -> bytes:
    """Return the bytes of the body, whose type is JSON unless it is empty."""
    content_type = request.header(b"content-type")
    is_empty = request.header(b"content-length") == "0"
    if content_type is not None and not is_empty and not _is_json(content_type):
        raise UnsupportedMediaType(f"Send the body as {JSON}, in UTF-8.")
    if (request.header(b"content-encoding") or "identity").lower() != "identity":
        raise UnsupportedMediaType("Send the body without a Content-Encoding.")
    body = await _received(request, at_most)
    if body and content_type is None:
        raise UnsupportedMediaType(f"Send the body with `Content-Type: {JSON}`.")
    return body


async def _received(request: ApiRequest, at_most: int) -> bytes:
    announced = request.header(b"content-length") or ""
    size = int(announced) if announced.isdecimal() else 0
    pieces: list[bytes] = []
    while size <= at_most:
        message = await request.receive()
        if message["type"] != "http.request":
            raise ClientGone
        pieces.append(message["body"])
        if not message.get("more_body", False):
            break
        size = max(size, sum(map(len, pieces)))
    body = b"".join(pieces)
    if max(size, len(body)) > at_most:
        raise TooLarge("The body is larger than this operation takes: send less at once.")
    return body


@lru_cache
def _is_json(content_type: str) -> bool:
    media_type, *parameters = (part.strip().lower() for part in content_type.split(";"))
    charsets = [part.partition("=")[2].strip('"') for part in parameters if part.startswith("charset=")]
    return media_type == JSON and all(charset in {"utf-8", "utf8"} for charset in charsets)


def _read_body(wanted: Input, body: bytes, found: dict[str, Any], faults: list[Fault]) -> None:
    if not body:
        if wanted.required:
            faults.append(Fault(wanted.place, "is missing"))
        return
    before = len(faults)
    value = decode_json(body, faults)
    if len(faults) == before:
        check(wanted.kind, value, wanted.place, faults)
        check_members(body, value, wanted.place, faults)
        found[wanted.argument] = value


def _read_texts(wanted: dict[str, Input], given: dict[str, str], found: dict[str, Any], faults: list[Fault]) -> None:
    for key, each in wanted.items():
        if key in given:
            value = found[each.argument] = from_text(each.kind, given[key])
            check(each.kind, value, each.place, faults)
        elif each.required:
            faults.append(Fault(each.place, "is missing"))


def _refuse_unknown(wanted: dict[str, Input], given: dict[str, str], faults: list[Fault]) -> None:
    known = f": those are {', '.join(wanted)}" if wanted else ": there are none"
    faults.extend(
        Fault(f"query.{shown(name)}", f"is not a known parameter{known}") for name in given if name not in wanted
    )


def _query(request: ApiRequest, faults: list[Fault]) -> dict[str, str]:
    if not request.scope["query_string"]:
        return {}
    try:
        pairs = parse_qsl(
            request.scope["query_string"].decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=100,
        )
    except ValueError:
        faults.append(Fault("query", "is not UTF-8 with percent-encoding, or has more than 100 parameters"))
        return {}
    given = dict(pairs)
    faults.extend(
        Fault(f"query.{shown(name)}", "is given more than once")
        for name in given
        if sum(name == other for other, _ in pairs) > 1
    )
    return given


def _headers(plan: Plan, request: ApiRequest, faults: list[Fault]) -> dict[str, str]:
    """Return the headers that the plan knows."""
    given: dict[str, str] = {}
    headers = request.exchange.headers
    for name, each in plan.headers.items():
        line = headers.get(each.key)
        if line is None:
            continue
        if line.isascii():
            given[name] = line.decode("ascii")
        else:
            faults.append(Fault(each.place, "contains characters that are not ASCII"))
    return given
