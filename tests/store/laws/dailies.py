"""Daily deals: drawn once, whoever draws, and played once at a time."""

import asyncio
from typing import Any, Final

import pytest
from msgspec import structs
from pasyans.server.clock import new_id, random_bytes
from pasyans.store.errors import AlreadyPlaying, KeyUsed
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Created, Daily, NewGame

from tests.store.making import NOON, a_player, head, key, move, new_game, unique

_DAY: Final = "2026-11-29"


def drawn(variant: str, day: str = _DAY, at: int = NOON) -> Daily:
    """A deal that nobody has drawn before."""
    return Daily(variant, day, random_bytes(16).hex(), at)


def started(game: NewGame, **changes: Any) -> NewGame:
    """Another game on the same deal, unless told."""
    return structs.replace(game, **{"game_id": new_id(NOON), **changes})


class Dailies:
    async def test_what_was_drawn_is_listed_by_date_and_variant(self, store: PostgresStore) -> None:
        early, late = unique("a"), unique("b")
        deals = [drawn(late, "2031-01-02"), drawn(early, "2031-01-02", NOON + 1), drawn(late, "2031-01-01")]
        await store.draw_dailies(deals)
        assert await store.dailies("2031-01-01", "2031-01-02") == [deals[2], deals[1], deals[0]]
        assert await store.dailies("2031-01-01", "2031-01-01") == [deals[2]]
        assert await store.dailies("2031-01-03", "2031-12-31") == []

    async def test_a_deal_that_was_drawn_stays(self, store: PostgresStore, other: PostgresStore) -> None:
        first, second = drawn(unique("a")), drawn(unique("a"))
        await store.draw_dailies([first])
        await other.draw_dailies([drawn(first.variant, at=NOON + 1), second])
        found = [each for each in await store.dailies(_DAY, _DAY) if each.variant in (first.variant, second.variant)]
        assert found == [first, second]

    async def test_all_who_draw_at_once_get_the_same(self, store: PostgresStore, other: PostgresStore) -> None:
        variants = [unique("v") for _ in range(8)]
        days = [f"2032-05-{number:02}" for number in range(1, 9)]

        async def draw(number: int) -> list[Daily]:
            mine = [drawn(variant, day) for variant in variants for day in days]
            door = (store, other)[number % 2]
            await door.draw_dailies(mine if number % 3 else mine[::-1])
            return await door.dailies(days[0], days[-1])

        results = await asyncio.gather(*map(draw, range(12)))
        assert len(results[0]) == 64
        assert all(result == results[0] for result in results)

    async def test_one_running_game_a_player_and_daily(self, store: PostgresStore, other: PostgresStore) -> None:
        daily = new_game(await a_player(store), kind="daily", date=_DAY)

        async def start(number: int) -> Created | AlreadyPlaying:
            try:
                return await (store, other)[number % 2].create_game(started(daily, game_id=ids[number]))
            except AlreadyPlaying as error:
                return error

        ids = [new_id(NOON) for _ in range(24)]
        for attempt in (1, 2, 3):
            ids = [new_id(NOON) for _ in range(24)]
            outcomes = await asyncio.gather(*map(start, range(24)))
            (winner,) = (number for number, outcome in enumerate(outcomes) if isinstance(outcome, Created))
            assert outcomes[winner] == Created(attempt, (await head(store, ids[winner])).hash)
            told = {outcome.game_id for outcome in outcomes if isinstance(outcome, AlreadyPlaying)}
            assert told == {ids[winner]}
            running = await head(store, ids[winner])
            await store.append(move(running, status="lost", finished_at=running.updated_at))

    async def test_games_beside_a_running_daily(self, store: PostgresStore) -> None:
        anna = await a_player(store)
        daily = new_game(anna, kind="daily", date=_DAY)
        await store.create_game(daily)
        others: list[dict[str, Any]] = [
            {"player_id": await a_player(store)},
            {"variant": "court"},
            {"date": "2026-11-30"},
            {"kind": "sealed", "date": None},
            {"kind": "shared", "date": None},
        ]
        for changes in others:
            await store.create_game(started(daily, **changes))
        with pytest.raises(AlreadyPlaying) as told:
            await store.create_game(started(daily))
        assert told.value.game_id == daily.game_id

    async def test_a_second_game_uses_no_key_and_a_used_key_counts_first(self, store: PostgresStore) -> None:
        anna = await a_player(store)
        mine, another = key("mine", scope=anna), key("another", scope=anna)
        daily = new_game(anna, kind="daily", date=_DAY, key=mine)
        await store.create_game(daily)
        with pytest.raises(AlreadyPlaying):
            await store.create_game(started(daily, key=another))
        assert await store.used_key(another.scope, another.key) is None
        with pytest.raises(KeyUsed):
            await store.create_game(started(daily, key=mine))
