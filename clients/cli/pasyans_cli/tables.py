"""Rows laid out in aligned columns."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

NOTHING = "-"
"""What a cell has that has nothing."""

_GAP = 2
_NARROWEST = 8


class Column(NamedTuple):
    """A column of a table.

    Numbers stand at its right. Where a terminal is too narrow, a spare column is left out, and an elastic one cut; both
    are left out there where no row has anything in them.
    """

    title: str
    number: bool = False
    spare: bool = False
    elastic: bool = False

    @property
    def gives_way(self) -> bool:
        """Whether it is not shown whole, or at all, where there is little room."""
        return self.spare or self.elastic


def laid_out(
    header: Sequence[str | Column], rows: Sequence[Sequence[str]], *, width: int | None, more: str, encoding: str
) -> list[str]:
    """The lines of a table: without its header, or for a terminal `width` cells wide with it, and no longer than that.

    Spare columns go first, from the last on; then elastic ones are cut, the widest first, and at last the lines. `more`
    stands where something was cut. What would move the cursor, or is not in the encoding, is written as an escape.
    """
    columns = [each if isinstance(each, Column) else Column(each) for each in header]
    shown = [[column.title for column in columns], *([_safe(cell, encoding) for cell in row] for row in rows)]
    if width is None:
        del shown[0]
    widths = [max((cell_len(row[place]) for row in shown), default=0) for place in range(len(columns))]
    places = list(range(len(columns)))
    if width is not None:
        places = [p for p in places if not columns[p].gives_way or any(row[p] != NOTHING for row in rows)]
        _fit(places, columns, widths, width)
    lines = [
        (" " * _GAP).join(_cell(_cut(row[p], widths[p], more), widths[p], columns[p]) for p in places) for row in shown
    ]
    return [line.rstrip() if width is None else _cut(line.rstrip(), width, more) for line in lines]


def _fit(places: list[int], columns: Sequence[Column], widths: list[int], width: int) -> None:
    """Take away the places of columns that have no room, and narrow `widths` where that is not enough."""
    for place in places[::-1]:
        if columns[place].spare and _excess(places, widths, width) > 0:
            places.remove(place)
    elastic = [place for place in places if columns[place].elastic]
    while elastic and _excess(places, widths, width) > 0:
        widest = max(elastic, key=lambda place: widths[place])
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1


def _excess(places: Sequence[int], widths: Sequence[int], width: int) -> int:
    return sum(widths[place] + _GAP for place in places) - _GAP - width


def _cell(cell: str, width: int, column: Column) -> str:
    blanks = " " * (width - cell_len(cell))
    return blanks + cell if column.number else cell + blanks


def _cut(text: str, width: int, more: str) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - cell_len(more)) + more


def _safe(cell: str, encoding: str) -> str:
    if not cell.isprintable():
        cell = "".join(
            each if each.isprintable() or unicodedata.category(each) == "Zs" else each.encode("unicode_escape").decode()
            for each in cell
        )
    return cell.encode(encoding, "backslashreplace").decode(encoding)
