"""Standings: the leaderboards and what a deal's games came to. No HTTP here."""

from uuid import UUID

import msgspec

from pasyans.api.schemas.boards import BoardRow, DealStats, Leaderboard, Neighbourhood
from pasyans.record.boards import PLACE, Board, Window, board, window_end
from pasyans.record.times import format_time
from pasyans.store import values
from pasyans.store.base import Store
from pasyans.store.boards import board_id


class Filters(msgspec.Struct, frozen=True):
    """Which board of a variant is meant. ``day`` is one in the window; ``seed`` or ``daily``, a date, narrow it."""

    variant: str
    rules: int
    seed: str | None
    daily: str | None
    window: Window
    day: str
    is_first: bool
    is_clean: bool

    @property
    def board(self) -> Board | None:
        """The board; ``None`` is one on which nothing can ever be."""
        return board(
            self.variant,
            self.rules,
            seed=self.seed,
            daily=self.daily,
            window=self.window,
            day=self.day,
            is_first=self.is_first,
            is_clean=self.is_clean,
        )

    @property
    def resets_at(self) -> str | None:
        """When the window ends."""
        end = window_end(self.window, self.day)
        return None if end is None else format_time(end)


class Key(msgspec.Struct, frozen=True):
    """The last row of a page: a day in its board's window, which today may no longer be, the board, and where it is."""

    day: str
    board: bytes
    place: bytes
    game_id: UUID


async def top(store: Store, filters: Filters, after: Key | None, limit: int) -> tuple[Leaderboard, Key | None]:
    """Return the page of a board that begins after a row, and the key of its last row where more follow."""
    if (wanted := filters.board) is None:
        return Leaderboard([], None, 0, filters.resets_at), None
    page = await store.board(wanted, None if after is None else (after.place, after.game_id), limit + 1)
    rows = page.rows[:limit]
    last = Key(filters.day, board_id(wanted), rows[-1].place, rows[-1].game_id) if len(page.rows) > limit else None
    return Leaderboard([_shown(row) for row in rows], None, page.total, filters.resets_at), last


async def around(store: Store, filters: Filters, player_id: UUID, count: int) -> Neighbourhood | None:
    """Return a player's row on a board among its neighbours; ``None`` where the player has none."""
    wanted = filters.board
    page = None if wanted is None else await store.board_around(wanted, player_id, count)
    if page is None:
        return None
    own = next(row for row in page.rows if row.player_id == player_id)
    return Neighbourhood(_shown(own), [_shown(row) for row in page.rows], page.total, filters.resets_at)


async def deal_stats(store: Store, variant: str, rules: int, seed: str) -> DealStats:
    """Return what the shared games on a deal came to."""
    games, wins = await store.deal_games(variant, rules, seed)
    on_seed = board(variant, rules, seed=seed)
    best = [] if on_seed is None else (await store.board(on_seed, None, 1)).rows
    return DealStats(games, wins, _shown(best[0]) if best else None)


def decode_key(text: str) -> Key:
    """Return the key that `encode_key` was given.

    Raises:
        ValueError: this is no such text.
    """
    day, on, place, game_id = text.split("/")
    key = Key(day, bytes.fromhex(on), bytes.fromhex(place), UUID(game_id))
    if len(key.place) != PLACE:
        raise ValueError(text)
    return key


def encode_key(key: Key) -> str:
    """Return a key as a text."""
    return f"{key.day}/{key.board.hex()}/{key.place.hex()}/{key.game_id.hex}"


def _shown(row: values.BoardRow) -> BoardRow:
    return BoardRow(
        rank=row.rank,
        player=row.player,
        game=row.game_id,
        won=row.outcome == "won",
        score=row.score,
        redeals=row.redeals,
        moves=row.moves,
        undos=row.undos,
        elapsed_ms=row.finished_at - row.started_at,
        attempt=row.attempt,
        finished_at=format_time(row.finished_at),
    )
