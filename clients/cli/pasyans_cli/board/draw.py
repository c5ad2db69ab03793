"""The board: zones of a layout, filled with the piles of a game.

A pile that lies squared up shows its label, its top card and how many lie below; a fanned one shows every card. A row
of cells is one line under the numbers of its columns. Each place of the layout is equally wide, and coarse rows are as
high as their highest pile.
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec
from pasyans_client.models import Event, Layout, Pile, Zone

from pasyans_cli.board.canvas import Canvas, Line
from pasyans_cli.board.glyphs import UNICODE, Glyphs, card

WIDTH = 80
CARD = 3
"""Characters that a card takes at most."""
STEP = CARD + 1
"""Characters from one card to the next where they lie side by side in one pile."""
WIDEST_PLACE = 7
ROW_LABEL = 3

Changed = Collection[tuple[str, int]]


class _Placed(msgspec.Struct, frozen=True):
    """A pile at its place: the coarse row and column, and how many places it may spread over to the right."""

    pile: Pile
    zone: Zone
    row: int
    column: int
    columns: int


def draw(
    layout: Layout,
    piles: Iterable[Pile],
    *,
    changed: Changed = frozenset(),
    glyphs: Glyphs = UNICODE,
    width: int = WIDTH,
) -> tuple[Line, ...]:
    """Draw a board as styled lines of at most `width` characters.

    `changed` names the cards to mark, as pairs of a pile and an index in it (from the bottom, face-down cards counted).
    Piles that no zone names are not drawn.
    """
    placed = list(_place(layout, {pile.id: pile for pile in piles}))
    margin = ROW_LABEL if any(zone.kind == "row" for zone in layout.zones) else 0
    place = max(STEP, min(WIDEST_PLACE, (width - margin) // layout.columns))
    tops = _tops(layout, placed)
    canvas = Canvas()
    for item in placed:
        x, y = margin + item.column * place, tops[item.row]
        marks = {index for pile, index in changed if pile == item.pile.id}
        if item.zone.kind == "row":
            _row(canvas, item, x, y, place, marks, glyphs)
        elif item.zone.fan == "down":
            _column(canvas, item.pile, x, y, marks, glyphs)
        elif item.zone.fan == "right":
            _spread(canvas, item.pile, x, y, item.columns * place, marks, glyphs)
        else:
            _squared(canvas, item.pile, x, y, marks, glyphs)
    return canvas.lines()


def marks(events: Iterable[Event]) -> set[tuple[str, int]]:
    """Where the cards lie that went, or were turned over, in the course of some events."""
    places: set[tuple[str, int]] = set()
    for event in events:
        places -= {(change.source, change.source_index) for change in event.changes}
        places |= {(change.to, change.to_index) for change in event.changes}
    return places


def _place(layout: Layout, piles: dict[str, Pile]) -> Iterable[_Placed]:
    for zone in layout.zones:
        across = 1 if zone.kind == "row" else max(1, zone.columns)
        spread = zone.columns if zone.kind == "row" or len(zone.piles) == 1 else 1
        for index, name in enumerate(zone.piles):
            if name in piles:
                row, column = zone.row + index // across, zone.column + index % across
                yield _Placed(piles[name], zone, row, column, spread)


def _tops(layout: Layout, placed: Sequence[_Placed]) -> dict[int, int]:
    """The line at which each coarse row begins; a row of cells needs no blank line before the next one."""
    tops: dict[int, int] = {}
    y = 0
    for row in range(max((item.row for item in placed), default=layout.rows) + 1):
        tops[row] = y
        y += max((_height(item) for item in placed if item.row == row), default=0)
    return tops


def _height(item: _Placed) -> int:
    if item.zone.kind == "row":
        return 2 if item.row == item.zone.row else 1
    label_and_blank = 2
    if item.zone.fan == "down":
        return label_and_blank + max(1, len(item.pile.cards) + bool(item.pile.hidden))
    return label_and_blank + 1


def _label(canvas: Canvas, pile: Pile, x: int, y: int) -> None:
    canvas.put(x + 1, y, pile.id.rjust(CARD), "label")


def _card(canvas: Canvas, name: str, x: int, y: int, marked: bool, glyphs: Glyphs) -> None:
    text, style = card(name, glyphs)
    canvas.put(x + 1, y, text.rjust(CARD), style)
    if marked:
        canvas.put(x + 1 + CARD - len(text) - 1, y, glyphs.changed, "mark")


def _squared(canvas: Canvas, pile: Pile, x: int, y: int, marks: set[int], glyphs: Glyphs) -> None:
    _label(canvas, pile, x, y)
    count = pile.hidden + len(pile.cards)
    if pile.cards:
        _card(canvas, pile.cards[-1], x, y + 1, count - 1 in marks, glyphs)
        below = f"+{count - 1}" if count > 1 and pile.kind != "foundation" else ""
    elif pile.hidden:
        canvas.put(x + 1, y + 1, glyphs.back, "back")
        below = str(count)
    else:
        canvas.put(x + 1, y + 1, glyphs.empty.rjust(CARD), "faint")
        below = ""
    canvas.put(x + 1, y + 2, below.rjust(CARD), "faint")


def _column(canvas: Canvas, pile: Pile, x: int, y: int, marks: set[int], glyphs: Glyphs) -> None:
    _label(canvas, pile, x, y)
    if not pile.cards and not pile.hidden:
        canvas.put(x + 1, y + 1, glyphs.empty.rjust(CARD), "faint")
    if pile.hidden:
        canvas.put(x + 1, y + 1, f"{glyphs.back[0]}{pile.hidden:>2}", "back")
    first = y + 1 + bool(pile.hidden)
    for index, name in enumerate(pile.cards):
        _card(canvas, name, x, first + index, pile.hidden + index in marks, glyphs)


def _spread(canvas: Canvas, pile: Pile, x: int, y: int, width: int, marks: set[int], glyphs: Glyphs) -> None:
    """Cards side by side, the last ones that there is room for; what lies before them is counted."""
    room = width // STEP
    count = pile.hidden + len(pile.cards)
    if room < 2 or not pile.cards:
        _squared(canvas, pile, x, y, marks, glyphs)
        return
    shown = pile.cards if not pile.hidden and count <= room else pile.cards[1 - room :]
    unseen = count - len(shown)
    _label(canvas, pile, x, y)
    if unseen:
        canvas.put(x + 1, y + 1, f"+{unseen}".rjust(CARD), "faint")
        x += STEP
    for index, name in enumerate(shown):
        _card(canvas, name, x + index * STEP, y + 1, unseen + index in marks, glyphs)


def _row(canvas: Canvas, item: _Placed, x: int, y: int, place: int, marks: set[int], glyphs: Glyphs) -> None:
    """One line of cells; the first row of its zone has the numbers of the columns above it."""
    if item.row == item.zone.row:
        for index in range(len(item.pile.cards)):
            canvas.put(x + index * place + 1, y, str(index + 1).rjust(CARD), "label")
        y += 1
    canvas.put(x - 2, y, item.pile.id, "label")
    for index, name in enumerate(item.pile.cards):
        _card(canvas, name, x + index * place, y, index in marks, glyphs)
