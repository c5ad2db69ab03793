"""Surveys of a grid: its gaps and the kings that block, which nearly every rule of the family asks for.

Sets of cells are integers with a bit for each cell. A move changes two cells, so the survey after it follows from the
one before.
"""

from typing import Final, final

from pasyans.engine.rows import COLUMNS, GAP, HIGH, ROWS, Cells, first_block

_WIDTH: Final = COLUMNS + 1  # in bits, of a row: one more than it has cells keeps sums and differences within it
_ROW: Final = (1 << COLUMNS) - 1

BIT_OF: Final = tuple(1 << cell // COLUMNS * _WIDTH + cell % COLUMNS for cell in range(ROWS * COLUMNS))
"""Each cell as a set."""

ROW_CELLS: Final = tuple(_ROW << row * _WIDTH for row in range(ROWS))
"""The cells of each row."""

_FIRST: Final = sum([1 << row * _WIDTH for row in range(ROWS)])
_SPARE: Final = _FIRST << COLUMNS


@final
class Survey:
    """What there is in a grid: its gaps, and the cells within reach, those to the left of every king that blocks.

    Gaps within reach live.
    """

    def __init__(self, cells: Cells, gaps: int, reach: int) -> None:
        self.cells = cells
        self.gaps = gaps
        self.reach = reach
        self.live = gaps & reach


def survey(cells: Cells) -> Survey:
    """Return the survey of a grid."""
    gaps = reach = 0
    for cell, card in enumerate(cells):
        if not card:
            gaps |= BIT_OF[cell]
    for row in range(ROWS):
        reach |= _reach_in(cells, row)
    return Survey(cells, gaps, reach)


def survey_after(before: Survey, source: int, target: int, cells: Cells) -> Survey:
    """Return the survey of the grid ``cells``, to which a move from cell to gap led."""
    gaps, reach = before.gaps ^ BIT_OF[source] ^ BIT_OF[target], before.reach
    if cells[target] in HIGH:
        for row in (source // COLUMNS, target // COLUMNS):
            reach = reach & ~ROW_CELLS[row] | _reach_in(cells, row)
    return Survey(cells, gaps, reach)


def live_after(before: Survey, source: int, target: int) -> int:
    """Return the live gaps of the grid to which a move from cell to gap would lead."""
    cells = before.cells
    if cells[source] in HIGH:
        return survey_after(before, source, target, moved(cells, source, target)).live
    return (before.gaps ^ BIT_OF[source] ^ BIT_OF[target]) & before.reach


def moved(cells: Cells, source: int, target: int) -> Cells:
    """Return the grid to which a move from cell to gap leads."""
    after = list(cells)
    after[target] = after[source]
    after[source] = GAP
    return tuple(after)


def thinned(cells: int) -> int:
    """Return a set without one cell of each row that it has cells of."""
    return cells & ((cells | _SPARE) - _FIRST)


def listed(cells: int) -> list[int]:
    """Return the cells of a set, the last one first."""
    found: list[int] = []
    while cells:
        bit = cells.bit_length() - 1
        found.append(bit - bit // _WIDTH)
        cells ^= 1 << bit
    return found


def _reach_in(cells: Cells, row: int) -> int:
    return ((1 << first_block(cells, row)) - 1) << row * _WIDTH
