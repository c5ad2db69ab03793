"""The audit: what admins and the operator did, when and why."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.admin import Action
from pasyans.api.schemas.common import Next, Time
from pasyans.api.schemas.events import Reason
from pasyans.api.schemas.results import VoidableResults


class AuditDetails(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What else there is to say of what was done; null where that does not belong to it."""

    filter: Annotated[VoidableResults | None, Meta(description="The filter by which results were voided.")] = None
    matched: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="How many results fitted it and stood.", examples=[12])
    ] = None
    voided: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="How many of them were voided.", examples=[12])
    ] = None
    token: Annotated[UUID | None, Meta(description="The id of the admin token that was made or revoked.")] = None
    name: Annotated[str | None, Meta(description="The name of that token.", examples=["olga"])] = None


class AuditEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing that was done."""

    id: Annotated[UUID, Meta(description="The id of the entry.")]
    at: Annotated[Time, Meta(description="When it was done.")]
    actor: Annotated[
        str | None,
        Meta(description="The name of the admin token; null: the operator, on the command line.", examples=["olga"]),
    ]
    action: Action
    game: Annotated[UUID | None, Meta(description="The id of the game that it was done to; null: it was none.")]
    player: Annotated[
        str | None,
        Meta(description="The present name of the player that it was done to; null: it was none.", examples=["anna"]),
    ]
    reason: Annotated[Reason | None, Meta(description="Why, as everybody may know; null: none was given.")]
    note: Annotated[str | None, Meta(description="Why, as only admins may know; null: none was given.")]
    details: Annotated[AuditDetails | None, Meta(description="What else there is to say of it; null: nothing.")]


class AuditPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of the audit, the newest first."""

    items: Annotated[list[AuditEntry], Meta(description="The entries.")]
    next: Next
