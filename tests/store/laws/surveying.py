"""Reading much at a time: it holds nobody up, and whatever becomes of who reads, the connection comes back."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any
from uuid import UUID

import pytest
from pasyans.server.clock import new_id
from pasyans.store.admin_values import AuditFilter, ResultFilter, ResultRow
from pasyans.store.connection import Connection
from pasyans.store.errors import Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.surveys import BATCH, BATCHES_AT_ONCE

from tests.store.making import NOON, a_game, a_player, head
from tests.store.servers import PATIENCE, Urls, at_rest, backends, eventually, opened, raw

_ROWS = 3 * BATCH + 7

_FILL = """
INSERT INTO results (game_id, player_id, variant, rules, kind, seed, attempt, started_at, finished_at, is_void, outcome,
    score, redeals, moves, undos)
SELECT gen_random_uuid(), $1, 'congress', 1, 'shared', 'many', 1, $2::timestamptz, $2 + n % 50 * interval '1 s', false,
    'lost', n % 52, 0, n % 700, 0
FROM generate_series(1, $3) n
"""


async def many_results(urls: Urls, store: PostgresStore) -> UUID:
    """A player with more results than are read at once."""
    player = await a_player(store)
    game = await a_game(store, player)
    async with raw(urls.root) as root:
        at = await root.fetchval("SELECT started_at FROM games WHERE game_id = $1", game.game_id)
        await root.execute(_FILL, player, at, _ROWS)
    return player


def of(player: UUID) -> ResultFilter:
    return ResultFilter(today="2026-11-29", player_id=player)


@asynccontextmanager
async def one_more(urls: Urls) -> AsyncIterator[Connection]:
    """The superuser's connection; at the end there are as many others as there were."""
    async with raw(urls.root) as root:
        before = set(await backends(root, urls.database))
        yield root

        async def back() -> bool:
            return not set(await backends(root, urls.database)) - before

        await eventually(back)


