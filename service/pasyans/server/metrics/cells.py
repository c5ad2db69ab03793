"""Figures in a region of shared memory: written by one worker, read by its parent at any moment, without a lock.

The first word tells how many words are in use. Then come records: a word with the record's length in words and the
length of its name in bytes, the name, and the figures, each a double. Records are only ever added; one counts as soon
as the first word says so. A worker finds the records of the one before it, and adds to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import structlog

_WORD: Final = 8  # bytes
_SPARE: Final = 64  # words at the end, for what has no room
_HALF: Final = 32  # bits
_LOW: Final = 0xFFFF_FFFF

_log = structlog.get_logger("pasyans.metrics")


class Cells:
    """The figures of one worker; ``values`` holds them, for `place` to say where."""

    def __init__(self, region: memoryview) -> None:
        self.values = region.cast("d")
        self._region = region
        self._words = region.cast("Q")
        self._places = {name: start for name, start, _ in _records(self._words, region)}
        self._is_full = False
        if not self._words[0]:
            self._words[0] = 1

    def place(self, name: str, count: int) -> int:
        """Return the index of the first of the ``count`` figures called ``name``, which are 0 at first."""
        found = self._places.get(name)
        if found is None:
            found = self._places[name] = self._add(name.encode(), count)
        return found

    def _add(self, name: bytes, count: int) -> int:
        start = self._words[0]
        figures = start + 1 + -(-len(name) // _WORD)
        end = figures + count
        if end > len(self._words) - _SPARE:
            if not self._is_full:
                _log.warning("metrics.full")
            self._is_full = True
            return len(self._words) - _SPARE
        self._region[(start + 1) * _WORD : (start + 1) * _WORD + len(name)] = name
        self._words[start] = (end - start) << _HALF | len(name)
        self._words[0] = end
        return figures


def read(region: memoryview) -> dict[str, list[float]]:
    """Return all figures of a region by their names."""
    values = region.cast("d")
    return {
        name: [float(value) for value in values[start:end]] for name, start, end in _records(region.cast("Q"), region)
    }


def _records(words: memoryview, region: memoryview) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each record, and where its figures begin and end."""
    used = words[0]
    at = 1
    while at < used:
        length, size = words[at] >> _HALF, words[at] & _LOW
        name = bytes(region[(at + 1) * _WORD : (at + 1) * _WORD + size]).decode()
        yield name, at + 1 + -(-size // _WORD), at + length
        at += length
