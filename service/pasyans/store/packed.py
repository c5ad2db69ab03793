"""Packed logs: the rows of a game's log in one compact piece, which gives back the very same rows.

Format 1 is one byte (1), a DEFLATE stream (RFC 1951, raw, with the preset dictionary below), and in that stream:

    the number of rows, then for each row how many events it has and how many milliseconds after the row before it was
    written (for the first: since the Unix epoch), all as LEB128; then the events of all rows in UTF-8, a line each

Numbers of events follow from there. A row's link is worked out from the row and the link before, so it is not kept: a
packed log that was tampered with leads to another last link than the one in the game's head. The format, with its
dictionary, is frozen: what it wrote is read for ever.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from pasyans.store import chain
from pasyans.store.values import LogRow

_FORMAT: Final = 1
_LEVEL: Final = 9
_DICTIONARY: Final = (
    b"redeal\nundone 1\nredone 1\nt8-f1\nt1-f1\nt2-f2\nt3-f3\nt4-f4\nt5-t1\nt6-t2\nt7-t3\nt8-t4\nt1-t5\nr-t1\n"
    b"w-f1\nw-t1\ndraw\nfinished abandoned\nfinished lost\nfinished won\n"
    b'{"kind":"daily","seed":"0123456789abcdef","date":"2026-'
    b'"kind":"shared","seed":"started {"variant":"forty-and-eight","variant":"congress","variant":"court","variant":"'
    b'dolgiy-open","variant":"vokzal-52","variant":"vokzal-36","variant":"forty-thieves","rules":1,"deal":{"kind":"'
    b'sealed","seed":"","date":null},"player":"","attempt":1}\ndraw\n'
)


class BadPack(ValueError):
    """Bytes that are no packed log."""


def pack(rows: Sequence[LogRow]) -> bytes:
    """Return a whole log, from its first row on, as one piece.

    Raises:
        ValueError: there is no row, or one is older than the row before it.
    """
    if not rows:
        raise ValueError("A log has a row at least.")
    numbers = bytearray()
    _put(numbers, len(rows))
    at = 0
    for row in rows:
        _put(numbers, row.last_seq - row.first_seq + 1)
        _put(numbers, row.at - at)
        at = row.at
    text = "\n".join(row.events for row in rows).encode()
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zdict=_DICTIONARY)
    return bytes((_FORMAT,)) + deflate.compress(bytes(numbers) + text) + deflate.flush()


def unpack(game_id: UUID, data: bytes) -> list[LogRow]:
    """Return the rows that `pack` was given.

    Raises:
        BadPack: ``data`` is no packed log.
    """
    if data[:1] != bytes((_FORMAT,)):
        raise BadPack("A packed log has an unknown format.")
    try:
        inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_DICTIONARY)
        whole = inflate.decompress(data[1:])
        if not inflate.eof or inflate.unused_data:
            raise IndexError
        return list(_rows(game_id, whole))
    except (zlib.error, IndexError, UnicodeDecodeError, OverflowError) as error:
        raise BadPack("A packed log can't be read.") from error


def _rows(game_id: UUID, whole: bytes) -> Iterator[LogRow]:
    count, place = _take(whole, 0)
    sizes: list[int] = []
    times: list[int] = []
    at = 0
    for _ in range(count):
        size, place = _take(whole, place)
        later, place = _take(whole, place)
        at += later
        sizes.append(size)
        times.append(at)
    lines = whole[place:].decode().split("\n")
    if len(lines) != sum(sizes):
        raise IndexError
    link, seq = chain.GENESIS, 0
    for size, at in zip(sizes, times, strict=True):
        events = "\n".join(lines[seq : seq + size])
        link = chain.link(link, game_id, seq + 1, at, events)
        yield LogRow(seq + 1, seq + size, events, at, link)
        seq += size


def _put(into: bytearray, number: int) -> None:
    while number >= 0x80:
        into.append(number & 0x7F | 0x80)
        number >>= 7
    into.append(number)


def _take(data: bytes, place: int) -> tuple[int, int]:
    """Return the number at a place, and the place after it."""
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
        shift += 7
