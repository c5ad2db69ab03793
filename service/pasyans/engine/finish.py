"""Finishing: can a game be won by moves to the foundations alone, and how?

With one pack any order does: a card that can go up never blocks another. With two packs there are two cards of a
kind and two foundations for them, and which one goes first matters. So the search branches there, and only where it
can't be told which (`pasyans.engine.twins`).
"""

from collections.abc import Sequence

from pasyans.engine.position import Pile
from pasyans.engine.tables import NO_CARD
from pasyans.engine.twins import first_twins

Line = list[tuple[int, int]]
"""Moves as pairs of pile indices: from, to."""


def foundation_line(
    piles: tuple[Pile, ...], sources: Sequence[int], foundations: Sequence[int], below: Sequence[int]
) -> Line | None:
    """Return moves from the tops of ``sources`` to ``foundations`` that leave no card in ``sources``.

    ``below`` gives the card that a card goes on. ``None`` when there is no such line, or no card left to move.
    """
    takers = _takers(piles, foundations)
    if not any(piles[source] and below[piles[source][-1]] in takers for source in sources):
        return None
    firsts = first_twins(piles, sources, below)
    return None if firsts is None else _Search(sources, foundations, below, firsts).line(list(piles))


class _Search:
    """A search through the orders in which the cards of ``sources`` can go up."""

    def __init__(
        self,
        sources: Sequence[int],
        foundations: Sequence[int],
        below: Sequence[int],
        firsts: dict[int, tuple[int, int]],
    ) -> None:
        self._sources = sources
        self._foundations = foundations
        self._below = below
        self._firsts = firsts
        self._failed: set[tuple[Pile, ...]] = set()

    def line(self, piles: list[Pile]) -> Line | None:
        """Return moves that leave no card in the sources; ``piles`` is used up."""
        line: Line = []
        while True:
            certain, open_ = self._moves(piles)
            if certain is None:
                break
            _move(piles, certain)
            line.append(certain)
        left = tuple(piles[source] for source in self._sources)
        if not any(left):
            return line
        if left not in self._failed:
            for move in open_:
                branch = list(piles)
                _move(branch, move)
                rest = self.line(branch)
                if rest is not None:
                    return [*line, move, *rest]
            self._failed.add(left)
        return None

    def _moves(self, piles: list[Pile]) -> tuple[tuple[int, int] | None, Line]:
        """Return a move that can't be wrong, if there is one; else those that may be right."""
        open_: Line = []
        takers = _takers(piles, self._foundations)
        for source in self._sources:
            if not piles[source]:
                continue
            card, height = piles[source][-1], len(piles[source]) - 1
            target = takers.get(self._below[card])
            if target is None:
                continue
            # Wrong is only what lets a twin wait that others wait for; at the bottom of its pile, none does.
            if self._twin_height(piles, source) <= 0 or self._firsts.get(card) == (source, height):
                return (source, target), []
            if card not in self._firsts:
                open_.append((source, target))
        return None, open_

    def _twin_height(self, piles: list[Pile], source: int) -> int:
        """Return the height at which the twin of the top card of ``source`` lies, -1 when it is up already."""
        card = piles[source][-1]
        heights = [piles[other].find(card) for other in self._sources if other != source]
        return max(piles[source].find(card, 0, -1), *heights)


def _takers(piles: Sequence[Pile], foundations: Sequence[int]) -> dict[int, int]:
    """Return, by the card that lies on top, the first foundation of that kind; `NO_CARD` is on top of an empty one."""
    return {piles[pile][-1] if piles[pile] else NO_CARD: pile for pile in reversed(foundations)}


def _move(piles: list[Pile], move: tuple[int, int]) -> None:
    source, target = move
    piles[target] += piles[source][-1:]
    piles[source] = piles[source][:-1]
