"""What takes too long ends in time, and what does not goes on."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from pasyans.api.patience import Patience

pytestmark = pytest.mark.anyio


async def waits(patience: Patience, work: Callable[[], Awaitable[object]]) -> str:
    try:
        async with asyncio.timeout(None) as timeout:
            patience.begin(timeout)
            try:
                await work()
            finally:
                patience.end(timeout)
    except TimeoutError:
        return "too long"
    return "done"


async def test_each_has_its_own_time() -> None:
    loop = asyncio.get_running_loop()
    patience = Patience(0.05)
    for _ in range(2):  # when all have ended, and begin again
        began = loop.time()
        outcomes = await asyncio.gather(*(waits(patience, asyncio.Event().wait) for _ in range(5)))
        assert outcomes == ["too long"] * 5
        assert loop.time() - began >= 0.05


async def test_one_that_ends_in_time_is_left_alone_and_takes_nobody_with_it() -> None:
    patience = Patience(0.05)
    go_on = asyncio.Event()
    quick = [asyncio.create_task(waits(patience, go_on.wait)) for _ in range(3)]
    slow = [asyncio.create_task(waits(patience, asyncio.Event().wait)) for _ in range(3)]
    await asyncio.sleep(0)
    go_on.set()
    assert await asyncio.gather(*quick, *slow) == ["done"] * 3 + ["too long"] * 3


async def test_an_end_before_the_work_is_done_lifts_the_limit() -> None:
    patience = Patience(0.02)
    later = asyncio.Event()

    async def work() -> None:
        async with asyncio.timeout(None) as timeout:
            patience.begin(timeout)
            patience.end(timeout)
            await later.wait()

    lifted = asyncio.create_task(work())
    assert await waits(patience, asyncio.Event().wait) == "too long"
    later.set()
    await lifted
