"""What processes tell each other, and what is told of their work to whoever measures it."""

import asyncio

from msgspec import structs
from pasyans.store.errors import BadRow, Overloaded
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Load

from tests.store.laws.boarding import finish
from tests.store.making import a_game, move, some_games
from tests.store.servers import PATIENCE, Urls, eventually, locked, opened, raw, waiting_writers


class Noted:
    """Notes what a store tells of its appends."""

    def __init__(self) -> None:
        self.deepest = self.depth = self.refusals = self.failures = 0
        self.commits: list[tuple[int, int]] = []

    def waiting(self, appends: int) -> None:
        self.depth = appends
        self.deepest = max(appends, self.deepest)

    def committed(self, appends: int, won: int, seconds: float) -> None:
        assert seconds > 0
        self.commits.append((appends, won))

    def failed(self, appends: int) -> None:
        self.failures += appends

    def refused(self) -> None:
        self.refusals += 1


class Telling:
    async def test_what_one_process_tells_the_others_hear(self, urls: Urls) -> None:
        heard: list[list[bytes]] = [[], [], []]
        async with opened(urls.service) as a, opened(urls.service) as b, opened(urls.service) as c:
            for store, ears in zip((a, b, c), heard, strict=True):
                store.listen(ears.append)

            async def hello() -> bool:
                a.tell(b"\0hello\xff")  # who is not connected yet hears nothing
                return all(heard[1:])

            await eventually(hello)
            a.tell(b"x" * 5000)
            await eventually(lambda: _now(all(ears[-1] == b"x" * 5000 for ears in heard[1:])))
        assert heard[0] == []
        assert set(heard[1]) == set(heard[2]) == {b"\0hello\xff", b"x" * 5000}

    async def test_changes_of_boards_wait_until_they_are_folded(self, store: PostgresStore) -> None:
        await store.fold_boards()
        await store.append(finish(await a_game(store)))
        waiting = await store.board_changes(1000)
        assert waiting > 2
        assert await store.board_changes(2) == 2
        await store.fold_boards()
        assert await store.board_changes(1000) == 0

    async def test_a_pool_tells_how_busy_it_is(self, urls: Urls) -> None:
        async with opened(urls.service, pool_size=3) as store:
            await store.check()
            assert store.load() == Load(0, 1, 3)
            go_on = asyncio.Event()
            asked = asyncio.gather(*(store._database.write(lambda _: go_on.wait()) for _ in range(5)))
            await eventually(lambda: _now(store.load() == Load(3, 0, 3)))
            go_on.set()
            await asked
            assert store.load() == Load(0, 3, 3)

    async def test_appends_are_measured(self, urls: Urls) -> None:
        noted = Noted()
        async with (
            opened(urls.service, queue=4, timeout=PATIENCE, measures=noted) as store,
            raw(urls.root) as root,
        ):
            held, *games = await some_games(store, 6)
            async with locked(urls, held.game_id):
                first = asyncio.create_task(store.append(move(held)))
                await waiting_writers(root, urls)
                more = asyncio.gather(*(store.append(move(game)) for game in games), return_exceptions=True)
                await asyncio.sleep(0)  # they are queued now
                assert (noted.depth, noted.refusals, noted.commits) == (4, 1, [])
            await first
            outcomes = await more
            assert isinstance(outcomes[-1], Overloaded)
            (stale,) = await store.append_many([move(held)])
        assert not isinstance(stale, Overloaded)
        assert (noted.depth, noted.deepest, noted.refusals, noted.failures) == (0, 4, 1, 0)
        assert noted.commits == [(1, 1), (4, 4), (1, 0)]

    async def test_appends_that_fail_are_measured(self, urls: Urls) -> None:
        noted = Noted()
        async with opened(urls.service, measures=noted) as store:
            game = await a_game(store)
            outcomes = await store.append_many([structs.replace(move(game), events="nul \0")])
        assert [type(outcome) for outcome in outcomes] == [BadRow]
        assert (noted.commits, noted.failures) == ([], 1)


async def _now(value: bool) -> bool:
    return value
