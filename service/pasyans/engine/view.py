"""Views: what a player sees of a position, and of the way from one to the next."""

from typing import Literal

import msgspec

PileKind = Literal["stock", "waste", "reserve", "foundation", "tableau", "row"]


class PileView(msgspec.Struct, frozen=True):
    """What a player sees of one pile.

    ``hidden`` counts the face-down cards, which lie under ``cards`` (names, the deepest first). A row of a grid is a
    pile of kind ``row`` with an entry for each cell, ``"--"`` for a gap. Views are shared: nobody changes ``cards``.
    """

    id: str
    kind: PileKind
    hidden: int
    cards: list[str]


class Change(msgspec.Struct, frozen=True):
    """One card's way. ``card`` is ``None`` unless the card lies face up before or after."""

    card: str | None
    source: str
    source_index: int
    target: str
    target_index: int
    turned: bool
