"""Voiding many results by a filter: counted first, done once, and safe to repeat after anything."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from pasyans.record.events import Deal

from tests.support import vectors
from tests.support.admins import Admin, new_admin
from tests.support.api import Player, code, connect, faults
from tests.support.inside import inside, play, resign, start
from tests.support.postgres import Postgres
from tests.support.service import Service, serving
from tests.support.sql import query
from tests.support.waiting import until

PATH = "/v1/admin/results/void"
WIN = next(win for win in vectors.wins() if win.variant == "vokzal-36" and len(win.moves) < 70)
MANY = 600  # so many that they are voided in several steps


@pytest.fixture
def seed() -> str:
    """A seed of the test's own."""
    return f"s{uuid4().hex}"


@pytest.fixture
def second(service: Service, postgres: Postgres) -> Iterator[Admin]:
    """Another admin."""
    someone = new_admin(service.url, postgres)
    with someone.http:
        yield someone


def finish(player: Player, seed: str | None = None, moves: int = 1, variant: str = "congress") -> dict[str, Any]:
    game = player.start(variant, seed)
    for _ in range(moves):
        game = player.play(game, "draw")
    return dict(player.act(game, "resign", {}).json())


def void(admin: Admin, key: str | None = None, dry_run: bool | None = None, **filters: object) -> httpx.Response:
    body: dict[str, Any] = {"filter": filters, "reason": "cheating"}
    if dry_run is not None:
        body["dry_run"] = dry_run
    return admin.http.post(PATH, json=body, headers={} if key is None else {"Idempotency-Key": key})


def statuses(http: httpx.Client, games: list[dict[str, Any]]) -> list[str]:
    return [http.get(f"/v1/games/{game['id']}").json()["status"] for game in games]


def test_what_stands_and_fits_is_voided_and_nothing_else(
    admin: Admin, player: Player, other: Player, seed: str
) -> None:
    lost, also = finish(player, seed), finish(player, seed, 2)
    abandoned, theirs, sealed = finish(player, seed, 0), finish(other, seed), finish(player)
    void_already = finish(player, seed)
    admin.judge(void_already, "void", "test")
    running = player.play(player.start("congress", seed), "draw")
    answer = void(admin, player=player.name, seed=seed)
    assert answer.json() == {"dry_run": False, "matched": 2, "voided": 2}
    games = [lost, also, abandoned, theirs, sealed, void_already, running]
    assert statuses(player.http, games) == ["void", "void", "abandoned", "lost", "lost", "void", "playing"]
    board = player.http.get(f"/v1/leaderboards/congress?seed={seed}").json()["items"]
    assert [row["game"] for row in board] == [theirs["id"]]
    *_, event = player.http.get(f"/v1/games/{also['id']}/events").json()["items"]
    assert (event["type"], event["reason"]) == ("voided", "cheating")
    assert void(admin, player=player.name, seed=seed).json() == {"dry_run": False, "matched": 0, "voided": 0}


def test_a_dry_run_counts_and_writes_nothing(admin: Admin, player: Player, seed: str, postgres: Postgres) -> None:
    games = [finish(player, seed, moves) for moves in (0, 1, 2)]

    def rows() -> list[tuple[object, ...]]:
        return [
            query(postgres.admin_url, f"SELECT count(*) FROM {table} WHERE {condition}", *values)[0]
            for table, condition, values in (
                ("audit", "actor = (SELECT token_id FROM admin_tokens WHERE name = $1)", [admin.name]),
                ("idempotency", "scope = (SELECT token_id FROM admin_tokens WHERE name = $1)", [admin.name]),
                ("game_events", "game_id = ANY ($1::uuid[])", [[game["id"] for game in games]]),
            )
        ]

    before = rows()
    key = uuid4().hex
    for _ in range(2):
        answer = void(admin, key, dry_run=True, seed=seed)
        assert answer.json() == {"dry_run": True, "matched": 2, "voided": 0}
        assert "idempotency-replayed" not in answer.headers
    assert rows() == before
    assert statuses(player.http, games) == ["abandoned", "lost", "lost"]
    # Nothing was written under the key, so it is still free.
    assert void(admin, key, dry_run=False, seed=seed).json() == {"dry_run": False, "matched": 2, "voided": 2}


