"""Portable text records, and what they are worth."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import RulesNumber, Time, VariantId, Version
from pasyans.api.schemas.events import Event
from pasyans.api.schemas.games import (
    Finish,
    FinishedAt,
    GameDeal,
    LegalMoves,
    Piles,
    RedealsLeft,
    RedoAvailable,
    Score,
    Status,
    UndoAvailable,
)

RECORD_AT_MOST: Final = 131_072


class VerifyRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be replayed."""

    record: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=RECORD_AT_MOST,
            description="The text of a record, as `GET /v1/games/{id}/record` gives it.",
        ),
    ]
    frames: Annotated[bool, Meta(description="Whether to show the game after each event.")] = False


class RecordedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The game that a record tells of: as `Game`, without what only the service's own games have."""

    id: Annotated[None, Meta(description="A record is no game of the service.")]
    variant: VariantId
    rules: RulesNumber
    deal: Annotated[GameDeal, Meta(description="What was played, as the record says.")]
    player: Annotated[str | None, Meta(description="Who played, as the record says; null: it does not.")]
    attempt: Annotated[None, Meta(description="Always null: it is counted for the service's own games.")]
    ranked: Annotated[bool, Meta(description="Always false.")]
    version: Version
    status: Status
    stuck: Annotated[bool, Meta(description="Whether no move leads on, other than undo.")]
    score: Score
    moves: Annotated[int, Meta(ge=0, description="The moves on the line as it stands.")]
    undos: Annotated[int, Meta(ge=0, description="The moves undone; a record leaves them out.")]
    redeals: Annotated[int, Meta(ge=0, description="The redeals on the line as it stands.")]
    redeals_left: RedealsLeft
    undo_available: UndoAvailable
    redo_available: RedoAvailable
    started_at: Annotated[Time, Meta(description="When the game began, as the record says.")]
    updated_at: Annotated[Time, Meta(description="When the last event happened, as the record says.")]
    finished_at: FinishedAt
    elapsed_ms: Annotated[int, Meta(ge=0, description="From the beginning to the end, in milliseconds.")]
    piles: Piles
    legal_moves: LegalMoves
    finish: Finish


class RecordFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event, and the game after it."""

    event: Annotated[Event, Meta(description="What happened.")]
    game: Annotated[RecordedGame, Meta(description="The game after it.")]


class Verification(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a record is worth; or, where it can't be, the first line or move that is wrong, and why."""

    valid: Annotated[bool, Meta(description="Whether all that the record says can be.")]
    game: Annotated[RecordedGame | None, Meta(description="Where its moves lead; null where they can't be.")]
    frames: Annotated[list[RecordFrame] | None, Meta(description="A frame for each event, where they were asked for.")]
    line: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="The first line that is wrong, from 1; else null.")
    ]
    move: Annotated[str | None, Meta(description="The move that is wrong, where it is one.")]
    index: Annotated[Annotated[int, Meta(ge=0)] | None, Meta(description="Which move that is, from 0.")]
    detail: Annotated[str | None, Meta(description="What is wrong: a sentence; else null.")]