class Surveying:
    async def test_all_rows_come_once_and_in_order(self, store: PostgresStore, urls: Urls) -> None:
        player = await many_results(urls, store)
        async with one_more(urls):
            batches = [batch async for batch in store.result_batches(of(player), "moves", True)]
        assert [len(batch) for batch in batches] == [BATCH, BATCH, BATCH, 7]
        rows = [row for batch in batches for row in batch]
        assert [(row.value, row.game_id) for row in rows] == sorted(
            ((row.result.moves, row.game_id) for row in rows), reverse=True
        )
        assert len({row.game_id for row in rows}) == _ROWS == await store.count_results(of(player))

    async def test_all_rows_are_of_one_moment(self, store: PostgresStore, urls: Urls) -> None:
        player = await many_results(urls, store)
        rows: list[ResultRow] = []
        async with raw(urls.root) as root, aclosing(store.result_batches(of(player), "moves", False)) as batches:
            async for batch in batches:
                rows += batch
                await root.execute("UPDATE results SET moves = moves + 1000 WHERE player_id = $1", player)
                await root.execute(
                    "DELETE FROM results WHERE game_id IN (SELECT game_id FROM results WHERE player_id = $1 LIMIT 500)",
                    player,
                )
        assert len(rows) == _ROWS
        assert max(row.result.moves for row in rows) == 699

    async def test_who_stops_early_gives_the_connection_back(self, store: PostgresStore, urls: Urls) -> None:
        player = await many_results(urls, store)
        async with one_more(urls):
            for _ in range(2 * BATCHES_AT_ONCE):
                batches = store.result_batches(of(player), "moves", False)
                await anext(batches)
                await batches.aclose()

    async def test_who_is_cancelled_gives_the_connection_back(self, store: PostgresStore, urls: Urls) -> None:
        player = await many_results(urls, store)
        async with one_more(urls) as root:
            for _ in range(BATCHES_AT_ONCE):
                async with raw(urls.root) as blocker, blocker.transaction():
                    await blocker.execute("LOCK TABLE results")
                    reading = asyncio.create_task(_read(store, player))
                    await _waiting(root, urls, 1)
                    reading.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await reading
                    await at_rest_but(root, urls)
            assert await _read(store, player) == _ROWS

    async def test_who_forgets_the_rest_gives_the_connection_back(self, store: PostgresStore, urls: Urls) -> None:
        player = await many_results(urls, store)
        async with one_more(urls):
            for _ in range(BATCHES_AT_ONCE):
                batches = store.result_batches(of(player), "moves", False)
                await anext(batches)
                del batches
                gc.collect()
        assert await _read(store, player) == _ROWS

    async def test_a_session_that_is_killed_is_no_end(self, store: PostgresStore, urls: Urls) -> None:
        player = await many_results(urls, store)
        async with one_more(urls) as root:
            before = set(await backends(root, urls.database))
            batches = store.result_batches(of(player), "moves", False)
            await anext(batches)
            (pid,) = set(await backends(root, urls.database)) - before
            await root.execute("SELECT pg_terminate_backend($1)", pid)
            with pytest.raises(Unavailable):
                await _rest(batches)

    async def test_a_store_that_closes_breaks_off(self, urls: Urls) -> None:
        async with opened(urls.service) as maker:
            player = await many_results(urls, maker)
        async with one_more(urls):
            async with opened(urls.service) as store:
                batches = store.result_batches(of(player), "moves", False)
                await anext(batches)
            with pytest.raises(Unavailable):
                await _rest(batches)
            with pytest.raises(Unavailable, match="closed"):
                await anext(store.result_batches(of(player), "moves", False))
            with pytest.raises(Unavailable, match="closed"):
                await store.count_results(of(player))

    async def test_not_too_many_read_at_once(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=2.0) as store:
            player = await many_results(urls, store)
            several = [store.result_batches(of(player), "moves", False) for _ in range(BATCHES_AT_ONCE)]
            for batches in several:
                await anext(batches)
            with pytest.raises(Unavailable, match="being read already") as caught:
                await _read(store, player)
            assert caught.value.written is False
            await several[0].aclose()
            assert await _read(store, player) == _ROWS
            await several[1].aclose()

    async def test_half_of_the_pool_is_always_there_for_who_plays(self, urls: Urls) -> None:
        async with opened(urls.service, pool_size=2, timeout=PATIENCE) as store, raw(urls.root) as root:
            game = await a_game(store)
            async with raw(urls.root) as blocker, blocker.transaction():
                await blocker.execute("LOCK TABLE audit")
                surveys = [asyncio.create_task(store.audit(AuditFilter(), None, 10)) for _ in range(5)]
                await _waiting(root, urls, 1)
                for _ in range(20):
                    assert await head(store, game.game_id) == game
                assert len(await _waiting(root, urls, 1)) == 1
            await asyncio.gather(*surveys)

    async def test_too_many_surveys_are_told_so(self, urls: Urls) -> None:
        async with opened(urls.service, pool_size=1, timeout=2.0) as store, raw(urls.root) as root:
            async with raw(urls.root) as blocker, blocker.transaction():
                await blocker.execute("LOCK TABLE audit")
                first = asyncio.create_task(store.audit(AuditFilter(), None, 10))
                await _waiting(root, urls, 1)
                with pytest.raises(Unavailable, match="Too many"):
                    await store.audit(AuditFilter(), None, 10)
            await first

    async def test_a_survey_that_is_cancelled_ends_in_the_server_too(self, urls: Urls) -> None:
        # Less than a survey may take: it must not be its end that is waited for.
        async with opened(urls.service, pool_size=1, timeout=20.0) as store, raw(urls.root) as root:
            game = await a_game(store)
            for _ in range(2):
                async with raw(urls.root) as blocker, blocker.transaction():
                    await blocker.execute("LOCK TABLE audit")
                    survey = asyncio.create_task(store.audit(AuditFilter(), None, 10))
                    await _waiting(root, urls, 1)
                    survey.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await survey
                    # There is one connection, so it has come back.
                    assert await head(store, game.game_id) == game
            await at_rest(root, urls)

    async def test_a_survey_writes_nothing(self, store: PostgresStore) -> None:
        with pytest.raises(Exception, match="read-only transaction"):
            await store._surveys.fetch("INSERT INTO dailies SELECT now(), now()::date, $1, md5('')", new_id(NOON).hex)


async def _rest(batches: AsyncIterator[list[ResultRow]]) -> int:
    return sum([len(batch) async for batch in batches])


async def _read(store: PostgresStore, player: UUID) -> int:
    rows = 0
    async with aclosing(store.result_batches(of(player), "moves", False)) as batches:
        async for batch in batches:
            rows += len(batch)
    return rows


async def _waiting(root: Any, urls: Urls, count: int) -> list[int]:
    """The service's sessions that wait for a lock, once there are so many."""
    found: list[int] = []

    async def wait() -> bool:
        found[:] = await backends(root, urls.database, "application_name = 'pasyans' AND wait_event_type = 'Lock'")
        return len(found) == count

    await eventually(wait)
    return found


async def at_rest_but(root: Any, urls: Urls) -> None:
    """Wait until no session of the service is at work; others may hold locks."""

    async def rests() -> bool:
        return not await backends(root, urls.database, "application_name = 'pasyans' AND state <> 'idle'")

    await eventually(rests)
