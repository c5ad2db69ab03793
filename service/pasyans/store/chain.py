"""The hash chain that ties each row of a game's log to the row before.

A link is the first 16 bytes of SHA-256 over, in this order:

    previous link (16 bytes) || game id (16) || first_seq (4) || at (8) || events in UTF-8

with `first_seq` and `at` (milliseconds since the Unix epoch) as unsigned big-endian integers. The link before the first
row is 16 zero bytes. A game's head holds the last link, so a row that is changed, dropped, moved to another game or cut
off at the end shows.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final
from uuid import UUID

from pasyans.store.values import LogRow

SIZE: Final = 16
"""Bytes in a link."""

GENESIS: Final = bytes(SIZE)
"""The link before a game's first row."""


def link(previous: bytes, game_id: UUID, first_seq: int, at: int, events: str) -> bytes:
    """The hash of a log row, given that of the row before it."""
    text = previous + game_id.bytes + first_seq.to_bytes(4, "big") + at.to_bytes(8, "big") + events.encode()
    return sha256(text).digest()[:SIZE]


def first_broken(game_id: UUID, rows: Iterable[LogRow], version: int, last: bytes) -> int | None:
    """The first event number from which a whole log can't be trusted, or None when it holds.

    `rows` is the log from its first event on; `version` and `last` are the head's version and hash. A log that ends
    too early, or in another hash than the head's, is broken at the number after its last event.
    """
    previous, following = GENESIS, 1
    for row in rows:
        expected = link(previous, game_id, row.first_seq, row.at, row.events)
        if row.first_seq != following or row.hash != expected:
            return following
        previous, following = row.hash, row.last_seq + 1
    return None if (following, previous) == (version + 1, last) else following
