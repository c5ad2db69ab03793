"""Cards and packs.

A card is a small integer, ``suit * 13 + rank``, with the suits in the order clubs, diamonds, hearts, spades and the
ranks from the ace (0) to the king (12). Two cards that look alike are the same integer: a pack of 104 has every
integer twice. Outside the engine a card is its name, rank and suit: ``"TD"`` is the ten of diamonds.
"""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
ACE: Final = 0
QUEEN: Final = 11
KING: Final = 12
RANK_COUNT: Final = 13

CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_CODES: Final = {name: code for code, name in enumerate(CARD_NAMES)}

RANK_OF: Final = tuple(code % RANK_COUNT for code in range(len(CARD_NAMES)))
SUIT_OF: Final = tuple(code // RANK_COUNT for code in range(len(CARD_NAMES)))
IS_RED: Final = tuple(suit in (1, 2) for suit in SUIT_OF)

_WHOLE: Final = bytes(range(52))

PACKS: Final = {
    "36": bytes(card for card in _WHOLE if RANK_OF[card] == ACE or RANK_OF[card] >= RANKS.index("6")),
    "48": bytes(card for card in _WHOLE if RANK_OF[card] != ACE),
    "52": _WHOLE,
    "104": _WHOLE * 2,
}
"""The packs by name, each in its fixed order: by suit, then by rank, and the 52 cards twice over in ``"104"``."""


def parse_cards(text: str) -> bytes:
    """Return the cards named in ``text``, separated by white space.

    Raises:
        KeyError: a word is not the name of a card.
    """
    return bytes(CARD_CODES[name] for name in text.split())


def card_names(cards: bytes) -> list[str]:
    """Return the names of ``cards``, in their order."""
    return list(map(CARD_NAMES.__getitem__, cards))
