"""Leaderboards by the calendar and the clock, by examples written out: what ranks where, when, and in which order."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.api import Player, code, connect, new_player
from tests.support.clocked import Clock
from tests.support.service import Service

PATH = "/v1/leaderboards/congress"


@pytest.fixture
def players(east: Service) -> Iterator[list[Player]]:
    """Four players."""
    with ExitStack() as stack:
        found = [new_player(east.url) for _ in range(4)]
        for each in found:
            stack.enter_context(each.http)
        yield found


@pytest.fixture
def elsewhere(west: Service) -> Iterator[httpx.Client]:
    """Somebody at the other server, where it is 22 hours earlier by the clock on the wall."""
    with connect(west.url) as http:
        yield http


def draw(
    player: Player, clock: Clock, moves: int = 1, seconds: int = 0, *, undo: int = 0, **deal: str
) -> dict[str, Any]:
    """Lose a game of so many draws, in so many seconds by the service's clock; it scores nothing."""
    answer = player.http.post("/v1/games", json={"variant": "congress", "deal": deal or {"kind": "sealed"}})
    assert answer.status_code == 201, answer.text
    game = dict(answer.json())
    for _ in range(moves + undo):
        player.play(game, "draw")
    if undo:
        player.act(game, "undo", {"count": undo})
    clock.advance(1000 * seconds)
    lost = dict(player.act(game, "resign", {}).json())
    assert (lost["status"], lost["score"], lost["moves"], lost["elapsed_ms"]) == ("lost", 0, moves, 1000 * seconds)
    return lost


def page(http: httpx.Client, **filters: object) -> dict[str, Any]:
    answer = http.get(PATH, params={name: str(value) for name, value in filters.items()})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def games(http: httpx.Client, mine: list[Player], **filters: object) -> list[str]:
    """The games on a board that are of some players, in its order."""
    names = {player.name for player in mine}
    found: list[str] = []
    path = str(httpx.URL(PATH, params={name: str(value) for name, value in filters.items()} | {"limit": "200"}))
    while path:
        answer = http.get(path)
        assert answer.status_code == 200, answer.text
        found += [row["game"] for row in answer.json()["items"] if row["player"] in names]
        path = answer.links["next"]["url"] if answer.json()["next"] else ""
    return found


def test_two_who_are_equal_share_a_rank_and_the_next_is_fourth(
    players: list[Player], clock: Clock, elsewhere: httpx.Client
) -> None:
    clock.set("2024-05-06T12:00:00.000Z")
    seed = f"s{uuid4().hex}"
    a, b, c, d = players
    third = draw(c, clock, 2, 10, kind="shared", seed=seed)
    second = draw(b, clock, 2, 5, kind="shared", seed=seed)
    fourth = draw(d, clock, 3, 1, kind="shared", seed=seed)
    best = draw(a, clock, 1, 60, kind="shared", seed=seed)
    draw(a, clock, 9, 1, kind="shared", seed=seed)
    assert page(elsewhere, seed=seed) == {
        "items": [
            {
                "rank": rank,
                "player": player.name,
                "game": game["id"],
                "won": False,
                "score": 0,
                "redeals": 0,
                "moves": moves,
                "undos": 0,
                "elapsed_ms": elapsed,
                "attempt": 1,
                "finished_at": finished_at,
            }
            for rank, player, game, moves, elapsed, finished_at in (
                (1, a, best, 1, 60_000, "2024-05-06T12:01:16.000Z"),
                (2, c, third, 2, 10_000, "2024-05-06T12:00:10.000Z"),
                (2, b, second, 2, 5_000, "2024-05-06T12:00:15.000Z"),
                (4, d, fourth, 3, 1_000, "2024-05-06T12:00:16.000Z"),
            )
        ],
        "next": None,
        "total": 4,
        "resets_at": None,
    }


