"""From the edge straight to the operations of the API, past what Litestar does around a request, which none needs.

An operation is a handler with a plan: the door reads its requests and calls it. All that is left to do is to find it by
method and path, and to send what it returns. The rest goes through Litestar: pages, methods that a path does not have,
paths that lead nowhere or are not written as they should be. So do streams, when they are sent.
"""

import re
from typing import Any, Final, cast

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import HTTPScope, Receive, Scope, Send

from pasyans.api.answers import Reply
from pasyans.api.door import JSON, admit
from pasyans.api.requests import ApiRequest, Exchange
from pasyans.api.wire import raw

_HOST: Final = re.compile(rb"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?")
_JSON: Final = JSON.encode()
_ANY: Final = ""  # stands for a parameter among the parts of a path, which are never empty


class Operation(msgspec.Struct, frozen=True):
    """A handler, the template of its path, and where in a path which parameter stands."""

    handler: HTTPRouteHandler
    template: str
    parameters: dict[int, str]


class Dispatch:
    """The ASGI application that the edge hands requests to; ``app`` is that of Litestar."""

    def __init__(self, app: Litestar) -> None:
        self._app = app
        # By the parts of a path, one in the other; what a path leads to stands at None, by method.
        self._paths: dict[Any, Any] = {}
        for route in app.routes:
            if isinstance(route, HTTPRoute):
                for handler in route.route_handlers:
                    self._add(route.path_format, handler)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; what is raised is for the edge to answer."""
        operation = self._find(scope, scope["state"]["exchange"]) if scope["type"] == ScopeType.HTTP else None
        if operation is None:
            await self._app(scope, receive, send)
            return
        handler = operation.handler
        parts = scope["path"].split("/")
        whole = cast("dict[str, Any]", scope)
        whole["path_params"] = {name: parts[at] for at, name in operation.parameters.items()}
        whole["path_template"] = operation.template
        whole["route_handler"] = handler
        whole["app"] = whole["litestar_app"] = self._app
        request = ApiRequest(scope, receive, send)
        response = await admit(request, handler)
        if isinstance(response, Reply):
            await _send(response, send)
        else:
            await (await handler.to_response(app=self._app, data=response, request=request))(scope, receive, send)

    def _add(self, template: str, handler: HTTPRouteHandler) -> None:
        parts = template.split("/")
        parameters = {at: part[1:-1] for at, part in enumerate(parts) if part.startswith("{")}
        node = self._paths
        for at in range(1, len(parts)):
            node = node.setdefault(_ANY if at in parameters else parts[at], {})
        operations = node.setdefault(None, {})
        if "errors" in handler.opt:
            for method in handler.http_methods:
                operations[str(method)] = Operation(handler, template, parameters)

    def _find(self, scope: HTTPScope, exchange: Exchange) -> Operation | None:
        node: Any = self._paths
        for part in scope["path"].split("/")[1:]:
            node = (node.get(part) or node.get(_ANY)) if part else None
            if node is None:
                return None
        operation: Operation | None = node.get(None, {}).get(scope["method"])
        host = exchange.headers.get(b"host")
        return operation if host is None or _HOST.fullmatch(host) else None


async def _send(reply: Reply[Any], send: Send) -> None:
    body = reply.body or b""
    headers = raw(reply.headers)
    if reply.body is not None:
        headers[b"content-type"] = _JSON
        headers[b"content-length"] = b"%d" % len(body)
    await send({"type": "http.response.start", "status": reply.status, "headers": headers.items()})
    await send({"type": "http.response.body", "body": body, "more_body": False})
