"""The audit: what admins and the operator did."""

from typing import Annotated, Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api import finding
from pasyans.api.answers import ADMIN, answer, link_next
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.admin import Action
from pasyans.api.schemas.audit import AuditDetails, AuditEntry, AuditPage
from pasyans.api.schemas.results import Before, OfPlayer, Since
from pasyans.api.v1.parameters import ADMIN_TOKEN, LINK, CursorText, Limit
from pasyans.record.times import format_time
from pasyans.store import admin_values as values

_TAGS: Final = ["Admin"]
_LIST: Final = "audit"

ByActor = Annotated[
    Annotated[
        str, Meta(min_length=1, max_length=64, description="Only what was done with the admin token of this name.")
    ]
    | None,
    QueryParameter(),
]
OfGame = Annotated[Annotated[UUID, Meta(description="Only what was done to this game.")] | None, QueryParameter()]
AuditCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, cursors.decode_id)})] | None, QueryParameter()
]


@get(
    "/v1/admin/audit",
    operation_id="listAudit",
    summary="Read the audit",
    tags=_TAGS,
    security=ADMIN_TOKEN,
    errors=(),
    response_headers=[LINK],
)
async def listed(
    request: ApiRequest,
    actor: ByActor = None,
    action: Annotated[Action | None, QueryParameter()] = None,
    game: OfGame = None,
    player: Annotated[OfPlayer | None, QueryParameter()] = None,
    since: Annotated[Since | None, QueryParameter()] = None,
    before: Annotated[Before | None, QueryParameter()] = None,
    limit: Limit = 50,
    cursor: AuditCursor = None,
) -> Response[AuditPage]:
    """List who did what, when and why, the newest first. Nothing in it is ever changed or deleted."""
    store = request.deps.store
    first, end = finding.bounds(since, before, "query")
    which = values.AuditFilter(
        actor_name=actor,
        actions=() if action is None else (action,),
        game_id=game,
        player_id=await finding.player_named(store, player),
        since=first,
        before=end,
    )
    found = await store.audit(which, None if cursor is None else cursors.decode_id(_LIST, cursor), limit + 1)
    items = found[:limit]
    more = cursors.encode(_LIST, str(items[-1].entry_id)) if len(found) > limit else None
    page = AuditPage([_shown(entry) for entry in items], more)
    return answer(page, {**ADMIN, **link_next(request, "cursor", more)})


def _shown(entry: values.AuditEntry) -> AuditEntry:
    return AuditEntry(
        id=entry.entry_id,
        at=format_time(entry.at),
        actor=entry.actor_name,
        action=entry.action,
        game=entry.game_id,
        player=entry.player,
        reason=entry.reason,
        note=entry.note,
        details=None if entry.details is None else _details(entry.details, entry.player),
    )


def _details(text: str, player: str | None) -> AuditDetails:
    """Return the details of an entry, which name a player nowhere; ``player`` is the one that it is about."""
    details = msgspec.json.decode(text, type=AuditDetails)
    if details.filter is None:
        return details
    return msgspec.structs.replace(details, filter=msgspec.structs.replace(details.filter, player=player))