def test_its_repetition_is_answered_alike_whatever_the_player_is_called_by_then(
    admin: Admin, service: Service, other: Player, seed: str
) -> None:
    with connect(service.url) as http:
        made = http.post("/v1/players", json={}).json()
    name, key = made["name"], uuid4().hex
    with connect(service.url, made["token"]) as http:
        finish(Player(name, made["token"], http), seed)
        first = void(admin, key, player=name, seed=seed)
        assert first.json() == {"dry_run": False, "matched": 1, "voided": 1}
        assert http.patch("/v1/players/me", json={"name": f"p{uuid4().hex[:20]}"}).is_success
        again = void(admin, key, player=name, seed=seed)
        assert (again.json(), again.headers["idempotency-replayed"]) == (first.json(), "true")
        assert http.delete("/v1/players/me").is_success
    assert void(admin, key, player=name, seed=seed).json() == first.json()
    assert list(faults(void(admin, uuid4().hex, player=name, seed=seed))) == ["body.filter.player"]
    assert code(void(admin, key, player=other.name, seed=seed)) == "idempotency-mismatch"


def test_each_filter_is_a_filter_of_the_list(admin: Admin, player: Player, seed: str) -> None:
    game = finish(player, seed)
    at = game["finished_at"]
    for filters, matched in (
        ({"seed": seed}, 1),
        ({"seed": seed, "variant": "congress"}, 1),
        ({"seed": seed, "variant": "court"}, 0),
        ({"seed": seed, "player": player.name.upper()}, 1),
        ({"seed": seed, "kind": "shared"}, 1),
        ({"seed": seed, "kind": "sealed"}, 0),
        ({"seed": seed, "status": "lost"}, 1),
        ({"seed": seed, "status": "won"}, 0),
        ({"seed": seed, "outcome": "lost"}, 1),
        ({"seed": seed, "outcome": "won"}, 0),
        ({"seed": seed, "outcome": "lost", "status": "lost"}, 1),
        ({"seed": seed, "outcome": "lost", "status": "won"}, 0),
        ({"seed": seed, "rules": 1}, 1),
        ({"seed": seed, "rules": 2}, 0),
        ({"seed": seed, "since": at}, 1),
        ({"seed": seed, "before": at}, 0),
        ({"seed": seed, "fast": False, "variant": None}, int(game["elapsed_ms"] >= 150)),
        ({"seed": seed, "fast": True}, int(game["elapsed_ms"] < 150)),
        ({"player": player.name}, 1),
    ):
        assert void(admin, dry_run=True, **filters).json()["matched"] == matched, filters


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"filter": {}}, ["body.filter"]),
        ({"filter": {"variant": None, "fast": None}}, ["body.filter"]),
        ({}, ["body.filter"]),
        ({"filter": None}, ["body.filter"]),
        ({"filter": {"result": "won"}}, ["body.filter.result"]),
        ({"filter": {"outcome": None, "status": None}}, ["body.filter"]),
        ({"filter": {"outcome": "abandoned"}}, ["body.filter.outcome"]),
        ({"filter": {"outcome": "void"}}, ["body.filter.outcome"]),
        ({"filter": {"outcome": ["won"]}}, ["body.filter.outcome"]),
        ({"filter": {"status": "abandoned"}}, ["body.filter.status"]),
        ({"filter": {"status": "void"}}, ["body.filter.status"]),
        ({"filter": {"player": "nobody-of-this-name"}}, ["body.filter.player"]),
        ({"filter": {"variant": "klondike", "seed": "/"}}, ["body.filter.variant", "body.filter.seed"]),
        ({"filter": {"since": "today-at-twelve-o-clock"}}, ["body.filter.since"]),
        ({"filter": {"since": "2026-11-29T10:00:00Z", "before": "2026-11-29T09:00:00Z"}}, ["body.filter.before"]),
        ({"filter": {"seed": "a"}, "dry_run": "yes"}, ["body.dry_run"]),
        ({"filter": {"seed": "a"}, "limit": 1}, ["body.limit"]),
    ],
)
def test_what_is_wrong_is_named(admin: Admin, body: dict[str, Any], paths: list[str]) -> None:
    for more in ({}, {"dry_run": True}):
        answer = admin.http.post(PATH, json={"reason": "test"} | more | body)
        assert list(faults(answer)) == paths


