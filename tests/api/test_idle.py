"""Games in which nothing has happened for 30 days end."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import httpx
import pytest
from pasyans.api.deps import Dependencies
from pasyans.api.endings import IDLE_MS, IdleSweep, Unreadable
from pasyans.api.play import append_of, history_of
from pasyans.deals.days import day_of
from pasyans.record import decide
from pasyans.record.events import Deal
from pasyans.record.times import format_time
from pasyans.store import chain
from pasyans.store.base import Store
from pasyans.store.values import Head, RunningPage
from structlog.testing import capture_logs

from tests.support.api import Player
from tests.support.inside import Time, inside, play, resign, start
from tests.support.postgres import Postgres
from tests.support.service import serving
from tests.support.sql import query
from tests.support.waiting import until

pytestmark = pytest.mark.anyio
DAYS = 30 * 24 * 60 * 60 * 1000
_long_ago = itertools.count(1_000_000_000_000, -10 * DAYS)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def parts(postgres: Postgres) -> AsyncIterator[tuple[Dependencies, Time]]:
    # Each test long ago, and at a time of its own: a sweep then sees no games but its own.
    async with inside(postgres.service_url, next(_long_ago)) as parts:
        yield parts


class Games:
    """Games of one player, started and last moved in so many milliseconds before now."""

    def __init__(self, deps: Dependencies, time: Time, player_id: UUID) -> None:
        self.deps = deps
        self.time = time
        self.now = time.at
        self._player_id = player_id

    async def game(self, started: int, moved: int | None = None, deal: Deal | None = None) -> UUID:
        self.time.at = self.now - started
        game_id = await start(self.deps, self._player_id, "court", deal or Deal("sealed", "1"))
        if moved is not None:
            self.time.at = self.now - moved
            await play(self.deps, game_id, ["t3-t1"] if deal is None else ["draw"])
        self.time.at = self.now
        return game_id

    async def head(self, game_id: UUID) -> Head:
        found = await self.deps.store.head(game_id)
        assert found is not None
        return found

    async def stands(self, *game_ids: UUID) -> list[tuple[str, int]]:
        """Status and version of each."""
        return [(head.status, head.version) for head in [await self.head(game_id) for game_id in game_ids]]


@pytest.fixture
async def games(parts: tuple[Dependencies, Time], player: Player) -> Games:
    deps, time = parts
    owner = await deps.store.player_by_name(player.name)
    assert owner is not None
    return Games(deps, time, owner.player_id)


async def test_untouched_is_abandoned_and_touched_is_lost_after_30_days(games: Games) -> None:
    assert IDLE_MS == DAYS
    untouched, almost = await games.game(DAYS), await games.game(DAYS - 1)
    touched, lately = await games.game(DAYS + 5, DAYS), await games.game(DAYS + 5, DAYS - 1)
    shared = await games.game(DAYS + 1, deal=Deal("shared", "idle"))
    daily = await games.game(DAYS + 6, DAYS + 5, deal=Deal("daily", "idle", day_of(games.now - DAYS - 5)))
    over = await games.game(DAYS + 9, DAYS + 8)
    await resign(games.deps, over)
    assert await IdleSweep(games.deps).run() == 4
    assert await games.stands(untouched, almost) == [("abandoned", 2), ("playing", 1)]
    assert await games.stands(touched, lately) == [("lost", 3), ("playing", 2)]
    assert await games.stands(shared, daily, over) == [("abandoned", 2), ("lost", 3), ("lost", 3)]
    head = await games.head(touched)
    assert (head.updated_at, head.finished_at) == (games.now, games.now)
    rows = await games.deps.store.log(touched)
    assert (rows[-1].events, rows[-1].at) == ("finished lost", games.now)
    assert chain.first_broken(touched, rows, head.version, head.hash) is None
    assert await IdleSweep(games.deps).run() == 0


async def test_undone_moves_are_touches(games: Games) -> None:
    game_id = await games.game(DAYS + 5, DAYS + 4)
    head = await games.head(game_id)
    undone = decide.undo(await history_of(games.deps.store, head), 1, head.updated_at + 1)
    await games.deps.store.append(append_of(head, undone))
    assert await IdleSweep(games.deps).run() == 1
    assert await games.stands(game_id) == [("lost", 4)]


async def test_everybody_sees_the_end(games: Games, http: httpx.Client) -> None:
    game_id = await games.game(DAYS + 1000, DAYS)
    await IdleSweep(games.deps).run()

    def look(path: str = "") -> Any:
        return http.get(f"/v1/games/{game_id}{path}").json()

    game = await asyncio.to_thread(look)
    assert (game["status"], game["finished_at"], game["legal_moves"]) == ("lost", format_time(games.now), [])
    assert game["elapsed_ms"] == DAYS + 1000
    events = await asyncio.to_thread(look, "/events")
    last = events["items"][-1]
    assert (last["type"], last["outcome"], last["at"]) == ("finished", "lost", format_time(games.now))


async def test_of_many_sweeps_at_once_each_game_ends_once(games: Games, postgres: Postgres) -> None:
    ids = [await games.game(DAYS + number, DAYS if number % 2 else None) for number in range(1, 31)]
    async with inside(postgres.service_url, games.now) as (other, _):
        sweeps = [
            IdleSweep(deps, page) for deps, page in ((games.deps, 4), (other, 7), (games.deps, 100), (other, 100))
        ]
        ended = await asyncio.gather(*(sweep.run() for sweep in sweeps))
    assert sum(ended) == len(ids)
    assert await games.stands(*ids) == [("lost", 3) if number % 2 else ("abandoned", 2) for number in range(1, 31)]
    for game_id in ids:
        assert [row.events for row in await games.deps.store.log(game_id)][-1].startswith("finished")


class Interrupting:
    """A store in which the player moves between the look at a page and the end of the game."""

    def __init__(self, store: Store, game_id: UUID, games: Games) -> None:
        self._store = store
        self._game_id = game_id
        self._games = games

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def running(self, after: UUID, before: UUID, limit: int) -> RunningPage:
        page = await self._store.running(after, before, limit)
        if any(game.game_id == self._game_id for game in page.games):
            await play(self._games.deps, self._game_id, ["t1-t3"])
        return page


async def test_who_moves_at_the_last_moment_plays_on(games: Games) -> None:
    game_id = await games.game(DAYS + 10, DAYS + 5)
    store = cast("Store", Interrupting(games.deps.store, game_id, games))
    await IdleSweep(replace(games.deps, store=store)).run()
    assert await games.stands(game_id) == [("playing", 3)]


class Counting:
    """A store that notes where each page begins."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.pages: list[UUID] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def running(self, after: UUID, before: UUID, limit: int) -> RunningPage:
        self.pages.append(after)
        return await self._store.running(after, before, limit)


