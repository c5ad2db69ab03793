"""The boards against a slow and obvious fold of the log, after whatever may happen."""

from collections.abc import AsyncIterator, Iterator

import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import verify

from tests.store.servers import PATIENCE, Urls, bare_database, opened, owning
from tests.support.histories import World
from tests.support.reference.comparing import assert_boards

pytestmark = pytest.mark.anyio

_MET = {
    "rows", "ties", "voided", "restored", "banned", "unbanned", "erased", "erased on boards", "folded", "rebuilt",
    "put right",
}  # fmt: skip


@pytest.fixture(scope="module")
def urls(bare_server: EmbeddedPostgres) -> Iterator[Urls]:
    with bare_database(bare_server.superuser_url, "histories") as urls:
        yield urls


@pytest.fixture
async def world(urls: Urls) -> AsyncIterator[World]:
    async with (
        owning(urls.root) as owner,
        opened(urls.service, allow_data_loss=True, pool_size=2, timeout=PATIENCE) as store,
    ):
        yield World(store, owner)


async def _histories(world: World, first: int, count: int) -> None:
    """Let that many histories come to boards with something on them, and compare all of these."""
    compared, number = 0, first
    while compared < count:
        await world.begin(number)
        try:
            await world.live()
            compared += await assert_boards(world.owner, world.store, world.dice, world.seen)
            verified = await verify.verify(world.owner, lambda _done, _total: None)
            assert verified.difference is None
        except AssertionError as error:
            raise AssertionError(f"Histories {number}: {error}") from error
        number += 1
    assert {name for name, times in world.seen.items() if times} >= _MET


async def test_histories(world: World) -> None:
    await _histories(world, 0, 120)


@pytest.mark.full
@pytest.mark.parametrize("thousand", range(1, 11))
async def test_many_histories(world: World, thousand: int) -> None:
    await _histories(world, 1000 * thousand, 1000)
