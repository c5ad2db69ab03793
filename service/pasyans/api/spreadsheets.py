"""Tables for spreadsheets: CSV (RFC 4180), in which no cell is taken for a formula."""

import csv
import io
from collections.abc import Iterable
from typing import Final

MEDIA_TYPE: Final = "text/csv"

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def lines(rows: Iterable[Iterable[object]]) -> bytes:
    """Return rows as lines of CSV in UTF-8, each with CRLF at its end; ``None`` is an empty cell.

    A text that a spreadsheet would run gets an apostrophe before it, by which spreadsheets know that it is a text.
    Numbers stay as they are.
    """
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
