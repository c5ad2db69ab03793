"""Attacks on what only admins may do, and by admins on what they may not know yet either; each by name.

As in the other attacks, each is seen to succeed with a guard taken out, and then to be refused.
"""

from base64 import urlsafe_b64decode
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from pasyans.engine.cards import CARD_NAMES

from tests.support.admins import Admin, new_admin
from tests.support.api import Player, code, connect
from tests.support.clocked import Clock
from tests.support.games import replay
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.unguarded import Unguarded

NOON = "T12:00:00.000Z"
REASON = {"reason": "other"}


@pytest.fixture(scope="module")
def admin(east: Service, clocked_postgres: Postgres) -> Iterator[Admin]:
    """An admin, who may be a player too."""
    someone = new_admin(east.url, clocked_postgres)
    with someone.http:
        yield someone


def start(player: Player, kind: str = "sealed", variant: str = "congress") -> dict[str, Any]:
    answer = player.http.post("/v1/games", json={"variant": variant, "deal": {"kind": kind}})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def lose(player: Player, seed: str | None = None, kind: str = "sealed") -> dict[str, Any]:
    game = start(player, kind) if seed is None else player.start("congress", seed)
    player.play(game, "draw")
    return dict(player.act(game, "resign", {}).json())


def seed_of(postgres: Postgres, game: dict[str, Any]) -> str:
    """The seed, from behind the service."""
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    return str(seed)


def shown(player: Player, game: dict[str, Any]) -> dict[str, Any]:
    return dict(player.http.get(f"/v1/games/{game['id']}").json())


def judge(url: str, admin: Admin, game: dict[str, Any], action: str = "void", **headers: str) -> httpx.Response:
    with connect(url, admin.token) as http:
        return http.post(f"/v1/admin/games/{game['id']}/{action}", json=REASON, headers=headers)


def results(url: str, admin: Admin, **query: object) -> dict[str, Any]:
    with connect(url, admin.token) as http:
        answer = http.get("/v1/admin/results", params={name: str(value) for name, value in query.items()})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


# ---- by players ------------------------------------------------------------------------------------------------------


@pytest.fixture
def named(admin: Admin, clocked_postgres: Postgres) -> dict[str, str]:
    """A header that names an admin, which anybody may know the id of, and the service as it is does not look at."""
    ((token_id,),) = query(clocked_postgres.admin_url, "SELECT token_id FROM admin_tokens WHERE name = $1", admin.name)
    return {"X-Admin": str(token_id)}


def test_a_player_voids_the_game_of_a_better_one(
    open_service: Unguarded, east: Service, player: Player, other: Player, named: dict[str, str]
) -> None:
    seed = f"s{uuid4().hex}"
    best = lose(player, seed)
    other.play(other.start("congress", seed), "draw", "draw")

    def attack(url: str) -> httpx.Response:
        with connect(url, other.token) as http:
            return http.post(f"/v1/admin/games/{best['id']}/void", json=REASON, headers=named)

    refused = attack(east.url)
    assert (refused.status_code, code(refused)) == (403, "forbidden")
    assert (shown(player, best)["status"], shown(player, best)["version"]) == ("lost", best["version"])
    with open_service.without("admin") as url:
        assert attack(url).json()["status"] == "void"
    assert player.http.get(f"/v1/leaderboards/congress?seed={seed}").json()["items"] == []


def test_a_player_restores_a_game_that_was_voided(
    open_service: Unguarded, east: Service, player: Player, admin: Admin, named: dict[str, str]
) -> None:
    """The owner, who had cheated."""
    game = lose(player)
    assert judge(east.url, admin, game).json()["status"] == "void"

    def attack(url: str) -> httpx.Response:
        with connect(url, player.token) as http:
            return http.post(f"/v1/admin/games/{game['id']}/restore", json=REASON, headers=named)

    refused = attack(east.url)
    assert (refused.status_code, code(refused)) == (403, "forbidden")
    assert shown(player, game)["status"] == "void"
    with open_service.without("admin") as url:
        assert attack(url).json()["status"] == "lost"


