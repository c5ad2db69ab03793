"""Reading the rows of a grid: runs, kings that block, what fits where.

A cell is a pile that holds one card or, where it is a gap, none. A grid is its cells, row by row.
"""

from collections.abc import Sequence
from typing import Final

from pasyans.engine.cards import ACE, KING, RANK_OF
from pasyans.engine.position import Pile

ROWS: Final = 4
COLUMNS: Final = 14
GAP: Final = b""

Cells = tuple[Pile, ...]
"""A grid: its cells, row by row."""

Row = tuple[Pile, ...]
"""The cells of a row, from the left."""

CELL_OF: Final = tuple(bytes((card,)) for card in range(len(RANK_OF)))
"""Each card as the cell that holds it."""

ACES: Final = frozenset(CELL_OF[card] for card, rank in enumerate(RANK_OF) if rank == ACE)
NEXT: Final = {CELL_OF[card]: CELL_OF[card + 1] for card, rank in enumerate(RANK_OF) if rank < KING}
"""What follows a card to the right."""

BEFORE: Final = {CELL_OF[card]: CELL_OF[card - 1] for card, rank in enumerate(RANK_OF) if rank > ACE + 1}
"""What may be put before a card, to the left; an ace may not be put before its two."""

QUEEN_OF: Final = {CELL_OF[card]: CELL_OF[card - 1] for card, rank in enumerate(RANK_OF) if rank == KING}
"""The queen that seats a king."""


HIGH: Final = frozenset((*QUEEN_OF.keys(), *QUEEN_OF.values()))
"""The kings and queens: which of them stand where decides which kings block."""


def row_of(cells: Cells, row: int) -> Row:
    """Return one row of a grid."""
    return cells[row * COLUMNS : row * COLUMNS + COLUMNS]


def run_length(row: Row) -> int:
    """Return how many cards of a row, from an ace in the first column, go up in suit without a break."""
    card: Pile | None = row[0]
    if card not in ACES:
        return 0
    length = 0
    while card is not None and row[length] == card:
        length += 1
        card = NEXT.get(card)
    return length


def first_block(cells: Cells, row: int) -> int:
    """Return the column of the first king of a row that blocks; `COLUMNS` if none does.

    A king blocks unless the queen of its suit stands directly to its left.
    """
    left = GAP
    for column in range(COLUMNS):
        card = cells[row * COLUMNS + column]
        if card in QUEEN_OF and left != QUEEN_OF[card]:
            return column
        left = card
    return COLUMNS


def fitting(row: Row, column: int) -> Sequence[Pile]:
    """Return the cards that a live gap takes, by its neighbours; in the first column, any ace."""
    if column == 0:
        return tuple(ACES)
    after = NEXT.get(row[column - 1])
    before = BEFORE.get(row[column + 1]) if column + 1 < COLUMNS else None
    if before is None or before == after:
        return () if after is None else (after,)
    return (before,) if after is None else (after, before)


def fits(cells: Cells, gap: int, card: Pile) -> bool:
    """Tell whether a card is one of those that a live gap takes."""
    column = gap % COLUMNS
    if column == 0:
        return card in ACES
    if NEXT.get(cells[gap - 1]) == card:
        return True
    return column + 1 < COLUMNS and BEFORE.get(cells[gap + 1]) == card
