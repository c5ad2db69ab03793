"""Deals: the opening position of a variant and a seed."""

from pasyans.deals.stream import shuffled
from pasyans.engine.cards import PACKS
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Chance
from pasyans.engine.variant import Variant


def deal(variant: Variant, seed: str) -> Position:
    """Return the opening position; the same variant and seed give the same cards on every machine for ever."""
    return rules_of(variant).deal(shuffled(PACKS[variant.pack], variant.pack, seed))


def chance(variant: Variant, seed: str) -> Chance:
    """Return the order of the deal's redeals: for a round and cards, the cards shuffled."""

    def shuffle(round_: int, cards: bytes) -> bytes:
        return shuffled(cards, variant.pack, seed, round_)

    return shuffle
