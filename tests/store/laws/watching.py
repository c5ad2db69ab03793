"""Being woken when a game has moved, wherever it was moved."""

import asyncio
import os
import signal
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import pytest
from pasyans.server.clock import new_id
from pasyans.store.connection import Connection
from pasyans.store.errors import Unavailable
from pasyans.store.notices import CHANNEL
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Appended

from tests.store.making import NOON, a_game, head, move, some_games
from tests.store.servers import PATIENCE, Urls, backends, eventually, locked, opened, raw, waiting_writers

NEVER = 3600.0
"""Seconds between two looks at all watched games, so that only notices wake."""


class Woken:
    """Counts how often it was woken."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1

    async def more_than(self, times: int) -> None:
        async def so() -> bool:
            return self.times > times

        await eventually(so)


async def notify(connection: Connection, payload: str) -> None:
    """Send what a process would send to the others."""
    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, payload)


def payload(*games: UUID) -> str:
    return b64encode(b"".join(game.bytes for game in games)).decode()


async def listening(store: PostgresStore, root: Connection) -> None:
    """Wait until a store hears notices."""
    game = new_id(NOON)
    woken = Woken()

    async def heard() -> bool:
        await notify(root, payload(game))
        return woken.times > 0

    with store.watch(game, woken):
        await eventually(heard)


@asynccontextmanager
async def deaf_to_all_but_notices(urls: Urls) -> AsyncIterator[tuple[PostgresStore, Connection]]:
    """A store that listens and does not look by itself, and a connection of somebody else's."""
    async with opened(urls.service, look_again=NEVER) as store, raw(urls.root) as root:
        await listening(store, root)
        yield store, root


def watched(store: PostgresStore) -> int:
    """How many games a store keeps anything of."""
    return len(store._notices._watches)


