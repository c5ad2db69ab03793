"""Callers that are gone at any moment, and stores that close: nothing half-done, nothing left hanging."""

import asyncio
import random
from typing import Any

import pytest
from pasyans.store.errors import Conflict, Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, Appended, Created

from tests.store.making import a_game, a_player, assert_whole, head, key, move, new_game, some_games, texts
from tests.store.servers import PATIENCE, Urls, at_rest, backends, eventually, locked, opened, raw


class Cancelling:
    async def test_a_cancelled_append_is_written(self, store: PostgresStore) -> None:
        game = await a_game(store)
        task = asyncio.create_task(store.append(move(game)))
        await asyncio.sleep(0)  # it is queued now
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await eventually(lambda: _reached(store, game.game_id, 2))
        assert await texts(store, game.game_id) == ["started 1", "moved"]

    async def test_a_cancelled_start_is_written_whole(self, store: PostgresStore) -> None:
        new = new_game(await a_player(store))
        task = asyncio.create_task(store.create_game(new))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await eventually(lambda: store.head(new.game_id))
        await assert_whole(store, new.game_id)

    async def test_a_cancelled_reader_does_not_wait_for_the_server(self, store: PostgresStore, urls: Urls) -> None:
        player_id = await a_player(store)
        async with raw(urls.root) as other, raw(urls.root) as root:

            async def waiting() -> list[int]:
                return await backends(root, urls.database, "wait_event_type = 'Lock'")

            async with other.transaction():
                await other.execute("LOCK TABLE players")
                task = asyncio.create_task(store.player(player_id))
                await eventually(waiting)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert len(await waiting()) == 1
        assert await store.player(player_id) is not None

    @pytest.mark.parametrize("seed", range(4))
    async def test_callers_that_go_at_any_moment(self, urls: Urls, seed: int) -> None:
        dice = random.Random(seed)
        # With time enough that the server does not clear away what would be left behind.
        async with opened(urls.service, pool_size=3, timeout=2 * PATIENCE) as store, raw(urls.root) as root:
            games = {game.game_id: game for game in await some_games(store, 12)}
            player_id = next(iter(games.values())).player_id
            promised: list[tuple[Append, str]] = []
            sent: list[Append] = []
            for turn in range(40):
                tasks: list[asyncio.Task[Any]] = []
                appends = [
                    move(game, f"{turn}", key=key(f"{seed} {turn} {game.game_id}", scope=player_id))
                    for game in dice.sample(list(games.values()), 8)
                ]
                sent += appends
                tasks += [asyncio.create_task(store.append(append)) for append in appends]
                tasks.append(asyncio.create_task(store.create_game(new_game(player_id))))
                tasks.append(asyncio.create_task(store.head(dice.choice(list(games)))))
                tasks.append(asyncio.create_task(store.log(dice.choice(list(games)))))
                for task in dice.sample(tasks, dice.randrange(len(tasks))):
                    await _a_moment(dice)
                    task.cancel()
                outcomes = await asyncio.gather(*tasks, return_exceptions=True)
                for append, outcome in zip(appends, outcomes, strict=False):
                    assert isinstance(outcome, Appended | Conflict | asyncio.CancelledError), outcome
                    if isinstance(outcome, Appended):
                        promised.append((append, append.events))
                games = {game_id: await head(store, game_id) for game_id in games}
            assert 50 < len(promised) < len(sent)

            await at_rest(root, urls)
            for append, text in promised:
                row = (await store.log(append.game_id, append.expected, append.last_seq))[0]
                assert (row.first_seq, row.events) == (append.first_seq, text)
            for append in sent:
                assert append.key is not None
                used = await store.used_key(append.key.scope, append.key.key)
                rows = await store.log(append.game_id, append.expected, append.last_seq)
                assert (used is not None) == any(row.events == append.events for row in rows)
            for game_id in games:
                await store.append(move(await head(store, game_id), "after all"))
                await assert_whole(store, game_id)

    async def test_closing_writes_what_was_asked_for(self, urls: Urls) -> None:
        async with opened(urls.service) as reader:
            games = await some_games(reader, 300)
            starts = [new_game(games[0].player_id) for _ in range(20)]
            async with opened(urls.service, pool_size=1) as store:
                appends = asyncio.gather(*(store.append(move(game)) for game in games))
                creations = asyncio.gather(*(store.create_game(new) for new in starts))
                await asyncio.sleep(0)
            assert [type(outcome) for outcome in await appends] == [Appended] * 300
            assert [type(outcome) for outcome in await creations] == [Created] * 20
            for game in games:
                assert (await head(reader, game.game_id)).version == 2
            for new in starts:
                await assert_whole(reader, new.game_id)

    async def test_closing_does_not_wait_for_ever(self, urls: Urls) -> None:
        async with opened(urls.service) as reader, raw(urls.root) as root:
            games = await some_games(reader, 60)
            async with locked(urls, *(game.game_id for game in games)):
                before = set(await backends(root, urls.database))
                async with opened(urls.service, timeout=2.0) as store:
                    appends = asyncio.gather(*(store.append(move(game)) for game in games), return_exceptions=True)
                    await asyncio.sleep(0)
                assert {type(outcome) for outcome in await appends} == {Unavailable}

                async def gone() -> bool:
                    return not set(await backends(root, urls.database)) - before

                await eventually(gone)
            assert [(await head(reader, game.game_id)).version for game in games] == [1] * 60

    async def test_a_store_that_never_opened_closes(self, urls: Urls) -> None:
        store = PostgresStore(urls.service)
        with pytest.raises(Unavailable, match="closed"):
            await store.check()
        await store.close()
        async with opened(urls.service) as twice:
            await twice.close()

    async def test_a_closed_store_says_so(self, urls: Urls) -> None:
        async with opened(urls.service) as store:
            game = await a_game(store)
        for call in (
            store.append(move(game)),
            store.head(game.game_id),
            store.create_game(new_game(game.player_id)),
            store.check(),
        ):
            with pytest.raises(Unavailable, match="closed") as caught:
                await call
            assert caught.value.written is False

    async def test_nothing_stays_connected(self, urls: Urls) -> None:
        async with raw(urls.root) as root:
            before = set(await backends(root, urls.database))
            async with opened(urls.service) as store:
                await asyncio.gather(*(store.check() for _ in range(20)))
                assert len(set(await backends(root, urls.database)) - before) > 1

            async def gone() -> bool:
                return not set(await backends(root, urls.database)) - before

            await eventually(gone)


async def _reached(store: PostgresStore, game_id: Any, version: int) -> bool:
    return (await head(store, game_id)).version == version


async def _a_moment(dice: random.Random) -> None:
    """From nothing to about as long as a commit takes."""
    if dice.random() < 0.3:
        await asyncio.sleep(dice.random() * 0.003)
    else:
        for _ in range(dice.randrange(6)):
            await asyncio.sleep(0)
