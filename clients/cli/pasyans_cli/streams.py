"""Standard streams of which everything can be read, on which everything can be written, and that are there."""

import codecs
import os
import sys
from pathlib import Path
from typing import TextIO

from pasyans_cli.exits import Exit, Failed

_ALIKE = {
    "♣": "C",
    "♦": "D",
    "♥": "H",
    "♠": "S",
    "•": "*",
    "–": "-",
    "—": "-",
    "─": "-",
    "━": "-",
    "−": "-",
    "▌": "|",
    "×": "x",
    "…": "...",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "\xa0": " ",
}
"""What stands in ASCII for a character that only looks better."""
_OF_PYTHON = ("strict", "surrogateescape", "backslashreplace")
"""What Python does unless told: on stdout, there in the C locale, and on stderr."""


def make_writable() -> None:
    """Have what a stream's encoding lacks written alike in ASCII, or as an escape, where it would be an error."""
    codecs.register_error("pasyans", _alike)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and stream.errors in _OF_PYTHON:
            _reconfigure(stream, errors="pasyans")


def make_readable() -> None:
    """Have a replacement character read for what cannot be decoded: it is in no token, name or move.

    Python would raise there, or, in the C locale, make surrogates of it, which can be sent nowhere.
    """
    if sys.stdin is not None:
        _reconfigure(sys.stdin, errors="replace")


def make_ascii() -> None:
    """Have nothing outside ASCII written."""
    for stream in (sys.stdout, sys.stderr):
        _reconfigure(stream, encoding="ascii", errors="pasyans")


def make_present() -> None:
    """Take a closed stdin for an empty one, and a closed stderr for one that nobody reads.

    Raises:
        Failed: stdout is closed, so that nothing could be printed.
    """
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise Failed("There is no stdout to print to: it is closed.", Exit.FAILURE)


def _reconfigure(stream: TextIO, **how: str) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(**how)


def _alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_ALIKE.get(each) or each.encode("ascii", "backslashreplace").decode() for each in lacking), error.end