def test_less_time_is_better_but_for_a_seed(players: list[Player], clock: Clock, elsewhere: httpx.Client) -> None:
    clock.set("2024-05-07T12:00:00.000Z")
    a, b, *_ = players
    slow, fast = draw(a, clock, 40, 30), draw(b, clock, 40, 29)
    assert games(elsewhere, players) == [fast["id"], slow["id"]]
    ranks = [elsewhere.get(f"{PATH}/players/{each.name}").json()["row"]["rank"] for each in (b, a)]
    assert ranks[1] > ranks[0]
    # Fewer moves come before less time.
    fewer = draw(a, clock, 39, 500)
    assert games(elsewhere, players) == [fewer["id"], fast["id"]]
    seed = f"s{uuid4().hex}"
    slow, fast = draw(a, clock, 4, 30, kind="shared", seed=seed), draw(b, clock, 4, 1, kind="shared", seed=seed)
    rows = page(elsewhere, seed=seed)["items"]
    assert [(row["rank"], row["game"]) for row in rows] == [(1, slow["id"]), (1, fast["id"])]


def test_windows_are_of_the_utc_calendar_and_of_the_finish(
    players: list[Player], clock: Clock, elsewhere: httpx.Client
) -> None:
    """A Sunday that ends a month; the servers are in zones where it is another day."""
    clock.set("2024-03-31T23:59:29.999Z")
    a, b, *_ = players
    sunday = draw(a, clock, 1, 30)
    clock.set("2024-03-31T23:59:50.000Z")
    monday = draw(b, clock, 2, 10)
    assert (sunday["finished_at"], monday["finished_at"]) == ("2024-03-31T23:59:59.999Z", "2024-04-01T00:00:00.000Z")
    assert monday["started_at"] == "2024-03-31T23:59:50.000Z"
    for filters, expected, resets_at in (
        ({"window": "day", "at": "2024-03-31"}, [sunday], "2024-04-01T00:00:00.000Z"),
        ({"window": "day", "at": "2024-04-01"}, [monday], "2024-04-02T00:00:00.000Z"),
        ({"window": "day"}, [monday], "2024-04-02T00:00:00.000Z"),
        ({"window": "week", "at": "2024-03-25"}, [sunday], "2024-04-01T00:00:00.000Z"),
        ({"window": "week", "at": "2024-04-07"}, [monday], "2024-04-08T00:00:00.000Z"),
        ({"window": "month", "at": "2024-03-01"}, [sunday], "2024-04-01T00:00:00.000Z"),
        ({"window": "month"}, [monday], "2024-05-01T00:00:00.000Z"),
        ({"window": "all"}, [sunday, monday], None),
        ({}, [sunday, monday], None),
        ({"window": "day", "at": "2024-03-30"}, [], "2024-03-31T00:00:00.000Z"),
    ):
        for http in (a.http, elsewhere):
            assert games(http, players, **filters) == [game["id"] for game in expected], filters
            assert page(http, **filters)["resets_at"] == resets_at


def test_variant_wide_sealed_games_rank_and_first_attempts_at_dailies_in_time(
    players: list[Player], clock: Clock, elsewhere: httpx.Client
) -> None:
    clock.set("2024-05-08T12:00:00.000Z")
    a, b, c, d = players
    sealed = draw(a, clock, 20)
    draw(b, clock, 1, kind="shared", seed=f"s{uuid4().hex}")
    first, second = draw(c, clock, 22, kind="daily"), draw(c, clock, 2, kind="daily")
    late = d.http.post("/v1/games", json={"variant": "congress", "deal": {"kind": "daily"}}).json()
    d.play(late, "draw")
    clock.set("2024-05-09T00:00:00.000Z")
    assert d.act(late, "resign", {}).json()["ranked"] is False
    assert second["attempt"] == 2
    assert games(elsewhere, players) == [sealed["id"], first["id"]]
    # On the board of the day what ended in time ranks; unless told, first attempts alone.
    assert games(elsewhere, players, daily="2024-05-08") == [first["id"]]
    assert games(elsewhere, players, daily="2024-05-08", attempts="first") == [first["id"]]
    assert games(elsewhere, players, daily="2024-05-08", attempts="best") == [second["id"]]
    assert games(elsewhere, players, daily="2024-05-09") == []
    assert games(elsewhere, players, daily="2024-05-08", window="week", at="2024-05-06") == [first["id"]]
    assert games(elsewhere, players, daily="2024-05-08", window="day", at="2024-05-09") == []


