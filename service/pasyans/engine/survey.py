"""Surveys of a grid: the gaps of its rows and the kings that block, which nearly every rule of the family asks for.

A move changes two rows by one card, so the survey after it follows from the one before.
"""

from typing import final

from pasyans.engine.position import Position
from pasyans.engine.rows import COLUMNS, ROWS, Cells, block_with, block_without, first_block


@final
class Survey:
    """What there is in a position, by row: the columns of the gaps, and where the first king stands that blocks.

    Gaps to the left of that king live. Where no king blocks, `COLUMNS` is in its place.
    """

    def __init__(self, position: Position, gaps: list[list[int]], blocks: list[int]) -> None:
        self.position = position
        self.gaps = gaps
        self.blocks = blocks

    def live(self, row: int) -> list[int]:
        """Return the columns of a row's live gaps."""
        block = self.blocks[row]
        return [column for column in self.gaps[row] if column < block]


def survey(position: Position) -> Survey:
    """Return the survey of a position."""
    cells = position.piles
    gaps = [[column for column in range(COLUMNS) if not cells[row * COLUMNS + column]] for row in range(ROWS)]
    return Survey(position, gaps, [first_block(cells, row) for row in range(ROWS)])


def survey_after(before: Survey, source: int, target: int, position: Position) -> Survey:
    """Return the survey of the position to which a legal move from cell to cell led."""
    left, row = source // COLUMNS, target // COLUMNS
    cells: Cells = position.piles
    gaps, blocks = list(before.gaps), list(before.blocks)
    gaps[left] = [*gaps[left], source % COLUMNS]
    gaps[row] = [column for column in gaps[row] if column != target % COLUMNS]
    blocks[left] = block_without(cells, source, blocks[left])
    blocks[row] = block_with(cells, target, cells[target], blocks[row])
    return Survey(position, gaps, blocks)
