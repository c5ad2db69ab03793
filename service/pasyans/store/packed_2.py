"""The second format of packed logs: moves, other lines and numbers apart, since each is packed best by itself.

    moves     a raw DEFLATE stream (RFC 1951) of bytes. A word of `_WORDS` is one byte, a move two, which are the places
              that it goes from and to, and a third where it takes several cards; all as the numbers of `_CODES`. A line
              that can't be written so is 0.
    lines     another, with a preset dictionary, of those lines in their order, in UTF-8, with a line feed after each;
              each UUID in them is a NUL
    ids       these UUIDs, 16 bytes each
    numbers   the number of rows, and the time of the first in milliseconds since the Unix epoch, as LEB128; then, as
              `_pack_numbers` has them, how many more events than one each row has, and how many milliseconds after the
              row before it each but the first was written

All is frozen, the codes and the dictionary too.
"""

import re
import zlib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final
from uuid import UUID

from pasyans.store.packed_1 import take

FORMAT: Final = 2

_LEVEL: Final = 9

_WORDS: Final = ("draw", "redeal", "undone 1", "redone 1", "finished won", "finished lost", "finished abandoned")
_PLACES: Final = (
    *"wr",
    *(f"f{number}" for number in range(1, 9)),
    *(f"t{number}" for number in range(1, 13)),
    *(f"{row}{number}" for row in "abcd" for number in range(1, 15)),
)
_SEVERAL: Final = tuple(f"*{number}" for number in range(2, 14))
_NAMES: Final = ("", *_WORDS, *_PLACES, *_SEVERAL)
_CODES: Final = {name: code for code, name in enumerate(_NAMES)}
_FIRST_SEVERAL: Final = bytes((_CODES[_SEVERAL[0]],))
_OTHER: Final = b"\0"

_MOVE: Final = re.compile(r"([a-z][0-9]*)-([a-z][0-9]*)(\*[0-9]+)?")
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_DICTIONARY: Final = (
    b'voided cheating\nvoided error\nvoided other\nvoided test\nrestored error\nrestored other\nundone 3\nundone 2\n"'
    b'kind":"daily","seed":"","date":"2026-","kind":"sealed","seed":"'
    + b"".join(
        b'started {"variant":"%s","rules":1,"deal":{"kind":"shared","seed":"' % variant
        for variant in (
            b"dolgiy", b"dolgiy-open", b"court", b"congress",
            b"forty-and-eight", b"vokzal-52", b"vokzal-36", b"forty-thieves",
        )
    )
    + b'","date":null},"player":"\0","attempt":1}\n'
)  # fmt: skip

_NONE: Final = 0xFF  # instead of an order: all numbers are 0, and none is written


def pack(sizes: Sequence[int], times: Sequence[int], lines: Sequence[str]) -> bytes:
    """Return rows with these numbers of events and times, and these lines, as bytes.

    Raises:
        ValueError: a time is before the one that it follows, or there is a NUL in a line.
    """
    coded = [_coded(line) for line in lines]
    text = "".join(f"{line}\n" for line, codes in zip(lines, coded, strict=True) if codes == _OTHER)
    if "\0" in text:
        raise ValueError("A line of the log has a NUL.")
    delays = [after - before for before, after in pairwise(times)]
    if min(times[0], *delays, 0) < 0:
        raise ValueError("A row of the log is older than the row before it.")
    return b"".join(
        (
            _deflate(b"".join(coded), b""),
            _deflate(_ID.sub("\0", text).encode(), _DICTIONARY),
            *(UUID(found).bytes for found in _ID.findall(text)),
            _leb128(len(sizes)),
            _leb128(times[0]),
            _pack_numbers([size - 1 for size in sizes]),
            _pack_numbers(delays),
        )
    )


def unpack(data: bytes) -> tuple[list[int], list[int], list[str]]:
    """Return the numbers of events and the times of the rows, and the lines of all."""
    codes, data = _inflate(data, b"")
    text, data = _inflate(data, _DICTIONARY)
    place = 16 * text.count(0)
    ids = (str(UUID(bytes=data[start : start + 16])) for start in range(0, place, 16))
    lines = _lines(codes, re.sub("\0", lambda _: next(ids), text.decode()).split("\n"))
    count, place = take(data, place)
    first, place = take(data, place)
    if count > len(lines):
        raise IndexError
    more, place = _unpack_numbers(data, place, count)
    delays, place = _unpack_numbers(data, place, count - 1)
    if place != len(data):
        raise IndexError
    return [number + 1 for number in more], list(accumulate(delays, initial=first)), lines


def _coded(line: str) -> bytes:
    if line in _WORDS:
        return bytes((_CODES[line],))
    found = _MOVE.fullmatch(line)
    names = [name for name in found.groups() if name is not None] if found else []
    return bytes(map(_CODES.__getitem__, names)) if names and _CODES.keys() >= set(names) else _OTHER


def _lines(codes: bytes, others: list[str]) -> list[str]:
    """The lines that codes stand for; ``others`` are those written out, and nothing after the last line feed."""
    lines: list[str] = []
    others.reverse()
    place = 0
    while place < len(codes):
        code = codes[place]
        if code == 0:
            line = others.pop()
        elif code <= len(_WORDS):
            line = _NAMES[code]
        else:
            place += 1
            line = f"{_NAMES[code]}-{_NAMES[codes[place]]}"
            if codes[place + 1 : place + 2] >= _FIRST_SEVERAL:
                place += 1
                line += _NAMES[codes[place]]
        place += 1
        lines.append(line)
    if others != [""]:
        raise IndexError
    return lines


def _pack_numbers(numbers: Sequence[int]) -> bytes:
    """Numbers from 0 on as exponential Golomb codes, after a byte with the order that is best for them.

    Short waits take little, and a long one among them takes little more. The codes follow one another bit by bit, from
    the highest of a byte on; what is left of the last byte is 0.
    """
    if not any(numbers):
        return bytes((_NONE,))

    def cost(order: int) -> int:
        return sum(2 * (number + (1 << order)).bit_length() - order for number in numbers)

    order = min(range(max(numbers).bit_length()), key=cost)
    shifted = (number + (1 << order) for number in numbers)
    bits = "".join("0" * (number.bit_length() - 1 - order) + f"{number:b}" for number in shifted)
    size = -(-len(bits) // 8)
    return bytes((order,)) + int(bits.ljust(8 * size, "0"), 2).to_bytes(size, "big")


def _unpack_numbers(data: bytes, place: int, count: int) -> tuple[list[int], int]:
    """Return so many numbers at a place, and the place after them."""
    order = data[place]
    place += 1
    if order == _NONE:
        return [0] * count, place
    bits = "".join(f"{byte:08b}" for byte in data[place:])
    numbers: list[int] = []
    at = 0
    for _ in range(count):
        one = bits.index("1", at)
        end = one + one - at + order + 1
        numbers.append(int(bits[one:end], 2) - (1 << order))
        at = end
    return numbers, place - (-at // 8)


def _leb128(number: int) -> bytes:
    written = bytearray()
    while number >= 0x80:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def _deflate(data: bytes, dictionary: bytes) -> bytes:
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zdict=dictionary)
    return deflate.compress(data) + deflate.flush()


def _inflate(data: bytes, dictionary: bytes) -> tuple[bytes, bytes]:
    """Return what a stream holds, and what follows the stream."""
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=dictionary)
    whole = inflate.decompress(data)
    if not inflate.eof:
        raise IndexError
    return whole, inflate.unused_data
