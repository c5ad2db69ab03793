"""The games that a process keeps: not too many, those used last, and none older than is known."""

from uuid import UUID

import pytest
from pasyans.api.play import game_of
from pasyans.api.recent import Recent, Standing
from pasyans.record.events import Deal, Started
from pasyans.record.game import open_game
from pasyans.record.snapshot import encode_snapshot
from pasyans.store.values import Head

PLAYER = UUID(int=7)
AT = 1_795_953_600_000


def standing(number: int, version: int = 1) -> Standing:
    opened = open_game(Started("congress", 1, Deal("shared", "hello"), str(PLAYER), 1), AT)
    head = Head(
        UUID(int=number), PLAYER, "anna", 0, "congress", 1, "shared", "hello", None, 1, version, "playing", AT, AT,
        None, encode_snapshot(opened), bytes(16),
    )  # fmt: skip
    return Standing(head, game_of(head))


def kept(recent: Recent, *numbers: int) -> list[int]:
    return [number for number in numbers if recent.get(UUID(int=number)) is not None]


def test_a_game_is_found_as_it_was_put() -> None:
    recent = Recent(2)
    one = standing(1)
    recent.put(one)
    assert recent.get(UUID(int=1)) is one
    assert recent.get(UUID(int=2)) is None


def test_those_used_last_are_kept() -> None:
    recent = Recent(3)
    for number in (1, 2, 3):
        recent.put(standing(number))
    assert kept(recent, 1) == [1]
    recent.put(standing(4))
    assert kept(recent, 1, 2, 3, 4) == [1, 3, 4]
    recent.put(standing(3, version=2))
    recent.put(standing(5))
    assert kept(recent, 1, 2, 3, 4, 5) == [3, 4, 5]


def test_a_later_version_is_not_forgotten_for_an_earlier() -> None:
    recent = Recent(2)
    later = standing(1, version=5)
    recent.put(later)
    recent.put(standing(1, version=4))
    assert recent.get(UUID(int=1)) is later
    latest = standing(1, version=6)
    recent.put(latest)
    assert recent.get(UUID(int=1)) is latest


def test_a_game_is_forgotten_when_it_may_have_gone_on() -> None:
    recent = Recent(2)
    recent.put(standing(1))
    recent.drop(UUID(int=1))
    recent.drop(UUID(int=2))
    assert kept(recent, 1, 2) == []


@pytest.mark.parametrize("size", [0, 1])
def test_none_or_one_may_be_kept(size: int) -> None:
    recent = Recent(size)
    for number in (1, 2, 3):
        recent.put(standing(number))
    assert kept(recent, 1, 2, 3) == [3][:size]
