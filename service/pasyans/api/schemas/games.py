"""Games, and what is asked of them."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Day, KnownVariant, Move, RulesNumber, Seed, Time, VariantId, Version
from pasyans.api.schemas.events import Event
from pasyans.api.schemas.variants import Pile

Status = Literal["playing", "won", "lost", "abandoned", "void"]
Count = Annotated[int, Meta(ge=0)]


class SealedDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="sealed"):
    """A deal that the service draws and keeps to itself until the game is over."""


class SharedDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="shared"):
    """A deal whose seed the caller chooses and anybody may know."""

    seed: Seed


class DailyDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="daily"):
    """The deal of the present UTC day, the same for everybody, which is sealed until the day ends."""


class StartGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game to be started."""

    variant: KnownVariant
    deal: SealedDeal | SharedDeal | DailyDeal


class PlayMoves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Moves to be played, all or none."""

    moves: Annotated[
        list[Move],
        Meta(
            min_length=1,
            max_length=500,
            description="The moves in order. While the seed is sealed, one that turns up unseen cards (`draw`, "
            "`redeal`, `r-…`) may only be the last.",
            examples=[["w-t3", "t3-f1", "draw"]],
        ),
    ]


class CountMoves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many moves to go back or forth."""

    count: Annotated[int, Meta(ge=1, le=100_000, description="How many moves.", examples=[1])] = 1


class Resign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing: to resign takes no word more."""


class GameDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deal of a game."""

    kind: Literal["sealed", "shared", "daily"]
    seed: Annotated[str | None, Meta(description="The seed; null while the deal is sealed.")]
    commitment: Annotated[
        str | None,
        Meta(description="SHA-256 of `pasyans-commit-1/{seed}` in hex, from the start; null on a shared deal."),
    ]
    date: Annotated[Day | None, Meta(description="The UTC date of a daily deal, else null.")]


class GameSummary(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One player's play of one deal, without the cards."""

    id: UUID
    variant: VariantId
    rules: RulesNumber
    deal: GameDeal
    player: Annotated[str, Meta(description="The owner's name.", examples=["anna"])]
    attempt: Annotated[int, Meta(ge=1, description="Which game of this player on this deal it is.")]
    ranked: Annotated[bool, Meta(description="Whether the game counts, or could count, on the boards of its variant.")]
    version: Version
    status: Status
    stuck: Annotated[bool, Meta(description="Whether no move leads on, other than undo.")]
    score: Count
    moves: Annotated[int, Meta(ge=0, description="The moves on the line as it stands.")]
    undos: Annotated[int, Meta(ge=0, description="The moves ever undone.")]
    redeals: Annotated[int, Meta(ge=0, description="The redeals on the line as it stands.")]
    redeals_left: Annotated[Count | None, Meta(description="The redeals left; null: unlimited.")]
    undo_available: Count
    redo_available: Count
    started_at: Time
    updated_at: Time
    finished_at: Time | None
    elapsed_ms: Annotated[int, Meta(ge=0, description="From the first event to the last, in milliseconds.")]


class Game(GameSummary, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One player's play of one deal, with the cards as a player sees them."""

    piles: list[Pile]
    legal_moves: Annotated[
        list[str], Meta(description="Every legal move, sorted as plain strings; none once the game is over.")
    ]
    finish: Annotated[
        list[str] | None,
        Meta(
            description="When nothing face down is left and moves to the foundations alone win: those moves; else null."
        ),
    ]


class PlayedGame(Game, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game after a write, with the events that the write added."""

    events: list[Event]


class GamePage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of games, the newest first."""

    items: list[GameSummary]
    next: Annotated[str | None, Meta(description="The cursor of the next page; null: this is the last.")]
