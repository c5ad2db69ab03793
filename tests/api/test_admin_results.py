"""Looking for results: every filter, every order, page by page; and the seeds that nobody may know yet."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest
from pasyans.record.times import format_time, parse_time

from tests.support import vectors
from tests.support.admins import Admin, new_admin
from tests.support.api import Player, code, connect, faults, new_player
from tests.support.clocked import Clock
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query

PATH = "/v1/admin/results"
WIN = next(win for win in vectors.wins() if win.variant == "vokzal-36" and len(win.moves) < 70)
COLUMNS = (
    "game", "player", "variant", "rules", "kind", "seed", "date", "attempt", "status", "outcome", "score", "redeals",
    "moves", "undos", "elapsed_ms", "ms_per_move", "started_at", "finished_at",
)  # fmt: skip
NOON = "T12:00:00.000Z"


@pytest.fixture(scope="module")
def boss(east: Service, clocked_postgres: Postgres) -> Iterator[Admin]:
    """An admin where the tests set the clock."""
    someone = new_admin(east.url, clocked_postgres)
    with someone.http:
        yield someone


@pytest.fixture
def gamer(east: Service) -> Iterator[Player]:
    """A player there."""
    someone = new_player(east.url)
    with someone.http:
        yield someone


def finish(
    player: Player, variant: str = "congress", seed: str | None = None, moves: int = 1, **deal: str
) -> dict[str, Any]:
    """Start a game, play some moves, and resign."""
    if deal:
        game = player.http.post("/v1/games", json={"variant": variant, "deal": deal}).json()
    else:
        game = player.start(variant, seed)
    for _ in range(moves):
        game = player.play(game, game["legal_moves"][0])
    return dict(player.act(game, "resign", {}).json())


def seed_of(postgres: Postgres, game: dict[str, Any]) -> str:
    """The seed, from behind the service."""
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    return str(seed)


def ids(found: list[dict[str, Any]]) -> list[str]:
    return [item["game"] for item in found]


def test_a_result_is_what_the_game_came_to(admin: Admin, player: Player) -> None:
    won = player.play(player.start("vokzal-36", WIN.seed), *WIN.moves)
    (item,) = admin.results(player=player.name.upper())
    assert tuple(item) == COLUMNS
    assert item == {
        "game": won["id"],
        "player": player.name,
        "variant": "vokzal-36",
        "rules": 1,
        "kind": "shared",
        "seed": WIN.seed,
        "date": None,
        "attempt": 1,
        "status": "won",
        "outcome": "won",
        "score": 36,
        "redeals": won["redeals"],
        "moves": len(WIN.moves),
        "undos": 0,
        "elapsed_ms": won["elapsed_ms"],
        "ms_per_move": won["elapsed_ms"] // len(WIN.moves),
        "started_at": won["started_at"],
        "finished_at": won["finished_at"],
    }


def test_every_finished_game_is_there_and_no_running_one(admin: Admin, player: Player) -> None:
    seed = f"s{uuid4().hex}"
    abandoned, lost, void = (finish(player, seed=seed, moves=moves) for moves in (0, 1, 2))
    player.play(player.start("congress", seed), "draw")
    admin.judge(void, "void")
    found = admin.results(seed=seed)
    assert ids(found) == [void["id"], lost["id"], abandoned["id"]]
    assert [(item["status"], item["outcome"], item["attempt"]) for item in found] == [
        ("void", "lost", 3),
        ("lost", "lost", 2),
        ("abandoned", "abandoned", 1),
    ]
    assert (found[2]["moves"], found[2]["ms_per_move"]) == (0, None)
    for status, item in zip(("void", "lost", "abandoned"), found, strict=True):
        assert ids(admin.results(seed=seed, status=status)) == [item["game"]]
    assert admin.results(seed=seed, status="won") == []
    admin.judge(void, "restore")
    assert ids(admin.results(seed=seed, status="lost")) == [void["id"], lost["id"]]


def test_an_outcome_outlives_a_voiding(admin: Admin, player: Player) -> None:
    won, void = (player.play(player.start("vokzal-36", WIN.seed), *WIN.moves) for _ in range(2))
    abandoned, lost, lost_and_void = (finish(player, "vokzal-36", WIN.seed, moves) for moves in (0, 1, 2))
    for game in (void, lost_and_void):
        assert admin.judge(game, "void").json()["status"] == "void"
    for filters, expected in (
        ({"outcome": "won"}, [void, won]),
        ({"outcome": "lost"}, [lost_and_void, lost]),
        ({"outcome": "abandoned"}, [abandoned]),
        ({"outcome": "won", "status": "won"}, [won]),
        ({"outcome": "won", "status": "void"}, [void]),
        ({"outcome": "lost", "status": "void"}, [lost_and_void]),
        ({"outcome": "abandoned", "status": "void"}, []),
        ({"outcome": "won", "status": "lost"}, []),
        ({"outcome": "won", "variant": "vokzal-36", "seed": WIN.seed, "kind": "shared", "rules": 1}, [void, won]),
        ({"outcome": "won", "variant": "court"}, []),
    ):
        found = admin.results(player=player.name, limit=1, **filters)
        assert ids(found) == [game["id"] for game in expected], filters
        assert {item["outcome"] for item in found} <= {filters["outcome"]}
    admin.judge(void, "restore")
    assert ids(admin.results(player=player.name, outcome="won", status="void")) == []
    assert ids(admin.results(player=player.name, outcome="won", status="won")) == [void["id"], won["id"]]


def test_filters_hold_all_together(admin: Admin, player: Player, other: Player) -> None:
    seed = f"s{uuid4().hex}"
    mine, sealed, theirs = finish(player, seed=seed), finish(player), finish(other, "court", seed)
    sealed_seed = sealed["deal"]["seed"]
    for filters, expected in (
        ({"player": player.name}, [sealed, mine]),
        ({"player": player.name, "kind": "sealed"}, [sealed]),
        ({"player": player.name, "kind": "daily"}, []),
        ({"seed": seed}, [theirs, mine]),
        ({"seed": seed, "variant": "court"}, [theirs]),
        ({"seed": seed, "variant": "court", "player": player.name}, []),
        ({"seed": seed.upper()}, []),
        ({"seed": sealed_seed}, [sealed]),
        ({"seed": seed, "rules": 1, "status": "lost", "kind": "shared"}, [theirs, mine]),
        ({"seed": seed, "rules": 2}, []),
        ({"player": f"nobody-{uuid4().hex[:9]}"}, []),
        ({"player": f"nobody-{uuid4().hex[:9]}", "seed": seed}, []),
    ):
        assert ids(admin.results(**filters)) == [game["id"] for game in expected], filters


def test_times_are_of_the_finish_the_first_included(boss: Admin, gamer: Player, clock: Clock) -> None:
    clock.set(f"2024-02-01{NOON}")
    game = gamer.play(gamer.start("congress", "times"), "draw")
    clock.set("2024-02-02T00:00:00.000Z")
    gamer.act(game, "resign", {})

    def found(**bounds: str) -> int:
        return len(boss.results(player=gamer.name, **bounds))

    assert found(since="2024-02-02T00:00:00Z") == 1
    assert found(since="2024-02-02T00:00:00.001Z") == 0
    assert found(before="2024-02-02T00:00:00Z") == 0
    assert found(before="2024-02-02T00:00:00.001Z") == 1
    assert found(since="2024-02-02T03:00:00+03:00", before="2024-02-02T03:00:00.001+03:00") == 1
    assert found(since="2024-02-01T11:00:00Z", before="2024-02-01T13:00:00Z") == 0


def test_fast_is_less_than_150_ms_a_move(boss: Admin, gamer: Player, clock: Clock) -> None:
    clock.set(f"2024-02-03{NOON}")
    expected = {}
    for moves, elapsed in ((1, 149), (1, 150), (4, 599), (4, 600), (4, 0)):
        game = gamer.play(gamer.start("congress", f"fast-{moves}-{elapsed}"), *["draw"] * moves)
        clock.advance(elapsed)
        gamer.act(game, "resign", {})
        expected[game["id"]] = elapsed // moves
    game = gamer.play(gamer.start("congress", "fast-undone"), "draw")
    gamer.act(game, "undo", {})
    gamer.act(game, "resign", {})
    everything = boss.results(player=gamer.name)
    assert {item["game"]: item["ms_per_move"] for item in everything} == {**expected, game["id"]: None}
    fast = {item["ms_per_move"] for item in boss.results(player=gamer.name, fast="true")}
    assert fast == {149, 0}
    slow = [item["ms_per_move"] for item in boss.results(player=gamer.name, fast="false", sort="ms_per_move")]
    assert slow == [150, 150, None]


# ---- orders and pages


@pytest.fixture(scope="module")
def _varied(boss: Admin, east: Service, clock: Clock) -> dict[str, str]:
    for number in range(4):
        clock.set(f"2024-02-0{5 + number // 2}T12:00:0{number}.000Z")
        player = new_player(east.url)
        with player.http:
            finish(player, kind="daily", moves=2)
            finish(player, "court", "varied", moves=number)
            clock.advance(1000)
            won = player.start("vokzal-36", WIN.seed)
            clock.advance(70 * number)
            player.play(won, *WIN.moves)
            again = player.start("vokzal-36", WIN.seed)
            turns = 0
            while "redeal" not in again["legal_moves"]:
                again = player.play(again, "draw")
                turns += 1
            player.play(again, "redeal")
            if number != 1:
                player.act(again, "undo", {"count": number or turns + 1})
            clock.advance(number)
            player.act(again, "resign", {})
            if number == 1:
                assert boss.judge(won, "void").json()["status"] == "void"
    return {"since": "2024-02-05T00:00:00Z", "before": "2024-02-07T00:00:00Z"}


@pytest.fixture
def varied(_varied: dict[str, str], clock: Clock) -> dict[str, str]:
    """Filters by which 16 games are found that differ in every column, and in most of them are partly alike."""
    clock.set("2024-02-10T12:00:00.000Z")
    return _varied


@pytest.mark.parametrize("column", COLUMNS)
def test_any_column_sorts_both_ways_what_is_missing_last(boss: Admin, varied: dict[str, str], column: str) -> None:
    whole = boss.results(**varied)
    assert len(whole) == 16

    def order(item: dict[str, Any]) -> tuple[Any, str]:
        return item[column], item["game"]

    there = [item for item in whole if item[column] is not None]
    missing = sorted(item["game"] for item in whole if item[column] is None)
    for sort, descending in ((column, False), (f"-{column}", True)):
        expected = ids(sorted(there, key=order, reverse=descending)) + missing[:: -1 if descending else 1]
        assert ids(boss.results(**varied, sort=sort)) == expected
        for limit in (1, 5, 15, 16):
            assert ids(boss.results(**varied, sort=sort, limit=limit)) == expected


def test_the_games_of_the_orders_differ(boss: Admin, varied: dict[str, str]) -> None:
    """Or what is said of the orders would say nothing."""
    whole = boss.results(**varied)
    assert [column for column in COLUMNS if len({item[column] for item in whole}) == 1] == ["rules"]
    assert {column for column in COLUMNS if None in {item[column] for item in whole}} == {"date", "ms_per_move"}
    assert [column for column in COLUMNS if len({item[column] for item in whole}) == len(whole)] == ["game"]
    assert {item["status"] for item in whole} == {"won", "lost", "abandoned", "void"}


def test_the_newest_comes_first_unless_told(boss: Admin, varied: dict[str, str]) -> None:
    page = boss.http.get(PATH, params=varied).json()
    times = [(item["finished_at"], item["game"]) for item in page["items"]]
    assert times == sorted(times, reverse=True)
    assert page["next"] is None


def test_names_are_sorted_whatever_their_case(admin: Admin, service: Service, http: httpx.Client) -> None:
    word = uuid4().hex[:8]
    for first in ("b", "C", "a", "D"):
        made = http.post("/v1/players", json={"name": f"{first}{word}"}).json()
        with connect(service.url, made["token"]) as end:
            finish(Player(made["name"], made["token"], end), seed=word)
    for limit in (1, 4):
        found = admin.results(seed=word, sort="player", limit=limit)
        assert [item["player"][0] for item in found] == ["a", "b", "C", "D"]


def test_nothing_is_met_twice_or_missed_while_results_come(admin: Admin, player: Player) -> None:
    seed = f"s{uuid4().hex}"
    before = [finish(player, seed=seed)["id"] for _ in range(5)]
    met: list[str] = []
    path = f"{PATH}?seed={seed}&limit=2"
    while path:
        page = admin.http.get(path)
        met += ids(page.json()["items"])
        path = page.links["next"]["url"] if page.json()["next"] else ""
        finish(player, seed=seed)
    assert met == before[::-1]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("variant=klondike", "query.variant"),
        ("seed=a/b", "query.seed"),
        ("kind=open", "query.kind"),
        ("status=playing", "query.status"),
        ("rules=0", "query.rules"),
        ("since=2026-11-29", "query.since"),
        ("since=yesterday+at+twelve+oclock", "query.since"),
        ("since=2026-02-30T00:00:00Z", "query.since"),
        ("before=1969-12-31T23:59:59Z", "query.before"),
        ("before=2026-11-29T10:00:00", "query.before"),
        ("since=2026-11-29T10:00:00Z&before=2026-11-29T10:00:00Z", "query.before"),
        ("fast=1", "query.fast"),
        ("fast=", "query.fast"),
        ("sort=name", "query.sort"),
        ("sort=--score", "query.sort"),
        ("sort=score,moves", "query.sort"),
        ("limit=0", "query.limit"),
        ("limit=201", "query.limit"),
        ("cursor=abc", "query.cursor"),
        ("outcome=void", "query.outcome"),
        ("outcome=playing", "query.outcome"),
        ("outcome=WON", "query.outcome"),
        ("outcome=", "query.outcome"),
        ("outcome=won,lost", "query.outcome"),
        ("outcome=won&outcome=lost", "query.outcome"),
        ("result=won", "query.result"),
        ("player=", "query.player"),
    ],
)
def test_what_is_wrong_is_named(admin: Admin, text: str, path: str) -> None:
    assert list(faults(admin.http.get(f"{PATH}?{text}"))) == [path]


def test_a_wrong_outcome_is_told_which_there_are(admin: Admin) -> None:
    answer = admin.http.get(f"{PATH}?outcome=void&status=none")
    assert faults(answer) == {
        "query.status": 'should be "abandoned", "lost", "void" or "won"',
        "query.outcome": 'should be "abandoned", "lost" or "won"',
    }


def test_a_cursor_is_good_for_its_order_alone(boss: Admin, varied: dict[str, str]) -> None:
    page = boss.http.get(PATH, params={**varied, "sort": "score", "limit": 1}).json()
    for sort in ("-score", "moves"):
        answer = boss.http.get(PATH, params={**varied, "sort": sort, "cursor": page["next"]})
        assert "sorted by score" in faults(answer)["query.cursor"]


ID = "01936f0e-7c1a-7b3e-9d55-0123456789ab"


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("score", ["score", "a", ID]),
        ("score", ["score", 2**63, ID]),
        ("score", ["score", 1.5, ID]),
        ("score", ["score", True, ID]),
        ("player", ["player", 5, ID]),
        ("player", ["player", "a\0b", ID]),
        ("finished_at", ["finished_at", "2026-11-29T10:00:00.000Z", ID]),
        ("finished_at", ["finished_at", 10**18, ID]),
        ("finished_at", ["finished_at", -(10**18), ID]),
        ("date", ["date", 7, ID]),
        ("score", ["score", 1, "x"]),
        ("score", ["score", 1]),
        ("score", {"score": 1}),
        ("score", "score"),
    ],
)
def test_a_cursor_that_was_made_up(admin: Admin, sort: str, key: object) -> None:
    text = msgspec.json.encode(("results", msgspec.json.encode(key).decode()))
    made_up = urlsafe_b64encode(text).decode().rstrip("=")
    answer = admin.http.get(PATH, params={"sort": sort, "cursor": made_up})
    assert list(faults(answer)) == ["query.cursor"]


# ---- dailies


def test_the_seed_of_a_daily_is_there_when_its_day_is_over(
    boss: Admin, gamer: Player, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set(f"2024-03-01{NOON}")
    game = finish(gamer, kind="daily")
    seed = seed_of(clocked_postgres, game)
    clock.set("2024-03-01T23:59:59.999Z")
    (item,) = boss.results(player=gamer.name)
    assert (item["kind"], item["date"], item["seed"], item["status"]) == ("daily", "2024-03-01", None, "lost")
    assert boss.results(seed=seed) == []
    clock.advance(1)
    (item,) = boss.results(player=gamer.name)
    assert item["seed"] == seed
    assert ids(boss.results(seed=seed)) == [game["id"]]


def test_no_order_and_no_cursor_tells_of_a_seed_that_is_sealed(
    boss: Admin, gamer: Player, clock: Clock, clocked_postgres: Postgres
) -> None:
    """A sealed seed lies nowhere among those that are known: it comes behind all of them, in both directions."""
    clock.set("2024-03-02T12:00:00.000Z")
    daily = finish(gamer, kind="daily")
    seed = seed_of(clocked_postgres, daily)
    around = [finish(gamer, seed=f"{digit}{'0' * 31}") for digit in "048cf"]
    for sort in ("seed", "-seed"):
        found = boss.results(player=gamer.name, sort=sort)
        assert found[-1]["game"] == daily["id"]
        assert ids(boss.results(player=gamer.name, sort=sort, limit=1)) == ids(found)
        page = boss.http.get(PATH, params={"player": gamer.name, "sort": sort, "limit": len(around)}).json()
        cursor = page["next"]
        for column in ("seed", "-seed", "finished_at"):
            text = boss.http.get(PATH, params={"player": gamer.name, "sort": column, "limit": 1}).text
            assert seed not in text
        assert seed not in urlsafe_b64decode(cursor + "==").decode()
    clock.set("2024-03-03T00:00:00.000Z")
    found = boss.results(player=gamer.name, sort="seed")
    assert [item["seed"] for item in found] == sorted([seed, *(game["deal"]["seed"] for game in around)])


def test_a_running_game_is_nowhere_whatever_is_asked(
    boss: Admin, gamer: Player, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set(f"2024-03-05{NOON}")
    running = [gamer.play(gamer.start("court"), "draw")]
    daily = gamer.http.post("/v1/games", json={"variant": "court", "deal": {"kind": "daily"}})
    running.append(daily.json())
    assert boss.results(player=gamer.name) == []
    for game in running:
        assert boss.results(seed=seed_of(clocked_postgres, game)) == []
    table = boss.http.get(PATH, params={"player": gamer.name}, headers={"Accept": "text/csv"})
    assert table.text.count("\r\n") == 1


def test_the_next_page_is_linked_with_all_that_was_asked(boss: Admin, varied: dict[str, str]) -> None:
    answer = boss.http.get(PATH, params={**varied, "limit": 2, "sort": "-score"})
    link = httpx.URL(answer.links["next"]["url"])
    assert link.path == PATH
    assert dict(link.params) == {**varied, "limit": "2", "sort": "-score", "cursor": answer.json()["next"]}


def test_times_are_the_sum_of_what_they_tell(boss: Admin, varied: dict[str, str]) -> None:
    for item in boss.results(**varied):
        for name in ("started_at", "finished_at"):
            assert format_time(parse_time(item[name])) == item[name]
        assert parse_time(item["finished_at"]) - parse_time(item["started_at"]) == item["elapsed_ms"]
        assert item["ms_per_move"] == (item["elapsed_ms"] // item["moves"] if item["moves"] else None)


def test_only_json_and_csv(admin: Admin) -> None:
    refused = admin.http.get(PATH, headers={"Accept": "text/html"})
    assert (refused.status_code, code(refused)) == (406, "not-acceptable")
    refused = admin.http.post(PATH, json={})
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    assert admin.http.get(PATH).headers["vary"] == "Accept"
