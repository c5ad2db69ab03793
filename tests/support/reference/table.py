"""Cards, shuffles and positions of the reference: texts and lists.

The reference says the rules a second time, slowly and plainly, to compare the engine with. Cards are texts, piles are
lists (the top card is last), a grid's row is a list of 14 with `--` for a gap. Every question is answered by trying
everything. Nothing here knows how the engine answers it.
"""

import copy
import hashlib
from dataclasses import dataclass

SUITS = "CDHS"
RANKS = "A23456789TJQK"


def pack_of(name: str) -> list[str]:
    """The unshuffled cards of pack `36`, `48`, `52` or `104`."""
    ranks = {"36": "A6789TJQK", "48": RANKS[1:], "52": RANKS, "104": RANKS}[name]
    return [rank + suit for suit in SUITS for rank in ranks] * (2 if name == "104" else 1)


def shuffled(cards: list[str], pack: str, seed: str, round_: int) -> list[str]:
    """`cards` in the order that the stream of this pack, seed and round gives them."""
    cards = list(cards)
    words: list[int] = []
    counter = 0
    for i in range(len(cards) - 1, 0, -1):
        n = i + 1
        while True:
            if not words:
                block = hashlib.sha256(f"pasyans-deal-1/{pack}/{seed}/{round_}/{counter}".encode("ascii")).digest()
                words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
                counter += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % n:
                break
        cards[i], cards[word % n] = cards[word % n], cards[i]
    return cards


@dataclass
class Table:
    """What lies where: the piles, or the rows of a grid, by id; and the redeals made."""

    piles: dict[str, list[str]]
    redeals: int = 0

    def copy(self) -> "Table":
        """The same cards in lists of their own."""
        return copy.deepcopy(self)


def split(move: str) -> tuple[str, str, int]:
    """The source, the target and the count of a readable move."""
    source, rest = move.split("-")
    target, _, count = rest.partition("*")
    return source, target, int(count or 1)
