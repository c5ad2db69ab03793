"""Packed logs: they give back the very rows, in a format that is frozen, and in little room."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.store.chain import GENESIS, link
from pasyans.store.packed import BadPack, pack, unpack
from pasyans.store.values import LogRow

GAME = UUID("01936f0e-0000-7000-8000-0000000000aa")


def rows_of(appends: list[tuple[list[str], int]]) -> list[LogRow]:
    """A log of these lines and times."""
    rows, previous, seq = list[LogRow](), GENESIS, 1
    for lines, at in appends:
        events = "\n".join(lines)
        previous = link(previous, GAME, seq, at, events)
        rows.append(LogRow(seq, seq + len(lines) - 1, events, at, previous))
        seq += len(lines)
    return rows


_lines = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1), min_size=1, max_size=4)
_waits = st.integers(0, 10**10)


@given(st.lists(st.tuples(_lines, _waits), min_size=1), st.integers(0, 2**42))
def test_what_is_packed_comes_back(appends: list[tuple[list[str], int]], start: int) -> None:
    at = start
    timed = []
    for lines, wait in appends:
        at += wait
        timed.append((lines, at))
    rows = rows_of(timed)
    assert unpack(GAME, pack(rows)) == rows


LITTLE = rows_of([(["draw"], 300), (["w-t1", "w-f1"], 300), (["finished lost"], 1300)])
PACKED = "0163665cc3c4c4c0f8821dcc2b87c70f4a140000"


def test_the_format_is_frozen() -> None:
    assert unpack(GAME, bytes.fromhex(PACKED)) == LITTLE


def test_another_game_has_other_links() -> None:
    other = UUID(int=7)
    assert [row.hash for row in unpack(other, pack(LITTLE))] != [row.hash for row in LITTLE]


@pytest.mark.parametrize(
    "wrong",
    [b"", b"\x02" + pack(LITTLE)[1:], b"\x01", pack(LITTLE)[:-4], b"\x01" + b"x" * 20, pack(LITTLE)[:1] + b"\x03\x00"],
)
def test_what_is_no_pack_is_refused(wrong: bytes) -> None:
    with pytest.raises(BadPack):
        unpack(GAME, wrong)


@pytest.mark.parametrize("rows", [[], [LITTLE[2], LITTLE[0]]])
def test_what_is_no_log_is_not_packed(rows: list[LogRow]) -> None:
    with pytest.raises(ValueError, match=r"at least|in range"):
        pack(rows)
