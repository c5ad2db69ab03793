"""What a player may do with all that is kept of them: take it along, and have it erased."""

from typing import Any, Final

from litestar import Response, delete, get

from pasyans.api.answers import SECRET, empty, in_pieces
from pasyans.api.door import JSON
from pasyans.api.erasing import erase
from pasyans.api.export import export
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.export import Export
from pasyans.api.v1.parameters import DISPOSITION, TOKEN

_TAGS: Final = ["Players"]
_FILE: Final = {"Content-Disposition": 'attachment; filename="pasyans.json"'}


@get(
    "/v1/players/me/export",
    operation_id="exportMe",
    summary="Export everything about the caller",
    tags=_TAGS,
    security=TOKEN,
    errors=(),
    response_headers=[DISPOSITION],
)
async def exported(request: ApiRequest) -> Response[Export]:
    """Export everything that is kept of the caller. A body whose connection ends before its last chunk is broken."""
    deps = request.deps
    return await in_pieces(request, export(deps.store, request.player, deps.clock()), JSON, {**SECRET, **_FILE})


@delete(
    "/v1/players/me",
    operation_id="eraseMe",
    summary="Erase the caller",
    tags=_TAGS,
    security=TOKEN,
    errors=(),
    erases=True,
)
async def erased(request: ApiRequest) -> Response[None]:
    """Erase the caller, for good: the name and every token go, and running games end as abandoned.

    Finished games stay, under a name that says nothing (`deleted-…`). There is no way back.
    """
    player = request.caller.leaving or request.player
    await erase(request.deps, player.player_id)
    gone: Response[Any] = empty(204, SECRET)
    return gone