def test_a_player_ends_the_own_ban_and_bans_a_rival(
    open_service: Unguarded, east: Service, player: Player, other: Player, admin: Admin, named: dict[str, str]
) -> None:
    admin.http.post(f"/v1/admin/players/{player.name}/ban", json=REASON)

    def attack(url: str) -> list[int]:
        with connect(url, player.token) as http:
            paths = [f"/v1/admin/players/{name}" for name in (f"{player.name}/unban", f"{other.name}/ban")]
            return [http.post(path, json=REASON, headers=named).status_code for path in paths]

    def banned() -> list[str]:
        rows = [admin.http.get(f"/v1/admin/players?search={each.name}").json()["items"][0] for each in (player, other)]
        return [row["name"] for row in rows if row["banned_at"]]

    assert attack(east.url) == [403, 403]
    assert banned() == [player.name]
    with open_service.without("admin") as url:
        assert attack(url) == [200, 200]
    assert banned() == [other.name]


@pytest.mark.parametrize("path", ["results", "players", "audit"])
@pytest.mark.parametrize("who", ["nobody", "a player"])
def test_who_is_no_admin_reads_what_admins_read(
    open_service: Unguarded, east: Service, player: Player, named: dict[str, str], path: str, who: str
) -> None:
    def attack(url: str) -> int:
        with connect(url, player.token if who == "a player" else None) as http:
            return http.get(f"/v1/admin/{path}", headers=named).status_code

    assert attack(east.url) == (403 if who == "a player" else 401)
    with open_service.without("admin") as url:
        assert attack(url) == 200


def test_going_on_with_a_game_that_was_voided(
    open_service: Unguarded, east: Service, player: Player, admin: Admin
) -> None:
    """A lost game, whose cards are all known by now, goes back to where it could be won."""
    lost = {}
    for name in ("guarded", "open"):
        lost[name] = lose(player)
        assert judge(east.url, admin, lost[name]).json()["status"] == "void"

    def attack(url: str, game: dict[str, Any]) -> list[int]:
        with connect(url, player.token) as http:
            path = f"/v1/games/{game['id']}"
            undone = http.post(f"{path}/undo", json={"count": 1})
            replayed = http.get(f"{path}/replay?limit=200")
            return [undone.status_code, replayed.status_code, len(replayed.json().get("items", []))]

    assert attack(east.url, lost["guarded"]) == [409, 200, 4]
    assert player.act(lost["guarded"], "moves", {"moves": ["draw"]}).json()["code"] == "game-over"
    with open_service.without("over") as url:
        assert attack(url, lost["open"]) == [200, 200, 5]


# ---- by admins, who may play too -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sealed", "daily"])
def test_voiding_a_running_game_to_see_its_cards(
    open_service: Unguarded,
    east: Service,
    player: Player,
    admin: Admin,
    clock: Clock,
    clocked_postgres: Postgres,
    kind: str,
) -> None:
    clock.set(f"2025-07-01{NOON}")
    game = player.play(start(player, kind), "draw")
    seed = seed_of(clocked_postgres, game)

    def attack(url: str) -> tuple[int, bool, str]:
        answer = judge(url, admin, game)
        with connect(url, player.token) as http:
            after = http.get(f"/v1/games/{game['id']}")
        return answer.status_code, seed in answer.text + after.text, after.json()["status"]

    assert attack(east.url) == (409, False, "playing")
    refused = judge(east.url, admin, game, "restore")
    assert (code(refused), "piles" in refused.json()) == ("not-void", False)
    with open_service.without("finished") as url:
        # Of a daily the seed stays sealed even then; but its player has lost the game.
        assert attack(url) == (200, kind == "sealed", "void")


