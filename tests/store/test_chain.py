"""The hash chain, against a value worked out by another program, and what it finds."""

from uuid import UUID

import pytest
from msgspec import structs
from pasyans.store.chain import GENESIS, first_broken, link
from pasyans.store.values import LogRow

GAME = UUID("019ad000-0000-7000-8000-000000000001")
AT = 1_795_953_600_000


def test_a_link_is_what_the_module_says() -> None:
    """Worked out with `sha256sum`: 16 zero bytes, the id, 00000001, 000001a2272d2600, and the word in UTF-8."""
    assert AT == 0x1A2272D2600
    assert link(GENESIS, GAME, 1, AT, "тройка").hex() == "8d5b9cafcb7377f9e4286b47bd030ae7"


def test_every_part_counts() -> None:
    links = {
        link(GENESIS, GAME, 1, AT, "a"),
        link(b"\1" * 16, GAME, 1, AT, "a"),
        link(GENESIS, UUID(int=GAME.int + 1), 1, AT, "a"),
        link(GENESIS, GAME, 2, AT, "a"),
        link(GENESIS, GAME, 1, AT + 1, "a"),
        link(GENESIS, GAME, 1, AT, "b"),
    }
    assert len(links) == 6


def rows(*last: int) -> list[LogRow]:
    """A log that holds, of rows that end with these events."""
    log: list[LogRow] = []
    previous, first = GENESIS, 1
    for last_seq in last:
        previous = link(previous, GAME, first, AT, f"to {last_seq}")
        log.append(LogRow(first, last_seq, f"to {last_seq}", AT, previous))
        first = last_seq + 1
    return log


def test_a_log_that_holds() -> None:
    log = rows(1, 4, 5)
    assert first_broken(GAME, log, 5, log[-1].hash) is None
    assert first_broken(GAME, iter(log), 5, log[-1].hash) is None


@pytest.mark.parametrize("at", range(3))
def test_a_changed_row_is_found(at: int) -> None:
    log = rows(1, 4, 5)
    last = log[-1].hash
    first = log[at].first_seq
    for changed in (
        structs.replace(log[at], events="other"),
        structs.replace(log[at], at=AT - 1),
        structs.replace(log[at], hash=bytes(16)),
    ):
        assert first_broken(GAME, [*log[:at], changed, *log[at + 1 :]], 5, last) == first
    assert first_broken(GAME, [*log[:at], *log[at + 1 :]], 5, last) == first


def test_a_row_that_was_sealed_anew_breaks_the_next() -> None:
    log = rows(1, 4, 5)
    again = structs.replace(log[1], events="other", hash=link(log[0].hash, GAME, 2, AT, "other"))
    assert first_broken(GAME, [log[0], again, log[2]], 5, log[2].hash) == 5


def test_a_log_that_ends_elsewhere_than_its_head() -> None:
    log = rows(1, 4, 5)
    assert first_broken(GAME, log[:2], 5, log[-1].hash) == 5
    assert first_broken(GAME, log, 5, log[1].hash) == 6
    assert first_broken(GAME, log, 6, log[-1].hash) == 6
    assert first_broken(GAME, [], 0, GENESIS) is None
    assert first_broken(GAME, [], 1, log[0].hash) == 1
