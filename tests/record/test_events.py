"""Events as the log stores them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.record.errors import CorruptLog
from pasyans.record.events import (
    OUTCOMES,
    VOID_REASONS,
    Deal,
    Event,
    Finished,
    Moved,
    Redone,
    Restored,
    Started,
    Undone,
    Voided,
)
from pasyans.record.lines import decode, encode

from tests.support.games import PLAYER, examples, seeds

STARTED = Started("vokzal-36", 1, Deal("daily", "abc", "2026-11-29"), PLAYER, 3)

STARTED_LINE = (
    'started {"variant":"vokzal-36","rules":1,"deal":{"kind":"daily","seed":"abc","date":"2026-11-29"},'
    f'"player":"{PLAYER}","attempt":3}}'
)

LITERALS: list[tuple[Event, str]] = [
    (STARTED, STARTED_LINE),
    (Moved("draw"), "draw"),
    (Moved("t4-t1*3"), "t4-t1*3"),
    (Moved("undone"), "undone"),  # no move of any game, but not to be mistaken
    (Undone(2), "undone 2"),
    (Redone(1), "redone 1"),
    (Finished("won"), "finished won"),
    (Voided("cheating"), "voided cheating"),
    (Restored("error"), "restored error"),
]


@pytest.mark.parametrize(("event", "line"), LITERALS, ids=lambda value: str(value)[:20])
def test_an_event_is_a_line(event: Event, line: str) -> None:
    assert encode([event]) == line
    assert decode(line) == [event]


def test_several_are_lines_in_their_order() -> None:
    events = [event for event, _ in LITERALS]
    assert encode(events) == "\n".join(line for _, line in LITERALS)
    assert decode(encode(events)) == events


deals = st.builds(Deal, st.sampled_from(["sealed", "shared", "daily"]), seeds, st.none() | st.dates().map(str))
counts = st.integers(1, 999_999_999)
events = st.one_of(
    st.builds(Started, st.text(max_size=20), st.integers(0, 2**31), deals, st.uuids().map(str), st.integers(1, 2**31)),
    st.builds(Moved, st.from_regex(r"[a-z][0-9]?-[a-z](\*[0-9]+)?", fullmatch=True)),
    st.builds(Undone, counts),
    st.builds(Redone, counts),
    st.builds(Finished, st.sampled_from(OUTCOMES)),
    st.builds(Voided, st.sampled_from(VOID_REASONS)),
    st.builds(Restored, st.sampled_from(VOID_REASONS)),
)


@examples(200)
@given(st.lists(events, min_size=1, max_size=12))
def test_what_was_written_is_read(some: list[Event]) -> None:
    assert decode(encode(some)) == some


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        " draw",
        "draw ",
        "a b",
        "undone ",
        "undone 0",
        "undone -1",
        "undone +1",
        "undone 01",
        "undone 1_0",
        "undone  1",
        "undone 1 ",
        "undone 1 2",
        "undone 1.0",
        "undone two",
        "undone ٢",
        "undone 9999999999",
        "undone " + "9" * 5000,
        "finished ",
        "finished drawn",
        "finished won ",
        "Finished won",
        "voided none",
        "restored ",
        "moved draw",
        "started ",
        "started {}",
        "started {",
        "started null",
        'started {"variant":"congress"}',
        encode([STARTED]).replace('"rules":1', '"rules":"1"'),
        encode([STARTED]).replace("daily", "weekly"),
        encode([STARTED]) + "}",
        "started \ud800",
    ],
    ids=lambda line: repr(line[:30]),
)
def test_a_line_that_is_no_event_is_named(line: str) -> None:
    with pytest.raises(CorruptLog) as error:
        decode(f"draw\n{line}\ndraw", 7)
    assert error.value.seq == 8
    assert str(error.value).startswith("Event 8 is wrong: ")
    assert len(str(error.value)) < 150


@examples(200)
@given(st.text(max_size=60))
def test_any_text_is_events_or_a_corrupt_log(text: str) -> None:
    try:
        some = decode(text)
    except CorruptLog:
        return
    assert len(some) == text.count("\n") + 1