def test_voiding_a_daily_to_see_how_it_was_played(
    open_service: Unguarded, east: Service, player: Player, admin: Admin, clock: Clock, clocked_postgres: Postgres
) -> None:
    """The cards of a deal that others still play are in no answer, nor is its seed."""
    clock.set(f"2025-07-02{NOON}")
    game = lose(player, kind="daily")
    seed = seed_of(clocked_postgres, game)
    top = CARD_NAMES[replay("congress", seed, ["draw"]).piles[1][-1]]

    def attack(url: str) -> set[str]:
        """The cards that the answers name."""
        answers = [
            judge(url, admin, game, action, **{"Idempotency-Key": uuid4().hex}) for action in ("void", "restore")
        ]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert not any(seed in answer.text for answer in answers)
        return {card for answer in answers for pile in answer.json()["piles"] for card in pile["cards"]}

    with open_service.without("judged") as url:
        assert top in attack(url)
    assert attack(east.url) == set()
    void = judge(east.url, admin, game, **{"Idempotency-Key": "again"})
    assert (void.json()["status"], void.json()["deal"]["seed"], void.json()["piles"]) == ("void", None, [])
    clock.set(f"2025-07-03{NOON}")
    # What was answered then is answered again, though all of it is open by now.
    assert judge(east.url, admin, game, **{"Idempotency-Key": "again"}).content == void.content
    restored = judge(east.url, admin, game, "restore").json()
    assert (restored["deal"]["seed"], restored["piles"][1]["cards"]) == (seed, [top])


def test_a_void_game_that_is_counted(open_service: Unguarded, east: Service, player: Player, admin: Admin) -> None:
    seed = f"s{uuid4().hex}"
    shared, sealed = lose(player, seed), lose(player)

    def counted(url: str) -> dict[str, int]:
        with connect(url) as http:
            stats = http.get(f"/v1/players/{player.name}/stats").json()["variants"]
            return {
                "board of the seed": len(http.get(f"/v1/leaderboards/congress?seed={seed}").json()["items"]),
                "board of the variant": int(
                    http.get(f"/v1/leaderboards/congress/players/{player.name}").status_code == 200
                ),
                "stats of the deal": http.get(f"/v1/variants/congress/deals/{seed}/stats").json()["games"],
                "stats of the player": sum(each["played"] for each in stats),
            }

    def attack(url: str) -> dict[str, int]:
        """What counts games that have just been voided."""
        for game in (shared, sealed):
            assert judge(url, admin, game).json()["status"] == "void"
        found = counted(url)
        for game in (shared, sealed):
            judge(url, admin, game, "restore")
        return found

    everything = counted(east.url)
    assert set(everything.values()) == {1}
    with open_service.without("counts") as url:
        assert attack(url) == everything
    assert attack(east.url) == dict.fromkeys(everything, 0)
    assert counted(east.url) == everything


def test_a_dry_run_that_writes(open_service: Unguarded, east: Service, player: Player, admin: Admin) -> None:
    seed = f"s{uuid4().hex}"
    game = lose(player, seed)

    def attack(url: str) -> str:
        body = {"filter": {"seed": seed}, "reason": "test", "dry_run": True}
        with connect(url, admin.token) as http:
            assert http.post("/v1/admin/results/void", json=body).json()["matched"] == 1
        return str(shown(player, game)["status"])

    assert attack(east.url) == "lost"
    with open_service.without("dry-run") as url:
        assert attack(url) == "void"


# ---- the seed of a daily that is open to nobody yet ------------------------------------------------------------------


def test_guessing_the_seed_of_a_running_daily_by_a_filter(
    open_service: Unguarded, east: Service, player: Player, admin: Admin, clock: Clock, clocked_postgres: Postgres
) -> None:
    """A guess is confirmed by a row, by a number, or by a line of a table."""
    clock.set(f"2025-07-10{NOON}")
    game = lose(player, kind="daily")
    seed = seed_of(clocked_postgres, game)

    def attack(url: str) -> list[bool]:
        counted = {"filter": {"seed": seed}, "reason": "test", "dry_run": True}
        with connect(url, admin.token) as http:
            table = http.get(f"/v1/admin/results?seed={seed}", headers={"Accept": "text/csv"})
            return [
                bool(http.get(f"/v1/admin/results?seed={seed}").json()["items"]),
                http.post("/v1/admin/results/void", json=counted).json()["matched"] > 0,
                game["id"] in table.text,
            ]

    with open_service.without("result-open") as url:
        assert attack(url) == [True, True, True]
    assert attack(east.url) == [False, False, False]
    clock.set("2025-07-11T00:00:00.000Z")
    assert attack(east.url) == [True, True, True]