async def test_a_pass_begins_at_the_oldest_game_that_the_last_one_left_running(games: Games) -> None:
    counting = Counting(games.deps.store)
    sweep = IdleSweep(replace(games.deps, store=cast("Store", counting)), page=3)
    ids = [await games.game(DAYS + 100 - number) for number in range(4)]
    kept = await games.game(DAYS + 50, DAYS - 10)
    ids += [await games.game(DAYS + 40 - number) for number in range(4)]
    young = await games.game(DAYS - 5)
    await sweep.run()
    assert counting.pages[0] == UUID(int=0)
    assert await games.stands(*ids, kept, young) == [("abandoned", 2)] * 8 + [("playing", 2), ("playing", 1)]
    counting.pages.clear()
    games.time.at += 5
    assert await sweep.run() == 1
    assert ids[3] < counting.pages[0] < kept
    assert await games.stands(kept, young) == [("playing", 2), ("abandoned", 2)]
    counting.pages.clear()
    games.time.at += 5
    assert await sweep.run() == 1
    assert ids[3] < counting.pages[0] < kept
    assert await games.stands(kept) == [("lost", 3)]
    counting.pages.clear()
    assert await sweep.run() == 0
    assert counting.pages == [young]
    games.time.at += DAYS
    assert await sweep.run() == 0


async def test_what_cannot_be_read_is_told_and_keeps_no_other_waiting(games: Games, postgres: Postgres) -> None:
    first, broken, worse, last = [await games.game(DAYS + 100 - number) for number in range(4)]
    snapshot = (await games.head(broken)).snapshot
    write = "UPDATE games SET snapshot = $1 WHERE game_id = ANY ($2)"
    await asyncio.to_thread(query, postgres.admin_url, write, b"rubbish", [broken, worse])
    sweep = IdleSweep(games.deps, page=3)
    with capture_logs() as logs, pytest.raises(Unreadable, match=r"^2 idle games can't be read") as raised:
        await sweep.run()
    assert raised.value.games == [broken, worse]
    assert [(line["event"], line["game"], line["log_level"]) for line in logs] == [
        ("game.unreadable", str(broken), "error"),
        ("game.unreadable", str(worse), "error"),
    ]
    assert await games.stands(first, broken, worse, last) == [
        ("abandoned", 2), ("playing", 1), ("playing", 1), ("abandoned", 2),
    ]  # fmt: skip
    await asyncio.to_thread(query, postgres.admin_url, write, snapshot, [broken, worse])
    assert await sweep.run() == 2
    assert await games.stands(broken, worse) == [("abandoned", 2)] * 2


async def test_services_sweep_by_themselves(games: Games, postgres: Postgres, tmp_path: Path) -> None:
    ids = [await games.game(DAYS + 60_000, DAYS + 50_000), await games.game(DAYS + 60_000)]
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_WORKERS": "2",
    }

    def swept() -> bool:
        with serving(tmp_path / "log", settings) as one, serving(tmp_path / "log2", settings) as other:
            for service in (one, other):
                for game_id in ids:
                    until(
                        lambda url=service.url, id_=game_id: httpx.get(f"{url}/v1/games/{id_}").json()["finished_at"],  # type: ignore[misc]
                        "the end of an idle game",
                    )
        return True

    assert await asyncio.to_thread(swept)
    assert await games.stands(*ids) == [("lost", 3), ("abandoned", 2)]
