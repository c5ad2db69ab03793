"""Layouts: where the piles lie, for a client that draws a game without knowing it.

A layout is a coarse grid of places, each as large as a card. A zone covers ``rows`` × ``columns`` places from
(``row``, ``column``), and its piles fill them from left to right and from top to bottom. A pile of kind ``row`` fills
a row of its zone, a cell to a place.
"""

import msgspec

from pasyans.engine.variant import PileVariant, Text


class Zone(msgspec.Struct, frozen=True):
    """Piles of one kind that lie together.

    ``kind`` is ``stock``, ``waste``, ``reserve``, ``foundation``, ``tableau`` or ``row``; ``fan`` is how the cards of
    a pile lie: ``none`` (squared up, only the top shows), ``down`` (each covers part of the one before it, towards the
    player) or ``right``.
    """

    id: str
    kind: str
    name: Text
    fan: str
    piles: tuple[str, ...]
    row: int
    column: int
    rows: int
    columns: int


class Layout(msgspec.Struct, frozen=True):
    """The zones of a variant, on a grid of ``rows`` × ``columns`` places."""

    rows: int
    columns: int
    zones: tuple[Zone, ...]


def pile_layout(variant: PileVariant) -> Layout:
    """Lay out a game of piles: stock, waste, reserve and foundations above, the tableau below."""
    held = [("stock", Text("Stock", "Колода"), "s"), ("waste", Text("Waste", "Сброс"), "w")]
    if variant.reserve:
        held.append(("reserve", Text("Reserve", "Резерв"), "r"))
    columns = max(variant.columns, len(held) + variant.foundations)
    zones = [
        Zone(kind, kind, name, "none", (pile,), row=0, column=column, rows=1, columns=1)
        for column, (kind, name, pile) in enumerate(held)
    ]
    zones.append(
        Zone(
            "foundations",
            "foundation",
            Text("Foundations", "Основания"),
            "none",
            numbered("f", variant.foundations),
            row=0,
            column=columns - variant.foundations,
            rows=1,
            columns=variant.foundations,
        )
    )
    zones.append(
        Zone(
            "tableau",
            "tableau",
            Text("Tableau", "Игровое поле"),
            "down",
            numbered("t", variant.columns),
            row=1,
            column=(columns - variant.columns) // 2,
            rows=1,
            columns=variant.columns,
        )
    )
    return Layout(2, columns, tuple(zones))


def grid_layout(rows: int, columns: int) -> Layout:
    """Lay out a game on a grid: one zone of rows."""
    ids = tuple("abcdefgh"[:rows])
    zone = Zone("rows", "row", Text("Rows", "Ряды"), "none", ids, row=0, column=0, rows=rows, columns=columns)
    return Layout(rows, columns, (zone,))


def numbered(letter: str, count: int) -> tuple[str, ...]:
    """Return the ids of ``count`` piles of one kind: ``t1``, ``t2``…"""
    return tuple(f"{letter}{number}" for number in range(1, count + 1))
