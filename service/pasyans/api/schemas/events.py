"""Events, and the changes that a client animates."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Time
from pasyans.api.schemas.variants import Card, PileId

Reason = Annotated[
    Literal["cheating", "error", "test", "other"], Meta(description="Why an administrator did it: a public code.")
]


class Change(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"source": "from", "source_index": "from_index"},
):
    """One card's way. All cards of an event are lifted, then all are placed."""

    card: Annotated[Card | None, Meta(description="The card; null unless it lies face up before or after.")]
    source: Annotated[PileId, Meta(description="The pile that it leaves.")]
    source_index: Annotated[
        int, Meta(ge=0, description="Its place before, from 0 at the bottom, face-down cards included.")
    ]
    to: Annotated[PileId, Meta(description="The pile that it comes to.")]
    to_index: Annotated[int, Meta(ge=0, description="Its place after.")]
    turned: Annotated[bool, Meta(description="Whether it was turned over.")]


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    seq: Annotated[int, Meta(ge=1, description="Its number; the game's version after it.")]
    at: Annotated[Time, Meta(description="When it happened.")]
    changes: Annotated[list[Change], Meta(description="Its net effect on the piles.")]


class StartedEvent(_Event, frozen=True, forbid_unknown_fields=True, tag="started"):
    """The game began."""


class MovedEvent(_Event, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="moved"):
    """A move was played."""

    move: Annotated[str, Meta(description="The move, in full.", examples=["w-t3"])]


class UndoneEvent(_Event, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="undone"):
    """Moves were taken back."""

    count: Annotated[int, Meta(ge=1, description="How many moves.")]


class RedoneEvent(_Event, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="redone"):
    """Moves that were taken back were made again."""

    count: Annotated[int, Meta(ge=1, description="How many moves.")]


class FinishedEvent(_Event, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="finished"):
    """The game ended."""

    outcome: Annotated[
        Literal["won", "lost", "abandoned"],
        Meta(description="How it ended; `abandoned`: before anything was played."),
    ]


class VoidedEvent(_Event, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="voided"):
    """The game's result counts no longer."""

    reason: Reason


class RestoredEvent(_Event, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="restored"):
    """The game's result counts again."""

    reason: Reason


Event = StartedEvent | MovedEvent | UndoneEvent | RedoneEvent | FinishedEvent | VoidedEvent | RestoredEvent


class EventPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of events, in order."""

    items: Annotated[list[Event], Meta(description="The events of this page, in order.")]
    next: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="The `after` of the next page; null: this is the last."),
    ]
