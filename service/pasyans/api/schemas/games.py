"""Games, and what is asked of them."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import (
    Commitment,
    Day,
    KnownVariant,
    Move,
    Next,
    RulesNumber,
    Seed,
    Time,
    VariantId,
    Version,
)
from pasyans.api.schemas.events import Event
from pasyans.api.schemas.variants import Pile

Status = Annotated[
    Literal["playing", "won", "lost", "abandoned", "void"],
    Meta(
        description="How the game stands: it goes on, was won, was lost (also by resigning), was given up before "
        "anything was played, or no longer counts."
    ),
]
Score = Annotated[int, Meta(ge=0, description="How many cards are where they belong at the end.")]
UndoAvailable = Annotated[int, Meta(ge=0, description="How many moves can be undone; 0 once the game is over.")]
RedoAvailable = Annotated[int, Meta(ge=0, description="How many moves can be redone; 0 once the game is over.")]
RedealsLeft = Annotated[
    Annotated[int, Meta(ge=0)] | None, Meta(description="How many redeals are left; null: unlimited.")
]
FinishedAt = Annotated[Time | None, Meta(description="When the game ended; null: it goes on.")]
Piles = Annotated[list[Pile], Meta(description="The piles, in the order of the layout, with the cards that show.")]
LegalMoves = Annotated[
    list[str], Meta(description="Every legal move, sorted as plain strings; none once the game is over.")
]
Finish = Annotated[
    list[str] | None,
    Meta(description="When nothing face down is left and moves to the foundations alone win: those moves; else null."),
]


class SealedDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="sealed"):
    """A deal that the service draws and keeps to itself until the game is over."""


class SharedDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="shared"):
    """A deal whose seed the caller chooses and anybody may know."""

    seed: Seed


class DailyDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="daily"):
    """The deal of the present UTC day, the same for everybody, which is sealed until the day ends."""


class StartGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game to be started."""

    variant: Annotated[KnownVariant, Meta(description="What to play: the id of a variant.")]
    deal: Annotated[SealedDeal | SharedDeal | DailyDeal, Meta(description="On which deal.")]


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

    kind: Annotated[
        Literal["sealed", "shared", "daily"],
        Meta(description="Drawn for this game and sealed, chosen by the caller, or the one of a UTC day."),
    ]
    seed: Annotated[Seed | None, Meta(description="The seed; null while the deal is sealed.")]
    commitment: Annotated[
        Commitment | None,
        Meta(description="SHA-256 of `pasyans-commit-1/{seed}` in hex, from the start; null on a shared deal."),
    ]
    date: Annotated[Day | None, Meta(description="The UTC date of a daily deal, else null.")]


class GameSummary(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One player's play of one deal, without the cards."""

    id: Annotated[UUID, Meta(description="The id of the game.")]
    variant: VariantId
    rules: RulesNumber
    deal: Annotated[GameDeal, Meta(description="What the game is played on.")]
    player: Annotated[str, Meta(description="The owner's name.", examples=["anna"])]
    attempt: Annotated[int, Meta(ge=1, description="Which game of this player on this deal it is.")]
    ranked: Annotated[bool, Meta(description="Whether the game counts, or could count, on the boards of its variant.")]
    version: Version
    status: Status
    stuck: Annotated[bool, Meta(description="Whether no move leads on, other than undo.")]
    score: Score
    moves: Annotated[int, Meta(ge=0, description="The moves on the line as it stands.")]
    undos: Annotated[int, Meta(ge=0, description="The moves ever undone.")]
    redeals: Annotated[int, Meta(ge=0, description="The redeals on the line as it stands.")]
    redeals_left: RedealsLeft
    undo_available: UndoAvailable
    redo_available: RedoAvailable
    started_at: Annotated[Time, Meta(description="When the game began.")]
    updated_at: Annotated[Time, Meta(description="When the last event happened.")]
    finished_at: FinishedAt
    elapsed_ms: Annotated[int, Meta(ge=0, description="From the first event to the last, in milliseconds.")]


class Game(GameSummary, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One player's play of one deal, with the cards as a player sees them."""

    piles: Piles
    legal_moves: LegalMoves
    finish: Finish


class PlayedGame(Game, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game after a write, with the events that the write added."""

    events: Annotated[list[Event], Meta(description="The events that the write added, in order.")]


class GamePage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of games, the newest first."""

    items: Annotated[list[GameSummary], Meta(description="The games of this page, the newest first.")]
    next: Next
