"""The move notation.

``draw``, ``redeal``, ``SOURCE-TARGET`` and ``SOURCE-TARGET*N`` for N > 1 cards, where a source or a target is the id
of a pile or a cell: a small letter and, mostly, a number without leading zeros. ``SOURCE-f`` is a short form, "the
first foundation that takes the card"; it is rewritten in full before it is played or kept.
"""

import re
from typing import Final

from pasyans.engine.errors import UnreadableMove

DRAW: Final = "draw"
REDEAL: Final = "redeal"

_TRANSFER: Final = re.compile(r"([a-z](?:[1-9][0-9]?)?)-([a-z](?:[1-9][0-9]?)?)(?:\*([2-9]|[1-9][0-9]{1,2}))?")


def parse_transfer(move: str) -> tuple[str, str, int]:
    """Split a move of cards into its source, its target and the number of cards.

    Raises:
        UnreadableMove: ``move`` is not of the form ``SOURCE-TARGET`` or ``SOURCE-TARGET*N``.
    """
    match = _TRANSFER.fullmatch(move)
    if match is None:
        raise UnreadableMove(move)
    source, target, count = match.groups()
    return source, target, int(count) if count else 1
