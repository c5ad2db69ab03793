"""Boards and results with very many rows: ranks counted from ranges, plans that go by indexes alone."""

import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import UUID

import pytest
from msgspec import Struct
from msgspec.structs import replace
from pasyans.record.boards import RANKED, Board, board
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import boards, finding
from pasyans.store.admin_values import ResultFilter
from pasyans.store.boards import board_id
from pasyans.store.connection import Connection
from pasyans.store.migrate import upgrade
from pasyans.store.postgres import PostgresStore

from tests.store.laws.boarding import finish
from tests.store.making import a_game
from tests.store.servers import PATIENCE, at_database, execute, opened
from tests.support import crowd

pytestmark = pytest.mark.anyio


class Place(Struct):
    """A database with a crowd in it."""

    url: str
    results: int
    players: int


@pytest.fixture(
    scope="module",
    params=[(20_000, 2_000), pytest.param((1_000_000, 100_000), marks=pytest.mark.full)],
    ids=["20,000 results", "1,000,000 results"],
)
def crowded(server: EmbeddedPostgres, request: pytest.FixtureRequest) -> Iterator[Place]:
    root, (results, players) = server.superuser_url, request.param
    execute(root, "CREATE DATABASE crowd OWNER pasyans_owner", "GRANT CONNECT ON DATABASE crowd TO pasyans_service")
    upgrade(at_database(server.admin_url, "crowd"))
    url = at_database(server.service_url, "crowd")
    crowd.fill(url, results, players)
    execute(at_database(root, "crowd"), "VACUUM ANALYZE")
    yield Place(url, results, players)
    execute(root, "DROP DATABASE crowd WITH (FORCE)")


@pytest.fixture
async def store(crowded: Place) -> AsyncIterator[PostgresStore]:
    async with opened(crowded.url, timeout=PATIENCE) as store:
        yield store


@pytest.fixture
async def session(store: PostgresStore) -> AsyncIterator[Connection]:
    """A connection like those that boards are read on."""
    connection = await store._database._pooled()
    yield connection
    await connection.close()


async def places(session: Connection, named: Board) -> list[tuple[bytes, Any]]:
    """All rows of a board, by reading all of them."""
    rows = await session.fetch("SELECT place, game_id FROM board_rows WHERE board = $1", board_id(named))
    return sorted((row[0], row[1]) for row in rows)


async def assert_ranks(store: PostgresStore, session: Connection, named: Board, dice: random.Random) -> int:
    """Ranks and totals are what counting says, here and there on the board."""
    rows = await places(session, named)
    assert rows
    ranks: dict[bytes, int] = {}
    for number, (place, _) in enumerate(rows, 1):
        ranks.setdefault(place[:RANKED], number)
    for start in {0, len(rows) - 1, *(dice.randrange(len(rows)) for _ in range(10))}:
        page = await store.board(named, rows[start - 1] if start else None, 30)
        assert page.total == len(rows)
        assert [(row.place, row.game_id) for row in page.rows] == rows[start : start + 30]
        assert [row.rank for row in page.rows] == [ranks[row.place[:RANKED]] for row in page.rows]
        near = await store.board_around(named, page.rows[0].player_id, 5)
        assert near is not None
        assert [(row.place, row.game_id) for row in near.rows] == rows[max(0, start - 5) : start + 6]
        assert [row.rank for row in near.rows] == [ranks[row.place[:RANKED]] for row in near.rows]
    return len(rows)


async def test_ranks_are_what_counting_says(store: PostgresStore, session: Connection) -> None:
    dice = random.Random(1)
    sizes = [await assert_ranks(store, session, named, dice) for named in crowd.every_board()]
    assert max(sizes) > 1_500


