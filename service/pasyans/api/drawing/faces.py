"""What cards look like: the definitions that a board refers to.

A card has a face for each way to lie. The plain one has its rank as large as it gets; those of fanned piles have rank
and suit together in the strip that shows of a card which others cover.
"""

from collections.abc import Iterable
from typing import Final

from pasyans.api.drawing.geometry import CARD_HEIGHT, CARD_WIDTH
from pasyans.api.drawing.glyphs import DIGITS, RANKS, STROKE, SUITS

KINDS: Final = {"none": "", "down": "-d", "right": "-r"}
"""What follows a card's name in the id of its face, by how the pile is fanned."""

BACK: Final = "back"
"""The id of a card that lies face down."""

STYLE: Final = (
    ".t{fill:#dfe8e1}"
    ".p{fill:#d3dfd6;stroke:#a9bdaf}"
    ".f{fill:#fff;stroke:#7d8a82}"
    ".b{fill:#3a5f95;stroke:#24406b}"
    ".l{stroke:#6f92c6}"
    ".k{color:#17191c}"
    ".r{color:#c6162f}"
    ".n{color:#fff}"
    ".o{fill:#1d3357;stroke:#6f92c6}"
    "@media(prefers-color-scheme:dark){"
    ".t{fill:#17211b}"
    ".p{fill:#202d26;stroke:#4a6154}"
    ".f{fill:#2a2f34;stroke:#5d666e}"
    ".b{fill:#2c4770;stroke:#7089b0}"
    ".l{stroke:#46689c}"
    ".k{color:#eceff1}"
    ".r{color:#ff8585}"
    ".o{fill:#16263f;stroke:#7089b0}"
    "}"
)

CARD: Final = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6"'
"""The shape of a card."""

_PEN: Final = f'fill="none" stroke-width="{STROKE}" stroke-linecap="round" stroke-linejoin="round"'
_RANKS_AT: Final = {
    "": "translate(9 9)scale(1.55)",
    "-d": "translate(7 4.5)scale(.88)",
    "-r": "translate(6 7)scale(.7)",
}
_PIPS_AT: Final = {
    "": ("translate(39 63)scale(1.6)",),
    "-d": ("translate(46 13.6)scale(.88)", "translate(30 56)scale(1.8)"),
    "-r": ("translate(12 35)scale(.8)", "translate(38 58)scale(1.7)"),
}


def definitions(faces: Iterable[str], *, has_back: bool, digits: Iterable[str]) -> str:
    """Return what a board needs: faces (a card's name, then one of `KINDS`), the back, digits of counts."""
    used = sorted(set(faces))
    parts = [_back()] if has_back else []
    parts += [_digit(digit) for digit in sorted(set(digits))]
    parts += [f'<path id="p{suit}" d="{SUITS[suit]}"/>' for suit in sorted({face[1] for face in used})]
    parts += [_blank(suit, kind) for suit, kind in sorted({(face[1], face[2:]) for face in used})]
    parts += [_rank(rank, kind) for rank, kind in sorted({(face[0], face[2:]) for face in used})]
    parts += [_face(face[0], face[1], face[2:]) for face in used]
    return f"<defs>{''.join(parts)}</defs>"


def _back() -> str:
    lattice = (
        '<pattern id="lattice" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="l" d="M0 0h9v9" fill="none" stroke-width="2.4"/></pattern>'
    )
    return (
        f'{lattice}<g id="{BACK}"><rect class="b" {CARD}/>'
        f'<rect x="5" y="5" width="{CARD_WIDTH - 10}" height="{CARD_HEIGHT - 10}" rx="3" fill="url(#lattice)"/></g>'
    )


def _digit(digit: str) -> str:
    return f'<path id="d{digit}" {_PEN} stroke="currentColor" d="{DIGITS[digit].path}"/>'


def _blank(suit: str, kind: str) -> str:
    pips = "".join(f'<use href="#p{suit}" fill="currentColor" transform="{place}"/>' for place in _PIPS_AT[kind])
    return f'<g id="b{suit}{kind}"><rect class="f" {CARD}/>{pips}</g>'


def _rank(rank: str, kind: str) -> str:
    return f'<path id="n{rank}{kind}" {_PEN} stroke="currentColor" transform="{_RANKS_AT[kind]}" d="{RANKS[rank]}"/>'


def _face(rank: str, suit: str, kind: str) -> str:
    colour = "r" if suit in "DH" else "k"
    return f'<g id="{rank}{suit}{kind}" class="{colour}"><use href="#b{suit}{kind}"/><use href="#n{rank}{kind}"/></g>'
