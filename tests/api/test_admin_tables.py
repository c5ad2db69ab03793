"""Results as one table of CSV: what is in it, however much that is, and whatever happens on the way."""

import csv
import io
import re
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support import crowd
from tests.support.admins import Admin, new_admin
from tests.support.api import Player, code, connect, faults, least_ms, lines_of, new_player
from tests.support.postgres import Postgres, apart
from tests.support.service import Service, serving
from tests.support.slow import Slow, busy, connections, resident
from tests.support.sql import query
from tests.support.waiting import until

PATH = "/v1/admin/results"
CSV = {"Accept": "text/csv"}
RESULTS = 60_000
AT_ONCE = 2  # tables that a process makes at once
READING = "%FROM results JOIN%"  # what the session of a table is at
HEADER = [
    "game", "player", "variant", "rules", "kind", "seed", "date", "attempt", "status", "outcome", "score", "redeals",
    "moves", "undos", "elapsed_ms", "ms_per_move", "started_at", "finished_at",
]  # fmt: skip


def read(table: str | bytes) -> list[list[str]]:
    text = table if isinstance(table, str) else table.decode()
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def table(admin: Admin, **query: object) -> httpx.Response:
    answer = admin.http.get(PATH, params={name: str(value) for name, value in query.items()}, headers=CSV)
    assert answer.status_code == 200, answer.text
    return answer


def finish(player: Player, seed: str | None = None, moves: int = 1) -> dict[str, Any]:
    game = player.start("congress", seed)
    for _ in range(moves):
        game = player.play(game, "draw")
    return dict(player.act(game, "resign", {}).json())


def test_a_table_is_what_the_pages_are(admin: Admin, player: Player) -> None:
    for moves in (0, 1, 2):
        finish(player, "hello", moves)
    admin.judge(finish(player), "void")
    answer = table(admin, player=player.name)
    assert answer.headers["content-type"] == "text/csv; header=present; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="results.csv"'
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["vary"] == "Accept"
    assert re.fullmatch(r"([^\r\n]+\r\n){5}", answer.text)
    header, *rows = read(answer.content)
    assert header == HEADER
    items = admin.results(player=player.name)
    assert [dict(zip(header, row, strict=True)) for row in rows] == [
        {name: "" if value is None else str(value) for name, value in item.items()} for item in items
    ]
    assert [row[HEADER.index("status")] for row in rows] == ["void", "lost", "lost", "abandoned"]


def test_a_table_line_by_line(admin: Admin, player: Player) -> None:
    game = finish(player, "hello")
    elapsed = game["elapsed_ms"]
    assert table(admin, player=player.name).text == (
        "game,player,variant,rules,kind,seed,date,attempt,status,outcome,score,redeals,moves,undos,elapsed_ms,"
        "ms_per_move,started_at,finished_at\r\n"
        f"{game['id']},{player.name},congress,1,shared,hello,,1,lost,lost,0,0,1,0,{elapsed},{elapsed},"
        f"{game['started_at']},{game['finished_at']}\r\n"
    )


def test_a_table_takes_filters_and_orders(admin: Admin, player: Player) -> None:
    games = [finish(player, f"{seed}", moves) for seed, moves in (("b", 2), ("a", 1), ("c", 3))]
    for sort, expected in (("seed", "abc"), ("-seed", "cba"), ("moves", "abc"), ("finished_at", "bac")):
        rows = read(table(admin, player=player.name, sort=sort).content)[1:]
        assert "".join(row[5] for row in rows) == expected
    rows = read(table(admin, player=player.name, seed="b", status="lost").content)[1:]
    assert [row[0] for row in rows] == [games[0]["id"]]
    abandoned = finish(player, "d", 0)
    admin.judge(games[2], "void")
    for filters, fitting in (
        ({"outcome": "lost"}, [games[1], games[0], games[2]]),
        ({"outcome": "lost", "status": "void"}, [games[2]]),
        ({"outcome": "abandoned"}, [abandoned]),
        ({"outcome": "won"}, []),
    ):
        rows = read(table(admin, player=player.name, sort="moves", **filters).content)[1:]
        assert [row[0] for row in rows] == [game["id"] for game in fitting], filters


def test_a_table_without_rows_is_its_header(admin: Admin, player: Player) -> None:
    assert read(table(admin, player=player.name).content) == [HEADER]
    assert read(table(admin, player=f"nobody-{uuid4().hex[:9]}").content) == [HEADER]


