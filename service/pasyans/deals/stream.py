"""Shuffling: the words of a deal's stream, and the shuffle that they drive.

The stream of a deal and round is the 32-byte blocks SHA-256(``pasyans-deal-1/{pack}/{seed}/{round}/{counter}``) for
the counters 0, 1, 2…, each read as eight big-endian 32-bit words. Nothing else is needed to rebuild a deal, in any
language; the vectors in the tests pin it.
"""

import struct
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import Final

_WORDS: Final = struct.Struct(">8I")
_SPAN: Final = 1 << 32


def shuffled(cards: bytes, pack: str, seed: str, round_: int = 0) -> bytes:
    """Return ``cards`` shuffled by the stream of ``pack``, ``seed`` and ``round_``.

    ``round_`` is 0 for the deal itself and 1, 2… for the redeals that shuffle.
    """
    order = bytearray(cards)
    words = _words(f"pasyans-deal-1/{pack}/{seed}/{round_}/")
    for last in range(len(order) - 1, 0, -1):
        other = _below(words, last + 1)
        order[last], order[other] = order[other], order[last]
    return bytes(order)


def _words(prefix: str) -> Iterator[int]:
    for counter in count():
        yield from _WORDS.unpack(sha256(f"{prefix}{counter}".encode("ascii")).digest())


def _below(words: Iterator[int], bound: int) -> int:
    """Return a number below ``bound``; words that would make small remainders likelier are thrown away."""
    limit = _SPAN - _SPAN % bound
    while True:
        word = next(words)
        if word < limit:
            return word % bound
