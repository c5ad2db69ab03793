"""Chores: done at once and again, tried again when they fail, and ended by a stop."""

import asyncio
from collections.abc import Callable

import pytest
from pasyans.server import clock
from pasyans.server.chores import Chore, Chores
from pasyans.store.errors import Unavailable
from structlog.testing import capture_logs

pytestmark = pytest.mark.anyio
LONG = 3600.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Counted:
    """Work that is counted, and fails as often as it is told."""

    def __init__(self, *failures: Exception) -> None:
        self.done = 0
        self._failures = list(failures)
        self._changed = asyncio.Event()

    async def __call__(self) -> None:
        self.done += 1
        self._changed.set()
        if self._failures:
            raise self._failures.pop(0)

    async def reaches(self, count: int) -> None:
        """Return once it was done so often."""
        async with asyncio.timeout(20):
            while self.done < count:
                self._changed.clear()
                await self._changed.wait()


async def running(*chores: Chore, fraction: Callable[[], float] = lambda: 0.0) -> Chores:
    made = Chores(chores, fraction)
    await made.start()
    return made


async def test_a_chore_is_done_at_once_and_again_and_not_after_the_stop() -> None:
    often, seldom = Counted(), Counted()
    chores = await running(Chore("often", 0.002, often), Chore("seldom", LONG, seldom))
    await often.reaches(5)
    await chores.stop()
    assert seldom.done == 1
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("chore")]


async def test_what_fails_is_logged_and_done_again_long_before_its_time() -> None:
    away = Unavailable("The database is away.", written=False)
    work = Counted(away, ZeroDivisionError("none"))
    with capture_logs() as logs:
        chores = await running(Chore("sweep", LONG, work))
        await work.reaches(3)
        await chores.stop()
    assert [(line["event"], line["chore"], line["log_level"]) for line in logs] == [
        ("chore.failed", "sweep", "warning"),
        ("chore.failed", "sweep", "error"),
    ]
    assert logs[0]["error"] == "The database is away."
    assert logs[1]["exc_info"]


async def test_what_came_of_a_chore_is_told() -> None:
    away = Unavailable("The database is away.", written=False)
    results = iter([away, 7, None])
    enough = asyncio.Event()
    told: list[tuple[str, object]] = []

    async def work() -> int | None:
        result = next(results)
        if isinstance(result, Exception):
            raise result
        return result

    def note(name: str, seconds: float, outcome: object) -> None:
        assert 0 <= seconds < LONG
        told.append((name, outcome))
        if len(told) == 3:
            enough.set()

    with capture_logs():
        chores = Chores([Chore("sweep", 0.002, work)], lambda: 0.0, note)
        await chores.start()
        async with asyncio.timeout(20):
            await enough.wait()
        await chores.stop()
    assert told == [("sweep", away), ("sweep", 7), ("sweep", None)]


async def test_a_failure_keeps_no_other_chore_waiting() -> None:
    stuck = asyncio.Event()
    work = Counted()

    async def hang() -> None:
        await stuck.wait()

    chores = await running(Chore("hang", 0.002, hang), Chore("other", 0.002, work))
    await work.reaches(3)
    async with asyncio.timeout(5):
        await chores.stop()


@pytest.mark.parametrize(
    ("every", "failures", "fraction", "waits"),
    [
        (600.0, 0, 0.0, [300.0, 300.0]),
        (600.0, 0, 0.5, [600.0, 600.0]),
        (600.0, 0, 0.75, [750.0, 750.0]),
        (10.0, 6, 0.5, [1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0]),
        (0.5, 2, 0.5, [0.5, 0.5, 0.5]),
    ],
)
async def test_the_waits(
    monkeypatch: pytest.MonkeyPatch, every: float, failures: int, fraction: float, waits: list[float]
) -> None:
    slept: list[float] = []
    enough = asyncio.Event()
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == len(waits):
            enough.set()
        await sleep(LONG if enough.is_set() else 0)

    monkeypatch.setattr("pasyans.server.chores.asyncio.sleep", note)
    away = Unavailable("The database is away.", written=False)
    with capture_logs():
        chores = await running(Chore("any", every, Counted(*[away] * failures)), fraction=lambda: fraction)
        await enough.wait()
        await chores.stop()
    assert slept == waits


def test_fractions_are_spread_from_0_to_1() -> None:
    found = [clock.fraction() for _ in range(1000)]
    assert 0 <= min(found) < 0.1
    assert 0.9 < max(found) < 1
