"""Variants and deals."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Day, RulesNumber, Seed, Text, Time, VariantId

PileKind = Literal["stock", "waste", "reserve", "foundation", "tableau", "row"]
Fan = Literal["none", "down", "right"]
PileId = Annotated[str, Meta(description="The id of a pile, as moves name it.", examples=["t1"])]
Card = Annotated[
    str,
    Meta(
        pattern="^([A2-9TJQK][CDHS]|--)$",
        description="A card, rank and suit: `TD` is the ten of diamonds. `--` is a gap in a row.",
        examples=["TD"],
    ),
]


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Piles of one kind that lie together, on `rows` × `columns` places from (`row`, `column`).

    They fill the places from left to right and from top to bottom; a pile of kind `row` fills a whole row.
    """

    id: str
    kind: PileKind
    name: Text
    fan: Annotated[
        Fan,
        Meta(description="How the cards of a pile lie: squared up, or each covering part of the one before it."),
    ]
    piles: Annotated[list[PileId], Meta(description="The ids of its piles, in order.")]
    row: Annotated[int, Meta(ge=0)]
    column: Annotated[int, Meta(ge=0)]
    rows: Annotated[int, Meta(ge=1)]
    columns: Annotated[int, Meta(ge=1)]


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the piles lie: zones on a grid of `rows` × `columns` places, each as large as a card."""

    rows: Annotated[int, Meta(ge=1)]
    columns: Annotated[int, Meta(ge=1)]
    zones: list[Zone]


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of solitaire, with all that a client needs to draw it."""

    id: VariantId
    name: Text
    summary: Text
    rules: RulesNumber
    cards: Annotated[int, Meta(ge=1, description="How many cards are in play.", examples=[104])]
    redeals: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="How many redeals there are; null: unlimited.")
    ]
    layout: Layout


class VariantPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of variants."""

    items: list[Variant]
    next: Annotated[str | None, Meta(description="The cursor of the next page; null: this is the last.")]


class Pile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pile, as a player sees it. A row of a grid is a pile of kind `row`, with an entry for each cell."""

    id: PileId
    kind: PileKind
    hidden: Annotated[int, Meta(ge=0, description="How many cards lie face down, under `cards`.")]
    cards: Annotated[list[Card], Meta(description="The cards that lie face up, the deepest first.")]


class Daily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deal of a variant on a UTC day."""

    variant: VariantId
    date: Day
    commitment: Annotated[
        str, Meta(description="SHA-256 of `pasyans-commit-1/{seed}` in hex, from a week before the day.")
    ]
    opens_at: Annotated[Time, Meta(description="When its games can be started: the beginning of the day.")]
    closes_at: Annotated[Time, Meta(description="When the seed and the games open to everybody: the end of the day.")]
    seed: Annotated[Seed | None, Meta(description="The seed; null until the day is over.")]


class DailyPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a day's deals."""

    items: list[Daily]
    next: Annotated[str | None, Meta(description="The cursor of the next page; null: this is the last.")]


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The opening of a deal, as a player sees it."""

    variant: VariantId
    rules: RulesNumber
    seed: Seed
    piles: list[Pile]
    legal_moves: Annotated[list[str], Meta(description="Every legal move, sorted as plain strings.")]
