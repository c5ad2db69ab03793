"""Which games count on the board of their variant."""

import pytest
from pasyans.deals.days import closes_at
from pasyans.record.events import DealKind
from pasyans.record.game import Status
from pasyans.record.ranking import is_ranked

DAY = "2025-11-29"
CLOSES = closes_at(DAY)


@pytest.mark.parametrize(
    ("kind", "attempt", "status", "ended_at", "ranked"),
    [
        ("sealed", 1, "playing", CLOSES, True),
        ("sealed", 1, "won", CLOSES, True),
        ("sealed", 2, "lost", CLOSES, True),
        ("sealed", 1, "abandoned", CLOSES, False),
        ("sealed", 1, "void", CLOSES, False),
        ("shared", 1, "playing", CLOSES, False),
        ("shared", 1, "won", CLOSES, False),
        ("shared", 1, "lost", CLOSES, False),
        ("daily", 1, "playing", CLOSES - 1, True),
        ("daily", 1, "playing", CLOSES, False),
        ("daily", 1, "won", CLOSES - 1, True),
        ("daily", 1, "won", CLOSES, False),
        ("daily", 1, "lost", CLOSES - 1, True),
        ("daily", 1, "abandoned", CLOSES - 1, False),
        ("daily", 1, "void", CLOSES - 1, False),
        ("daily", 2, "won", CLOSES - 1, False),
        ("daily", 2, "playing", CLOSES - 1, False),
    ],
)
def test_what_counts_on_the_board_of_a_variant(
    kind: DealKind, attempt: int, status: Status, ended_at: int, *, ranked: bool
) -> None:
    day = DAY if kind == "daily" else None
    assert is_ranked(kind, day, attempt, status, ended_at) is ranked
