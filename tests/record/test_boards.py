"""Which results count on which boards, and in which order, by examples written out."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from pasyans.record.boards import RANKED, Window, board, boards_of, place, window_end, window_start
from pasyans.record.result import Result
from pasyans.record.times import format_time, parse_time

SEALED = Result(
    player="01936f0e-0000-7000-8000-000000000001",
    variant="congress",
    rules=1,
    kind="sealed",
    seed="00112233445566778899aabbccddeeff",
    date=None,
    attempt=1,
    outcome="lost",
    is_void=False,
    score=30,
    redeals=0,
    moves=100,
    undos=0,
    started_at=parse_time("2026-12-02T10:00:00Z"),  # a Wednesday
    finished_at=parse_time("2026-12-02T10:05:00Z"),
)
DAILY = msgspec.structs.replace(SEALED, kind="daily", date="2026-12-02")
SHARED = msgspec.structs.replace(SEALED, kind="shared", seed="hello")

VARIANT_WIDE = [
    "congress/1/variant:/all:/best/any",
    "congress/1/variant:/day:2026-12-02/best/any",
    "congress/1/variant:/month:2026-12-01/best/any",
    "congress/1/variant:/week:2026-11-30/best/any",
]
OF_THE_DAY = ["congress/1/daily:2026-12-02/all:/best/any"]
OF_THE_SEED = [
    "congress/1/seed:hello/all:/best/any",
    "congress/1/seed:hello/day:2026-12-02/best/any",
    "congress/1/seed:hello/month:2026-12-01/best/any",
    "congress/1/seed:hello/week:2026-11-30/best/any",
]


def named(result: Result) -> list[str]:
    return sorted(each.name for each, _ in boards_of(result))


def clean(names: list[str]) -> list[str]:
    return [name.removesuffix("any") + "none" for name in names]


def first(names: list[str]) -> list[str]:
    return [name.replace("/best/", "/first/") for name in names]


def changed(result: Result, **changes: Any) -> Result:
    for name in ("started_at", "finished_at"):
        if isinstance(changes.get(name), str):
            changes[name] = parse_time(changes[name])
    return msgspec.structs.replace(result, **changes)


@pytest.mark.parametrize(
    ("result", "boards"),
    [
        # Variant-wide sealed games count, however often their deal was played; the clean boards are without undo.
        (SEALED, [*VARIANT_WIDE, *clean(VARIANT_WIDE)]),
        (changed(SEALED, attempt=3, undos=1), VARIANT_WIDE),
        (changed(SEALED, outcome="won", score=104), [*VARIANT_WIDE, *clean(VARIANT_WIDE)]),
        # A daily counts there by its first attempt, and on its own board by any that ended before it closed.
        (changed(DAILY, undos=1), [*VARIANT_WIDE, *OF_THE_DAY, *first(OF_THE_DAY)]),
        (
            DAILY,
            [
                *(name for every in (VARIANT_WIDE, OF_THE_DAY, first(OF_THE_DAY)) for name in every),
                *(name for every in (VARIANT_WIDE, OF_THE_DAY, first(OF_THE_DAY)) for name in clean(every)),
            ],
        ),
        (changed(DAILY, undos=1, attempt=2), OF_THE_DAY),
        (changed(DAILY, finished_at="2026-12-03T00:00:00Z"), []),
        (changed(DAILY, undos=1, attempt=2, finished_at="2026-12-02T23:59:59.999Z"), OF_THE_DAY),
        # On the board of a seed the shared games on it count, and nowhere else.
        (changed(SHARED, undos=1), [*OF_THE_SEED, *first(OF_THE_SEED)]),
        (changed(SHARED, undos=1, attempt=2), OF_THE_SEED),
        (changed(SHARED, attempt=2), [*OF_THE_SEED, *clean(OF_THE_SEED)]),
        # What was abandoned or voided counts nowhere.
        *((changed(each, outcome="abandoned"), []) for each in (SEALED, DAILY, SHARED)),
        *((changed(each, is_void=True), []) for each in (SEALED, DAILY, SHARED)),
        # Each number of the rules has boards of its own.
        (changed(SHARED, rules=2, undos=1, attempt=2), [name.replace("/1/", "/2/") for name in OF_THE_SEED]),
    ],
)
def test_where_a_result_counts(result: Result, boards: list[str]) -> None:
    assert named(result) == sorted(boards)


def test_a_game_counts_in_the_windows_of_its_finish() -> None:
    """And not of its start."""
    sunday = changed(SEALED, undos=1, started_at="2027-02-28T10:00:00Z", finished_at="2027-02-28T23:59:59.999Z")
    assert named(sunday) == [
        "congress/1/variant:/all:/best/any",
        "congress/1/variant:/day:2027-02-28/best/any",
        "congress/1/variant:/month:2027-02-01/best/any",
        "congress/1/variant:/week:2027-02-22/best/any",
    ]
    assert named(changed(sunday, finished_at="2027-03-01T00:00:00Z")) == [
        "congress/1/variant:/all:/best/any",
        "congress/1/variant:/day:2027-03-01/best/any",
        "congress/1/variant:/month:2027-03-01/best/any",
        "congress/1/variant:/week:2027-03-01/best/any",
    ]


@pytest.mark.parametrize(
    ("window", "day", "start", "end"),
    [
        ("day", "2026-12-31", "2026-12-31", "2027-01-01T00:00:00.000Z"),
        ("day", "2028-02-28", "2028-02-28", "2028-02-29T00:00:00.000Z"),
        ("week", "2026-11-29", "2026-11-23", "2026-11-30T00:00:00.000Z"),  # a Sunday
        ("week", "2026-11-30", "2026-11-30", "2026-12-07T00:00:00.000Z"),  # a Monday
        ("week", "2027-01-01", "2026-12-28", "2027-01-04T00:00:00.000Z"),
        ("month", "2026-12-31", "2026-12-01", "2027-01-01T00:00:00.000Z"),
        ("month", "2028-02-29", "2028-02-01", "2028-03-01T00:00:00.000Z"),
        ("month", "2027-02-01", "2027-02-01", "2027-03-01T00:00:00.000Z"),
    ],
)
def test_windows_of_the_calendar(window: Window, day: str, start: str, end: str) -> None:
    assert window_start(window, day) == start
    ends = window_end(window, day)
    assert ends is not None
    assert format_time(ends) == end
    assert window_start("all", day) == ""
    assert window_end("all", day) is None


def test_the_filters_of_a_question_name_the_board_of_the_answer() -> None:
    for options, name in (
        ({}, "congress/1/variant:/all:/best/any"),
        ({"window": "week", "day": "2026-12-02"}, "congress/1/variant:/week:2026-11-30/best/any"),
        ({"seed": "hello", "is_first": True}, "congress/1/seed:hello/all:/first/any"),
        ({"seed": "hello", "is_clean": True}, "congress/1/seed:hello/all:/best/none"),
        ({"daily": "2026-12-02", "is_first": True}, "congress/1/daily:2026-12-02/all:/first/any"),
        # A window that has the day has all there is; nobody plays a sealed deal twice.
        ({"daily": "2026-12-02", "window": "month", "day": "2026-12-31"}, "congress/1/daily:2026-12-02/all:/best/any"),
        ({"is_first": True}, "congress/1/variant:/all:/best/any"),
    ):
        found = board("congress", 1, **options)
        assert found is not None
        assert found.name == name
    assert board("congress", 1, daily="2026-12-02", window="day", day="2026-12-03") is None


def timed(**changes: Any) -> Result:
    """A result that took so many seconds, if `seconds` are given."""
    started_at = SEALED.started_at
    seconds = changes.pop("seconds", 300)
    return changed(SEALED, started_at=started_at, finished_at=started_at + 1000 * seconds, **changes)


# The best first: by winning, then more score, fewer redeals, fewer moves, less time.
ORDERED = [
    timed(outcome="won", score=104, redeals=0, moves=120, seconds=100),
    timed(outcome="won", score=104, redeals=0, moves=120, seconds=101),
    timed(outcome="won", score=104, redeals=0, moves=121, seconds=1),
    timed(outcome="won", score=104, redeals=1, moves=90, seconds=1),
    timed(outcome="lost", score=103, redeals=0, moves=90, seconds=1),
    timed(outcome="lost", score=50, redeals=0, moves=200, seconds=900),
    timed(outcome="lost", score=50, redeals=0, moves=201, seconds=1),
    timed(outcome="lost", score=50, redeals=2, moves=1, seconds=1),
    timed(outcome="lost", score=49, redeals=0, moves=1, seconds=1),
    timed(outcome="lost", score=0, redeals=0, moves=1, seconds=1),
]


@pytest.mark.parametrize("at", range(len(ORDERED) - 1))
def test_of_two_results_the_better_one_has_the_lower_place(at: int) -> None:
    better, worse = ORDERED[at : at + 2]
    assert place(better, is_timed=True)[:RANKED] < place(worse, is_timed=True)[:RANKED]


def test_undo_and_attempts_make_no_result_better_or_worse() -> None:
    one = timed()
    for change in ({"undos": 9}, {"attempt": 4}, {"player": "another"}):
        assert place(changed(one, **change), is_timed=True) == place(one, is_timed=True)


def test_on_a_seed_time_is_not_compared() -> None:
    """A copied replay is as fast as its player likes."""
    slow, fast = timed(seconds=900), timed(seconds=1)
    assert place(slow, is_timed=True)[:RANKED] != place(fast, is_timed=True)[:RANKED]
    assert place(slow, is_timed=False)[:RANKED] == place(fast, is_timed=False)[:RANKED]
    on_seed = {each.name: where for each, where in boards_of(changed(slow, kind="shared", seed="hello"))}
    assert {where[:RANKED] for where in on_seed.values()} == {place(fast, is_timed=False)[:RANKED]}
    variant_wide = {where for _, where in boards_of(slow)}
    assert variant_wide == {place(slow, is_timed=True)}


def test_of_equals_the_earlier_finish_comes_first() -> None:
    finishes = ["2026-12-02T10:05:00.000Z", "2026-12-02T10:05:00.001Z", "2026-12-09T09:00:00.000Z"]
    places = [
        place(changed(SEALED, started_at=parse_time(each) - 5000, finished_at=each), is_timed=True) for each in finishes
    ]
    assert len({each[:RANKED] for each in places}) == 1
    assert all(one < two for one, two in pairwise(places))
