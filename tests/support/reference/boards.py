"""Leaderboards as the contract words them, from the games of a log: slow and obvious."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from pasyans.record.game import Game

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Filters:
    """What a leaderboard is asked for."""

    variant: str
    rules: int = 1
    seed: str | None = None
    daily: date | None = None
    window: str = "all"
    at: date | None = None
    attempts: str = "best"
    undo: str = "any"


@dataclass(frozen=True)
class Row:
    """A row: its rank, whose it is and which game."""

    rank: int
    player: UUID
    game: UUID


def finish(game: Game) -> datetime:
    """When a game ended."""
    assert game.finished_at is not None
    return _EPOCH + timedelta(milliseconds=game.finished_at)


def board(games: dict[UUID, Game], banned: set[UUID], filters: Filters) -> list[Row]:
    """The whole board, as a list."""
    best: dict[UUID, UUID] = {}
    for game_id, game in games.items():
        player = UUID(game.start.player)
        if player in banned or not _belongs(game, filters):
            continue
        if player not in best or _listed(game_id, game, filters) < _listed(best[player], games[best[player]], filters):
            best[player] = game_id
    listed = sorted(best.items(), key=lambda item: _listed(item[1], games[item[1]], filters))
    orders = [_order(games[game_id], filters) for _, game_id in listed]
    return [
        Row(1 + sum(other < order for other in orders), player, game_id)
        for (player, game_id), order in zip(listed, orders, strict=True)
    ]


def _belongs(game: Game, filters: Filters) -> bool:
    start, deal = game.start, game.start.deal
    if game.status not in ("won", "lost") or (start.variant, start.rules) != (filters.variant, filters.rules):
        return False
    in_time = deal.kind == "daily" and finish(game).date() == date.fromisoformat(deal.date or "")
    if filters.seed is not None:
        scoped = deal.kind == "shared" and deal.seed == filters.seed
    elif filters.daily is not None:
        scoped = in_time and deal.date == filters.daily.isoformat()
    else:
        scoped = deal.kind == "sealed" or (in_time and start.attempt == 1)
    return (
        scoped
        and _in_window(finish(game).date(), filters)
        and (filters.attempts == "best" or start.attempt == 1)
        and (filters.undo == "any" or game.undos == 0)
    )


def _in_window(day: date, filters: Filters) -> bool:
    at = filters.at
    if filters.window == "all" or at is None:
        return True
    if filters.window == "day":
        return day == at
    if filters.window == "week":
        return day.isocalendar()[:2] == at.isocalendar()[:2]
    return (day.year, day.month) == (at.year, at.month)


def _order(game: Game, filters: Filters) -> tuple[object, ...]:
    elapsed = 0 if filters.seed is not None else game.elapsed_ms
    return (game.status != "won", -game.score, game.redeals, game.moves, elapsed)


def _listed(game_id: UUID, game: Game, filters: Filters) -> tuple[object, ...]:
    return (_order(game, filters), finish(game), game_id.bytes)
