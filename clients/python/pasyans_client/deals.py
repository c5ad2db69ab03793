"""What a seed deals, worked out here and not asked of a service, so that a deal can be checked against it.

    seed_hash = commitment("8c2f6d1e0b7a4953e6f1d08a92b47c35")
    piles = opening("forty-thieves", "hello")
    piles["t1"], piles["s"][-1]     # the first column from the bottom up, and the card that is drawn first

A card is its rank and its suit, such as `TD`; piles are listed from the bottom up, with their face-down cards, and the
rows of a grid cell by cell, `--` for a gap.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

Piles = Mapping[str, tuple[str, ...]]
"""Every card of a game, by the id of its pile or row."""

GAP = "--"
RANKS = "A23456789TJQK"
SUITS = "CDHS"


def _pack(ranks: str) -> tuple[str, ...]:
    return tuple(rank + suit for suit in SUITS for rank in ranks)


PACKS: Mapping[str, tuple[str, ...]] = {
    "36": _pack("A6789TJQK"),
    "48": _pack("23456789TJQK"),
    "52": _pack(RANKS),
    "104": _pack(RANKS) * 2,
}
"""The cards of each pack in the order that they have before they are shuffled."""


class PileDealing(NamedTuple):
    """How a game of piles is dealt: `columns` of `height` cards, then the reserve, then the stock.

    `draw` is how many cards a draw turns up.
    """

    pack: str
    columns: int
    height: int = 1
    reserve: int = 0
    draw: int = 1


class GridDealing(NamedTuple):
    """How a grid of four rows is dealt: each begins with these cards and gaps, and goes on with `each` cards."""

    pack: str
    begins: tuple[tuple[str, ...], ...]
    each: int


Dealing = PileDealing | GridDealing

RULES = 1
"""The number of the rules that `DEALINGS` belongs to."""

DEALINGS: Mapping[str, Dealing] = {
    "congress": PileDealing("104", columns=8),
    "court": PileDealing("104", columns=12),
    "forty-thieves": PileDealing("104", columns=10, height=4),
    "forty-and-eight": PileDealing("104", columns=8, height=5),
    "vokzal-36": PileDealing("36", columns=4, reserve=9, draw=3),
    "vokzal-52": PileDealing("52", columns=4, reserve=13, draw=3),
    "dolgiy": GridDealing("48", begins=(("AS", GAP), ("AC", GAP), ("AD", GAP), ("AH", GAP)), each=12),
    "dolgiy-open": GridDealing("52", begins=((GAP,),) * 4, each=13),
}
"""How each variant is dealt."""

_SEED = re.compile(r"[A-Za-z0-9._~-]{1,64}")


def is_seed(text: str) -> bool:
    """Whether a text can be a seed: 1-64 of `A-Z a-z 0-9 . _ ~ -`, but not `.` or `..`."""
    return text not in (".", "..") and _SEED.fullmatch(text) is not None


def commitment(seed: str) -> str:
    """What is published in advance of a seed that is kept secret, in lower-case hex."""
    return sha256(b"pasyans-commit-1/" + _ascii(seed)).hexdigest()


def shuffled(cards: Iterable[str], pack: str, seed: str, round_: int = 0) -> tuple[str, ...]:
    """The cards as a seed shuffles them; `round_` is 0 for the deal and n for its n-th redeal."""
    order = list(cards)
    numbers = _Numbers(f"pasyans-deal-1/{pack}/{_ascii(seed).decode()}/{round_}")
    for left in range(len(order), 1, -1):
        chosen = numbers.below(left)
        order[left - 1], order[chosen] = order[chosen], order[left - 1]
    return tuple(order)


def opening(variant: str, seed: str) -> Piles:
    """Where every card lies when a game of the variant begins.

    Raises:
        KeyError: this package does not know how the variant is dealt.
        ValueError: there can be no such seed.
    """
    dealing = DEALINGS[variant]
    cards = shuffled(PACKS[dealing.pack], dealing.pack, seed)
    if isinstance(dealing, GridDealing):
        return {
            row: begin + cards[number * dealing.each : (number + 1) * dealing.each]
            for number, (row, begin) in enumerate(zip("abcd", dealing.begins, strict=True))
        }
    tableau = dealing.columns * dealing.height
    reserve = tableau + dealing.reserve
    piles = {"s": cards[reserve:][::-1], "w": ()}
    if dealing.reserve:
        piles["r"] = cards[tableau:reserve]
    piles |= {f"f{number + 1}": () for number in range(sum(card[0] == "A" for card in cards))}
    return piles | {f"t{number + 1}": cards[number : tableau : dealing.columns] for number in range(dealing.columns)}


def redealt(variant: str, seed: str, round_: int, rows: Piles) -> Piles:
    """The rows of a grid after its redeal number `round_`, from 1: runs that begin with an ace stay."""
    runs = {row: cells[: _run(cells)] for row, cells in rows.items()}
    loose = [card for row, cells in rows.items() for card in cells[len(runs[row]) :] if card != GAP]
    order = iter(shuffled(sorted(loose, key=PACKS["52"].index), DEALINGS[variant].pack, seed, round_))
    return {row: (*run, GAP, *(next(order) for _ in range(13 - len(run)))) for row, run in runs.items()}


def _run(cells: Sequence[str]) -> int:
    """How many cards from the first cell on are the ace, the two, the three… of one suit."""
    suit = cells[0][1]
    return next(place for place, card in enumerate(cells) if card != RANKS[place : place + 1] + suit)


def _ascii(seed: str) -> bytes:
    if not is_seed(seed):
        raise ValueError(f"{seed!r} cannot be a seed")
    return seed.encode()


class _Numbers:
    """Whole numbers from SHA-256 blocks, without a preference for any of them."""

    def __init__(self, stream: str) -> None:
        self._stream = stream
        self._blocks = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """The next number from 0 to `bound` - 1."""
        surplus = 2**32 % bound
        while (word := self._word()) >= 2**32 - surplus:
            pass
        return word % bound

    def _word(self) -> int:
        if not self._words:
            block = sha256(f"{self._stream}/{self._blocks}".encode()).digest()
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(28, -1, -4)]
            self._blocks += 1
        return self._words.pop()
