"""A position in words, for those who can't see it."""

from collections.abc import Iterator, Sequence
from typing import Final

from pasyans.engine.layout import Layout, Zone
from pasyans.engine.view import PileView

_RANKS: Final = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
GAP: Final = "--"
"""What stands for a gap in a row."""


def describe(layout: Layout, piles: Sequence[PileView]) -> str:
    """Return what lies where: a sentence for each zone."""
    by_id = {pile.id: pile for pile in piles}
    return " ".join(_zone(zone, [by_id[id_] for id_ in zone.piles]) for zone in layout.zones)


def card_name(card: str) -> str:
    """Return a card in words, such as ``queen of spades``."""
    return "gap" if card == GAP else f"{_RANKS.get(card[0], card[0])} of {_SUITS[card[1]]}"


def _zone(zone: Zone, piles: Sequence[PileView]) -> str:
    is_spread = zone.kind == "row" or zone.fan != "none"
    told = [", ".join(_spread(pile)) if is_spread else " ".join(_squared(pile)) for pile in piles]
    if len(piles) > 1:
        told = [f"{pile.id} {text}" for pile, text in zip(piles, told, strict=True)]
    return f"{zone.name.en}: {'; '.join(told)}."


def _spread(pile: PileView) -> Iterator[str]:
    if pile.hidden:
        yield f"{pile.hidden} face down"
    yield from map(card_name, pile.cards)
    if not pile.hidden and not pile.cards:
        yield "empty"


def _squared(pile: PileView) -> Iterator[str]:
    if not pile.cards:
        yield from _spread(pile)
        return
    yield card_name(pile.cards[-1])
    if len(pile.cards) > 1:
        yield f"on {len(pile.cards) - 1} more"
    if pile.hidden:
        yield f"on {pile.hidden} face down"
