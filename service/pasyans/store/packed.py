"""Packed logs: the rows of a game's log in one compact piece, which gives back the very same rows.

The first byte is the number of the format, which says how the rest gives each row's number of events and time, and the
events of all rows, a line each. Numbers of events follow from there. A row's link is worked out from the row and the
link before, so it is not kept: a packed log that was tampered with leads to another last link than the one in the
game's head. Formats are frozen: what they wrote is read for ever. Logs are packed in the last of them.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final
from uuid import UUID

from pasyans.store import chain, packed_1, packed_2
from pasyans.store.values import LogRow

_FORMATS: Final[dict[int, Callable[[bytes], tuple[list[int], list[int], list[str]]]]] = {
    packed_1.FORMAT: packed_1.unpack,
    packed_2.FORMAT: packed_2.unpack,
}


class BadPack(ValueError):
    """Bytes that are no packed log."""


def pack(rows: Sequence[LogRow]) -> bytes:
    """Return a whole log, from its first row on, as one piece.

    Raises:
        ValueError: there is no row, one is older than the row before it, or has a NUL, which PostgreSQL has in no text.
    """
    if not rows:
        raise ValueError("A log has a row at least.")
    sizes = [row.last_seq - row.first_seq + 1 for row in rows]
    times = [row.at for row in rows]
    lines = "\n".join(row.events for row in rows).split("\n")
    return bytes((packed_2.FORMAT,)) + packed_2.pack(sizes, times, lines)


def unpack(game_id: UUID, data: bytes) -> list[LogRow]:
    """Return the rows that `pack` was given.

    Raises:
        BadPack: ``data`` is no packed log.
    """
    read = _FORMATS.get(data[0]) if data else None
    if read is None:
        raise BadPack("A packed log has an unknown format.")
    try:
        return list(_rows(game_id, *read(data[1:])))
    except (zlib.error, IndexError, ValueError, OverflowError) as error:
        raise BadPack("A packed log can't be read.") from error


def _rows(game_id: UUID, sizes: list[int], times: list[int], lines: list[str]) -> Iterator[LogRow]:
    if len(lines) != sum(sizes):
        raise IndexError
    link, seq = chain.GENESIS, 0
    for size, at in zip(sizes, times, strict=True):
        events = "\n".join(lines[seq : seq + size])
        link = chain.link(link, game_id, seq + 1, at, events)
        yield LogRow(seq + 1, seq + size, events, at, link)
        seq += size
