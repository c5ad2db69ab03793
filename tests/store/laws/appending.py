"""Appends, one after the other: compare-and-set, the row and the head that come of it, groups."""

import json
from typing import Any

import pytest
from msgspec import structs
from pasyans.store import chain
from pasyans.store.appending import SESSION, STATEMENT
from pasyans.store.errors import BadRow, Conflict
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Appended, LogRow

from tests.store.making import NOON, a_game, assert_whole, head, move, some_games, texts
from tests.store.servers import Urls, backends, eventually, opened, raw


class Appending:
    async def test_an_append_adds_a_row_and_moves_the_head(self, store: PostgresStore) -> None:
        game = await a_game(store)
        append = move(game, "two", count=2, at=NOON + 7, snapshot=b"after two")
        appended = await store.append(append)
        assert appended.hash == chain.link(game.hash, game.game_id, 2, NOON + 7, "two")
        assert await head(store, game.game_id) == structs.replace(
            game, version=3, updated_at=NOON + 7, snapshot=b"after two", hash=appended.hash
        )
        assert await store.log(game.game_id) == [
            LogRow(1, 1, "started 1", NOON, game.hash),
            LogRow(2, 3, "two", NOON + 7, appended.hash),
        ]

    async def test_the_last_append_ends_the_game(self, store: PostgresStore) -> None:
        game = await a_game(store)
        await store.append(move(game, status="won", finished_at=NOON + 9))
        over = await head(store, game.game_id)
        assert (over.status, over.finished_at) == ("won", NOON + 9)

    async def test_a_version_that_has_passed_is_a_conflict(self, store: PostgresStore) -> None:
        game = await a_game(store)
        await store.append(move(game, "first"))
        before = await head(store, game.game_id), await store.log(game.game_id)
        with pytest.raises(Conflict):
            await store.append(move(game, "too late"))
        assert (await head(store, game.game_id), await store.log(game.game_id)) == before

    async def test_a_link_that_is_not_the_last_is_a_conflict(self, store: PostgresStore) -> None:
        game = await a_game(store)
        with pytest.raises(Conflict):
            await store.append(move(game, previous=bytes(16)))
        assert await texts(store, game.game_id) == ["started 1"]

    async def test_a_version_to_come_and_an_unknown_game_are_conflicts(self, store: PostgresStore) -> None:
        game = await a_game(store)
        nobody = structs.replace(game, game_id=game.player_id)
        outcomes = await store.append_many([move(structs.replace(game, version=2)), move(nobody)])
        assert [type(outcome) for outcome in outcomes] == [Conflict, Conflict]
        assert await store.log(nobody.game_id) == []

    async def test_a_group_is_judged_game_by_game(self, store: PostgresStore) -> None:
        games = await some_games(store, 6)
        await store.append(move(games[2], "sooner"))
        outcomes = await store.append_many([move(game, "grouped") for game in games])
        assert [type(outcome) for outcome in outcomes] == [Appended, Appended, Conflict, Appended, Appended, Appended]
        for game, outcome in zip(games, outcomes, strict=True):
            said = "grouped" if isinstance(outcome, Appended) else "sooner"
            assert await texts(store, game.game_id) == ["started 1", said]
            await assert_whole(store, game.game_id)

    async def test_a_bad_row_fails_alone(self, store: PostgresStore) -> None:
        games = await some_games(store, 7)
        appends = [move(game, "good") for game in games]
        appends[0] = structs.replace(appends[0], events="nul \0")
        appends[2] = structs.replace(appends[2], status="mislaid")
        appends[4] = structs.replace(appends[4], at=-1)
        appends[5] = structs.replace(appends[5], last_seq=2**31)
        outcomes = await store.append_many(appends)
        expected = [BadRow, Appended, BadRow, Appended, BadRow, BadRow, Appended]
        assert [type(outcome) for outcome in outcomes] == expected
        for game, outcome in zip(games, outcomes, strict=True):
            rows = ["started 1", "good"] if isinstance(outcome, Appended) else ["started 1"]
            assert await texts(store, game.game_id) == rows

    async def test_two_appends_of_one_game_follow_one_another(self, store: PostgresStore) -> None:
        game = await a_game(store)
        first = move(game, "first")
        link = chain.link(game.hash, game.game_id, 2, first.at, "first")
        second = move(structs.replace(game, version=2, hash=link), "second")
        outcomes = await store.append_many([first, second, move(game, "a third, too late")])
        assert [type(outcome) for outcome in outcomes] == [Appended, Appended, Conflict]
        assert await texts(store, game.game_id) == ["started 1", "first", "second"]

    async def test_an_append_may_be_large(self, store: PostgresStore) -> None:
        game = await a_game(store)
        events = "".join(chr(0x430 + number % 32) for number in range(100_000))
        await store.append(move(game, events, count=500, snapshot=bytes(range(256)) * 400))
        assert (await store.log(game.game_id))[-1].events == events
        assert (await head(store, game.game_id)).snapshot == bytes(range(256)) * 400

    async def test_moves_stay_in_their_page(self, urls: Urls) -> None:
        updates = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'games'"
        async with raw(urls.root) as root:

            async def alone() -> bool:
                return not await backends(root, urls.database)

            await eventually(alone)  # what a session has counted before comes at its end at the latest
            await root.execute("SELECT pg_stat_reset_single_table_counters('games'::regclass)")
            async with opened(urls.service) as store:
                games = await some_games(store, 40)
                for _ in range(50):
                    await store.append_many([move(game) for game in games])
                    games = [await head(store, game.game_id) for game in games]

            async def counted() -> bool:  # a session reports when it ends
                return bool((await root.fetchrow(updates))[0] == 2000)

            await eventually(counted)
            hot = (await root.fetchrow(updates))[1]
        assert hot >= 1900

    async def test_the_plan_locks_in_order_and_goes_by_index(self, urls: Urls) -> None:
        async with raw(urls.admin) as connection:
            for name, value in SESSION.items():
                await connection.execute(f"SET {name} = {value}")
            await connection.execute(f"PREPARE appending AS {STATEMENT}")
            nothing = ", ".join(["'{}'"] * 15)
            text = await connection.fetchval(f"EXPLAIN (FORMAT JSON) EXECUTE appending ({nothing})")
        nodes = _nodes(json.loads(text)[0]["Plan"])
        locks = [node for node in nodes if node["Node Type"] == "LockRows"]
        assert [[child["Node Type"] for child in node["Plans"]] for node in locks] == [["Sort"]]
        on_games = {node["Node Type"] for node in nodes if node.get("Relation Name") == "games"}
        assert on_games == {"Index Scan", "ModifyTable"}
        assert not {node["Node Type"] for node in nodes} & {"Seq Scan", "Hash Join", "Merge Join"}


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan.get("Plans", []) for node in _nodes(child))]
