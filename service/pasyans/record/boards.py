"""Boards: which results count where, and which is better than which.

A board is a scope (a variant, the daily deal of a date, or a seed) with filters: the number of the rules, a window of
the UTC calendar by finish, all of a player's attempts or the first ones alone, with undo or only without. It has one
row a player: the player's best result that counts there.

Some filters come to the same board and so have one name here:

- variant-wide, ``attempts`` makes no difference: a sealed deal is drawn with 128 random bits, so nobody has played it
  before, and of a daily's games only the first counts;
- on a daily, which closes with its day, a window that contains the day holds all there is, and another one nothing.
"""

from datetime import date, timedelta
from functools import lru_cache
from typing import Final, Literal

import msgspec

from pasyans.deals.days import closes_at, day_of, opens_at
from pasyans.record.ranking import is_ranked
from pasyans.record.result import Result

Scope = Literal["variant", "daily", "seed"]
Window = Literal["all", "day", "week", "month"]

WINDOWS: Final[tuple[Window, ...]] = ("all", "day", "week", "month")

RANKED: Final = 16
"""How many bytes of a place decide the rank; those that follow order what shares it."""

PLACE: Final = 22
"""Bytes in a place."""

_MOST: Final = 0x7FFF  # points that a place has room for; no pack has as many cards


class Board(msgspec.Struct, frozen=True):
    """One board. ``of`` is the date or seed of the scope, ``start`` the first day of the window; else ``""``."""

    variant: str
    rules: int
    scope: Scope
    of: str
    window: Window
    start: str
    is_first: bool
    is_clean: bool

    @property
    def name(self) -> str:
        """A text that no other board has."""
        attempts = "first" if self.is_first else "best"
        undo = "none" if self.is_clean else "any"
        window = f"{self.window}:{self.start}"
        return f"{self.variant}/{self.rules}/{self.scope}:{self.of}/{window}/{attempts}/{undo}"


def board(
    variant: str,
    rules: int,
    *,
    seed: str | None = None,
    daily: str | None = None,
    window: Window = "all",
    day: str = "",
    is_first: bool = False,
    is_clean: bool = False,
) -> Board | None:
    """Return the board that these filters mean; ``day`` is one in the window.

    ``None`` is the board of a daily in a window without its day, on which nothing can ever be.
    """
    start = window_start(window, day)
    if daily is not None:
        inside = window_start(window, daily) == start
        return Board(variant, rules, "daily", daily, "all", "", is_first, is_clean) if inside else None
    if seed is not None:
        return Board(variant, rules, "seed", seed, window, start, is_first, is_clean)
    return Board(variant, rules, "variant", "", window, start, is_first=False, is_clean=is_clean)


def boards_of(result: Result) -> list[tuple[Board, bytes]]:
    """Return every board that a result counts on, with its place there: the lower, the better."""
    if not result.counts:
        return []
    day = day_of(result.finished_at)
    boards: list[Board] = []
    if is_ranked(result.kind, result.date, result.attempt, result.outcome, result.finished_at):
        boards += _filtered(result, "variant", "", WINDOWS, day, (False,))
    attempts = (False, True) if result.attempt == 1 else (False,)
    if result.date == day:
        boards += _filtered(result, "daily", day, ("all",), day, attempts)
    if result.kind == "shared":
        # A copied replay would win by time, which is not compared.
        on_seed = _filtered(result, "seed", result.seed, WINDOWS, day, attempts)
        return [(board, place(result, is_timed=False)) for board in on_seed]
    timed = place(result, is_timed=True)
    return [(board, timed) for board in boards]


def _filtered(
    result: Result, scope: Scope, of: str, windows: tuple[Window, ...], day: str, attempts: tuple[bool, ...]
) -> list[Board]:
    return [
        Board(result.variant, result.rules, scope, of, window, window_start(window, day), is_first, is_clean)
        for window in windows
        for is_first in attempts
        for is_clean in ((False, True) if result.undos == 0 else (False,))
    ]


def place(result: Result, *, is_timed: bool) -> bytes:
    """Return a result's place as bytes that compare as boards are ordered.

    It is lost (1 bit) and score missing to 32,767 (15), redeals (32), moves (32), elapsed milliseconds (48, zero unless
    ``is_timed``), then the finish in milliseconds since the epoch (48), which orders those that share a rank.
    """
    standing = (0 if result.outcome == "won" else _MOST + 1) + _MOST - result.score
    return b"".join(
        (
            standing.to_bytes(2, "big"),
            result.redeals.to_bytes(4, "big"),
            result.moves.to_bytes(4, "big"),
            (result.elapsed_ms if is_timed else 0).to_bytes(6, "big"),
            result.finished_at.to_bytes(6, "big"),
        )
    )


@lru_cache(1024)
def window_start(window: Window, day: str) -> str:
    """Return the first day of the window that ``day`` is in; ``""`` where it is all time."""
    if window == "all":
        return ""
    found = date.fromisoformat(day)
    if window == "week":
        found -= timedelta(days=found.weekday())
    elif window == "month":
        found = found.replace(day=1)
    return found.isoformat()


def window_end(window: Window, day: str) -> int | None:
    """Return the first millisecond after the window that ``day`` is in; ``None`` where it is all time."""
    if window == "all":
        return None
    start = window_start(window, day)
    if window == "day":
        return closes_at(start)
    if window == "week":
        return opens_at(start) + 7 * (closes_at(start) - opens_at(start))
    first = date.fromisoformat(start)
    return opens_at(first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1).isoformat())