def test_the_audit_has_each_game_and_the_whole(admin: Admin, player: Player, seed: str, postgres: Postgres) -> None:
    games = [finish(player, seed) for _ in range(2)]
    body = {"filter": {"player": player.name, "seed": seed}, "reason": "error", "note": "a bad deal"}
    assert admin.http.post(PATH, json=body).status_code == 200
    whole, *each = admin.audit(player=player.name)
    assert whole == {
        "id": whole["id"],
        "at": whole["at"],
        "actor": admin.name,
        "action": "results-voided",
        "game": None,
        "player": player.name,
        "reason": "error",
        "note": "a bad deal",
        "details": {
            "filter": {
                "variant": None,
                "player": player.name,
                "seed": seed,
                "kind": None,
                "status": None,
                "outcome": None,
                "rules": None,
                "since": None,
                "before": None,
                "fast": None,
            },
            "matched": 2,
            "voided": 2,
            "token": None,
            "name": None,
        },
    }
    # Both may be of the same millisecond.
    assert sorted((entry["game"], entry["action"], entry["reason"], entry["note"]) for entry in each) == [
        (id_, "voided", "error", "a bad deal") for id_ in sorted(game["id"] for game in games)
    ]
    ((details,),) = query(postgres.admin_url, "SELECT details FROM audit WHERE entry_id = $1", whole["id"])
    assert player.name not in str(details)


def test_an_outcome_that_is_not_voided_is_told_which_are(admin: Admin) -> None:
    answer = void(admin, outcome="abandoned", dry_run=True)
    assert faults(answer) == {"body.filter.outcome": 'should be "lost" or "won"'}


def test_what_ended_alike_is_voided_and_the_audit_says_so(admin: Admin, player: Player) -> None:
    won = player.play(player.start("vokzal-36", WIN.seed), *WIN.moves)
    lost, void_already = finish(player, WIN.seed, variant="vokzal-36"), finish(player, WIN.seed, variant="vokzal-36")
    admin.judge(void_already, "void")
    games = [won, lost, void_already]
    key = uuid4().hex
    for _ in range(2):
        answer = void(admin, key, player=player.name, outcome="lost")
        assert answer.json() == {"dry_run": False, "matched": 1, "voided": 1}
        assert statuses(player.http, games) == ["won", "void", "void"]
    refused = void(admin, key, player=player.name, outcome="won")
    assert (refused.status_code, code(refused)) == (422, "idempotency-mismatch")
    assert void(admin, player=player.name, outcome="lost").json() == {"dry_run": False, "matched": 0, "voided": 0}
    assert void(admin, player=player.name, outcome="won").json() == {"dry_run": False, "matched": 1, "voided": 1}
    assert statuses(player.http, games) == ["void", "void", "void"]
    told = [entry["details"] for entry in admin.audit(player=player.name, action="results-voided")]
    assert [(each["filter"]["outcome"], each["filter"]["status"], each["voided"]) for each in told] == [
        ("won", None, 1),
        ("lost", None, 0),
        ("lost", None, 1),
    ]


