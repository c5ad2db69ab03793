"""What a player's games came to. No HTTP here."""

from uuid import UUID

from pasyans.api.schemas import boards as schemas
from pasyans.api.schemas.statistics import PlayerStats, VariantStats
from pasyans.games import catalogue
from pasyans.record.result import Result
from pasyans.record.times import format_time
from pasyans.store.base import Store
from pasyans.store.values import Player, Tally


async def player_stats(store: Store, player: Player, at: int) -> PlayerStats:
    """Return what a player's games came to by the time ``at``, for each variant of the catalogue."""
    tallies = {tally.variant: tally for tally in await store.tallies(player.player_id, at)}
    best = await _best(store, player.player_id)
    return PlayerStats(player.name, [_stats(variant, tallies, best) for variant in catalogue.VARIANTS])


async def _best(store: Store, player_id: UUID) -> dict[str, schemas.Result]:
    """Return the best game of each variant under the present number of its rules."""
    found = await store.best_results(player_id)
    return {
        result.variant: _shown(game_id, result)
        for game_id, result in found
        if result.rules == catalogue.VARIANTS[result.variant].rules
    }


def _shown(game_id: UUID, result: Result) -> schemas.Result:
    return schemas.Result(
        game=game_id,
        won=result.outcome == "won",
        score=result.score,
        redeals=result.redeals,
        moves=result.moves,
        undos=result.undos,
        elapsed_ms=result.elapsed_ms,
        attempt=result.attempt,
        finished_at=format_time(result.finished_at),
    )


def _stats(variant: str, tallies: dict[str, Tally], best: dict[str, schemas.Result]) -> VariantStats:
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
