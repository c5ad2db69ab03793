"""How a card, the back of one and the lack of one are written, three characters wide at most."""

import re
from typing import NamedTuple

from pasyans_cli.board.canvas import Segment, Style

GAP = "--"
"""How the API writes an empty cell of a row."""

_STYLES: dict[str, Style] = {"C": "C", "D": "D", "H": "H", "S": "S"}


class Glyphs(NamedTuple):
    """A way of writing."""

    suits: dict[str, str]
    back: str
    empty: str
    changed: str
    more: str


UNICODE = Glyphs({"C": "♣", "D": "♦", "H": "♥", "S": "♠"}, "▒▒▒", "··", "›", "…")
ASCII = Glyphs({"C": "C", "D": "D", "H": "H", "S": "S"}, "###", "--", ">", ".")


_CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")


def card(name: str, glyphs: Glyphs) -> Segment:
    """A card of the API (`TD`, `9C`) or a gap, as it is written on the board (`10♦`, `9♣`)."""
    if name == GAP:
        return Segment(glyphs.empty, "faint")
    rank, suit = name[:-1], name[-1:]
    if suit not in glyphs.suits:
        return Segment(name[:3], "plain")
    return Segment(("10" if rank == "T" else rank) + glyphs.suits[suit], _STYLES[suit])


def in_text(text: str, glyphs: Glyphs) -> str:
    """A sentence with its cards written as on the board."""
    return _CARD.sub(lambda found: card(found[0], glyphs).text, text)
