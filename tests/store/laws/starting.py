"""Starting games: what is stored, and the numbers of attempts."""

import asyncio

import pytest
from msgspec import structs
from pasyans.store import chain
from pasyans.store.errors import BadRow
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Created, Head, LogRow

from tests.store.making import NOON, a_player, head, new_game, new_player, unique
from tests.store.servers import Urls, raw


class Starting:
    async def test_a_game_stands_as_it_was_started(self, store: PostgresStore) -> None:
        player, token = new_player()
        await store.create_player(player, token)
        new = new_game(player.player_id, variant="vokzal-36", rules=3, kind="daily", date="2026-11-29")
        created = await store.create_game(new)
        link = chain.link(chain.GENESIS, new.game_id, 1, NOON, "started 1")
        assert created == Created(attempt=1, hash=link)
        assert await head(store, new.game_id) == Head(
            game_id=new.game_id,
            player_id=player.player_id,
            player=player.name,
            name_changes=0,
            variant="vokzal-36",
            rules=3,
            kind="daily",
            seed=new.seed,
            date="2026-11-29",
            attempt=1,
            version=1,
            status="playing",
            started_at=NOON,
            updated_at=NOON,
            finished_at=None,
            snapshot=b"opening",
            hash=link,
        )
        assert await store.log(new.game_id) == [LogRow(1, 1, "started 1", NOON, link)]

    async def test_a_head_shows_the_present_name(self, store: PostgresStore, urls: Urls) -> None:
        new = new_game(await a_player(store))
        await store.create_game(new)
        name = unique("Boris")
        async with raw(urls.admin) as connection:
            await connection.execute(
                "UPDATE players SET name = $2, name_changes = name_changes + 1 WHERE player_id = $1",
                new.player_id,
                name,
            )
        found = await head(store, new.game_id)
        assert (found.player, found.name_changes) == (name, 1)

    async def test_an_unknown_game_is_none(self, store: PostgresStore) -> None:
        assert await store.head(new_game(await a_player(store)).game_id) is None

    async def test_attempts_at_once_have_no_gaps(self, store: PostgresStore, other: PostgresStore) -> None:
        first = new_game(await a_player(store))
        news = [structs.replace(new_game(first.player_id), seed=first.seed) for _ in range(24)]
        created = await asyncio.gather(*((store, other)[at % 2].create_game(new) for at, new in enumerate(news)))
        assert sorted(one.attempt for one in created) == list(range(1, 25))
        for new, one in zip(news, created, strict=True):
            assert (await head(store, new.game_id)).attempt == one.attempt
            assert [row.events for row in await store.log(new.game_id)] == [f"started {one.attempt}"]

    async def test_attempts_are_counted_by_player_variant_and_seed(self, store: PostgresStore) -> None:
        anna, boris = await a_player(store), await a_player(store)
        seed, another = unique("seed"), unique("seed")
        deals = [
            (anna, "congress", "shared", seed),
            (boris, "congress", "shared", seed),
            (anna, "court", "shared", seed),
            (anna, "congress", "shared", another),
            (anna, "congress", "sealed", seed),
        ]
        numbers = [
            (await store.create_game(new_game(player, variant=variant, kind=kind, seed=on))).attempt
            for player, variant, kind, on in deals
        ]
        assert numbers == [1, 1, 1, 1, 2]

    async def test_a_start_that_fails_gives_its_number_back(self, store: PostgresStore) -> None:
        new = new_game(await a_player(store))

        def broken(attempt: int) -> tuple[str, bytes]:
            raise ArithmeticError(f"attempt {attempt}")

        with pytest.raises(ArithmeticError, match="attempt 1"):
            await store.create_game(structs.replace(new, build=broken))
        with pytest.raises(BadRow):
            await store.create_game(structs.replace(new, build=lambda _: ("nul \0", b"")))
        assert await store.head(new.game_id) is None
        assert (await store.create_game(new)).attempt == 1

    async def test_a_daily_has_a_date_and_no_other_has(self, store: PostgresStore) -> None:
        player_id = await a_player(store)
        with pytest.raises(BadRow, match="games_daily_has_date"):
            await store.create_game(new_game(player_id, kind="daily"))
        with pytest.raises(BadRow, match="games_daily_has_date"):
            await store.create_game(new_game(player_id, date="2026-11-29"))
