"""Finishing: can a game be won by moves to the foundations alone, and how?

With one pack any order does: a card that can go up never blocks another. With two packs there are two cards of a
kind and two foundations for them, and which one goes first matters: the one that lies on a lower card of its suit
must. So the search branches there, and only there.
"""

from collections.abc import Sequence

from pasyans.engine.cards import ACE, RANK_OF, SUIT_OF
from pasyans.engine.position import Pile

Line = list[tuple[int, int]]
"""Moves as pairs of pile indices: from, to."""


def foundation_line(
    piles: tuple[Pile, ...], sources: Sequence[int], foundations: Sequence[int], below: Sequence[int]
) -> Line | None:
    """Return moves from the tops of ``sources`` to ``foundations`` that leave no card in ``sources``.

    ``below`` gives the card that a card goes on. ``None`` when there is no such line, or no card left to move.
    """
    if not any(piles[source] for source in sources) or _twins_block_each_other(piles, sources):
        return None
    return _search(list(piles), sources, foundations, below, set())


def _search(
    piles: list[Pile],
    sources: Sequence[int],
    foundations: Sequence[int],
    below: Sequence[int],
    failed: set[tuple[Pile, ...]],
) -> Line | None:
    line: Line = []
    while True:
        tops = [source for source in sources if piles[source]]
        if not tops:
            return line
        playable = [
            (source, target)
            for source in tops
            if (target := _target(piles, piles[source][-1], foundations, below)) is not None
        ]
        if not playable:
            return None
        certain = next((move for move in playable if _is_last_of_its_kind(piles, move[0], sources)), None)
        if certain is None:
            break
        _move(piles, certain)
        line.append(certain)
    state = tuple(piles[source] for source in sources)
    if state in failed:
        return None
    for move in playable:
        branch = list(piles)
        _move(branch, move)
        rest = _search(branch, sources, foundations, below, failed)
        if rest is not None:
            return [*line, move, *rest]
    failed.add(state)
    return None


def _target(piles: list[Pile], card: int, foundations: Sequence[int], below: Sequence[int]) -> int | None:
    for foundation in foundations:
        pile = piles[foundation]
        if (pile[-1] == below[card]) if pile else RANK_OF[card] == ACE:
            return foundation
    return None


def _is_last_of_its_kind(piles: list[Pile], source: int, sources: Sequence[int]) -> bool:
    card = piles[source][-1]
    return sum(piles[other].count(card) for other in sources) == 1


def _move(piles: list[Pile], move: tuple[int, int]) -> None:
    source, target = move
    piles[target] += piles[source][-1:]
    piles[source] = piles[source][:-1]


def _twins_block_each_other(piles: tuple[Pile, ...], sources: Sequence[int]) -> bool:
    """Tell whether two cards of a kind both lie on lower cards of their suit, so that neither can go up second.

    The second of a kind needs every lower card of its suit on the foundations before it. One that covers such a
    card can't be the second, and both can't be the first. (A card that is the last of its kind here is the second.)
    """
    blocked: dict[int, int] = {}
    left: dict[int, int] = {}
    for source in sources:
        pile = piles[source]
        lowest: dict[int, int] = {}
        for card in pile:
            left[card] = left.get(card, 0) + 1
            suit, rank = SUIT_OF[card], RANK_OF[card]
            if lowest.get(suit, rank) < rank:
                blocked[card] = blocked.get(card, 0) + 1
            lowest[suit] = min(rank, lowest.get(suit, rank))
    return any(count == left[card] for card, count in blocked.items())
