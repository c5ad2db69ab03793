"""Reading the rows of a grid: runs, blocking kings, live and dead gaps.

Inside these functions a grid is a flat list of cards, row by row, with `GAP` where there is none.
"""

from typing import Final

import msgspec

from pasyans.engine.cards import ACE, KING, RANK_OF
from pasyans.engine.position import Position

ROWS: Final = 4
COLUMNS: Final = 14
GAP: Final = -1

Cells = list[int]


class RowState(msgspec.Struct, frozen=True):
    """Which gaps are live, how many there are in each row, and which cells lie to the right of a blocking king."""

    live_gaps: list[int]
    live_count: list[int]
    is_blocked: list[bool]


def cells_of(position: Position) -> Cells:
    """Return the cards of a grid position, `GAP` for an empty cell."""
    return [pile[0] if pile else GAP for pile in position.piles]


def run_length(cells: Cells, row: int) -> int:
    """Return how many cards of the row, from an ace in the first column, go up in suit without a break."""
    start = row * COLUMNS
    first = cells[start]
    if first == GAP or RANK_OF[first] != ACE:
        return 0
    length = 1
    while length <= KING and cells[start + length] == first + length:
        length += 1
    return length


def read_rows(cells: Cells) -> RowState:
    """Work out what is live.

    A king blocks unless the queen of its suit stands directly to its left; to the right of one that blocks, every
    gap is dead.
    """
    live_gaps: list[int] = []
    live_count: list[int] = []
    is_blocked: list[bool] = []
    for start in range(0, len(cells), COLUMNS):
        blocked = False
        live = 0
        left = GAP
        for cell in range(start, start + COLUMNS):
            card = cells[cell]
            is_blocked.append(blocked)
            if card == GAP:
                if not blocked:
                    live += 1
                    live_gaps.append(cell)
            elif RANK_OF[card] == KING and left != card - 1:
                blocked = True
            left = card
        live_count.append(live)
    return RowState(live_gaps, live_count, is_blocked)
