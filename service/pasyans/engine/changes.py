"""Changes: what a client animates to get from one view to the next.

A change is told by places, from 0 at the bottom of a pile and counting face-down cards, so that a client moves what
lies at an index and needs no identity for cards that look alike. All cards are lifted, then all are placed.
"""

from collections.abc import Iterable

from pasyans.engine.cards import CARD_NAMES
from pasyans.engine.position import Position
from pasyans.engine.rules import Place, Rules, Transfers
from pasyans.engine.view import Change


def inverse(transfers: Transfers) -> Transfers:
    """Return the transfers that take ``transfers`` back."""
    return {target: source for source, target in transfers.items()}


def compose(steps: Iterable[Transfers]) -> Transfers:
    """Return the net effect of ``steps`` made one after the other, without the cards that end where they began."""
    origins: dict[Place, Place] = {}
    for step in steps:
        placed = [(target, origins.pop(source, source)) for source, target in step.items()]
        origins.update(placed)
    return {origin: place for place, origin in origins.items() if origin != place}


def changes(rules: Rules, before: Position, transfers: Transfers, after: Position) -> list[Change]:
    """Return the changes from ``before`` to ``after``, between which ``transfers`` were made.

    Cards that stay but are turned over are changes too, from their place to the same place. The order is by source.
    """
    ways = dict(transfers)
    for pile in range(rules.coverable):
        low, high = sorted((rules.face_down(before, pile), rules.face_down(after, pile)))
        for height in range(low, min(high, len(before.piles[pile]), len(after.piles[pile]))):
            ways.setdefault((pile, height), (pile, height))
    return [_change(rules, before, source, after, target) for source, target in sorted(ways.items())]


def _change(rules: Rules, before: Position, source: Place, after: Position, target: Place) -> Change:
    was_up = source[1] >= rules.face_down(before, source[0])
    is_up = target[1] >= rules.face_down(after, target[0])
    card = before.piles[source[0]][source[1]]
    return Change(
        CARD_NAMES[card] if was_up or is_up else None,
        *rules.place_name(source),
        *rules.place_name(target),
        was_up != is_up,
    )
