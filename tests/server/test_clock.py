"""Time, ids and chance."""

import time
import uuid

import pytest
from pasyans.server.clock import Clock, new_id, random_bytes


def test_now_is_in_milliseconds_since_the_epoch() -> None:
    before = time.time()
    now = Clock().now()
    assert before * 1000 - 1 <= now <= time.time() * 1000 + 1


def test_now_does_not_go_back_when_the_clock_of_the_machine_does(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    readings = iter([1_000_000_000, 5_999_999, 999_000_000, 1_001_000_000])
    monkeypatch.setattr(time, "time_ns", lambda: next(readings))
    assert [clock.now() for _ in range(4)] == [1000, 1000, 1000, 1001]


@pytest.mark.parametrize("at", [0, 1, 1_795_000_000_123, (1 << 48) - 1])
def test_an_id_has_exactly_its_millisecond_and_is_a_uuid_of_version_7(at: int) -> None:
    made = new_id(at)
    assert (made.int >> 80, made.version, made.variant) == (at, 7, uuid.RFC_4122)


def test_ids_are_in_the_order_of_their_times() -> None:
    made = [new_id(at) for at in range(1_795_000_000_000, 1_795_000_001_000)]
    assert sorted(made, key=str) == made


def test_ids_of_one_millisecond_differ_in_every_random_bit() -> None:
    made = [new_id(1_795_000_000_000).int for _ in range(200)]
    assert len(set(made)) == 200
    seen_one, seen_zero = 0, 0
    for number in made:
        seen_one |= number
        seen_zero |= ~number
    chance = ((1 << 12) - 1) << 64 | (1 << 62) - 1
    assert seen_one & seen_zero & (1 << 128) - 1 == chance


@pytest.mark.parametrize("at", [-1, 1 << 48])
def test_a_time_that_does_not_fit_is_refused(at: int) -> None:
    with pytest.raises(ValueError, match="no time"):
        new_id(at)


def test_random_bytes_are_as_many_as_asked_for_and_differ() -> None:
    assert len(random_bytes(16)) == 16
    assert random_bytes(16) != random_bytes(16)
