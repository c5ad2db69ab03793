"""Games of daily deals: the same cards for all, one running game a player, the day of the start, and what is ranked."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest

from tests.support.api import Player, code, connect, new_player
from tests.support.clocked import Clock
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query

DAILY = {"kind": "daily"}


@pytest.fixture
def player(east: Service) -> Iterator[Player]:
    someone = new_player(east.url)
    with someone.http:
        yield someone


@pytest.fixture
def other(west: Service) -> Iterator[Player]:
    """Another player, at the other server."""
    someone = new_player(west.url)
    with someone.http:
        yield someone


def ask(player: Player, variant: str = "congress", http: httpx.Client | None = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return (http or player.http).post("/v1/games", json={"variant": variant, "deal": DAILY}, headers=named)


def start(player: Player, variant: str = "congress") -> dict[str, Any]:
    answer = ask(player, variant)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def shown(player: Player, game: dict[str, Any]) -> dict[str, Any]:
    return dict(player.http.get(f"/v1/games/{game['id']}").json())


def test_everybody_plays_the_same_unknown_cards(
    player: Player, other: Player, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set("2024-06-01T10:00:00Z")
    answer = ask(player)
    mine, theirs = dict(answer.json()), start(other)
    assert answer.headers["location"] == f"/v1/games/{mine['id']}"
    assert (answer.headers["etag"], answer.headers["cache-control"]) == ('"1"', "private, no-cache")
    (committed,) = (
        item["commitment"] for item in player.http.get("/v1/daily").json()["items"] if item["variant"] == "congress"
    )
    for game in (mine, theirs):
        assert game["deal"] == {"kind": "daily", "seed": None, "commitment": committed, "date": "2024-06-01"}
        assert (game["attempt"], game["ranked"], game["status"]) == (1, True, "playing")
    ((seed,),) = query(
        clocked_postgres.admin_url, "SELECT seed FROM dailies WHERE date = '2024-06-01' AND variant = 'congress'"
    )
    opening = player.http.get(f"/v1/variants/congress/deals/{seed}").json()
    assert mine["piles"] == theirs["piles"] == opening["piles"]
    for game, owner in ((mine, player), (theirs, other)):
        for _ in range(3):
            game |= owner.play(game, "draw")
    assert mine["piles"] == theirs["piles"]
    assert start(player, "forty-thieves")["deal"]["commitment"] != committed


def test_of_each_daily_a_player_has_one_running_game(player: Player, other: Player, clock: Clock) -> None:
    clock.set("2024-06-02T10:00:00Z")
    first = start(player)
    refused = ask(player)
    assert (refused.status_code, code(refused), refused.json()["game"]) == (409, "already-playing", first["id"])
    assert start(player, "court")["attempt"] == start(other)["attempt"] == 1
    player.play(first, "draw")
    assert ask(player).json()["game"] == first["id"]
    player.act(first, "resign", {})
    second = start(player)
    assert second["attempt"] == 2
    assert ask(player).json()["game"] == second["id"]
    clock.set("2024-06-03T00:00:00Z")
    tomorrows = start(player)
    assert (tomorrows["deal"]["date"], tomorrows["attempt"]) == ("2024-06-03", 1)
    assert shown(player, second)["status"] == "playing"
    player.act(second, "resign", {})
    assert ask(player).json()["game"] == tomorrows["id"]


@pytest.mark.parametrize("servers", [1, 2])
def test_games_of_a_daily_that_are_asked_for_at_once(
    east: Service, west: Service, player: Player, clock: Clock, servers: int
) -> None:
    clock.set(f"2024-06-1{servers}T10:00:00Z")
    ends = [connect(url, player.token) for url in ([east.url, west.url][:servers] * 6)[:6]]
    for attempt in range(1, 11):
        barrier = Barrier(len(ends))

        def post(end: httpx.Client, barrier: Barrier = barrier) -> httpx.Response:
            barrier.wait()
            return ask(player, http=end)

        with ThreadPoolExecutor(len(ends)) as pool:
            answers = list(pool.map(post, ends))
        (won,) = (answer.json() for answer in answers if answer.status_code == 201)
        assert won["attempt"] == attempt
        refused = [answer for answer in answers if answer.is_error]
        assert {(code(answer), answer.json()["game"]) for answer in refused} == {("already-playing", won["id"])}
        player.act(won, "resign", {})
    assert len(player.http.get(f"/v1/games?player={player.name}").json()["items"]) == 10
    for end in ends:
        end.close()


def test_a_repeated_start_gets_the_same_answer_whenever_and_wherever(
    player: Player, west: Service, clock: Clock
) -> None:
    clock.set("2024-06-13T23:59:59.999Z")
    first = ask(player, Idempotency_Key="daily")
    assert first.status_code == 201
    with connect(west.url, player.token) as elsewhere:

        def repeats() -> None:
            again = ask(player, http=elsewhere, Idempotency_Key="daily")
            assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
            assert again.content == first.content
            for name in ("etag", "location", "cache-control"):
                assert again.headers[name] == first.headers[name]

        repeats()
        player.play(first.json(), "draw")
        repeats()
        player.act(first.json(), "resign", {})
        repeats()
        clock.advance(1)
        repeats()
        assert start(player)["deal"]["date"] == "2024-06-14"
        repeats()
        # A refusal wrote nothing: the key is free, and the request is judged anew.
        running = ask(player, Idempotency_Key="second").json()["game"]
        player.act({"id": running}, "resign", {})
        assert ask(player, Idempotency_Key="second").json()["attempt"] == 2


def test_two_with_one_key_at_once_start_one_game(player: Player, west: Service, clock: Clock) -> None:
    clock.set("2024-06-15T10:00:00Z")
    with connect(west.url, player.token) as elsewhere, ThreadPoolExecutor(2) as pool:
        for number in range(10):
            barrier = Barrier(2)

            def post(end: httpx.Client, number: int = number, barrier: Barrier = barrier) -> httpx.Response:
                barrier.wait()
                return ask(player, http=end, Idempotency_Key=f"k{number}")

            answers = list(pool.map(post, (player.http, elsewhere)))
            assert {answer.status_code for answer in answers} == {201}
            assert answers[0].content == answers[1].content
            assert sum("idempotency-replayed" in answer.headers for answer in answers) == 1
            player.act(answers[0].json(), "resign", {})


def test_a_game_started_in_the_last_millisecond_belongs_to_that_day_and_goes_on_after_it(
    player: Player, clock: Clock
) -> None:
    clock.set("2024-06-20T23:59:59.999Z")
    game = start(player)
    assert (game["deal"]["date"], game["started_at"]) == ("2024-06-20", "2024-06-20T23:59:59.999Z")
    assert game["ranked"] is True
    clock.advance(1)
    later = shown(player, game)
    assert (later["status"], later["ranked"], later["version"]) == ("playing", False, 1)
    assert later["deal"]["seed"]
    assert start(player)["deal"]["date"] == "2024-06-21"
    played = player.play(game, "draw", "draw")
    assert (played["version"], played["ranked"]) == (3, False)
    over = player.act(game, "resign", {}).json()
    assert (over["status"], over["ranked"], over["deal"]["seed"]) == ("lost", False, later["deal"]["seed"])


def test_what_is_ranked(player: Player, clock: Clock) -> None:
    clock.set("2024-06-22T12:00:00Z")
    untouched = start(player, "court")
    abandoned = player.act(untouched, "resign", {}).json()
    assert (abandoned["status"], abandoned["ranked"]) == ("abandoned", False)
    later = start(player, "court")
    assert (later["attempt"], later["ranked"]) == (2, False)
    first = start(player)
    running = start(player, "forty-thieves")
    late = start(player, "dolgiy")
    for game in (first, running, late):
        assert player.play(game, game["legal_moves"][0])["ranked"] is True
    clock.set("2024-06-22T23:59:59.999Z")
    assert player.act(first, "resign", {}).json()["ranked"] is True
    again = start(player)
    assert again["ranked"] is False
    clock.advance(1)
    assert player.act(late, "resign", {}).json()["ranked"] is False
    expected = {first["id"]: True, running["id"]: False, late["id"]: False, again["id"]: False, later["id"]: False}
    for id_, ranked in expected.items():
        game = player.http.get(f"/v1/games/{id_}").json()
        assert game["ranked"] is ranked
        assert player.http.get(f"/v1/games/{id_}?at=1").json()["ranked"] is ranked
    listed = player.http.get(f"/v1/games?player={player.name}").json()["items"]
    assert {game["id"]: game["ranked"] for game in listed} == expected | {untouched["id"]: False}
    sealed, shared = player.start("congress"), player.start("congress", "hello")
    assert (sealed["ranked"], shared["ranked"]) == (True, False)


def test_attempts_are_counted_over_all_kinds_and_never_renumbered(player: Player, clock: Clock) -> None:
    clock.set("2024-06-24T12:00:00Z")
    games = []
    for number in (1, 2, 3):
        games.append(start(player))
        assert games[-1]["attempt"] == number
        player.act(games[-1], "resign", {})
    clock.set("2024-06-25T00:00:00Z")
    seed = shown(player, games[0])["deal"]["seed"]
    assert player.start("congress", seed)["attempt"] == 4
    assert player.start("court", seed)["attempt"] == 1
    assert [shown(player, game)["attempt"] for game in games] == [1, 2, 3]


def test_a_move_that_turns_up_cards_comes_last_until_the_seed_has_opened(player: Player, clock: Clock) -> None:
    clock.set("2024-06-26T23:59:59.999Z")
    game = start(player)
    for moves in (["draw", "draw"], ["draw", "t1-t1"]):
        refused = player.act(game, "moves", {"moves": moves})
        assert (code(refused), [fault["path"] for fault in refused.json()["errors"]]) == (
            "invalid-request",
            ["body.moves[0]"],
        )
    assert player.play(game, "draw")["version"] == 2
    clock.advance(1)
    assert player.play(game, "draw", "draw", "draw")["version"] == 5
    refused = player.act(game, "moves", {"moves": ["draw", "t1-t1"]})
    assert (code(refused), refused.json()["index"]) == ("illegal-move", 1)
