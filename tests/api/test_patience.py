"""Requests whose answers do not begin in time are cancelled, and no others."""

import asyncio
from time import perf_counter

import pytest
from pasyans.api.patience import Patience
from pasyans.api.requests import Exchange

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def wait(patience: Patience, exchange: Exchange, until: asyncio.Event, answered: list[str]) -> str:
    """A request that is answered when something happens, and goes on until another does; how it ended."""
    patience.begin(exchange)
    try:
        await until.wait()
        patience.end(exchange)
        answered.append(exchange.request_id)
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        return "late" if exchange.is_late else "cancelled"
    finally:
        patience.end(exchange)
    return "answered"


async def test_each_request_has_its_time_from_its_start() -> None:
    patience = Patience(0.2)
    never, now = asyncio.Event(), asyncio.Event()
    answered: list[str] = []
    start = perf_counter()
    exchanges = [Exchange(name, start + after) for name, after in (("a", -0.1), ("b", 0), ("c", 0), ("d", 0.1))]
    events = [never, now, never, never]
    tasks = [
        asyncio.create_task(wait(patience, exchange, event, answered))
        for exchange, event in zip(exchanges, events, strict=True)
    ]
    ended = []
    for task, name in zip(tasks, "abcd", strict=True):
        task.add_done_callback(lambda _, name=name: ended.append((name, perf_counter() - start)))  # type: ignore[misc]
    await asyncio.sleep(0)
    now.set()
    async with asyncio.timeout(20):
        assert await asyncio.gather(*tasks) == ["late", "answered", "late", "late"]
    assert answered == ["b"]
    assert [name for name, _ in ended] == ["b", "a", "c", "d"]
    for (_, at), earliest in zip(ended, (0, 0.1, 0.2, 0.3), strict=True):
        assert at >= earliest
    assert patience._waiting == {}


async def test_who_comes_after_a_pause_has_as_much_time() -> None:
    patience = Patience(0.05)
    never = asyncio.Event()
    for _ in range(3):
        started = perf_counter()
        async with asyncio.timeout(20):
            assert await wait(patience, Exchange("x", started), never, []) == "late"
        assert perf_counter() - started >= 0.05


async def test_in_a_hurry_nobody_has_longer() -> None:
    patience = Patience(1000)
    never = asyncio.Event()
    first = asyncio.create_task(wait(patience, Exchange("x", perf_counter()), never, []))
    await asyncio.sleep(0)
    started = perf_counter()
    patience.hurry(0.1)
    async with asyncio.timeout(20):
        assert await wait(patience, Exchange("y", perf_counter()), never, []) == "late"
        assert await first == "late"
        assert perf_counter() - started >= 0.1
        assert await wait(patience, Exchange("z", perf_counter()), never, []) == "late"


async def test_a_request_that_is_cancelled_by_others_is_not_late() -> None:
    patience = Patience(1000)
    task = asyncio.create_task(wait(patience, Exchange("x", perf_counter()), asyncio.Event(), []))
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "cancelled"
    assert patience._waiting == {}
