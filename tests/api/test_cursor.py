"""Cursors come back as they went, and nothing else passes for one."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.api import cursor

ID = UUID("01936f0e-0000-7000-8000-000000000001")


@given(st.text())
def test_a_key_comes_back(key: str) -> None:
    assert cursor.decode("games", cursor.encode("games", key)) == key


def test_an_id_comes_back() -> None:
    assert cursor.decode_id("games", cursor.encode("games", str(ID))) == ID


@given(st.text())
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(cursor.BadCursor):
        cursor.decode_id("games", text)


@pytest.mark.parametrize("wrong", [cursor.encode("tokens", str(ID)), cursor.encode("games", "x"), "%%", "é", "W10"])
def test_a_cursor_of_another_list_is_refused(wrong: str) -> None:
    with pytest.raises(cursor.BadCursor):
        cursor.decode_id("games", wrong)


def test_a_check_says_what_is_wrong() -> None:
    check = cursor.checked("games", cursor.decode_id)
    assert check(cursor.encode("games", str(ID))) is None
    assert check("x") == "is not a cursor of this list: take it from `next`, or leave it out"