def test_a_repetition_is_answered_alike_and_voids_nothing_that_came_since(
    admin: Admin, second: Admin, player: Player, seed: str
) -> None:
    key = uuid4().hex
    game = finish(player, seed)
    first = void(admin, key, seed=seed)
    later = finish(player, seed)
    again = void(admin, key, seed=seed)
    assert (again.content, again.headers["idempotency-replayed"]) == (first.content, "true")
    assert "idempotency-replayed" not in first.headers
    assert statuses(player.http, [game, later]) == ["void", "lost"]
    admin.judge(game, "restore")
    assert void(admin, key, seed=seed).content == first.content
    assert statuses(player.http, [game, later]) == ["lost", "lost"]
    for refused in (void(admin, key, seed=seed, rules=1), admin.judge(later, "void", Idempotency_Key=key)):
        assert (refused.status_code, code(refused)) == (422, "idempotency-mismatch")
    assert void(second, key, seed=seed).json()["voided"] == 2


def test_the_same_request_at_once_is_answered_alike(admin: Admin, player: Player, service: Service, seed: str) -> None:
    games = [finish(player, seed) for _ in range(12)]
    key, barrier = uuid4().hex, Barrier(3)
    with ExitStack() as stack:
        ends = [stack.enter_context(connect(service.url, admin.token)) for _ in range(3)]
        pool = stack.enter_context(ThreadPoolExecutor(3))

        def post(end: httpx.Client) -> httpx.Response:
            barrier.wait()
            return void(Admin(admin.name, admin.token, end), key, seed=seed)

        answers = list(pool.map(post, ends))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert set(statuses(player.http, games)) == {"void"}
    found = admin.audit(player=player.name, limit=200)
    assert sorted(entry["game"] for entry in found) == sorted(game["id"] for game in games)


# ---- what goes wrong midway


@pytest.fixture
def many(player: Player, postgres: Postgres, seed: str) -> list[UUID]:
    """Very many games that were lost on one seed, in the order in which they are voided."""

    async def make() -> list[UUID]:
        async with inside(postgres.service_url) as (deps, _):
            owner = await deps.store.player_by_name(player.name)
            assert owner is not None
            games = []
            for _ in range(MANY):
                games.append(await start(deps, owner.player_id, "congress", Deal("shared", seed)))
                await play(deps, games[-1], ["draw"])
                await resign(deps, games[-1])
        # All end in the same millisecond, and so are voided by their ids.
        return sorted(games)

    return asyncio.run(make())


def voided(postgres: Postgres, seed: str) -> int:
    """How many games on a seed are void, behind the service."""
    ((count,),) = query(postgres.admin_url, "SELECT count(*) FROM results WHERE seed = $1 AND is_void", seed)
    assert isinstance(count, int)
    return count


def assert_once(postgres: Postgres, admin: Admin, seed: str) -> None:
    """Every game is void by one event, and each event has one entry in the audit."""
    events = query(
        postgres.admin_url,
        "SELECT events, count(*) FROM game_events e JOIN games g USING (game_id)"
        " WHERE g.seed = $1 AND e.events LIKE 'voided%' GROUP BY events",
        seed,
    )
    assert events == [("voided cheating", MANY)]
    entries = query(
        postgres.admin_url,
        "SELECT count(*), count(DISTINCT a.game_id) FROM audit a JOIN games g USING (game_id)"
        " JOIN admin_tokens t ON t.token_id = a.actor WHERE g.seed = $1 AND a.action = 'voided' AND t.name = $2",
        seed,
        admin.name,
    )
    assert entries == [(MANY, MANY)]
    assert admin.http.get(f"/v1/leaderboards/congress?seed={seed}").json()["total"] == 0