def test_narrowing_down_the_seed_of_a_running_daily_by_an_order(
    open_service: Unguarded, east: Service, player: Player, admin: Admin, clock: Clock, clocked_postgres: Postgres
) -> None:
    """Between which of one's own seeds it lies tells its digits, one after the other; and so does a cursor."""
    clock.set(f"2025-07-12{NOON}")
    game = lose(player, kind="daily")
    seed = seed_of(clocked_postgres, game)
    for digit in "0123456789abcdefg":  # the last one comes after every seed of a daily
        lose(player, f"{digit}{'0' * 31}")

    def by_order(url: str, sort: str) -> str | None:
        """The first digit, if the order tells it."""
        items = results(url, admin, player=player.name, sort=sort)["items"]
        at = [item["game"] for item in items].index(game["id"])
        neighbour = items[at - 1 if sort == "seed" else at + 1] if 0 < at < len(items) - 1 else None
        return None if neighbour is None else str(neighbour["seed"][0])

    def by_cursor(url: str) -> bool:
        rows = len(results(url, admin, player=player.name)["items"])
        pages = (results(url, admin, player=player.name, sort="seed", limit=size) for size in range(1, rows))
        return any(seed in urlsafe_b64decode(f"{page['next']}==").decode() for page in pages)

    with open_service.without("result-order") as url:
        assert by_cursor(url)
        assert {by_order(url, sort) for sort in ("seed", "-seed")} == {seed[0]}
    assert not by_cursor(east.url)
    assert {by_order(east.url, sort) for sort in ("seed", "-seed")} == {None}


def test_the_seed_of_a_running_daily_in_lists_and_tables(
    open_service: Unguarded, east: Service, player: Player, admin: Admin, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set(f"2025-07-13{NOON}")
    game = lose(player, kind="daily")
    seed = seed_of(clocked_postgres, game)

    def attack(url: str) -> list[bool]:
        path = f"/v1/admin/results?player={player.name}"
        with connect(url, admin.token) as http:
            answers = [http.get(path), http.get(path, headers={"Accept": "text/csv"})]
        assert all(game["id"] in answer.text for answer in answers)
        return [seed in answer.text for answer in answers]

    with open_service.without("result-seed") as url:
        assert attack(url) == [True, True]
    assert attack(east.url) == [False, False]


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        ("sealed", "games"),
        ("sealed", "game_events"),
        ("daily", "games"),
        ("daily", "game_events"),
        ("daily", "results"),
    ],
)
def test_a_difference_that_would_name_the_seed(
    east: Service, player: Player, admin: Admin, clock: Clock, clocked_postgres: Postgres, kind: str, table: str
) -> None:
    """No guard to take out: which difference there is does not depend on what it is."""
    clock.set(f"2025-07-14{NOON}")
    game = player.play(start(player, kind), "draw")
    seed = seed_of(clocked_postgres, game)
    if table == "results":
        player.act(game, "resign", {})
    column, which = ("events", "game_id = $1 AND first_seq = 1") if table == "game_events" else ("seed", "game_id = $1")
    ((right,),) = query(clocked_postgres.admin_url, f"SELECT {column} FROM {table} WHERE {which}", game["id"])
    wrong = str(right)[::-1] if column == "seed" else str(right).replace("started", "started ")
    change = f"UPDATE {table} SET {column} = $2 WHERE {which}"
    query(clocked_postgres.admin_url, change, game["id"], wrong)
    with connect(east.url, admin.token) as http:
        answer = http.post(f"/v1/admin/games/{game['id']}/verify")
        query(clocked_postgres.admin_url, change, game["id"], right)
        assert http.post(f"/v1/admin/games/{game['id']}/verify").json()["ok"] is True
    assert answer.json()["ok"] is False
    assert answer.json()["difference"]
    assert seed not in answer.text
    assert seed[::-1] not in answer.text
