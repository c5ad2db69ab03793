"""Times as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.record.times import format_time, parse_time


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_946_400_000, "2026-11-29T10:00:00.000Z"),
        (1_795_946_400_999, "2026-11-29T10:00:00.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_is_written_and_read(at: int, text: str) -> None:
    assert format_time(at) == text
    assert parse_time(text) == at


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-11-29T10:00:00Z", 1_795_946_400_000),
        ("2026-11-29T13:00:00+03:00", 1_795_946_400_000),
        ("2026-11-29T10:00:00.1Z", 1_795_946_400_100),
        ("2026-11-29T10:00:00.123456789Z", 1_795_946_400_123),
        ("2024-02-29T00:00:00-00:00", 1_709_164_800_000),
    ],
)
def test_other_ways_to_write_a_time_are_read(text: str, at: int) -> None:
    assert parse_time(text) == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-11-29",
        "2026-11-29T10:00:00",
        "2026-11-29T10:00Z",
        "20261129T100000Z",
        "2026-W48-7T10:00:00Z",
        "2026-11-31T10:00:00Z",
        "2025-02-29T10:00:00Z",
        "2026-11-29T25:00:00Z",
        "2026-11-29T10:00:60Z",
        "2026-11-29T10:00:00+24:00",
        "2026-11-29T10:00:00.Z",
        "2026-11-29T10:00:00Z\n",
        " 2026-11-29T10:00:00Z",
        "2026-11-29 10:00:00Z",
        "٢٠٢٦-11-29T10:00:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
    ],
)
def test_a_text_that_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_time(text)


@given(st.integers(-62_135_596_800_000, 253_402_300_799_999))
def test_every_time_comes_back(at: int) -> None:
    assert parse_time(format_time(at)) == at
