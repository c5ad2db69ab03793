"""Ranking: which games count on the boards of their variant."""

from pasyans.deals.days import closes_at
from pasyans.record.events import DealKind
from pasyans.record.game import Status


def is_ranked(kind: DealKind, day: str | None, attempt: int, status: Status, ended_at: int) -> bool:
    """Tell whether a game that ended at ``ended_at``, or could by now, counts on the board of its variant.

    Sealed games do, and of a player's games on a daily deal the first one, if it ends before the day does. ``day`` is
    the day of a daily deal.
    """
    if status not in {"playing", "won", "lost"}:
        return False
    if day is None:
        return kind == "sealed"
    return attempt == 1 and ended_at < closes_at(day)
