"""Two cards of a kind: which of them has to go up to the foundations first.

With two packs each suit has two foundations, of which one is ahead of the other or level with it. So of two cards of a
kind, the *first* waits for the first of the next lower kind, and the *second* for both of that kind and for its twin.
In its pile, a card waits for those that lie on it. No card can wait, over others, for itself.

So a card that a lower card of its suit waits for, or its twin, can't be the second. That names the first of many
kinds, and what they then wait for names others.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from pasyans.engine.position import Pile

_BIT: Final = tuple(1 << number for number in range(105))


def first_twins(
    piles: Sequence[Pile], sources: Sequence[int], below: Sequence[int]
) -> dict[int, tuple[int, int]] | None:
    """Return, by kind, the pile and the height of the card that has to be the first of the two left in ``sources``.

    Kinds that could go either way are left out. ``None`` when two cards would have to wait for each other, so that not
    all can go up. ``below`` gives the card that a card goes on.
    """
    places = [(source, height) for source in sources for height in range(len(piles[source]))]
    kinds: dict[int, list[int]] = {}
    for number, (source, height) in enumerate(places):
        kinds.setdefault(piles[source][height], []).append(number)
    order = _Order([len(piles[source]) for source in sources])
    firsts = _Twins(order, kinds, below).name()
    return None if firsts is None else {card: places[number] for card, number in firsts.items()}


class _Order:
    """Which cards, by number, wait for which: sets as bits, closed under waiting for what is waited for."""

    def __init__(self, heights: Sequence[int]) -> None:
        self.before: list[int] = []
        self.after: list[int] = []
        for height in heights:
            base = len(self.before)
            for number in range(height):
                under, upto = (_BIT[number] - 1) << base, (_BIT[number + 1] - 1) << base
                self.after.append(under)
                self.before.append(((_BIT[height] - 1) << base) ^ upto)

    def add(self, then: int, first: int) -> bool:
        """Let ``then`` wait for ``first``; tell whether it can."""
        earlier, later = self.before[first] | _BIT[first], self.after[then] | _BIT[then]
        if earlier & later:
            return False
        if not self.before[then] & _BIT[first]:
            for number in _numbers(later):
                self.before[number] |= earlier
            for number in _numbers(earlier):
                self.after[number] |= later
        return True


class _Twins:
    """The kinds of cards, each with the numbers of those that are left, and the firsts that are named so far."""

    def __init__(self, order: _Order, kinds: dict[int, list[int]], below: Sequence[int]) -> None:
        self._order = order
        self._kinds = kinds
        self._below = below
        self._above = {below[card]: card for card in kinds}
        self._firsts: dict[int, int] = {}
        self._lower: dict[int, int] = {}
        upto: dict[int, int] = {}
        for card in sorted(kinds):  # a lower card of the suit comes before
            self._lower[card] = upto.get(below[card], 0)
            upto[card] = self._lower[card] | sum(_BIT[number] for number in kinds[card])

    def name(self) -> dict[int, int] | None:
        """Name the first of each kind that can be told; ``None`` when cards would wait for themselves."""
        if not all(
            self._order.add(numbers[0], lower)
            for card, numbers in self._kinds.items()
            if len(numbers) == 1
            for lower in self._kinds.get(self._below[card], ())
        ):
            return None
        unnamed = [card for card, numbers in self._kinds.items() if len(numbers) == 2]
        is_settled = False
        while not is_settled:
            is_settled = True
            for card in unnamed:
                first = next((number for number in self._kinds[card] if self._is_first(card, number)), None)
                if first is not None and card not in self._firsts:
                    if not self._name(card, first):
                        return None
                    is_settled = False
        return self._firsts

    def _is_first(self, card: int, number: int) -> bool:
        twins = sum(_BIT[twin] for twin in self._kinds[card])
        return self._order.after[number] & (self._lower[card] | twins) != 0

    def _name(self, card: int, first: int) -> bool:
        self._firsts[card] = first
        (second,) = (number for number in self._kinds[card] if number != first)
        lower, above = self._below[card], self._above.get(card)
        waits = [(second, first), *((second, number) for number in self._kinds.get(lower, ()))]
        if lower in self._firsts:
            waits.append((first, self._firsts[lower]))
        if above in self._firsts:
            waits.append((self._firsts[above], first))
        return all(self._order.add(then, earlier) for then, earlier in waits)


def _numbers(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
