"""Many writers at once: exactly one winner a version, nothing lost, no deadlock."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar
from uuid import UUID

from pasyans.store.errors import Conflict, KeyUsed
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Appended, Key

from tests.store.making import a_game, assert_whole, head, key, move, some_games, texts
from tests.store.servers import PATIENCE, Urls, opened, raw, waiting_writers, without_deadlock

T = TypeVar("T")


class Racing:
    async def test_on_one_game(self, store: PostgresStore, other: PostgresStore) -> None:
        game = await a_game(store)

        async def player(number: int) -> None:
            mine = (store, other)[number % 2]
            for turn in range(10):
                await _until_appended(mine, game.game_id, f"{number}.{turn}")

        await asyncio.gather(*map(player, range(8)))
        said = (await texts(store, game.game_id))[1:]
        assert sorted(said) == sorted(f"{number}.{turn}" for number in range(8) for turn in range(10))
        await assert_whole(store, game.game_id)

    async def test_for_one_version(self, store: PostgresStore, other: PostgresStore) -> None:
        for _ in range(20):
            game = await a_game(store)
            tries = [(mine, move(game, f"{number}")) for number in range(3) for mine in (store, other)]
            outcomes = await asyncio.gather(*(mine.append(append) for mine, append in tries), return_exceptions=True)
            assert Counter(type(outcome) for outcome in outcomes) == {Appended: 1, Conflict: 5}
            won = next(append for (_, append), outcome in zip(tries, outcomes, strict=True) if _won(outcome))
            assert await texts(store, game.game_id) == ["started 1", won.events]

    async def test_on_many_games_in_every_order(self, urls: Urls) -> None:
        dice = random.Random(20261129)
        async with (
            without_deadlock(urls),
            opened(urls.service) as a,
            opened(urls.service) as b,
            opened(urls.service) as c,
        ):
            games = await some_games(a, 40)
            for turn in range(15):
                sides = [(store, _shuffled(games, dice)) for store in (a, b, c)]
                outcomes = await asyncio.gather(
                    *(store.append_many([move(game, f"{turn}") for game in order]) for store, order in sides)
                )
                winners = Counter[str]()
                for (_, order), side in zip(sides, outcomes, strict=True):
                    assert {type(outcome) for outcome in side} <= {Appended, Conflict}
                    winners.update(
                        str(game.game_id) for game, outcome in zip(order, side, strict=True) if _won(outcome)
                    )
                assert winners == dict.fromkeys((str(game.game_id) for game in games), 1)
                games = [await head(a, game.game_id) for game in games]
            for game in games:
                assert await texts(a, game.game_id) == ["started 1", *map(str, range(15))]
                await assert_whole(a, game.game_id)

    async def test_with_the_same_keys_on_different_games(self, urls: Urls) -> None:
        """Groups whose games have the same keys in opposite orders wait for one another in turn, not in a circle."""
        async with (
            without_deadlock(urls),
            raw(urls.root) as root,
            opened(urls.service, timeout=PATIENCE) as store,
            opened(urls.service, timeout=PATIENCE) as other,
        ):
            games = sorted(await some_games(store, 6), key=lambda game: game.game_id)
            keys = [key(word, scope=games[0].player_id) for word in ("one", "middle", "another")]
            groups = [
                [move(game, key=mine) for game, mine in zip(games[:3], keys, strict=True)],
                [move(game, key=mine) for game, mine in zip(games[3:], reversed(keys), strict=True)],
            ]
            async with _using(urls, keys[1]):  # both stop there, with what they have on the way
                results = asyncio.gather(store.append_many(groups[0]), other.append_many(groups[1]))
                await waiting_writers(root, urls, 2)
            mine, others = await results
            outcomes = list(zip(groups[0] + groups[1], mine + others, strict=True))
            assert Counter(type(outcome) for _, outcome in outcomes) == {Appended: 3, KeyUsed: 3}
            assert Counter(append.key for append, outcome in outcomes if _won(outcome)) == dict.fromkeys(keys, 1)


@asynccontextmanager
async def _using(urls: Urls, used: Key) -> AsyncIterator[None]:
    """Somebody else is about to use the key, and then does not."""
    async with raw(urls.root) as connection:
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(
            "INSERT INTO idempotency VALUES (now(), 1, $1, $1, $2, $3)", used.scope, used.key, used.request
        )
        yield
        await transaction.rollback()


def _won(outcome: object) -> bool:
    return isinstance(outcome, Appended)


def _shuffled(items: list[T], dice: random.Random) -> list[T]:
    return dice.sample(items, len(items))


async def _until_appended(store: PostgresStore, game_id: UUID, text: str) -> None:
    while True:
        game = await head(store, game_id)
        try:
            await store.append(move(game, text))
        except Conflict:
            continue
        return
