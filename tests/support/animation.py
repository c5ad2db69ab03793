"""A client that knows nothing but views and changes, and turns one view into the next."""

from collections.abc import Sequence

from pasyans.engine.view import Change, PileView

Shown = dict[str, list[str | None]]
"""The cards of each pile from the bottom, ``None`` for one that lies face down."""

GAP = "--"


def shown(views: Sequence[PileView]) -> Shown:
    """A view as a client keeps it."""
    return {view.id: [None] * view.hidden + list(view.cards) for view in views}


def animate(views: Sequence[PileView], changes: Sequence[Change]) -> Shown:
    """The view that ``changes`` make of ``views``: all cards are lifted, then all are placed.

    Every claim of a change is checked: that its card is the one that lay there, and that nothing is told of a card
    that is face down before and after.
    """
    kinds = {view.id: view.kind for view in views}
    piles = shown(views)
    for change in changes:
        before = piles[change.source][change.source_index]
        is_up = (before is not None) is not change.turned
        assert before != GAP, "a gap is no card"
        assert before in (None, change.card), "another card lay there"
        assert (change.card is None) is (before is None and not is_up), "a card is told of if it shows, and only then"
    placed = [(change, change.card if (_was_up(piles, change) is not change.turned) else None) for change in changes]
    for change in sorted(changes, key=lambda change: -change.source_index):
        if kinds[change.source] == "row":
            piles[change.source][change.source_index] = GAP
        else:
            del piles[change.source][change.source_index]
    for change, card in sorted(placed, key=lambda place: place[0].target_index):
        if kinds[change.target] == "row":
            assert piles[change.target][change.target_index] == GAP, "two cards in one cell"
            piles[change.target][change.target_index] = card
        else:
            assert change.target_index <= len(piles[change.target]), "a card in the air"
            piles[change.target].insert(change.target_index, card)
    return piles


def _was_up(piles: Shown, change: Change) -> bool:
    return piles[change.source][change.source_index] is not None
