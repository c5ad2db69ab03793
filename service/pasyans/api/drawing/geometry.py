"""Where everything lies on a drawn board, in the units of its view box.

Only the layout decides how large a board is, whatever lies on it: a replay's pictures are all of one size. A column
that would be longer than its room is pushed together.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

import msgspec

from pasyans.engine.layout import Layout, Zone
from pasyans.engine.view import PileView

CARD_WIDTH: Final = 60
CARD_HEIGHT: Final = 84
EDGE: Final = 12
"""How far the outermost places are from the edge of the board."""

_ACROSS: Final = 8
_DOWN: Final = 12
_STEP: Final = 24
_STEP_RIGHT: Final = 22
_STEP_HIDDEN: Final = 9
_REACH: Final = 12 * _STEP
"""How far below its place a column may reach: a whole suit fits without being pushed together."""


class Spot(msgspec.Struct, frozen=True):
    """A pile's place: its upper left corner, and how far its last card may lie from there."""

    pile: PileView
    zone: Zone
    x: float
    y: float
    room: float


def size(layout: Layout) -> tuple[float, float]:
    """Return the width and height of a board."""
    return (
        2 * EDGE + layout.columns * (CARD_WIDTH + _ACROSS) - _ACROSS,
        _tops(layout)[layout.rows] - _DOWN + EDGE,
    )


def spots(layout: Layout, piles: Sequence[PileView]) -> Iterator[Spot]:
    """Yield the place of each pile, in the order of the layout."""
    by_id = {pile.id: pile for pile in piles}
    tops = _tops(layout)
    for zone in layout.zones:
        is_spread = zone.kind == "row" or len(zone.piles) == 1
        for index, id_ in enumerate(zone.piles):
            row, column = (index, 0) if zone.kind == "row" else divmod(index, zone.columns)
            rooms = {"down": _REACH, "right": (zone.columns - 1 if is_spread else 0) * (CARD_WIDTH + _ACROSS)}
            yield Spot(
                by_id[id_], zone, _left(zone.column + column), tops[zone.row + row], float(rooms.get(zone.fan, 0))
            )


def cell(spot: Spot, index: int) -> float:
    """Return how far to the right a cell of a row lies."""
    return spot.x + index * (CARD_WIDTH + _ACROSS)


def offsets(spot: Spot) -> list[float]:
    """Return how far from its place each card of a fanned pile lies, from the bottom."""
    step = _STEP if spot.zone.fan == "down" else _STEP_RIGHT
    steps = ([_STEP_HIDDEN] * spot.pile.hidden + [step] * len(spot.pile.cards))[:-1]
    factor = min(1.0, spot.room / sum(steps)) if steps else 1.0
    return [offset * factor for offset in accumulate(steps, initial=0)]


def _left(column: int) -> float:
    return EDGE + column * (CARD_WIDTH + _ACROSS)


def _tops(layout: Layout) -> list[float]:
    """Return where each row of places begins, and where one more would."""
    tops: list[float] = [EDGE]
    for row in range(layout.rows):
        reaches = any(zone.fan == "down" and zone.row <= row < zone.row + zone.rows for zone in layout.zones)
        tops.append(tops[-1] + CARD_HEIGHT + _DOWN + (_REACH if reaches else 0))
    return tops
