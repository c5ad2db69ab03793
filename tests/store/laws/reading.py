"""Reading the log, and lists of games."""

import random
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from pasyans.server.clock import new_id
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import GameFilter, Head

from tests.store.making import NOON, a_game, a_player, head, move, unique

_DAYS: Final = ("2026-11-28", "2026-11-29", "2026-11-30")


class Reading:
    async def test_any_stretch_of_a_log(self, store: PostgresStore) -> None:
        game = await a_game(store)
        for count in (1, 3, 1, 2, 5, 1):
            await store.append(move(game, count=count))
            game = await head(store, game.game_id)
        rows = await store.log(game.game_id)
        assert [(row.first_seq, row.last_seq) for row in rows] == [
            (1, 1), (2, 2), (3, 5), (6, 6), (7, 8), (9, 13), (14, 14),
        ]  # fmt: skip
        for after in range(17):
            assert await store.log(game.game_id, after) == [row for row in rows if row.last_seq > after]
            for upto in range(17):
                expected = [
                    row for row in rows if any(after < seq <= upto for seq in range(row.first_seq, row.last_seq + 1))
                ]
                assert await store.log(game.game_id, after, upto) == expected, (after, upto)

    async def test_a_log_beyond_all_numbers_is_empty(self, store: PostgresStore) -> None:
        game = await a_game(store)
        assert await store.log(game.game_id, 10**30) == []
        assert len(await store.log(game.game_id, 0, 10**30)) == 1
        assert await store.log(game.player_id) == []

    async def test_lists_newest_first_by_every_filter(self, store: PostgresStore) -> None:
        dice = random.Random(8)
        players = [await a_player(store) for _ in range(3)]
        variants, seeds = [unique("variant"), unique("variant")], [unique("seed"), unique("seed")]
        everything: list[Head] = []
        for number in range(60):
            kind: Any = dice.choice(["sealed", "shared", "daily"])
            game = await a_game(
                store,
                dice.choice(players),
                variant=dice.choice(variants),
                kind=kind,
                seed=dice.choice(seeds),
                date=str(date(2026, 10, 31) + timedelta(days=number)) if kind == "daily" else None,  # one game a day
                at=NOON + dice.randrange(10**6),
            )
            status: Any = dice.choice(["playing", "won", "lost"])
            if status != "playing":
                await store.append(move(game, status=status, finished_at=game.updated_at + 1))
            everything.append(await head(store, game.game_id))
        everything.sort(key=lambda game: game.game_id, reverse=True)
        assert [game.started_at for game in everything] == sorted(
            (game.started_at for game in everything), reverse=True
        )
        found = 0
        for player_id in (None, *players):
            for variant in variants:
                for statuses in ((), ("playing",), ("won", "lost")):
                    for seed in (None, *seeds):
                        for viewer, today in (
                            (None, None),
                            (players[1], None),
                            (None, _DAYS[1]),
                            (players[1], _DAYS[1]),
                        ):
                            which = GameFilter(player_id, variant, statuses, seed, viewer=viewer, today=today)
                            expected = [game for game in everything if _matches(game, which)]
                            assert await store.games(which, None, 200) == expected, which
                            found += len(expected)
        assert found > 800

    async def test_a_seed_is_found_only_where_it_is_open(self, store: PostgresStore) -> None:
        seed = unique("seed")
        kinds: list[tuple[Any, str | None]] = [("shared", None), ("sealed", None), ("daily", "2026-11-29")]
        player_id = await a_player(store)
        games = [await a_game(store, player_id, kind=kind, date=date, seed=seed) for kind, date in kinds]

        async def kinds_found(today: str | None = None) -> set[str]:
            which = GameFilter(seed=seed, viewer=player_id, today=today)
            return {game.kind for game in await store.games(which, None, 10)}

        assert await kinds_found() == {"shared"}
        for game in games:
            await store.append(move(game, status="lost", finished_at=NOON + 1))
        assert await kinds_found() == {"shared", "sealed"}
        assert await kinds_found("2026-11-29") == {"shared", "sealed"}
        assert await kinds_found("2026-11-30") == {"shared", "sealed", "daily"}

    async def test_the_dailies_of_a_day_that_is_not_over_are_their_owners(self, store: PostgresStore) -> None:
        anna, boris = await a_player(store), await a_player(store)
        variant = unique("variant")
        games = [
            (await a_game(store, owner, variant=variant, kind="daily", date=day)).game_id
            for owner in (anna, boris)
            for day in _DAYS
        ]

        async def found(viewer: UUID | None, today: str | None) -> set[int]:
            which = GameFilter(variant=variant, viewer=viewer, today=today)
            return {games.index(game.game_id) for game in await store.games(which, None, 10)}

        assert await found(None, None) == set()
        assert await found(None, _DAYS[1]) == {0, 3}
        assert await found(anna, _DAYS[1]) == {0, 1, 2, 3}
        assert await found(boris, _DAYS[0]) == {3, 4, 5}

    async def test_games_of_one_kind_under_one_number_of_the_rules(self, store: PostgresStore) -> None:
        player_id, seed = await a_player(store), unique("seed")
        kinds: list[Any] = ["shared", "sealed"]
        games = [
            await a_game(store, player_id, kind=kind, rules=rules, seed=seed) for kind in kinds for rules in (1, 2)
        ]
        for game in games:
            await store.append(move(game, status="lost", finished_at=NOON + 1))

        async def found(**which: Any) -> set[tuple[str, int]]:
            return {(game.kind, game.rules) for game in await store.games(GameFilter(seed=seed, **which), None, 10)}

        assert len(await found()) == 4
        assert await found(kind="shared") == {("shared", 1), ("shared", 2)}
        assert await found(rules=2) == {("shared", 2), ("sealed", 2)}
        assert await found(kind="sealed", rules=1) == {("sealed", 1)}
        assert await found(kind="daily") == set()

    async def test_pages_while_games_are_started(self, store: PostgresStore) -> None:
        player_id = await a_player(store)
        there = [(await a_game(store, player_id, at=NOON + number // 3)).game_id for number in range(23)]
        which = GameFilter(player_id=player_id)
        met, before, later = [], None, NOON + 1000
        while page := await store.games(which, before, 5):
            assert len(page) <= 5
            met += [game.game_id for game in page]
            before = met[-1]
            later += 1
            await a_game(store, player_id, at=later)
        assert met == sorted(there, reverse=True)
        assert await store.games(which, new_id(NOON - 1), 5) == []


def _matches(game: Head, which: GameFilter) -> bool:
    is_past = game.date is not None and which.today is not None and game.date < which.today
    open_ = game.kind == "shared" or (game.kind == "sealed" and game.status != "playing") or is_past
    return (
        (game.kind != "daily" or is_past or game.player_id == which.viewer)
        and which.player_id in (None, game.player_id)
        and which.variant in (None, game.variant)
        and (not which.statuses or game.status in which.statuses)
        and (which.seed is None or (open_ and which.seed == game.seed))
    )
