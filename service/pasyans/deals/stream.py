"""Shuffling: the words of a deal's stream, and the shuffle that they drive.

The stream of a deal and round is the 32-byte blocks SHA-256(``pasyans-deal-1/{pack}/{seed}/{round}/{counter}``) for
the counters 0, 1, 2…, each read as eight big-endian 32-bit words. Nothing else is needed to rebuild a deal, in any
language; the vectors in the tests pin it.
"""

import struct
from hashlib import sha256
from typing import Final

_BLOCK: Final = 8  # words
_WORDS: Final = struct.Struct(f">{_BLOCK}I")
_SPAN: Final = 1 << 32


def shuffled(cards: bytes, pack: str, seed: str, round_: int = 0) -> bytes:
    """Return ``cards`` shuffled by the stream of ``pack``, ``seed`` and ``round_``.

    ``round_`` is 0 for the deal itself and 1, 2… for the redeals that shuffle.
    """
    order = list(cards)
    prefix = f"pasyans-deal-1/{pack}/{seed}/{round_}/"
    words: tuple[int, ...] = ()
    read = 0
    for last in range(len(order) - 1, 0, -1):
        other = None
        while other is None:
            at = read % _BLOCK
            if at == 0:
                words = _WORDS.unpack(sha256(f"{prefix}{read // _BLOCK}".encode("ascii")).digest())
            other = _below(words[at], last + 1)
            read += 1
        order[last], order[other] = order[other], order[last]
    return bytes(order)


def _below(word: int, bound: int) -> int | None:
    """Return the number below ``bound`` that a word gives.

    ``None`` for the words that would make small remainders likelier: they are thrown away.
    """
    return word % bound if word < _SPAN - _SPAN % bound else None
