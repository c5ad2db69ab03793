"""A sheet of character cells on which styled words are put down."""

from typing import Literal, NamedTuple

Style = Literal["plain", "C", "D", "H", "S", "back", "faint", "label", "mark"]
"""What a word is, not how it looks: a card's suit, the back of a card, what stays in the background, a label, the mark
of a change."""


class Segment(NamedTuple):
    """Text of one style within a line."""

    text: str
    style: Style


Line = tuple[Segment, ...]


class Canvas:
    """Words at places; what is put down later must not overlap what lies there."""

    def __init__(self) -> None:
        self._rows: dict[int, list[tuple[int, Segment]]] = {}

    def put(self, x: int, y: int, text: str, style: Style = "plain") -> None:
        """Write `text` from column `x` (from 0) of line `y` (from 0); blanks around it are left out."""
        word = text.strip()
        if word:
            start = x + text.index(word)
            self._rows.setdefault(y, []).append((start, Segment(word, style)))

    def lines(self) -> tuple[Line, ...]:
        """Every line from the first to the last one written on."""
        return tuple(self._line(y) for y in range(max(self._rows, default=-1) + 1))

    def _line(self, y: int) -> Line:
        line: list[Segment] = []
        end = 0
        for x, segment in sorted(self._rows.get(y, []), key=lambda placed: placed[0]):
            if x > end:
                line.append(Segment(" " * (x - end), "plain"))
            line.append(segment)
            end = x + len(segment.text)
        return tuple(line)