class Watching:
    async def test_a_move_through_this_process(self, store: PostgresStore) -> None:
        game, still = await some_games(store, 2)
        woken, asleep = Woken(), Woken()
        with store.watch(game.game_id, woken), store.watch(still.game_id, asleep):
            await store.append(move(game))
            await asyncio.sleep(0)  # it was woken with the answer
            assert woken.times >= 1
        assert watched(store) == 0

    async def test_a_move_through_another_process(self, urls: Urls, other: PostgresStore) -> None:
        async with deaf_to_all_but_notices(urls) as (store, _):
            game, still = await some_games(other, 2)
            woken, asleep = Woken(), Woken()
            with store.watch(game.game_id, woken), store.watch(still.game_id, asleep):
                for number in range(5):
                    before = woken.times
                    await other.append(move(await head(other, game.game_id)))
                    await woken.more_than(before)
                    assert (await head(store, game.game_id)).version == 2 + number
                await other.append(move(still))
                await asleep.more_than(0)
                assert (woken.times, asleep.times) == (5, 1)

    async def test_many_games_in_one_group(self, urls: Urls, other: PostgresStore) -> None:
        async with deaf_to_all_but_notices(urls) as (store, _):
            games = await some_games(other, 300)
            woken = [Woken() for _ in games]
            watches = [store.watch(game.game_id, each) for game, each in zip(games, woken, strict=True)]
            outcomes = await other.append_many([move(game) for game in games])
            assert [type(outcome) for outcome in outcomes] == [Appended] * 300

            async def all_woken() -> bool:
                return all(each.times for each in woken)

            await eventually(all_woken)
            for watch in watches:
                watch.close()
            assert watched(store) == 0

    async def test_several_watches_of_one_game(self, store: PostgresStore) -> None:
        game = await a_game(store)
        first, second = Woken(), Woken()
        with store.watch(game.game_id, first):
            with store.watch(game.game_id, second):
                await store.append(move(game))
                await second.more_than(0)
            before, last = first.times, second.times
            assert before >= 1
            await store.append(move(await head(store, game.game_id)))
            await first.more_than(before)
            assert second.times == last
        assert watched(store) == 0

    async def test_one_who_fails_when_woken_harms_nobody(self, store: PostgresStore) -> None:
        def fail() -> None:
            raise RuntimeError

        loop = asyncio.get_running_loop()
        before, said = loop.get_exception_handler(), list[object]()
        loop.set_exception_handler(lambda _, context: said.append(context.get("exception")))
        try:
            game = await a_game(store)
            with store.watch(game.game_id, fail):
                await store.append(move(game))
                await store.append(move(await head(store, game.game_id)))
        finally:
            loop.set_exception_handler(before)
        assert [type(each) for each in said] == [RuntimeError] * len(said)
        assert said

    async def test_a_move_whose_notice_is_lost(self, urls: Urls) -> None:
        async with opened(urls.service, look_again=0.1) as store, raw(urls.admin) as owner:
            game = await a_game(store)
            woken = Woken()
            with store.watch(game.game_id, woken):
                await woken.more_than(0)  # it has looked
                await owner.execute("UPDATE games SET version = 7 WHERE game_id = $1", game.game_id)
                await woken.more_than(1)

    async def test_what_is_as_it_was_wakes_nobody(self, urls: Urls) -> None:
        async with opened(urls.service, look_again=0.02) as store, raw(urls.root) as root:
            game, other = await some_games(store, 2)
            woken, last = Woken(), Woken()
            with store.watch(game.game_id, woken):
                await woken.more_than(0)
                before = woken.times
                for _ in range(5):  # each is woken by a look at both games
                    with store.watch(other.game_id, last):
                        await last.more_than(last.times)
                assert woken.times == before
            await listening(store, root)

    @pytest.mark.parametrize("text", ["", "rubbish", "AAAA", "{}"])
    async def test_a_notice_that_names_no_game_may_mean_any(self, urls: Urls, text: str) -> None:
        async with deaf_to_all_but_notices(urls) as (store, root):
            game = await a_game(store)
            woken = Woken()
            with store.watch(game.game_id, woken):
                await root.execute("UPDATE games SET version = 7 WHERE game_id = $1", game.game_id)
                await notify(root, text)
                await woken.more_than(0)

    async def test_more_moves_than_are_kept_while_the_connection_is_away(self, urls: Urls) -> None:
        async with deaf_to_all_but_notices(urls) as (store, root), opened(urls.service) as busy:
            game = await a_game(store)
            woken = Woken()
            with store.watch(game.game_id, woken):
                await root.execute("UPDATE games SET version = 7 WHERE game_id = $1", game.game_id)
                for _ in range(3):
                    busy._notices.moved(new_id(NOON) for _ in range(5000))
                assert len(busy._notices._unsent) < 10_000
                await woken.more_than(0)

    async def test_moves_while_the_listening_connection_is_lost(self, urls: Urls, other: PostgresStore) -> None:
        async with deaf_to_all_but_notices(urls) as (store, root):
            game = await a_game(other)
            woken = Woken()
            with store.watch(game.game_id, woken):
                for _ in range(5):
                    game = await head(other, game.game_id)
                    before = woken.times
                    for pid in await listeners(root, urls):
                        await root.execute("SELECT pg_terminate_backend($1)", pid)
                    await other.append(move(game))
                    await woken.more_than(before)
                await listening(store, root)

    async def test_moves_while_the_sending_connection_is_lost(self, urls: Urls) -> None:
        async with deaf_to_all_but_notices(urls) as (store, root):
            hearing = await listener(root, urls)
            async with opened(urls.service) as mover:
                game = await a_game(mover)
                woken = Woken()
                with store.watch(game.game_id, woken):
                    for _ in range(5):
                        before = woken.times
                        for pid in set(await listeners(root, urls)) - {hearing}:
                            await root.execute("SELECT pg_terminate_backend($1)", pid)
                        await mover.append(move(await head(mover, game.game_id)))
                        await woken.more_than(before)

    async def test_a_notice_on_its_way_when_the_sending_connection_is_lost(self, urls: Urls) -> None:
        async with deaf_to_all_but_notices(urls) as (store, root):
            hearing = await listener(root, urls)
            async with opened(urls.service, timeout=PATIENCE) as mover:
                await listening(mover, root)
                game = await a_game(mover)
                woken = Woken()
                with store.watch(game.game_id, woken):
                    pid = await listener(root, urls, but=hearing)
                    os.kill(pid, signal.SIGSTOP)
                    await mover.append(move(game))
                    while mover._notices._unsent:  # noqa: ASYNC110 - until the notice is on its way
                        await asyncio.sleep(0)
                    await root.execute("SELECT pg_terminate_backend($1)", pid)
                    os.kill(pid, signal.SIGCONT)
                    await woken.more_than(0)

    async def test_a_listening_connection_that_hangs_holds_up_no_append(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=2.0) as store, raw(urls.root) as root:
            await listening(store, root)
            pid = await listener(root, urls)
            os.kill(pid, signal.SIGSTOP)
            try:
                game = await a_game(store)
                woken = Woken()
                with store.watch(game.game_id, woken):
                    for _ in range(20):
                        await store.append(move(await head(store, game.game_id)))
                    await woken.more_than(19)
            finally:
                os.kill(pid, signal.SIGCONT)
            await listening(store, root)

    async def test_a_move_of_which_nobody_knows_whether_it_was_written(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=PATIENCE, look_again=NEVER) as store, raw(urls.root) as root:
            await listening(store, root)
            game = await a_game(store)
            woken = Woken()
            with store.watch(game.game_id, woken):
                async with locked(urls, game.game_id):
                    appending = asyncio.create_task(store.append(move(game)))
                    (pid,) = await waiting_writers(root, urls)
                    await root.execute("SELECT pg_terminate_backend($1)", pid)
                    with pytest.raises(Unavailable):
                        await appending
                await woken.more_than(0)

    async def test_the_last_moves_before_the_end_are_told(self, urls: Urls) -> None:
        async with deaf_to_all_but_notices(urls) as (store, root):
            for _ in range(5):
                async with opened(urls.service) as short:
                    await listening(short, root)
                    game = await a_game(short)
                    woken = Woken()
                    watch = store.watch(game.game_id, woken)
                    await short.append(move(game))
                await woken.more_than(0)
                watch.close()


async def listener(root: Connection, urls: Urls, but: int | None = None) -> int:
    """The process of the one connection that listens, or of the other one, once it is seen."""
    found: list[int] = []

    async def alone() -> bool:
        found[:] = [pid for pid in await listeners(root, urls) if pid != but]
        return len(found) == 1

    await eventually(alone)
    return found[0]


async def listeners(root: Connection, urls: Urls) -> list[int]:
    """The processes of the connections that listen."""
    return await backends(root, urls.database, "query ~* '^(listen|SELECT pg_notify|SELECT game_id, version)'")