def test_attempts_and_undo_on_a_seed(players: list[Player], clock: Clock, elsewhere: httpx.Client) -> None:
    clock.set("2024-05-10T12:00:00.000Z")
    a, b, *_ = players
    seed = f"s{uuid4().hex}"
    first = draw(a, clock, 5, kind="shared", seed=seed)
    undone = draw(a, clock, 2, kind="shared", seed=seed, undo=1)
    clean = draw(a, clock, 3, kind="shared", seed=seed)
    other = draw(b, clock, 4, kind="shared", seed=seed, undo=2)
    for filters, expected in (
        ({}, [undone, other]),
        ({"attempts": "best", "undo": "any"}, [undone, other]),
        ({"undo": "none"}, [clean]),
        ({"attempts": "first"}, [other, first]),
        ({"attempts": "first", "undo": "none"}, [first]),
        ({"rules": 1}, [undone, other]),
    ):
        assert games(elsewhere, players, seed=seed, **filters) == [game["id"] for game in expected], filters
    assert code(elsewhere.get(f"{PATH}?seed={seed}&rules=2")) == "not-found"


def test_a_row_among_its_neighbours_five_on_either_side_unless_told(
    east: Service, clock: Clock, elsewhere: httpx.Client
) -> None:
    clock.set("2024-05-11T12:00:00.000Z")
    seed = f"s{uuid4().hex}"
    names = []
    for moves in range(1, 14):
        player = new_player(east.url)
        with player.http:
            draw(player, clock, moves, kind="shared", seed=seed)
        names.append(player.name)

    def near(place: int, **filters: object) -> list[tuple[int, str]]:
        path = f"{PATH}/players/{names[place - 1]}"
        answer = elsewhere.get(path, params={"seed": seed} | {name: str(value) for name, value in filters.items()})
        found = answer.json()
        assert set(found) == {"row", "items", "total", "resets_at"}
        assert (found["row"]["player"], found["row"]["rank"], found["total"]) == (names[place - 1], place, 13)
        assert found["row"] in found["items"]
        return [(row["rank"], row["player"]) for row in found["items"]]

    def rows(start: int, end: int) -> list[tuple[int, str]]:
        return [(place, names[place - 1]) for place in range(start, end + 1)]

    assert near(7) == near(7, around=5) == rows(2, 12)
    assert near(1) == rows(1, 6)
    assert near(13) == rows(8, 13)
    assert near(7, around=0) == rows(7, 7)
    assert near(7, around=1) == rows(6, 8)
    assert near(2, around=100) == rows(1, 13)
    assert near(7, window="day", at="2024-05-11", undo="none", attempts="first") == rows(2, 12)
    gone = elsewhere.get(f"{PATH}/players/{names[0]}?seed={seed}&window=day&at=2024-05-12")
    assert code(gone) == "not-found"


def test_a_row_is_there_on_every_server_once_the_answer_is(
    players: list[Player], clock: Clock, elsewhere: httpx.Client
) -> None:
    clock.set("2024-05-12T12:00:00.000Z")
    a, *_ = players
    for number in range(10):
        seed = f"s{uuid4().hex}"
        game = draw(a, clock, 1 + number % 3, kind="shared", seed=seed)
        assert [row["game"] for row in page(elsewhere, seed=seed)["items"]] == [game["id"]]
