"""What runs beside the API proper: health, the OpenAPI document, the pages of problems."""

from typing import Any, Final

from litestar import Response, get

from pasyans.api.answers import HOUR, SECRET
from pasyans.api.docs import asset, docs
from pasyans.api.fair import fair
from pasyans.api.openapi import document
from pasyans.api.packing import packed
from pasyans.api.pages import page, paragraphs
from pasyans.api.problem_pages import problem_list, problem_page
from pasyans.api.problems import PROBLEMS, NotFound, Unavailable
from pasyans.api.requests import ApiRequest
from pasyans.store.errors import StoreError

_HTML: Final = "text/html"


@get("/healthz")
async def healthz() -> Response[dict[str, str]]:
    """Say that the process is alive."""
    return Response({"status": "ok"}, headers=SECRET)


@get("/readyz")
async def readyz(request: ApiRequest) -> Response[dict[str, str]]:
    """Say whether requests can be served: the database answers and is migrated."""
    try:
        await request.deps.store.check()
    except StoreError as error:
        raise Unavailable(written=False) from error
    return Response({"status": "ok"}, headers=SECRET)


@get("/v1/openapi.json")
async def openapi(request: ApiRequest) -> Response[bytes]:
    """Give the OpenAPI document of the API."""
    return await packed(request, document, "application/json", HOUR)


@get("/problems")
async def problems() -> Response[str]:
    """List the problems that the API answers."""
    return Response(problem_list(), media_type=_HTML, headers=HOUR)


@get("/problems/{code:str}")
async def problem(request: ApiRequest) -> Response[str]:
    """Explain one problem."""
    kind = PROBLEMS.get(request.path_params["code"])
    if kind is None:
        raise NotFound("There is no problem with this code: /problems lists them all.")
    return Response(problem_page(kind), media_type=_HTML, headers=HOUR)


@get("/")
async def start() -> Response[str]:
    """Say what this is, to whoever comes with a browser."""
    text = "This is a solitaire service. Its API can be tried at /docs, and is described at /v1/openapi.json."
    links = '<p><a href="/docs">The API</a>, <a href="/problems">its errors</a>, <a href="/fair">fair play</a></p>\n'
    return Response(
        page("Solitaire as a service", paragraphs("Pasyans", [text]) + links), media_type=_HTML, headers=HOUR
    )


HANDLERS: Final[list[Any]] = [healthz, readyz, openapi, docs, asset, problems, problem, fair, start]
