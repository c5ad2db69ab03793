"""The boards against a slow and obvious fold of the log, after whatever may happen."""

import random
from collections.abc import AsyncIterator, Iterator

import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import verify
from pasyans.store.connection import connect, prepare
from pasyans.store.migrate import upgrade

from tests.store.servers import PATIENCE, Urls, at_database, execute, opened
from tests.support.histories import World, assert_boards

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def urls(bare_server: EmbeddedPostgres) -> Iterator[Urls]:
    root = bare_server.superuser_url
    execute(root, "CREATE DATABASE histories")
    url = at_database(root, "histories")
    upgrade(url)
    yield Urls(url, url, url)
    execute(root, "DROP DATABASE histories WITH (FORCE)", "DROP OWNED BY pasyans_service", "DROP ROLE pasyans_service")


@pytest.fixture
async def world(urls: Urls) -> AsyncIterator[World]:
    owner = await connect(urls.admin, within=PATIENCE, settings={"enable_seqscan": "off", "jit": "off"})
    await prepare(owner, allow_data_loss=True)
    await owner.execute("RESET ROLE")
    async with opened(urls.service, allow_data_loss=True, pool_size=2) as store:
        yield World(store, owner, random.Random())
    await owner.close()


async def _histories(world: World, first: int, count: int) -> int:
    rows = 0
    for number in range(first, first + count):
        world.dice = random.Random(number)
        world.players = []
        await world.begin()
        await world.live(world.dice.randrange(1, 25))
        try:
            rows += await assert_boards(world, 4)
            verified = await verify.verify(world.owner, lambda _done, _total: None)
            assert verified.difference is None
        except AssertionError as error:
            raise AssertionError(f"History {number}: {error}") from error
    return rows


async def test_histories(world: World) -> None:
    assert await _histories(world, 0, 60) > 2000


@pytest.mark.full
@pytest.mark.parametrize("hundred", range(10))
async def test_many_histories(world: World, hundred: int) -> None:
    assert await _histories(world, 1000 + 100 * hundred, 100) > 3000
