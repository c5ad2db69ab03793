"""What finished games came to: one, those on a board, on a deal, of a player. Frozen structs, as in `models`."""

from datetime import datetime

import msgspec


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a finished game came to; `game` is its id."""

    game: str
    won: bool
    score: int
    redeals: int
    moves: int
    undos: int
    elapsed_ms: int
    attempt: int
    finished_at: datetime


class BoardRow(Result, frozen=True, kw_only=True):
    """A player's best game on a leaderboard; equal ones share a rank."""

    rank: int
    player: str


class Leaderboard(msgspec.Struct, frozen=True):
    """A page of a leaderboard, the best first.

    `total` is how many rows the whole board has; `resets_at` is when its window ends, `None` where it never does.
    """

    items: tuple[BoardRow, ...]
    next: str | None
    total: int
    resets_at: datetime | None


class Neighbourhood(msgspec.Struct, frozen=True):
    """A player's row on a leaderboard, and `items`: the same row among its neighbours."""

    row: BoardRow
    items: tuple[BoardRow, ...]
    total: int
    resets_at: datetime | None


class DealStats(msgspec.Struct, frozen=True):
    """What the shared games on a deal came to: how many were won or lost, how many won, and the best of them."""

    games: int
    wins: int
    best: BoardRow | None


class VariantStats(msgspec.Struct, frozen=True):
    """What a player's games of one variant came to.

    `streak` is of the latest wins without a break, `best_streak` the longest there ever was. `best` and
    `median_elapsed_ms` are `None` where no game counts.
    """

    variant: str
    played: int
    won: int
    streak: int
    best_streak: int
    best: Result | None
    median_elapsed_ms: int | None


class PlayerStats(msgspec.Struct, frozen=True):
    """What a player's games came to, for every variant there is."""

    player: str
    variants: tuple[VariantStats, ...]
