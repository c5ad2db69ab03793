"""Idempotency keys: used once, whatever happens, in the transaction that they are for."""

import asyncio
from collections import Counter

import pytest
from pasyans.server.clock import new_id
from pasyans.store.errors import Conflict, KeyUsed, NameTaken
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Appended, Created, UsedKey

from tests.store.making import (
    NOON,
    a_game,
    a_player,
    head,
    key,
    move,
    new_game,
    new_player,
    new_token,
    some_games,
    texts,
)
from tests.store.servers import Urls, raw


class Keys:
    async def test_an_append_uses_its_key(self, store: PostgresStore) -> None:
        game = await a_game(store)
        mine = key("mine", scope=game.player_id)
        assert await store.used_key(mine.scope, mine.key) is None
        await store.append(move(game, count=3, at=NOON + 5, key=mine))
        assert await store.used_key(mine.scope, mine.key) == UsedKey(mine.request, game.game_id, 4, NOON + 5)

    async def test_a_conflict_leaves_the_key_free(self, store: PostgresStore) -> None:
        game = await a_game(store)
        await store.append(move(game))
        mine = key("mine", scope=game.player_id)
        with pytest.raises(Conflict):
            await store.append(move(game, key=mine))
        assert await store.used_key(mine.scope, mine.key) is None

    async def test_a_used_key_writes_nothing(self, store: PostgresStore) -> None:
        game = await a_game(store)
        mine = key("mine", scope=game.player_id)
        await store.append(move(game, "first", key=mine))
        game = await head(store, game.game_id)
        with pytest.raises(KeyUsed):
            await store.append(move(game, "second", key=key("mine", scope=game.player_id, request="another")))
        assert await texts(store, game.game_id) == ["started 1", "first"]
        used = await store.used_key(mine.scope, mine.key)
        assert used is not None
        assert (used.request, used.version) == (mine.request, 2)

    async def test_a_used_key_counts_before_a_conflict(self, store: PostgresStore) -> None:
        game = await a_game(store)
        append = move(game, key=key("mine", scope=game.player_id))
        await store.append(append)
        with pytest.raises(KeyUsed):
            await store.append(append)

    async def test_the_same_append_on_two_servers_at_once(self, store: PostgresStore, other: PostgresStore) -> None:
        for number, game in enumerate(await some_games(store, 30)):
            append = move(game, key=key(f"{number}", scope=game.player_id))
            outcomes = await asyncio.gather(store.append(append), other.append(append), return_exceptions=True)
            assert Counter(type(outcome) for outcome in outcomes) == {Appended: 1, KeyUsed: 1}
            assert await texts(store, game.game_id) == ["started 1", "moved"]

    async def test_the_same_key_on_two_games_at_once(self, store: PostgresStore, other: PostgresStore) -> None:
        for number in range(30):
            games = await some_games(store, 2)
            mine = key(f"{number}", scope=games[0].player_id)
            outcomes = await asyncio.gather(
                store.append(move(games[0], key=mine)), other.append(move(games[1], key=mine)), return_exceptions=True
            )
            assert Counter(type(outcome) for outcome in outcomes) == {Appended: 1, KeyUsed: 1}
            for game, outcome in zip(games, outcomes, strict=True):
                assert (await head(store, game.game_id)).version == (2 if isinstance(outcome, Appended) else 1)

    async def test_a_key_twice_in_a_group_fails_only_there(self, store: PostgresStore) -> None:
        games = await some_games(store, 5)
        mine = key("mine", scope=games[0].player_id)
        outcomes = await store.append_many(
            [move(game, key=mine if at in (1, 3) else None) for at, game in enumerate(games)]
        )
        assert [type(outcome) for outcome in outcomes] == [Appended, Appended, Appended, KeyUsed, Appended]
        assert [(await head(store, game.game_id)).version for game in games] == [2, 2, 2, 1, 2]

    async def test_a_scope_has_keys_of_its_own(self, store: PostgresStore) -> None:
        games = [await a_game(store) for _ in range(2)]
        outcomes = await store.append_many([move(game, key=key("mine", scope=game.player_id)) for game in games])
        assert [type(outcome) for outcome in outcomes] == [Appended, Appended]

    async def test_a_game_is_started_once(self, store: PostgresStore, other: PostgresStore) -> None:
        player_id = await a_player(store)
        for number in range(10):
            mine, seed = key(f"{number}", scope=player_id), f"seed-{number}"
            tries = [new_game(player_id, seed=seed, key=mine) for _ in range(4)]
            outcomes = await asyncio.gather(
                *((store, other)[at % 2].create_game(new) for at, new in enumerate(tries)), return_exceptions=True
            )
            assert Counter(type(outcome) for outcome in outcomes) == {Created: 1, KeyUsed: 3}
            made = next(new for new, outcome in zip(tries, outcomes, strict=True) if isinstance(outcome, Created))
            assert await store.used_key(mine.scope, mine.key) == UsedKey(mine.request, made.game_id, 1, NOON)
            assert (await store.create_game(new_game(player_id, seed=seed))).attempt == 2

    async def test_a_player_is_made_once(self, store: PostgresStore) -> None:
        new, token = new_player()
        mine = key("mine", scope=new_id(NOON))
        await store.create_player(new, token, mine)
        again, another = new_player(new.name)
        with pytest.raises(KeyUsed):
            await store.create_player(again, another, mine)
        with pytest.raises(NameTaken):
            await store.create_player(again, another, key("another", scope=mine.scope))
        assert await store.used_key(mine.scope, mine.key) == UsedKey(mine.request, new.player_id, 0, NOON)

    async def test_a_token_is_made_once(self, store: PostgresStore) -> None:
        player_id = await a_player(store)
        mine = key("mine", scope=player_id)
        token = new_token(player_id)
        await store.create_token(token, mine)
        with pytest.raises(KeyUsed):
            await store.create_token(new_token(player_id), mine)
        assert await store.used_key(mine.scope, mine.key) == UsedKey(mine.request, token.token_id, 0, NOON)
        assert len(await store.tokens(player_id, None, 10)) == 2

    async def test_old_keys_are_freed(self, store: PostgresStore) -> None:
        games = await some_games(store, 3)
        mine = [key(f"{number}", scope=games[0].player_id) for number in range(3)]
        early = NOON - 10**9
        for number, game in enumerate(games):
            await store.append(move(game, at=early + number, key=mine[number]))
        assert await store.forget_keys(early + 2) == 2
        found = [await store.used_key(one.scope, one.key) for one in mine]
        assert [used is not None for used in found] == [False, False, True]
        await store.append(move(await head(store, games[0].game_id), key=mine[0]))

    async def test_any_number_of_old_keys_is_freed(self, store: PostgresStore, urls: Urls) -> None:
        async with raw(urls.admin) as connection:
            await connection.execute(
                """
                INSERT INTO idempotency (scope, key, request, subject, version, at)
                SELECT gen_random_uuid(), uuid_send(gen_random_uuid()), '\\x00000000000000000000000000000000',
                    gen_random_uuid(), 1, timestamptz '2020-02-29' FROM generate_series(1, 25000)
                """
            )
        assert await store.forget_keys(NOON - 10**11) == 25_000
