"""Days: literal borders of the UTC calendar."""

import pytest
from pasyans.deals.days import closes_at, day_of, days_from, is_day, opens_at

# Worked out with `date -u -d … +%s%3N`.
MIDNIGHTS = {
    "1970-01-01": 0,
    "2024-02-29": 1_709_164_800_000,
    "2024-03-01": 1_709_251_200_000,
    "2025-01-01": 1_735_689_600_000,
    "2026-11-29": 1_795_910_400_000,
    "2100-03-01": 4_107_542_400_000,
    "9999-12-31": 253_402_214_400_000,
}
DAY = 86_400_000


@pytest.mark.parametrize(("day", "midnight"), MIDNIGHTS.items())
def test_a_day_lasts_from_midnight_to_the_millisecond_before_the_next(day: str, midnight: int) -> None:
    assert (opens_at(day), closes_at(day)) == (midnight, midnight + DAY)
    assert day_of(midnight) == day_of(midnight + DAY - 1) == day
    if midnight:
        assert day_of(midnight - 1) != day


@pytest.mark.parametrize(
    ("first", "days"),
    [
        ("2024-02-28", ["2024-02-28", "2024-02-29", "2024-03-01"]),
        ("2100-02-28", ["2100-02-28", "2100-03-01"]),
        ("2024-12-31", ["2024-12-31", "2025-01-01"]),
    ],
)
def test_days_follow_the_calendar(first: str, days: list[str]) -> None:
    assert days_from(first, len(days)) == days


@pytest.mark.parametrize("text", ["2024-02-29", "0001-01-01", "9999-12-31"])
def test_days_of_the_calendar(text: str) -> None:
    assert is_day(text)


@pytest.mark.parametrize(
    "text",
    [
        "2023-02-29",
        "2026-13-01",
        "2026-11-31",
        "0000-01-01",
        "20261129",
        "2026-W48-7",
        "2026-11-29 ",
        "٢٠٢٦-11-29",
        "26-1-1",
        "",
    ],
)
def test_what_is_no_day(text: str) -> None:
    assert not is_day(text)
