"""Lists of games where there are very many: a page costs what it is long, whatever else there is."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import heads
from pasyans.store.migrate import upgrade
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import GameFilter

from tests.store.making import NOON
from tests.store.servers import PATIENCE, at_database, execute, opened

pytestmark = pytest.mark.anyio

_GAMES: Final = 60_000
_APART: Final = 20_000  # milliseconds

# Of a thousand players 20 have nearly all games; one variant is rare, and only old games are of it.
_FILL: Final = f"""
INSERT INTO players (created_at, player_id, guest, name, name_key)
SELECT now(), lpad(to_hex(p), 32, '0')::uuid, true, 'p' || p, 'p' || p FROM generate_series(0, 999) AS p;
INSERT INTO games (started_at, updated_at, finished_at, version, attempt, rules, game_id, player_id, hash, variant,
    kind, status, seed, snapshot)
SELECT at, at, at, 2, 1, 1,
    (lpad(to_hex({NOON}::int8 + n * {_APART}::int8), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
        || substr(md5(n::text), 4, 15))::uuid,
    lpad(to_hex(CASE WHEN n < 500 THEN n * 2 ELSE n % 20 * 2 + 1 END), 32, '0')::uuid, decode(md5(n::text), 'hex'),
    CASE WHEN n > 2000 OR n % 10 > 0 THEN 'variant' || n % 3 ELSE 'rare' END, 'shared', 'lost', 'seed' || n % 50, 'x'
FROM generate_series(0, {_GAMES - 1}) AS n, to_timestamp(({NOON}::int8 + n * {_APART}::int8) / 1000.0) AS at
"""

_ALL: Final = "SELECT game_id, player_id, variant, seed FROM games ORDER BY game_id DESC"

_LISTS: Final = {
    "nobody's": GameFilter(player_id=UUID(int=5000)),
    "a player's of one game": GameFilter(player_id=UUID(int=4)),
    "a player's of many": GameFilter(player_id=UUID(int=5)),
    "a player's of a variant": GameFilter(player_id=UUID(int=5), variant="variant1"),
    "a variant's": GameFilter(variant="variant2"),
    "a rare variant's": GameFilter(variant="rare"),
    "an unknown variant's": GameFilter(variant="none"),
    "a seed's": GameFilter(seed="seed7"),
    "everybody's": GameFilter(),
}


@pytest.fixture(scope="module")
def url(server: EmbeddedPostgres) -> Iterator[str]:
    root = server.superuser_url
    execute(root, "CREATE DATABASE lists OWNER pasyans_owner", "GRANT CONNECT ON DATABASE lists TO pasyans_service")
    upgrade(at_database(server.admin_url, "lists"))
    execute(at_database(root, "lists"), *_FILL.split(";"), "VACUUM ANALYZE")
    yield at_database(server.service_url, "lists")
    execute(root, "DROP DATABASE lists WITH (FORCE)")


@pytest.fixture
async def store(url: str) -> AsyncIterator[PostgresStore]:
    async with opened(url, timeout=PATIENCE) as store:
        yield store


@pytest.mark.parametrize("name", _LISTS)
async def test_a_page_looks_at_little_more_than_it_shows(store: PostgresStore, name: str) -> None:
    which = _LISTS[name]
    newest = await store.games(GameFilter(), None, 1)
    for before in (None, newest[0].game_id, UUID(int=(NOON + _APART * _GAMES // 2) << 80)):
        sql, values = heads.statement(which, before, 51)
        ((plan,),) = await store._database.fetch(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", *values)
        scans = [node for node in _nodes(json.loads(plan)[0]["Plan"]) if node.get("Relation Name") == "games"]
        assert scans
        looked_at = sum(node["Actual Rows"] + node.get("Rows Removed by Filter", 0) for node in scans)
        assert looked_at <= 400, (before, scans)


@pytest.mark.parametrize("name", _LISTS)
async def test_pages_have_all_games_in_order(store: PostgresStore, name: str) -> None:
    which = _LISTS[name]
    shown: list[UUID] = []
    while len(shown) < 4_000 and (page := await store.games(which, shown[-1] if shown else None, 333)):
        shown += [game.game_id for game in page]
    everything = [
        game_id
        for game_id, player_id, variant, seed in await store._database.fetch(_ALL)
        if which.player_id in (None, player_id) and which.variant in (None, variant) and which.seed in (None, seed)
    ]
    assert shown == everything[: len(shown)]
    assert len(shown) >= min(len(everything), 4_000)
    assert bool(shown) is ("nobody" not in name and "unknown" not in name)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)