async def test_ranks_stay_right_while_rows_come_and_counts_are_folded(
    store: PostgresStore, session: Connection, crowded: Place
) -> None:
    dice = random.Random(2)
    named = board(crowd.VARIANT, 1, seed=crowd.SEED)
    assert named is not None
    for _ in range(4):
        games = [
            await a_game(store, crowd.player(number), variant=crowd.VARIANT, seed=crowd.SEED)
            for number in dice.sample(range(crowded.players), 150)
        ]
        # Most improve, and many of them to the same place.
        ends = [finish(game, "won", score=104, moves=dice.choice((90, 90, 91, 400))) for game in games]
        await store.append_many(ends)
        await assert_ranks(store, session, named, dice)
        assert await store.fold_boards() > 100
        assert await store.fold_boards() == 0
        await assert_ranks(store, session, named, dice)
    cut = await session.fetch("SELECT max(changes), max(n) FROM board_counts WHERE board = $1", board_id(named))
    assert cut[0][0] <= 256 + crowded.players // 32


_READS = (boards._AFTER, boards._AROUND)
_SOMEBODY = "SELECT player_id FROM board_rows WHERE board = $1 AND game_id = $2"


async def reads(session: Connection, named: Board) -> list[tuple[str, tuple[object, ...]]]:
    """Pages of a board at its beginning, in its middle and at its end, and who stands there with neighbours."""
    id_, rows = board_id(named), await places(session, named)
    before_all = (b"", UUID(int=0))
    found: list[tuple[str, tuple[object, ...]]] = [
        (boards._AFTER, (id_, *before_all, 200)),
        (boards._AROUND, (id_, UUID(int=1), 50)),  # who is on no board
    ]
    for at in {0, len(rows) // 2, len(rows) - 1} if rows else ():
        found += [
            (boards._AFTER, (id_, *rows[at], 200)),
            (boards._AROUND, (id_, await session.fetchval(_SOMEBODY, id_, rows[at][1]), 50)),
        ]
    return found


@pytest.mark.parametrize("rules", [1, 2])
async def test_reads_go_by_indexes_alone(session: Connection, rules: int) -> None:
    """No table is read through, and what is counted or sorted is as long as a page or a range, whatever the board.

    Every combination of filters is asked for, under rules with games and under rules without.
    """
    statements = {sql: await session.prepare(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}") for sql in _READS}
    scanned = Counter[str]()
    shown = 0
    for named in crowd.every_board():
        for sql, values in await reads(session, replace(named, rules=rules)):
            plan = json.loads(await statements[sql].fetchval(*values))
            shown += plan[0]["Plan"]["Actual Rows"]
            for node in _nodes(plan[0]["Plan"]):
                kind, rows = node["Node Type"], node["Actual Rows"] * node["Actual Loops"]
                if "Relation Name" in node:
                    assert kind in ("Index Scan", "Index Only Scan"), (named.name, node)
                    assert rows <= 1_000, (named.name, node)
                    scanned[node["Relation Name"]] += rows > 0
                elif kind == "Sort":
                    assert rows <= 201, (named.name, node)
    if rules == 1:
        assert shown > 10_000
        assert min(scanned[table] for table in ("board_rows", "board_counts", "results", "players")) > 150
    else:
        # One row of numbers a read, and nothing on the boards.
        assert (shown, scanned.total()) == (28 * 2, 0)


@pytest.mark.parametrize("descending", [True, False])
async def test_results_by_their_finish_go_by_the_index(store: PostgresStore, descending: bool) -> None:
    """What admins ask for most costs as much as the page is long, at the beginning and in the middle."""
    which = ResultFilter(today="2026-11-29")
    first = await store.results(which, "finished_at", descending, None, 50)
    middle = await store._surveys.fetch("SELECT finished_at, game_id FROM results OFFSET 7777 LIMIT 1")
    for after in (None, (first[-1].value, first[-1].game_id), tuple(middle[0])):
        sql, values = finding.statement(which, "finished_at", descending, after, 50)
        rows = await store._surveys.fetch(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", *values)
        scans = [node for node in _nodes(json.loads(rows[0][0])[0]["Plan"]) if "Relation Name" in node]
        assert {node["Relation Name"]: node["Node Type"] for node in scans} == {
            "results": "Index Scan",
            "players": "Index Scan",
        }
        # More than the page only where several finished at the same moment.
        assert sum(node["Actual Rows"] * node["Actual Loops"] for node in scans) <= 1_000


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)
