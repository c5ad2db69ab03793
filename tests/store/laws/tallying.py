"""What a player's games came to."""

import random
from statistics import median
from typing import Any

from pasyans.deals.days import closes_at, day_of
from pasyans.record.ranking import is_ranked
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Head, Tally

from tests.store.making import NOON, a_game, a_player, head, move, unique

_TODAY = "2026-11-29"


class Tallying:
    async def test_wins_in_a_row_by_the_time_of_the_start(self, store: PostgresStore) -> None:
        player_id, variant = await a_player(store), unique("variant")

        async def play(ends: str) -> Tally:
            """Start the games first and end them backwards, so that the order of the finish misleads."""
            games = [
                await a_game(store, player_id, variant=variant, kind="sealed", at=NOON + 1000 * number)
                for number in range(len(ends))
            ]
            for number, (game, end) in enumerate(zip(reversed(games), reversed(ends), strict=True), 1):
                await _end(store, game, end, NOON + 100_000 * number)
            (tally,) = await store.tallies(player_id, NOON)
            return tally

        # Won, lost, abandoned, void, running with moves, running without.
        first = await play("wwlwwwavuw")
        assert (first.played, first.won, first.streak, first.best_streak) == (7, 6, 4, 4)
        player_id = await a_player(store)
        second = await play("wwwrw")
        assert (second.played, second.won, second.streak, second.best_streak) == (4, 4, 1, 3)
        player_id = await a_player(store)
        third = await play("wr")
        assert (third.played, third.won, third.streak, third.best_streak) == (1, 1, 0, 1)
        player_id = await a_player(store)
        fourth = await play("r")
        assert fourth == Tally(variant, 0, 0, 0, 0, None)

    async def test_the_median_of_the_times(self, store: PostgresStore) -> None:
        player_id = await a_player(store)
        for elapsed, expected in ((1001, 1001), (10, 505), (290, 290), (285, 287)):
            game = await a_game(store, player_id, kind="sealed")
            await _end(store, game, "l", NOON + elapsed)
            (tally,) = await store.tallies(player_id, NOON)
            assert tally.median_elapsed_ms == expected

    async def test_a_daily_counts_once_and_in_time(self, store: PostgresStore) -> None:
        closes = closes_at(_TODAY)
        player_id = await a_player(store)

        async def daily(seed: str, ended_at: int) -> None:
            game = await a_game(store, player_id, kind="daily", date=_TODAY, seed=seed)
            await _end(store, game, "w", ended_at)

        await daily("first", closes)
        assert await store.tallies(player_id, closes) == []
        assert await store.best_results(player_id) == []
        await daily("second", closes - 1)
        await daily("second", closes - 1)
        (tally,) = await store.tallies(player_id, closes)
        assert (tally.played, tally.won, tally.streak) == (1, 1, 1)
        ((_, game),) = await store.best_results(player_id)
        assert (game.seed, game.attempt) == ("second", 1)

    async def test_a_running_daily_interrupts_while_it_could_count(self, store: PostgresStore) -> None:
        closes = closes_at(_TODAY)
        player_id = await a_player(store)
        await _end(store, await a_game(store, player_id, kind="sealed"), "w", NOON + 1)
        running = await a_game(store, player_id, kind="daily", date=_TODAY, at=NOON + 2)
        await _end(store, running, "r", NOON + 3)
        assert [(tally.won, tally.streak) for tally in await store.tallies(player_id, closes - 1)] == [(1, 0)]
        assert [(tally.won, tally.streak) for tally in await store.tallies(player_id, closes)] == [(1, 1)]

    async def test_many_games_of_every_kind(self, store: PostgresStore) -> None:
        dice = random.Random(5)
        player_id, others = await a_player(store), await a_player(store)
        variants = [unique("variant"), unique("variant")]
        seeds = [unique("seed") for _ in range(3)]
        everything: list[Head] = []
        for number in range(120):
            kind: Any = dice.choice(["sealed", "sealed", "shared", "daily"])
            # Some of the days are over before the game is; on no day are there two games.
            day = day_of(NOON + (number - 60) * 86_400_000) if kind == "daily" else None
            game = await a_game(
                store,
                player_id if dice.random() < 0.9 else others,
                variant=dice.choice(variants),
                kind=kind,
                seed=dice.choice(seeds),
                date=day,
                at=NOON + dice.randrange(10**8),
            )
            await _end(store, game, dice.choice("wwwwlavru"), game.started_at + 1000 * number)
            everything.append(await head(store, game.game_id))
        at = NOON + 10**7
        mine = sorted((game for game in everything if game.player_id == player_id), key=lambda game: game.game_id)
        assert await store.tallies(player_id, at) == [_tally(variant, mine, at) for variant in sorted(variants)]
        counted = [game for game in mine if game.status in ("won", "lost") and _ranked(game, at)]
        assert len(counted) > 20
        best = {game_id for game_id, _ in await store.best_results(player_id)}
        assert best == {min((g for g in counted if g.variant == variant), key=_order).game_id for variant in variants}


def _order(game: Head) -> tuple[object, ...]:
    """Games that end alike in all but outcome and time."""
    finished_at = game.finished_at or 0
    return game.status != "won", finished_at - game.started_at, finished_at, game.game_id


async def _end(store: PostgresStore, game: Head, end: str, at: int) -> None:
    """End a game (won, lost, abandoned, void), or leave it running with a move or untouched."""
    if end == "u":
        return
    status: Any = {"w": "won", "l": "lost", "a": "abandoned", "v": "void", "r": "playing"}[end]
    await store.append(move(game, status=status, at=at, finished_at=None if end == "r" else at))


def _ranked(game: Head, at: int) -> bool:
    return is_ranked(game.kind, game.date, game.attempt, game.status, game.finished_at or at)


def _tally(variant: str, games: list[Head], at: int) -> Tally:
    """The tally, worked out one game after the other, the oldest first."""
    times: list[int] = []
    won = streak = best = 0
    for game in games:
        if game.variant != variant or not _ranked(game, at) or (game.status == "playing" and game.version == 1):
            continue
        streak = streak + 1 if game.status == "won" else 0
        best = max(best, streak)
        won += game.status == "won"
        if game.finished_at is not None:
            times.append(game.finished_at - game.started_at)
    return Tally(variant, len(times), won, streak, best, int(median(times)) if times else None)
