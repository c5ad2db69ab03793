"""Packed logs: they give back the very rows, in a format that is frozen, and in little room."""

import asyncio
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.store import packed_2
from pasyans.store.chain import GENESIS, link
from pasyans.store.database import Database
from pasyans.store.log import log
from pasyans.store.packed import BadPack, pack, unpack
from pasyans.store.values import LogRow

from tests.support import vectors

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


_moves = st.from_regex(r"(draw|redeal|[wrtfabcd][0-9]{0,2}-[wrtf][0-9]{0,2}(\*[0-9]{1,2})?)", fullmatch=True)
_texts = st.text(st.characters(codec="utf-8", exclude_characters="\n\0"), min_size=1)
_others = st.sampled_from(["undone 1", "undone 17", "finished won", "voided test", f"started {GAME}{GAME} {GAME}"])
_lines = st.lists(_moves | _texts | _others, min_size=1, max_size=4)
_waits = st.integers(0, 10**10) | st.integers(0, 100)


@given(st.lists(st.tuples(_lines, _waits), min_size=1), st.integers(0, 2**42))
def test_what_is_packed_comes_back(appends: list[tuple[list[str], int]], start: int) -> None:
    at = start
    timed = []
    for lines, wait in appends:
        at += wait
        timed.append((lines, at))
    rows = rows_of(timed)
    assert unpack(GAME, pack(rows)) == rows


@pytest.mark.parametrize("win", vectors.wins(), ids=lambda win: f"{win.variant} {win.seed}")
def test_no_move_is_written_out(win: vectors.Win) -> None:
    rows = rows_of([([move], 0) for move in win.moves])
    packed = pack(rows)
    assert unpack(GAME, packed) == rows
    assert len(packed) < 2 * len(rows), len(packed) / len(rows)


LITTLE = rows_of([(["draw"], 300), (["w-t1", "w-f1"], 300), (["finished lost"], 1300)])
PACKED = "0163665cc3c4c4c0f8821dcc2b87c70f4a140000"
LONGER = rows_of(
    [
        ([f'started {{"player":"{GAME}"}}'], 1_795_953_600_000),
        (["draw", "w-t12*3", "w-t13", "r-f8*13", "a1-d14", "finished abandoned"], 1_795_953_600_007),
        (["undone 2"], 1_795_953_686_400),
        (["finished won"], 1_795_953_686_400),
    ]
)
PACKED_LATER = (
    "026360e4900d67e0144c940b656760050043d88aa4a496ab5cb7c4102969030001936f0e00007000800000000000"
    "00aa0480ccb4b9a234009b03f000546060"
)


@pytest.mark.parametrize(("packed", "rows"), [(PACKED, LITTLE), (PACKED_LATER, LONGER)])
def test_the_formats_are_frozen(packed: str, rows: list[LogRow]) -> None:
    assert unpack(GAME, bytes.fromhex(packed)) == rows


def test_logs_are_packed_in_the_last_format() -> None:
    assert pack(LONGER).hex() == PACKED_LATER


@pytest.mark.parametrize("size", [3, 300])
def test_a_packed_log_is_read_by_stretches(size: int) -> None:
    rows = rows_of([([sha256(b"%d" % number).hexdigest()], number) for number in range(size)])
    packed = pack(rows)
    assert (len(packed) > 4096) is (size == 300)  # from there on it is read beside the event loop

    class Packed(Database):
        async def fetch(self, _sql: str, *_values: object) -> list[Any]:
            return [(0, None, None, None, None, packed)]

    database = Packed("postgresql://nowhere", size=1, timeout=1, allow_data_loss=False)
    for after, upto in ((0, None), (0, 2), (1, size - 1), (size - 1, size), (size, None)):
        assert asyncio.run(log(database, GAME, after, upto)) == rows[after:upto]


def test_another_game_has_other_links() -> None:
    other = UUID(int=7)
    assert [row.hash for row in unpack(other, pack(LITTLE))] != [row.hash for row in LITTLE]


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"\x03" + pack(LITTLE)[1:],
        *(packed[:size] for packed in (bytes.fromhex(PACKED), pack(LONGER)) for size in range(1, len(packed))),
        *(pack(LONGER)[:at] + b"\xff" + pack(LONGER)[at + 1 :] for at in (1, 10)),
        bytes.fromhex(PACKED) + b"\0",
        pack(LONGER) + b"\0",
        b"\x01" + b"x" * 20,
        b"\x02" + b"x" * 20,
        *(
            b"\x02" + packed_2._deflate(codes, b"") + packed_2._deflate(texts, packed_2._DICTIONARY) + numbers
            for codes, texts, numbers in (
                (b"\x01", b"left\n", b"\x01\x00\xff\xff"),
                (b"\x01\x00", b"", b"\x02\x00\xff\xff"),
                (b"\x01\x09", b"", b"\x02\x00\xff\xff"),
                (b"\x01", b"", b"\x00\x00\xff\xff"),
                (b"\x01", b"", b"\xff\xff\xff\xff\x7f\x00\xff\xff"),
                (b"\x01\x01", b"", b"\x02\x00\xff\x08\x01"),
            )
        ),
    ],
)
def test_what_is_no_pack_is_refused(wrong: bytes) -> None:
    with pytest.raises(BadPack):
        unpack(GAME, wrong)


@pytest.mark.parametrize("rows", [[], [LITTLE[2], LITTLE[0]], rows_of([(["a\0b"], 1)])])
def test_what_is_no_log_is_not_packed(rows: list[LogRow]) -> None:
    with pytest.raises(ValueError, match=r"at least|is older|a NUL"):
        pack(rows)
