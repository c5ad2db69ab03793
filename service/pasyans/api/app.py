"""The API as one ASGI application, put together from its dependencies."""

from collections.abc import Sequence
from typing import cast

from litestar import Litestar
from litestar.types import BeforeRequestHookHandler, ExceptionHandler, LifespanHook

from pasyans.api import operations
from pasyans.api.deps import Dependencies
from pasyans.api.dispatch import Dispatch
from pasyans.api.door import enter
from pasyans.api.edge import Edge
from pasyans.api.errors import handle
from pasyans.api.requests import ApiRequest
from pasyans.api.v1.routes import HANDLERS


def create_app(
    deps: Dependencies, *, on_startup: Sequence[LifespanHook] = (), on_shutdown: Sequence[LifespanHook] = ()
) -> Edge:
    """Return the application that serves the API.

    ``on_startup`` and ``on_shutdown`` run with the ASGI lifespan, once a worker: opening and closing the store is
    theirs to do.
    """
    app = Litestar(
        [*HANDLERS, *operations.HANDLERS],
        before_request=cast("BeforeRequestHookHandler", enter),
        debug=False,
        exception_handlers={Exception: cast("ExceptionHandler[Exception]", handle)},
        logging_config=None,
        on_shutdown=list(on_shutdown),
        on_startup=list(on_startup),
        openapi_config=None,
        request_class=ApiRequest,
    )
    return Edge(Dispatch(app), deps)


__all__ = ["Dependencies", "create_app"]
