"""A page to read about the API and to try it on, which needs nothing but this service.

The viewer is Swagger UI, as it is published (`assets/swagger-ui`). The files of the page are served under a path that
names their content, so that browsers may keep them for ever.
"""

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from litestar import Response, get

from pasyans.api.answers import FOR_EVER, HOUR
from pasyans.api.packing import packed
from pasyans.api.problems import NotFound
from pasyans.api.requests import ApiRequest

ASSETS: Final = Path(__file__).with_name("assets")
FILES: Final[Mapping[str, tuple[Path, str]]] = {
    "swagger-ui-bundle.js": (ASSETS / "swagger-ui" / "swagger-ui-bundle.js", "text/javascript"),
    "swagger-ui.css": (ASSETS / "swagger-ui" / "swagger-ui.css", "text/css"),
    "docs.js": (ASSETS / "docs.js", "text/javascript"),
    "docs.css": (ASSETS / "docs.css", "text/css"),
    "spade.svg": (ASSETS / "spade.svg", "image/svg+xml"),
}
"""The files of the page, by name: where each is, and its media type."""

CSP: Final = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What the page may do: talk to its own origin. The viewer has small pictures in its styles."""

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API — Pasyans</title>
<link rel="icon" href="{base}/spade.svg">
<link rel="stylesheet" href="{base}/swagger-ui.css">
<link rel="stylesheet" href="{base}/docs.css">
</head>
<body>
<noscript>
<p>This page needs JavaScript. The API is described in <a href="/v1/openapi.json">its document</a>.</p>
</noscript>
<div id="docs"></div>
<script src="{base}/swagger-ui-bundle.js"></script>
<script src="{base}/docs.js"></script>
</body>
</html>
"""


@cache
def version() -> str:
    """Return what names the content of the files."""
    whole = sha256()
    for name, (path, _) in sorted(FILES.items()):
        whole.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()[:12]


@cache
def _reader(name: str) -> Callable[[], bytes]:
    return FILES[name][0].read_bytes


@get("/docs")
async def docs() -> Response[str]:
    """Show a page to try the API on."""
    page = _PAGE.format(base=f"/docs/{version()}")
    return Response(page, media_type="text/html", headers={**HOUR, "Content-Security-Policy": CSP})


@get("/docs/{version:str}/{name:str}")
async def asset(request: ApiRequest) -> Response[bytes]:
    """Give a file of the page."""
    name = request.path_params["name"]
    if request.path_params["version"] != version() or name not in FILES:
        raise NotFound("There is no such file: the page at /docs names those that there are.")
    return await packed(request, _reader(name), FILES[name][1], FOR_EVER)