@contextmanager
def held(postgres: Postgres, game: UUID) -> Iterator[None]:
    """Somebody else holds a game, so that what is done to it waits."""
    holds, over = threading.Event(), threading.Event()

    async def hold() -> None:
        connection = await asyncpg.connect(postgres.admin_url)
        try:
            async with connection.transaction():
                await connection.execute("SELECT FROM games WHERE game_id = $1 FOR UPDATE", game)
                holds.set()
                await asyncio.to_thread(over.wait)
        finally:
            await connection.close()

    holding = threading.Thread(target=lambda: asyncio.run(hold()))
    holding.start()
    try:
        assert holds.wait(20)
        yield
    finally:
        over.set()
        holding.join()


def test_a_server_that_is_killed_midway(
    admin: Admin, postgres: Postgres, seed: str, many: list[UUID], tmp_path: Path
) -> None:
    """The rest is voided by whoever repeats the request; what was done is not done again."""
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    key = uuid4().hex
    with serving(tmp_path / "log", settings) as victim, connect(victim.url, admin.token) as end:
        with held(postgres, many[-1]), ThreadPoolExecutor(1) as pool:
            asked = pool.submit(void, Admin(admin.name, admin.token, end), key, seed=seed)
            until(lambda: voided(postgres, seed) > 0, "some are void")
            victim.kill()
            with pytest.raises(httpx.HTTPError):
                asked.result()
        done = voided(postgres, seed)
    assert 0 < done < MANY
    answer = void(admin, key, seed=seed)
    assert answer.json() == {"dry_run": False, "matched": MANY - done, "voided": MANY - done}
    assert void(admin, key, seed=seed).content == answer.content
    assert_once(postgres, admin, seed)


def test_a_voiding_that_takes_longer_than_a_request_may(
    admin: Admin, postgres: Postgres, seed: str, many: list[UUID], tmp_path: Path
) -> None:
    """Its refusal leaves open what was done; repeated with its key until it is answered, it comes to an end."""
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_REQUEST_TIMEOUT": "1",
    }
    key = uuid4().hex
    with serving(tmp_path / "log", settings) as hasty, connect(hasty.url, admin.token) as end:
        impatient = Admin(admin.name, admin.token, end)
        with held(postgres, many[-1]):
            refused = void(impatient, key, seed=seed)
            assert (refused.status_code, code(refused)) == (503, "unavailable")
            assert (refused.json()["written"], refused.headers["retry-after"]) == (None, "1")
            assert "repeat it with the same Idempotency-Key" in refused.json()["detail"]
            assert voided(postgres, seed) < MANY
        until(lambda: void(impatient, key, seed=seed).status_code == 200, "it is answered")
        answer = void(impatient, key, seed=seed)
        assert answer.headers["idempotency-replayed"] == "true"
        assert answer.json()["voided"] <= answer.json()["matched"] <= MANY
    assert_once(postgres, admin, seed)


def test_a_database_that_is_lost_midway(
    admin: Admin, postgres: Postgres, service: Service, seed: str, many: list[UUID]
) -> None:
    """The refusal does not say that nothing was written; repeated with its key, it comes to an end."""
    key = uuid4().hex
    with held(postgres, many[-1]), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(void, admin, key, seed=seed)
        until(lambda: voided(postgres, seed) > 0, "some are void")
        until(lambda: waiting(postgres), "the next wait")
        query(
            postgres.service_url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND usename = current_user AND pid <> pg_backend_pid()",
        )
        refused = asked.result()
    assert (refused.status_code, code(refused), refused.json()["written"]) == (503, "unavailable", None)
    done = voided(postgres, seed)
    assert 0 < done < MANY
    until(lambda: httpx.get(f"{service.url}/readyz").status_code == 200, "the database is there again")
    answer = void(admin, key, seed=seed)
    assert answer.json() == {"dry_run": False, "matched": MANY - done, "voided": MANY - done}
    assert_once(postgres, admin, seed)


def waiting(postgres: Postgres) -> bool:
    """Whether a session of the service waits for a lock."""
    ((count,),) = query(
        postgres.service_url,
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user"
        " AND wait_event_type = 'Lock'",
    )
    return bool(count)
