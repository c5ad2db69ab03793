"""What a player's games came to. No HTTP here."""

from typing import Final
from uuid import UUID

from pasyans.api.play import game_of
from pasyans.api.schemas.boards import Result
from pasyans.api.schemas.statistics import PlayerStats, VariantStats
from pasyans.api.standings import result_of
from pasyans.games import catalogue
from pasyans.record.game import Game
from pasyans.store.base import Store
from pasyans.store.values import Player, Tally

_PAGE: Final = 200

Place = tuple[bool, int, int, int, int, int]
"""What games of one variant are ordered by, the best first; the last number is the time of the finish."""


async def player_stats(store: Store, player: Player, at: int) -> PlayerStats:
    """Return what a player's games came to by the time ``at``, for each variant of the catalogue."""
    tallies = {tally.variant: tally for tally in await store.tallies(player.player_id, at)}
    best = await _best(store, player.player_id)
    return PlayerStats(player.name, [_stats(variant, tallies, best) for variant in catalogue.VARIANTS])


async def _best(store: Store, player_id: UUID) -> dict[str, Result]:
    """Return the best game of each variant under the present number of its rules.

    Every game is read, page by page, since the score is in the snapshot alone. A board that keeps the best game of
    each player has it ready.
    """
    best: dict[str, tuple[Place, Result]] = {}
    before: UUID | None = None
    while found := await store.counted(player_id, before, _PAGE):
        for head in found:
            game = game_of(head)
            at = place(game)
            is_present = head.rules == catalogue.VARIANTS[head.variant].rules
            if is_present and (head.variant not in best or at < best[head.variant][0]):
                best[head.variant] = at, Result(**result_of(head, game))
        before = found[-1].game_id
    return {variant: result for variant, (_, result) in best.items()}


def place(game: Game) -> Place:
    """Return where a finished game stands among those of its variant."""
    return (game.status != "won", -game.score, game.redeals, game.moves, game.elapsed_ms, game.finished_at or 0)


def _stats(variant: str, tallies: dict[str, Tally], best: dict[str, Result]) -> VariantStats:
    tally = tallies.get(variant) or Tally(variant, 0, 0, 0, 0, None)
    return VariantStats(
        variant=variant,
        played=tally.played,
        won=tally.won,
        streak=tally.streak,
        best_streak=tally.best_streak,
        best=best.get(variant),
        median_elapsed_ms=tally.median_elapsed_ms,
    )
