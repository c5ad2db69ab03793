"""Everything that is kept of a player."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Time
from pasyans.api.schemas.events import Event
from pasyans.api.schemas.games import Count, GameSummary


class ExportedPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player, with the id that stands for the name everywhere else."""

    id: UUID
    name: str
    guest: bool
    name_changes: Annotated[int, Meta(ge=0, description="How often the name has changed.")]
    created_at: Time


class ExportedToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token, in force or revoked; its text is kept nowhere."""

    id: UUID
    label: str
    created_at: Time
    last_used_at: Annotated[Time | None, Meta(description="When it was last used, to the minute or so.")]
    revoked_at: Time | None


class ExportedKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request that came with an Idempotency-Key, kept for a day or so to know it again."""

    key: Annotated[str, Meta(description="A hash of the key, in hex.")]
    request: Annotated[str, Meta(description="A hash of the request, in hex.")]
    subject: Annotated[UUID, Meta(description="The id of the game or the token that it was about.")]
    version: Annotated[Count, Meta(description="The version that the game reached; 0 for a token.")]
    at: Time


class ExportedGame(GameSummary, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game, with all that happened in it. What a sealed deal hides is hidden here as well."""

    events: list[Event]
    record: Annotated[str, Meta(description="The portable text record.")]


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is kept of a player."""

    exported_at: Time
    player: ExportedPlayer
    tokens: list[ExportedToken]
    idempotency_keys: list[ExportedKey]
    games: Annotated[list[ExportedGame], Meta(description="The games, the newest first.")]
