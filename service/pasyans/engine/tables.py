"""What follows what: the tables that turn the words of a pile game into look-ups."""

from itertools import pairwise
from typing import Final

from pasyans.engine.cards import CARD_NAMES, IS_RED, PACKS, RANK_OF, SUIT_OF
from pasyans.engine.variant import Build

NO_CARD: Final = -1


def rank_order(pack: str) -> tuple[int, ...]:
    """Return the ranks that ``pack`` has, from the ace up. The six follows the ace where there is nothing between."""
    return tuple(sorted({RANK_OF[card] for card in PACKS[pack]}))


def below_table(pack: str) -> tuple[int, ...]:
    """Return, for each card, the card of its suit that is next below it; `NO_CARD` for an ace."""
    order = rank_order(pack)
    lower = dict(zip(order[1:], order, strict=False))
    return tuple(
        card - RANK_OF[card] + lower[RANK_OF[card]] if RANK_OF[card] in lower else NO_CARD
        for card in range(len(CARD_NAMES))
    )


def onto_table(pack: str, build: Build) -> tuple[tuple[int, ...], ...]:
    """Return, for each card, the cards that it may be built on."""
    order = rank_order(pack)
    higher = dict(pairwise(order))
    return tuple(
        tuple(
            top
            for top in sorted(set(PACKS[pack]))
            if RANK_OF[top] == higher.get(RANK_OF[card]) and _suits_agree(card, top, build)
        )
        for card in range(len(CARD_NAMES))
    )


def _suits_agree(card: int, top: int, build: Build) -> bool:
    if build is Build.DOWN_SAME_SUIT:
        return SUIT_OF[card] == SUIT_OF[top]
    if build is Build.DOWN_ALTERNATE:
        return IS_RED[card] != IS_RED[top]
    return True
