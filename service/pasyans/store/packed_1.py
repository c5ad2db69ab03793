"""The first format of packed logs, in which nothing is packed any more: one DEFLATE stream.

It is raw (RFC 1951), with the preset dictionary below, and holds

    the number of rows, then for each row how many events it has and how many milliseconds after the row before it was
    written (for the first: since the Unix epoch), all as LEB128; then the events of all rows in UTF-8, a line each
"""

import zlib
from typing import Final

FORMAT: Final = 1

_DICTIONARY: Final = (
    b"redeal\nundone 1\nredone 1\nt8-f1\nt1-f1\nt2-f2\nt3-f3\nt4-f4\nt5-t1\nt6-t2\nt7-t3\nt8-t4\nt1-t5\nr-t1\n"
    b"w-f1\nw-t1\ndraw\nfinished abandoned\nfinished lost\nfinished won\n"
    b'{"kind":"daily","seed":"0123456789abcdef","date":"2026-'
    b'"kind":"shared","seed":"started {"variant":"forty-and-eight","variant":"congress","variant":"court","variant":"'
    b'dolgiy-open","variant":"vokzal-52","variant":"vokzal-36","variant":"forty-thieves","rules":1,"deal":{"kind":"'
    b'sealed","seed":"","date":null},"player":"","attempt":1}\ndraw\n'
)


def unpack(data: bytes) -> tuple[list[int], list[int], list[str]]:
    """Return the numbers of events and the times of the rows, and the lines of all."""
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_DICTIONARY)
    whole = inflate.decompress(data)
    if not inflate.eof or inflate.unused_data:
        raise IndexError
    count, place = take(whole, 0)
    sizes: list[int] = []
    times: list[int] = []
    at = 0
    for _ in range(count):
        size, place = take(whole, place)
        later, place = take(whole, place)
        at += later
        sizes.append(size)
        times.append(at)
    return sizes, times, whole[place:].decode().split("\n")


def take(data: bytes, place: int) -> tuple[int, int]:
    """Return the LEB128 number at a place, and the place after it."""
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
        shift += 7
