"""Layouts and positions to draw, as the service sends them."""

from pasyans_cli.board.canvas import Line
from pasyans_client.models import Layout, Pile, Text, Zone

_TEXT = Text("", "")

VOKZAL = Layout(
    zones=(
        Zone("stock", "stock", _TEXT, "none", ("s",), 0, 0, 1, 1),
        Zone("waste", "waste", _TEXT, "none", ("w",), 0, 1, 1, 1),
        Zone("reserve", "reserve", _TEXT, "none", ("r",), 0, 2, 1, 1),
        Zone("foundations", "foundation", _TEXT, "none", ("f1", "f2", "f3", "f4"), 0, 3, 1, 4),
        Zone("tableau", "tableau", _TEXT, "down", ("t1", "t2", "t3", "t4"), 1, 1, 1, 4),
    ),
    rows=2,
    columns=7,
)
ROWS = Layout((Zone("rows", "row", _TEXT, "none", ("a", "b", "c", "d"), 0, 0, 4, 14),), rows=4, columns=14)


def vokzal() -> list[Pile]:
    """A position of Vokzal, its third column empty."""
    piles = [
        ("s", "stock", 18, ""),
        ("w", "waste", 0, "AS TH JS"),
        ("r", "reserve", 8, "7D"),
        ("f1", "foundation", 0, "AH"),
        ("f2", "foundation", 0, ""),
        ("f3", "foundation", 0, ""),
        ("f4", "foundation", 0, ""),
        ("t1", "tableau", 0, "JD TS"),
        ("t2", "tableau", 0, "6H"),
        ("t3", "tableau", 0, ""),
        ("t4", "tableau", 0, "QC JD TS"),
    ]
    return [Pile(name, kind, hidden, tuple(cards.split())) for name, kind, hidden, cards in piles]


def rows() -> list[Pile]:
    """An opening of Dolgiy."""
    lines = (
        "AS -- 4D 5D 8H QC 7C QS JC KC 5H 6S QD 9H",
        "AC -- 4S 2H 4C JD 9S 9C 3H 3S 8C 6H 5S 2D",
        "AD -- TD JH TC 2S 3C 2C 3D 9D 5C 7H KD KS",
        "AH -- TH 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
    )
    return [Pile(name, "row", 0, tuple(line.split())) for name, line in zip("abcd", lines, strict=True)]


def plain(line: Line) -> str:
    """A line without its styles."""
    return "".join(segment.text for segment in line)