def test_no_cell_is_run_by_a_spreadsheet(admin: Admin, player: Player) -> None:
    """Of all texts in a table only a seed may begin so."""
    seeds = ["-2-3", "-cmd", "-1", ".-1", "~x", "_", "0"]
    for seed in seeds:
        finish(player, seed)
    rows = read(table(admin, player=player.name, sort="started_at").content)[1:]
    assert [row[5] for row in rows] == ["'-2-3", "'-cmd", "'-1", ".-1", "~x", "_", "0"]
    assert [item["seed"] for item in admin.results(player=player.name, sort="started_at")] == seeds
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_a_name_in_any_script_is_utf_8(admin: Admin, service: Service, http: httpx.Client) -> None:
    name = f"Анна-{uuid4().int % 10**12}"
    token = http.post("/v1/players", json={"name": name}).json()["token"]
    with connect(service.url, token) as end:
        finish(Player(name, token, end))
    assert read(table(admin, player=name).content)[1][1] == name


def test_pages_are_for_json(admin: Admin) -> None:
    cursor = admin.http.get(PATH, params={"limit": 1}).json()["next"]
    answer = admin.http.get(PATH, params={"limit": 1, "cursor": cursor}, headers=CSV)
    assert set(faults(answer)) == {"query.limit", "query.cursor"}
    assert list(faults(admin.http.get(f"{PATH}?limit=50", headers=CSV))) == ["query.limit"]
    assert set(faults(admin.http.get(f"{PATH}?kind=x&page=1", headers=CSV))) == {"query.kind", "query.page"}


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("*/*", "application/json"),
        ("text/*", "text/csv"),
        ("text/csv, application/json;q=0.9", "text/csv"),
        ("text/csv;q=0.5, application/json", "application/json"),
        ("application/json;q=0, */*", "text/csv"),
        ("text/html", None),
    ],
)
def test_the_form_is_the_one_that_the_client_likes_best(
    admin: Admin, player: Player, accept: str, form: str | None
) -> None:
    answer = admin.http.get(PATH, params={"player": player.name}, headers={"Accept": accept})
    if form is None:
        assert (answer.status_code, code(answer)) == (406, "not-acceptable")
    else:
        assert answer.headers["content-type"].partition(";")[0] == form


# ---- many results


@pytest.fixture(scope="module")
def crowded() -> Iterator[Postgres]:
    """A database with a crowd in it."""
    with apart() as database:
        crowd.fill(database.service_url, RESULTS, 500)
        yield database


