"""CSV as spreadsheets read it: what is quoted, and what is not to be run."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.api.spreadsheets import lines


def test_a_table_byte_by_byte() -> None:
    table = lines([("game", "seed"), ("a,b", 'say "hi"'), (None, 7), ("Анна", -7)])
    assert table == 'game,seed\r\n"a,b","say ""hi"""\r\n,7\r\nАнна,-7\r\n'.encode()


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "-2-3", "@SUM(A1)", "\t=1", "\r=1", '=cmd|" /C calc"!A0'])
def test_what_would_be_run_begins_with_an_apostrophe(text: str) -> None:
    assert read(lines([(text,)])) == [[f"'{text}"]]


@pytest.mark.parametrize("text", ["a=1", " =1", "'=1", "1-2", ".-x", "anna", "_", "~", "0"])
def test_all_else_stays_as_it_is(text: str) -> None:
    assert read(lines([(text,)])) == [[text]]


@given(st.lists(st.lists(st.text() | st.integers() | st.none(), min_size=2, max_size=4), max_size=5))
def test_a_reader_gets_what_was_written(rows: list[list[str | int | None]]) -> None:
    """But for the apostrophes; and no text begins with what makes a formula."""
    found = read(lines(rows))
    assert len(found) == len(rows)
    for row, cells in zip(rows, found, strict=True):
        for value, cell in zip(row, cells, strict=True):
            text = "" if value is None else str(value)
            assert cell in (text, f"'{text}")
            if isinstance(value, str):
                assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
            else:
                assert cell == text


def read(table: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table.decode(), newline="")))
