"""Standings: which game is better than another. No HTTP here."""

from typing import Any, Final

from pasyans.api.play import game_of
from pasyans.api.schemas.boards import BoardRow, DealStats
from pasyans.record.game import Game
from pasyans.record.times import format_time
from pasyans.store.base import Store
from pasyans.store.values import GameFilter, Head

_PAGE: Final = 200

Place = tuple[bool, int, int, int, int]
"""What games on one seed are ordered by, the best first; the last number is the time of the finish."""


async def deal_stats(store: Store, variant: str, rules: int, seed: str) -> DealStats:
    """Return what the shared games on a deal came to.

    Every game is read, page by page: as long as the leaderboards keep no rows, the deal's board is made here.
    """
    which = GameFilter(variant=variant, rules=rules, seed=seed, kind="shared", statuses=("won", "lost"))
    games = wins = 0
    best: tuple[Place, Head, Game] | None = None
    before = None
    while found := await store.games(which, before, _PAGE):
        for head in found:
            game = game_of(head)
            games += 1
            wins += game.status == "won"
            # Pages lead back in time: of games that are equal in everything, the one started first stays.
            if best is None or _place(game) <= best[0]:
                best = _place(game), head, game
        before = found[-1].game_id
    return DealStats(games, wins, None if best is None else _top_row(*best[1:]))


def _place(game: Game) -> Place:
    return (game.status != "won", -game.score, game.redeals, game.moves, game.finished_at or 0)


def _top_row(head: Head, game: Game) -> BoardRow:
    return BoardRow(rank=1, player=head.player, **result_of(head, game))


def result_of(head: Head, game: Game) -> dict[str, Any]:
    """Return the members of a `Result`: what a finished game came to."""
    return {
        "game": head.game_id,
        "won": game.status == "won",
        "score": game.score,
        "redeals": game.redeals,
        "moves": game.moves,
        "undos": game.undos,
        "elapsed_ms": game.elapsed_ms,
        "attempt": head.attempt,
        "finished_at": format_time(game.finished_at or 0),
    }