@pytest.fixture(scope="module")
def large(crowded: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on it."""
    with _on(crowded, tmp_path_factory.mktemp("large") / "log") as process:
        yield process


def _on(database: Postgres, log: Path) -> Any:
    settings = {
        "DATABASE_URL": database.service_url,
        "PASYANS_ADMIN_DATABASE_URL": database.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    return serving(log, settings)


@pytest.fixture(scope="module")
def boss(large: Service, crowded: Postgres) -> Iterator[Admin]:
    """An admin there."""
    someone = new_admin(large.url, crowded)
    with someone.http:
        yield someone


def ask(service: Service, admin: Admin, name: str, path: str = PATH) -> Slow:
    return Slow(service.url, path, name, Authorization=f"Bearer {admin.token}", **CSV)


def reading(postgres: Postgres) -> object:
    """How many sessions of the service read a table; those of its chores come and go."""
    return busy(postgres, READING)


def body(answer: bytes) -> bytes:
    """What an answer in chunks holds, which has to be whole."""
    rest = answer.partition(b"\r\n\r\n")[2]
    parts = []
    while True:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        parts.append(rest[:length])
        assert rest[length : length + 2] == b"\r\n"
        rest = rest[length + 2 :]
        if length == 0:
            assert rest == b""
            return b"".join(parts)


def test_all_results_are_in_a_table(boss: Admin, crowded: Postgres) -> None:
    header, *rows = read(table(boss).content)
    assert header == HEADER
    assert {len(row) for row in rows} == {len(HEADER)}
    stored = query(crowded.admin_url, "SELECT game_id::text FROM results ORDER BY finished_at DESC, game_id DESC")
    assert [row[0] for row in rows] == [game_id for (game_id,) in stored]
    assert len(rows) == RESULTS
    some = read(table(boss, kind="daily", status="won", sort="-score").content)[1:]
    ((count,),) = query(
        crowded.admin_url, "SELECT count(*) FROM results WHERE kind = 'daily' AND outcome = 'won' AND NOT is_void"
    )
    assert len(some) == count


def test_head_is_get_without_the_body(boss: Admin, large: Service) -> None:
    got, headed = (boss.http.request(method, PATH, headers=CSV) for method in ("GET", "HEAD"))
    assert (headed.status_code, headed.content) == (200, b"")
    own = {"date", "x-request-id", "transfer-encoding"}
    assert {name: value for name, value in headed.headers.items() if name not in own} == {
        name: value for name, value in got.headers.items() if name not in own
    }
    # Nothing is read that goes nowhere.
    heads = [boss.http.head(PATH, headers=CSV) for _ in range(5)]
    assert least_ms(large, heads) < least_ms(large, [got]) / 10


def test_who_takes_their_time_keeps_nobody_else_waiting(boss: Admin, large: Service, crowded: Postgres) -> None:
    """Each has a connection of its own; one more is told to come again."""
    table(boss)  # what a process once needs, it keeps
    before = resident(large)
    with ExitStack() as stack:
        slow = [stack.enter_context(ask(large, boss, f"slow-{number}-{uuid4()}")) for number in range(AT_ONCE)]
        until(lambda: reading(crowded) == AT_ONCE, "each has its transaction, and nobody else has one")
        refused = boss.http.get(PATH, headers=CSV)
        assert (refused.status_code, code(refused)) == (503, "unavailable")
        assert refused.json()["written"] is False
        assert int(refused.headers["retry-after"]) >= 1
        player = stack.enter_context(new_player(large.url).http)
        game = player.post("/v1/games", json={"variant": "court", "deal": {"kind": "shared", "seed": "late"}}).json()
        assert player.post(f"/v1/games/{game['id']}/resign", json={}).status_code == 200
        assert [item["game"] for item in boss.results(seed="late")] == [game["id"]]
        assert resident(large) - before < 50 * 2**20
        assert reading(crowded) == AT_ONCE
        for client in slow:
            rows = read(body(client.rest()))
            assert len(rows) == RESULTS + 1, "it is of the moment when it was asked for"
            assert game["id"] not in {row[0] for row in rows}
    until(lambda: busy(crowded) == 0, "no session is at work")
    assert len(read(table(boss).content)) == RESULTS + 2
    query(crowded.admin_url, "DELETE FROM results WHERE game_id = $1", game["id"])


def test_who_goes_midway_leaves_nothing_behind(boss: Admin, large: Service, crowded: Postgres) -> None:
    boss.http.get(PATH)
    before = connections(large)
    for _ in range(3):
        names = [f"gone-{number}-{uuid4()}" for number in range(AT_ONCE)]
        with ExitStack() as stack:
            for name in names:
                assert stack.enter_context(ask(large, boss, name)).take(100)
            until(lambda: reading(crowded) == AT_ONCE, "each has its transaction")
        for name in names:
            (line,) = lines_of(large, name, 1)
            assert line["route"] == PATH
        until(lambda: busy(crowded) == 0, "no session is at work")
    until(lambda: connections(large) <= before, "their connections are closed")
    assert len(read(table(boss).content)) == RESULTS + 1


def test_a_table_that_cannot_go_on_is_seen_to_be_broken(boss: Admin, large: Service, crowded: Postgres) -> None:
    name = f"broken-{uuid4()}"
    with ask(large, boss, name) as client:
        until(lambda: reading(crowded) == 1, "it has its transaction")
        assert lose_sessions(crowded) == 1
        answer = client.rest()
    assert b"game,player" in answer
    assert not answer.endswith(b"0\r\n\r\n"), "who knows chunks knows that it is not whole"
    (line,) = lines_of(large, name, 1)
    assert (line["status"], line["code"]) == (200, "unavailable")
    until(lambda: reading(crowded) == 0, "its session has gone")
    headers = {"Authorization": f"Bearer {boss.token}", **CSV}
    with httpx.stream("GET", f"{large.url}{PATH}", headers=headers) as response:
        parts = response.iter_raw(1000)
        next(parts)
        until(lambda: reading(crowded) == 1, "it has its transaction")
        assert lose_sessions(crowded) == 1
        with pytest.raises(httpx.RemoteProtocolError):
            deque(parts, 0)
    assert len(read(table(boss).content)) == RESULTS + 1


def lose_sessions(postgres: Postgres) -> object:
    """End the sessions of the service that read a table, each within its transaction; how many."""
    ((count,),) = query(
        postgres.service_url,
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND xact_start IS NOT NULL AND query LIKE $1
        """,
        READING,
    )
    return count


@pytest.mark.full
def test_a_million_results_in_memory_that_does_not_grow(tmp_path: Path) -> None:
    with apart() as database:
        crowd.fill(database.service_url, 1_000_000, 20_000)
        query(database.admin_url, "ANALYZE results")
        with _on(database, tmp_path / "log") as process:
            boss = new_admin(process.url, database)
            headers = {"Authorization": f"Bearer {boss.token}", **CSV}
            with boss.http:
                assert len(read(table(boss, since="2026-11-29T00:00:00Z").content)) > 10_000
            before = most = resident(process)
            lines = size = 0
            with httpx.stream("GET", f"{process.url}{PATH}", headers=headers, timeout=60) as answer:
                for part in answer.iter_raw(1 << 20):
                    lines += part.count(b"\n")
                    size += len(part)
                    most = max(most, resident(process))
            assert lines == 1_000_001
            assert size > 150 * 2**20
            assert most - before <= 50 * 2**20, f"{(most - before) >> 20} MB"
