"""Portable text records, and what they are worth."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import RulesNumber, Time, VariantId, Version
from pasyans.api.schemas.events import Event
from pasyans.api.schemas.games import Count, GameDeal, Status
from pasyans.api.schemas.variants import Pile

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
    deal: GameDeal
    player: Annotated[str | None, Meta(description="Who played, as the record says.")]
    attempt: None
    ranked: Annotated[bool, Meta(description="Always false.")]
    version: Version
    status: Status
    stuck: bool
    score: Count
    moves: Count
    undos: Count
    redeals: Count
    redeals_left: Count | None
    undo_available: Count
    redo_available: Count
    started_at: Time
    updated_at: Time
    finished_at: Time | None
    elapsed_ms: Count
    piles: list[Pile]
    legal_moves: list[str]
    finish: list[str] | None


class RecordFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event, and the game after it."""

    event: Event
    game: RecordedGame


class Verification(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a record is worth; or, where it can't be, the first line or move that is wrong, and why."""

    valid: bool
    game: Annotated[RecordedGame | None, Meta(description="Where its moves lead; null where they can't be.")]
    frames: Annotated[list[RecordFrame] | None, Meta(description="A frame for each event, where they were asked for.")]
    line: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="The first line that is wrong, from 1; else null.")
    ]
    move: Annotated[str | None, Meta(description="The move that is wrong, where it is one.")]
    index: Annotated[Annotated[int, Meta(ge=0)] | None, Meta(description="Which move that is, from 0.")]
    detail: Annotated[str | None, Meta(description="What is wrong: a sentence; else null.")]
