"""Where every card of a known deal lies as a game goes on, the face-down ones too.

It is told what was played and asks whether a card lies where one is taken, not whether the rules allow the move: that
is the service's to judge, and `Client.verify` asks it to.
"""

import re
from typing import NamedTuple

from pasyans_client.deals import DEALINGS, GAP, GridDealing, Piles, opening, redealt
from pasyans_client.models import Event

_MOVE = re.compile(r"([a-z][0-9]{0,2})-([a-z][0-9]{1,2})(?:\*([0-9]{1,2}))?")


class CannotBe(Exception):
    """What is told to have happened cannot have happened on this deal; the message is a sentence."""


class _Standing(NamedTuple):
    piles: Piles
    redeals: int


class Trace:
    """A deal and what was played on it, from the opening on."""

    def __init__(self, variant: str, seed: str) -> None:
        """Deal. Raises `KeyError` where this package does not know the variant, `ValueError` where it is no seed."""
        self._variant = variant
        self._seed = seed
        self._dealing = DEALINGS[variant]
        self._line = [_Standing(opening(variant, seed), 0)]
        self._undone: list[_Standing] = []

    @property
    def piles(self) -> Piles:
        """Where the cards lie now."""
        return self._line[-1].piles

    def play(self, move: str) -> None:
        """Make a move that is written in full.

        Raises:
            CannotBe: it takes a card from where none lies, or puts it where there is no place.
        """
        piles, redeals = self._line[-1]
        if move == "redeal":
            standing = _Standing(self._redealt(piles, redeals + 1), redeals + 1)
        elif move == "draw":
            standing = _Standing(self._drawn(piles), redeals)
        else:
            standing = _Standing(self._moved(piles, move), redeals)
        self._line.append(standing)
        self._undone.clear()

    def follow(self, event: Event) -> int:
        """Go on with an event and return how many cards it named.

        Raises:
            CannotBe: it cannot have happened, or it named a card that does not lie there.
        """
        before = self.piles
        match event.type:
            case "moved":
                self.play(event.move or "")
            case "undone":
                self._turn_back(self._line, self._undone, event.count or 0, 1)
            case "redone":
                self._turn_back(self._undone, self._line, event.count or 0, 0)
        for change in event.changes:
            lifted = _card(before, change.source, change.source_index)
            placed = _card(self.piles, change.to, change.to_index)
            if lifted != placed:
                raise CannotBe(
                    f"{lifted} lay at {change.source} {change.source_index} and {placed} at {change.to} "
                    f"{change.to_index} after it, so that no card went from there to there."
                )
            if change.card not in (None, lifted):
                raise CannotBe(f"{change.card} was shown at {change.to}, where the seed deals {lifted}.")
        return sum(change.card is not None for change in event.changes)

    def _turn_back(self, source: list[_Standing], target: list[_Standing], count: int, stays: int) -> None:
        if not 0 < count <= len(source) - stays:
            raise CannotBe(f"{count} moves are undone or redone, and there are {len(source) - stays}.")
        target += [source.pop() for _ in range(count)]

    def _drawn(self, piles: Piles) -> Piles:
        if isinstance(self._dealing, GridDealing) or not piles["s"]:
            raise CannotBe("There is no stock to draw from.")
        left, drawn = piles["s"][: -self._dealing.draw], piles["s"][-self._dealing.draw :]
        return {**piles, "s": left, "w": piles["w"] + drawn[::-1]}

    def _redealt(self, piles: Piles, number: int) -> Piles:
        if isinstance(self._dealing, GridDealing):
            return redealt(self._variant, self._seed, number, piles)
        if piles["s"] or not piles["w"]:
            raise CannotBe("There is no waste to turn over, or a stock yet to be drawn.")
        return {**piles, "s": piles["w"][::-1], "w": ()}

    def _moved(self, piles: Piles, move: str) -> Piles:
        match = _MOVE.fullmatch(move)
        if match is None:
            raise CannotBe(f"{move!r} is no move.")
        source, target, many = match[1], match[2], int(match[3] or 1)
        if isinstance(self._dealing, GridDealing):
            card = _card(piles, source[0], int(source[1:] or 0) - 1)
            if card == GAP or _card(piles, target[0], int(target[1:]) - 1) != GAP or many != 1:
                raise CannotBe(f"{move} takes no card, or takes it to where one lies.")
            return _put(_put(piles, source, GAP), target, card)
        if source == target or not {source, target} <= piles.keys() or not 0 < many <= len(piles[source]):
            raise CannotBe(f"{move} takes cards from where they do not lie.")
        left, taken = piles[source][:-many], piles[source][-many:]
        return {**piles, source: left, target: piles[target] + taken}


def _card(piles: Piles, pile: str, index: int) -> str:
    if pile not in piles or not 0 <= index < len(piles[pile]):
        raise CannotBe(f"No card lies at {pile} {index}.")
    return piles[pile][index]


def _put(piles: Piles, cell: str, card: str) -> Piles:
    row, at = cell[0], int(cell[1:]) - 1
    return {**piles, row: (*piles[row][:at], card, *piles[row][at + 1 :])}
