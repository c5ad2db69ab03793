"""Variants and deals."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Commitment, Day, Next, RulesNumber, Seed, Text, Time, VariantId

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

    id: Annotated[str, Meta(description="The id of the zone, unique in its layout.", examples=["tableau"])]
    kind: Annotated[PileKind, Meta(description="What its piles are.")]
    name: Annotated[Text, Meta(description="What a person calls it.")]
    fan: Annotated[
        Fan,
        Meta(description="How the cards of a pile lie: squared up, or each covering part of the one before it."),
    ]
    piles: Annotated[list[PileId], Meta(description="The ids of its piles, in order.")]
    row: Annotated[int, Meta(ge=0, description="The row of its first place, from 0 at the top.")]
    column: Annotated[int, Meta(ge=0, description="The column of its first place, from 0 at the left.")]
    rows: Annotated[int, Meta(ge=1, description="How many places it is high.")]
    columns: Annotated[int, Meta(ge=1, description="How many places it is wide.")]


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the piles lie: zones on a grid of `rows` × `columns` places, each as large as a card."""

    rows: Annotated[int, Meta(ge=1, description="How many places the whole is high.")]
    columns: Annotated[int, Meta(ge=1, description="How many places the whole is wide.")]
    zones: Annotated[list[Zone], Meta(description="The zones, which do not overlap.")]


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of solitaire, with all that a client needs to draw it."""

    id: VariantId
    name: Annotated[Text, Meta(description="What a person calls it.")]
    summary: Annotated[Text, Meta(description="What it is like, in a sentence or two.")]
    rules: RulesNumber
    cards: Annotated[int, Meta(ge=1, description="How many cards are in play.", examples=[104])]
    redeals: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="How many redeals there are; null: unlimited.")
    ]
    layout: Annotated[Layout, Meta(description="Where the piles lie.")]


class VariantPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of variants."""

    items: Annotated[list[Variant], Meta(description="The variants of this page, by id.")]
    next: Next


class Pile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pile, as a player sees it. A row of a grid is a pile of kind `row`, with an entry for each cell."""

    id: PileId
    kind: Annotated[PileKind, Meta(description="What the pile is.")]
    hidden: Annotated[int, Meta(ge=0, description="How many cards lie face down, under `cards`.")]
    cards: Annotated[list[Card], Meta(description="The cards that lie face up, the deepest first.")]


class Daily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deal of a variant on a UTC day."""

    variant: VariantId
    date: Day
    commitment: Annotated[
        Commitment, Meta(description="SHA-256 of `pasyans-commit-1/{seed}` in hex, from a week before the day.")
    ]
    opens_at: Annotated[Time, Meta(description="When its games can be started: the beginning of the day.")]
    closes_at: Annotated[Time, Meta(description="When the seed and the games open to everybody: the end of the day.")]
    seed: Annotated[Seed | None, Meta(description="The seed; null until the day is over.")]


class DailyPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a day's deals."""

    items: Annotated[list[Daily], Meta(description="The deals of this page, by variant.")]
    next: Next


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The opening of a deal, as a player sees it."""

    variant: VariantId
    rules: RulesNumber
    seed: Seed
    piles: Annotated[list[Pile], Meta(description="The piles, in the order of the layout, with the cards that show.")]
    legal_moves: Annotated[list[str], Meta(description="Every legal move, sorted as plain strings.")]
