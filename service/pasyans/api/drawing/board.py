"""A board as SVG: one picture that stands alone, without fonts, scripts or anything from elsewhere."""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

import msgspec

from pasyans.api.drawing import faces
from pasyans.api.drawing.geometry import CARD_HEIGHT, CARD_WIDTH, Spot, cell, offsets, size, spots
from pasyans.api.drawing.glyphs import DIGITS
from pasyans.api.drawing.words import GAP, describe
from pasyans.engine.layout import Layout
from pasyans.engine.view import PileView

_PEEK: Final = 6
_DIGIT_SPACE: Final = 5


class _Card(msgspec.Struct, frozen=True):
    """A card; ``face`` is the id of its face, `None` where it lies face down."""

    face: str | None
    x: float
    y: float


class _Place(msgspec.Struct, frozen=True):
    """A place where no card lies."""

    x: float
    y: float


class _Count(msgspec.Struct, frozen=True):
    """How many cards lie face down: a number in a pill around (``x``, ``y``)."""

    number: int
    x: float
    y: float
    scale: float


_Mark = _Card | _Place | _Count


def draw(title: str, layout: Layout, piles: Sequence[PileView]) -> str:
    """Return the SVG of a board: what ``layout`` places of ``piles``, and nothing that they don't show.

    Equal arguments give equal texts. Each pile is a group with its id. A card that can be seen, whole or in part, is
    one ``use`` of its face, whose id begins with the card's name; of a pile that is squared up that is the top card.
    """
    width, height = (_number(length) for length in size(layout))
    drawn = [(spot.pile.id, list(_marks(spot))) for spot in spots(layout, piles)]
    marks = [mark for _, found in drawn for mark in found]
    definitions = faces.definitions(
        (mark.face for mark in marks if isinstance(mark, _Card) and mark.face is not None),
        has_back=any(isinstance(mark, _Card) and mark.face is None for mark in marks),
        digits=(digit for mark in marks if isinstance(mark, _Count) for digit in str(mark.number)),
    )
    groups = "".join(f'<g id="{id_}">{"".join(map(_drawn, found))}</g>' for id_, found in drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-labelledby="title desc" lang="en"><title id="title">{escape(title)}</title>'
        f'<desc id="desc">{escape(describe(layout, piles))}</desc><style>{faces.STYLE}</style>{definitions}'
        f'<rect class="t" width="{width}" height="{height}" rx="10"/>{groups}</svg>\n'
    )


def _marks(spot: Spot) -> Iterator[_Mark]:
    pile, kind = spot.pile, faces.KINDS[spot.zone.fan]
    if spot.zone.kind == "row":
        for index, card in enumerate(pile.cards):
            x = cell(spot, index)
            yield _Place(x, spot.y) if card == GAP else _Card(card, x, spot.y)
    elif not pile.hidden and not pile.cards:
        yield _Place(spot.x, spot.y)
    elif spot.zone.fan == "none":
        yield from _squared(spot)
    else:
        for index, offset in enumerate(offsets(spot)):
            face = pile.cards[index - pile.hidden] + kind if index >= pile.hidden else None
            is_down = spot.zone.fan == "down"
            yield _Card(face, spot.x + (0 if is_down else offset), spot.y + (offset if is_down else 0))


def _squared(spot: Spot) -> Iterator[_Mark]:
    """Yield the top card, on what shows of the face-down ones, and how many those are."""
    pile = spot.pile
    if pile.hidden:
        yield _Card(None, spot.x, spot.y)
    if not pile.cards:
        yield _Count(pile.hidden, spot.x + CARD_WIDTH / 2, spot.y + CARD_HEIGHT / 2, 1)
        return
    yield _Card(pile.cards[-1], spot.x, spot.y + (_PEEK if pile.hidden else 0))
    if pile.hidden:
        yield _Count(pile.hidden, spot.x + 12, spot.y + CARD_HEIGHT - 6, 0.55)


def _drawn(mark: _Mark) -> str:
    match mark:
        case _Card(face, x, y):
            return f'<use href="#{face or faces.BACK}" x="{_number(x)}" y="{_number(y)}"/>'
        case _Place(x, y):
            return f'<rect class="p" x="{_number(x)}" y="{_number(y)}" {faces.CARD}/>'
        case _Count():
            return _pill(mark)


def _pill(count: _Count) -> str:
    digits = [(digit, DIGITS[digit].width) for digit in str(count.number)]
    width = sum(width for _, width in digits) + _DIGIT_SPACE * (len(digits) - 1)
    left = -width / 2
    parts = []
    for digit, wide in digits:
        parts.append(f'<use href="#d{digit}" x="{_number(left)}" y="-10"/>')
        left += wide + _DIGIT_SPACE
    scale = "" if count.scale == 1 else f"scale({_number(count.scale)})"
    return (
        f'<g class="n" transform="translate({_number(count.x)} {_number(count.y)}){scale}">'
        f'<rect class="o" x="{_number(-width / 2 - 9)}" y="-17" width="{_number(width + 18)}" height="34" rx="17"/>'
        f"{''.join(parts)}</g>"
    )


def _number(value: float) -> str:
    """Return a number as short as it goes, with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
