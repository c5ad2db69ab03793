"""Connections that break, a database that hangs or turns people away, more appends than it can take."""

import asyncio
import os
import signal
from collections.abc import Awaitable

import pytest
from pasyans.store.connection import Connection
from pasyans.store.errors import Overloaded, Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Appended, Head

from tests.store.making import a_game, assert_whole, head, key, move, some_games
from tests.store.servers import (
    APPENDING,
    PATIENCE,
    Urls,
    at_database,
    backends,
    eventually,
    locked,
    opened,
    raw,
    waiting_writers,
)


class Losing:
    async def test_a_connection_killed_during_an_append(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=PATIENCE) as store, raw(urls.root) as root:
            game = await a_game(store)
            mine = key("mine", scope=game.player_id)
            async with locked(urls, game.game_id):
                appending = asyncio.create_task(store.append(move(game, key=mine)))
                (pid,) = await waiting_writers(root, urls)
                await _kill(root, pid)
                with pytest.raises(Unavailable) as caught:
                    await appending
            assert caught.value.written is None
            assert (await head(store, game.game_id)).version == 1
            assert await store.used_key(mine.scope, mine.key) is None
            await store.append(move(game, key=mine))
            await assert_whole(store, game.game_id)

    async def test_connections_killed_between_appends(self, store: PostgresStore, urls: Urls) -> None:
        async with raw(urls.root) as root:
            for _ in range(5):
                game = await a_game(store)
                for pid in await backends(root, urls.database, "application_name = 'pasyans'"):
                    await _kill(root, pid)
                refused = 0
                while isinstance(outcome := (await store.append_many([move(game)]))[0], Unavailable):
                    refused += 1
                assert isinstance(outcome, Appended), outcome
                assert refused <= 1
                found = await _head_at_last(store, game)
                assert found.version == 2
                await assert_whole(store, game.game_id)

    async def test_connections_killed_at_any_time(self, store: PostgresStore, urls: Urls) -> None:
        """What was acknowledged is there, what was surely not written is not, and the rest is there or not."""
        games = await some_games(store, 8)
        stop = asyncio.Event()
        refusals: set[object] = set()

        async def play(game: Head) -> None:
            while not stop.is_set():
                append = move(game)
                outcome = (await store.append_many([append]))[0]
                found = await _head_at_last(store, game)
                if isinstance(outcome, Appended):
                    assert (found.version, found.hash) == (append.last_seq, outcome.hash)
                else:
                    assert isinstance(outcome, Unavailable), outcome
                    refusals.add(outcome.written)
                    assert found.version in (
                        (game.version,) if outcome.written is False else (game.version, append.last_seq)
                    )
                game = found

        async def far_enough() -> bool:
            versions = [(await _head_at_last(store, game)).version for game in games]
            return min(versions) > 10 and None in refusals

        async with raw(urls.root) as root, asyncio.timeout(PATIENCE):
            players = [asyncio.create_task(play(game)) for game in games]
            pause = 0.01  # grows, so that a slow machine gets somewhere as well
            while not await far_enough():
                await asyncio.sleep(pause)
                pause *= 1.1
                for pid in await backends(root, urls.database, "application_name = 'pasyans'"):
                    await _kill(root, pid)
            stop.set()
            await asyncio.gather(*players)
        for game in games:
            await assert_whole(store, game.game_id)

    async def test_a_server_that_hangs(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=2.0) as store, raw(urls.root) as root:
            game = await a_game(store)
            await store.append(move(game))
            game = await head(store, game.game_id)
            pid = await _idle_writer(root, urls)
            os.kill(pid, signal.SIGSTOP)
            try:
                with pytest.raises(Unavailable) as caught:
                    await store.append(move(game))
            finally:
                os.kill(pid, signal.SIGCONT)
            assert caught.value.written is None
            await eventually(lambda: _gone(root, urls, pid))
            found = await head(store, game.game_id)
            assert found.version in (2, 3)
            await store.append(move(found))
            await assert_whole(store, game.game_id)

    async def test_a_locked_game_holds_up_no_other(self, store: PostgresStore, urls: Urls) -> None:
        games = await some_games(store, 3)
        async with locked(urls, games[1].game_id):
            outcomes = await store.append_many([move(game) for game in games])
        assert [type(outcome) for outcome in outcomes] == [Appended, Unavailable, Appended]
        assert getattr(outcomes[1], "written", "") is False
        assert "lock timeout" in str(outcomes[1])
        assert (await head(store, games[1].game_id)).version == 1

    async def test_a_database_that_turns_everybody_away(self, urls: Urls) -> None:
        async with opened(urls.service) as store, raw(at_database(urls.root, "postgres")) as root:
            game = await a_game(store)
            await root.execute(f"ALTER DATABASE {urls.database} ALLOW_CONNECTIONS false")
            try:
                for pid in await backends(root, urls.database, "application_name = 'pasyans'"):
                    await _kill(root, pid)
                refused: set[object] = set()
                while refused != {False}:
                    refused = {await _refusal(store.append(move(game))), await _refusal(store.check())}
            finally:
                await root.execute(f"ALTER DATABASE {urls.database} ALLOW_CONNECTIONS true")
            await store.check()
            await store.append(move(game))
            await assert_whole(store, game.game_id)

    async def test_more_appends_than_the_queue_takes(self, urls: Urls) -> None:
        async with opened(urls.service, queue=4, timeout=PATIENCE) as store, raw(urls.root) as root:
            held, *games = await some_games(store, 6)
            async with locked(urls, held.game_id):
                first = asyncio.create_task(store.append(move(held)))
                await waiting_writers(root, urls)
                more = asyncio.gather(*(store.append(move(game)) for game in games), return_exceptions=True)
                await asyncio.sleep(0)  # they are queued now
            await first
            outcomes = await more
        assert [type(outcome) for outcome in outcomes] == [Appended, Appended, Appended, Appended, Overloaded]
        assert getattr(outcomes[-1], "written", "") is False


async def _idle_writer(root: Connection, urls: Urls) -> int:
    """The process that waits for the next appends, when there is one store."""
    found: list[int] = []

    async def alone() -> bool:
        found[:] = await backends(root, urls.database, f"query LIKE '{APPENDING}%' AND state = 'idle'")
        return len(found) == 1

    await eventually(alone)
    return found[0]


async def _kill(root: Connection, pid: int) -> None:
    await root.execute("SELECT pg_terminate_backend($1)", pid)


async def _gone(root: Connection, urls: Urls, pid: int) -> bool:
    return pid not in await backends(root, urls.database)


async def _head_at_last(store: PostgresStore, game: Head) -> Head:
    """The head, read again for as long as connections break."""
    while True:
        try:
            return await head(store, game.game_id)
        except Unavailable:
            continue


async def _refusal(call: Awaitable[object]) -> object:
    try:
        await call
    except Unavailable as error:
        return error.written
    return "none"
