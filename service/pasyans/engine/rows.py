"""Reading the rows of a grid: runs, blocking kings, live and dead gaps.

A cell is a pile that holds one card or, where it is a gap, none. A grid is its cells, row by row.
"""

from collections.abc import Sequence
from typing import Final

from pasyans.engine.cards import ACE, KING, RANK_OF
from pasyans.engine.position import Pile

ROWS: Final = 4
COLUMNS: Final = 14
GAP: Final = b""

Cells = tuple[Pile, ...] | list[Pile]

CELL_OF: Final = tuple(bytes((card,)) for card in range(len(RANK_OF)))
"""Each card as the cell that holds it."""

ACES: Final = frozenset(CELL_OF[card] for card, rank in enumerate(RANK_OF) if rank == ACE)
NEXT: Final = {CELL_OF[card]: CELL_OF[card + 1] for card, rank in enumerate(RANK_OF) if rank < KING}
"""What follows a card to the right."""

BEFORE: Final = {CELL_OF[card]: CELL_OF[card - 1] for card, rank in enumerate(RANK_OF) if rank > ACE + 1}
"""What may be put before a card, to the left; an ace may not be put before its two."""

QUEEN_OF: Final = {CELL_OF[card]: CELL_OF[card - 1] for card, rank in enumerate(RANK_OF) if rank == KING}
"""The queen that seats a king."""


def run_length(cells: Cells, row: int) -> int:
    """Return how many cards of the row, from an ace in the first column, go up in suit without a break."""
    cell = row * COLUMNS
    card: Pile | None = cells[cell]
    if card not in ACES:
        return 0
    length = 0
    while card is not None and cells[cell + length] == card:
        length += 1
        card = NEXT.get(card)
    return length


def is_blocked(cells: Cells, cell: int) -> bool:
    """Tell whether, to the left of a cell in its row, there is a king that blocks.

    A king blocks unless the queen of its suit stands directly to its left.
    """
    left = GAP
    for card in cells[cell - cell % COLUMNS : cell]:
        if card in QUEEN_OF and left != QUEEN_OF[card]:
            return True
        left = card
    return False


def gap_count(cells: Cells, row: int) -> int:
    """Return how many gaps a row has, live and dead."""
    return cells[row * COLUMNS : row * COLUMNS + COLUMNS].count(GAP)


def live_gaps(cells: Cells, row: int) -> list[int]:
    """Return the gaps of a row that no king blocks."""
    found: list[int] = []
    at = row * COLUMNS
    for _ in range(gap_count(cells, row)):
        gap = cells.index(GAP, at)
        if is_blocked(cells, gap):
            break  # and so are those to the right
        found.append(gap)
        at = gap + 1
    return found


def fitting(cells: Cells, gap: int) -> Sequence[Pile]:
    """Return the cards that a live gap takes, by its neighbours; in the first column, any ace."""
    if gap % COLUMNS == 0:
        return tuple(ACES)
    after = NEXT.get(cells[gap - 1])
    before = BEFORE.get(cells[gap + 1]) if (gap + 1) % COLUMNS else None
    if before is None or before == after:
        return () if after is None else (after,)
    return (before,) if after is None else (after, before)
