"""Everything that is kept of a player."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.admin import Action
from pasyans.api.schemas.common import Time
from pasyans.api.schemas.events import Event, Reason
from pasyans.api.schemas.games import GameSummary
from pasyans.api.schemas.players import Created, Guest, LastUsed, PlayerName, TokenId, TokenLabel


class ExportedPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player, with the id that stands for the name everywhere else."""

    id: Annotated[UUID, Meta(description="The id of the player.")]
    name: PlayerName
    guest: Guest
    name_changes: Annotated[int, Meta(ge=0, description="How often the name has changed.")]
    created_at: Created


class ExportedToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token, in force or revoked; its text is kept nowhere."""

    id: TokenId
    label: TokenLabel
    created_at: Created
    last_used_at: LastUsed
    revoked_at: Annotated[Time | None, Meta(description="When it was revoked; null: it is in force.")]


class ExportedKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request that came with an Idempotency-Key, kept for a day or so to know it again."""

    key: Annotated[str, Meta(description="A hash of the key, in hex.")]
    request: Annotated[str, Meta(description="A hash of the request, in hex.")]
    subject: Annotated[UUID, Meta(description="The id of the game or the token that it was about.")]
    version: Annotated[int, Meta(ge=0, description="The version that the game reached; 0 for a token.")]
    at: Annotated[Time, Meta(description="When the request was done.")]


class ExportedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an administrator did to the player or to one of the games."""

    at: Annotated[Time, Meta(description="When it was done.")]
    action: Action
    game: Annotated[UUID | None, Meta(description="The id of the game that it was done to; null: it was none.")]
    reason: Annotated[Reason | None, Meta(description="Why; null: none was given.")]


class ExportedGame(GameSummary, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game, with all that happened in it. What a sealed deal hides is hidden here as well."""

    events: Annotated[list[Event], Meta(description="All that happened in it, in order.")]
    record: Annotated[str, Meta(description="The portable text record.")]


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is kept of a player."""

    exported_at: Annotated[Time, Meta(description="When this was written.")]
    player: Annotated[ExportedPlayer, Meta(description="The player.")]
    tokens: Annotated[list[ExportedToken], Meta(description="The player's tokens, the oldest first.")]
    idempotency_keys: Annotated[list[ExportedKey], Meta(description="The keys of the last day or so.")]
    audit: Annotated[list[ExportedEntry], Meta(description="What administrators did, the newest first.")]
    games: Annotated[list[ExportedGame], Meta(description="The games, the newest first.")]
