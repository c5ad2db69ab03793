"""Positions: what lies where.

One representation serves every game. A pile is a ``bytes`` of cards, the deepest first, so the last byte is the top
card; a cell of a grid is a pile that holds at most one card. Positions are values: they compare, hash and are never
changed in place, and two positions share the piles that do not differ.
"""

from typing import Final

import msgspec

from pasyans.engine.errors import BadSnapshot

Pile = bytes

_LENGTHS: Final = tuple(bytes((length,)) for length in range(256))
_REDEALS_SIZE: Final = 4  # where redeals are unlimited, a byte is soon full


class Position(msgspec.Struct, frozen=True, gc=False):
    """Where every card lies, and how many redeals were made to get there.

    ``piles`` is in the order of the variant's pile ids. In the stock the last card is the next one drawn.
    """

    piles: tuple[Pile, ...]
    redeals: int = 0


def encode_position(position: Position) -> bytes:
    """Return ``position`` as bytes: the redeals in four, then each pile as its length and its cards, one each."""
    parts = [_LENGTHS[len(pile)] + pile for pile in position.piles]
    return position.redeals.to_bytes(_REDEALS_SIZE, "big") + b"".join(parts)


def decode_position(data: bytes) -> Position:
    """Return the position that `encode_position` wrote.

    Raises:
        BadSnapshot: ``data`` is cut short.
    """
    piles: list[Pile] = []
    at = _REDEALS_SIZE
    if len(data) < at:
        raise BadSnapshot("A stored position is cut short.")
    while at < len(data):
        end = at + 1 + data[at]
        if end > len(data):
            raise BadSnapshot("A stored position is cut short.")
        piles.append(data[at + 1 : end])
        at = end
    return Position(tuple(piles), int.from_bytes(data[:_REDEALS_SIZE], "big"))
