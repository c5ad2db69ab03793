"""What admins do to games and players, and what is noted of it."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Next, Time, Version
from pasyans.api.schemas.events import Reason
from pasyans.api.schemas.games import Game
from pasyans.api.schemas.players import PRINTABLE, printable
from pasyans.store.admin_values import AuditAction

Note = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=500,
        description="An admin's own words, for other admins alone. They stay for ever, so they should name nobody.",
        examples=["180 moves in four seconds"],
        extra={"check": printable},
        extra_json_schema=PRINTABLE,
    ),
]
Action = Annotated[AuditAction, Meta(description="What was done.")]


class Grounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Why an admin does something."""

    reason: Annotated[Reason, Meta(description="Why, as everybody may know.")]
    note: Annotated[Note | None, Meta(description="Why, as only admins may know.")] = None


class JudgedGame(Game, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game that was voided or restored, as anybody sees it; on a daily whose day is not over, without its piles."""


class VerifyGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing: to verify a game takes no word more."""


class GameCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What replaying a game from nothing came to."""

    game: Annotated[UUID, Meta(description="The id of the game.")]
    version: Version
    ok: Annotated[bool, Meta(description="Whether all that is stored of the game is what its log comes to.")]
    difference: Annotated[
        str | None,
        Meta(
            description="The first difference, as a sentence, without a seed that is still sealed; null: there is none."
        ),
    ]


class AdminPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player as admins see them."""

    name: Annotated[str, Meta(description="The name; an erased player's begins with `deleted-`.", examples=["anna"])]
    guest: Annotated[bool, Meta(description="Whether the player has taken no name yet.")]
    created_at: Annotated[Time, Meta(description="When the player was made.")]
    banned_at: Annotated[Time | None, Meta(description="Since when the player is on no board; null: not banned.")]
    erased_at: Annotated[Time | None, Meta(description="When the player's erasure began; null: it has not.")]
    games: Annotated[int, Meta(ge=0, description="How many games the player has started.", examples=[12])]
    running: Annotated[int, Meta(ge=0, description="How many of them go on.", examples=[1])]
    finished: Annotated[int, Meta(ge=0, description="How many of them are over.", examples=[11])]


class AdminPlayerPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of players, by name."""

    items: Annotated[list[AdminPlayer], Meta(description="The players.")]
    next: Next
