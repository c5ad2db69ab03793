"""What shows of a daily's game: to its owner alone until its day is over, and its seed to nobody until then."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.api import Player, code, connect, new_player
from tests.support.clocked import Clock
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query

SHOWING = ("", "?at=1", "/events", "/replay", "/record", "/board.svg", "/board.svg?at=1")
TAGGED = ("", "?at=1", "/record", "/board.svg")


@pytest.fixture
def player(east: Service) -> Iterator[Player]:
    someone = new_player(east.url)
    with someone.http:
        yield someone


@pytest.fixture
def other(west: Service) -> Iterator[Player]:
    someone = new_player(west.url)
    with someone.http:
        yield someone


@pytest.fixture
def http(west: Service) -> Iterator[httpx.Client]:
    """Somebody without a token."""
    with connect(west.url) as client:
        yield client


def start(player: Player, variant: str = "congress") -> dict[str, Any]:
    answer = player.http.post("/v1/games", json={"variant": variant, "deal": {"kind": "daily"}})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def seed_of(postgres: Postgres, game: dict[str, Any]) -> str:
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    assert isinstance(seed, str)
    return seed


@pytest.mark.parametrize(
    ("day", "next_day", "is_over"), [("2024-07-01", "2024-07-02", False), ("2024-02-29", "2024-03-01", True)]
)
def test_until_its_day_is_over_a_game_is_its_owners(
    player: Player, other: Player, http: httpx.Client, clock: Clock, day: str, next_day: str, is_over: bool
) -> None:
    clock.set(f"{day}T09:00:00Z")
    game = player.play(start(player), "draw")
    # Who has finished the same daily sees no more of others than before.
    other.act(other.play(start(other), "draw"), "resign", {})
    if is_over:
        player.act(game, "resign", {})
    path = f"/v1/games/{game['id']}"
    for moment in (f"{day}T09:00:00Z", f"{day}T23:59:59.999Z"):
        clock.set(moment)
        for rest in SHOWING:
            for stranger in (http, other.http):
                refused = stranger.get(path + rest)
                assert (refused.status_code, code(refused)) == (403, "deal-sealed")
                assert refused.json()["until"] == f"{next_day}T00:00:00.000Z"
                assert stranger.head(path + rest).status_code == 403
            own = player.http.get(path + rest)
            assert own.status_code == 200
            assert own.headers["cache-control"] == "private, no-cache"
            assert "Authorization" in own.headers["vary"]
        for rest in TAGGED:
            assert code(http.get(path + rest, headers={"If-None-Match": "*"})) == "deal-sealed"
    assert code(http.get(f"{path}?at=99")) == "deal-sealed"
    assert code(player.http.get(f"{path}?at=99")) == "not-found"
    assert code(other.act(game, "moves", {"moves": ["draw"]})) == "forbidden"
    clock.set(f"{next_day}T00:00:00.000Z")
    for rest in SHOWING:
        answers = [client.get(path + rest) for client in (http, other.http, player.http)]
        assert {answer.status_code for answer in answers} == {200}
        assert {answer.headers["cache-control"] for answer in answers} == {"no-cache"}
        assert len({answer.content for answer in answers}) == 1


def test_the_seed_is_hidden_from_the_owner_too_whatever_is_asked_and_opens_with_the_day(
    player: Player, other: Player, clock: Clock, clocked_postgres: Postgres, east: Service
) -> None:
    clock.set("2024-07-05T23:59:58.000Z")
    said: list[str] = []
    game = start(player, "vokzal-52")
    seed = seed_of(clocked_postgres, game)
    player.http.event_hooks["response"].append(lambda answer: said.append(f"{answer.headers}{answer.text}"))
    for number, move in enumerate(("draw", "redeal", "x-y", "hop")):
        player.act(game, "moves", {"moves": [move]}, Idempotency_Key=f"{number}")
        player.act(game, "moves", {"moves": [move]}, Idempotency_Key=f"{number}")
    player.act(game, "undo", {})
    player.act(game, "redo", {})
    path = f"/v1/games/{game['id']}"

    def look() -> None:
        for rest in (*SHOWING, "?at=2", "?x=1"):
            player.http.get(path + rest)
        player.http.get(f"{path}/replay", headers={"Accept": "application/x-ndjson"})
        for query_ in ("", f"?player={player.name}", f"?seed={seed}", "?variant=vokzal-52"):
            player.http.get(f"/v1/games{query_}")
        for day in ("", "?date=2024-07-05", "?date=2024-07-04", "?date=2024-07-12"):
            player.http.get(f"/v1/daily{day}")

    look()
    over = player.act(game, "resign", {}).json()
    assert (over["status"], over["deal"]["seed"]) == ("lost", None)
    look()
    again = player.act(over, "resign", {}).json()
    assert again["code"] == "game-over"
    # The one list that is asked for by the seed has it in its own address.
    assert not [each for each in said if seed in each.replace(f"seed={seed}", "")]
    assert len(said) > 40
    assert seed not in east.log
    clock.set("2024-07-06T00:00:00Z")
    for rest in ("", "?at=1", "?at=2"):
        assert player.http.get(path + rest).json()["deal"]["seed"] == seed
        assert other.http.get(path + rest).json()["deal"]["seed"] == seed
    assert f'[Seed "{seed}"]' in other.http.get(f"{path}/record").text


def test_the_tag_tells_that_the_seed_has_opened(player: Player, http: httpx.Client, clock: Clock) -> None:
    clock.set("2024-07-08T23:59:59.999Z")
    game = player.play(start(player), "draw")
    path = f"/v1/games/{game['id']}"
    for rest in TAGGED:
        assert player.http.get(path + rest).headers["etag"] == '"2"'
        assert player.http.get(path + rest, headers={"If-None-Match": '"2"'}).status_code == 304
        assert player.http.get(path + rest, headers={"If-None-Match": '"2r"'}).status_code == 200
    clock.advance(1)
    for rest in TAGGED:
        for client in (player.http, http):
            opened = client.get(path + rest, headers={"If-None-Match": '"2"'})
            assert (opened.status_code, opened.headers["etag"]) == (200, '"2r"')
            kept = client.get(path + rest, headers={"If-None-Match": 'W/"2r"'})
            assert (kept.status_code, kept.headers["etag"], kept.headers["cache-control"]) == (304, '"2r"', "no-cache")
    for tag, status in (('"1r"', 412), ('"2r"', 200), ('"3"', 200), ('"3r"', 412)):
        answer = player.act(game, "moves", {"moves": ["draw"]}, If_Match=tag)
        assert answer.status_code == status
        if status == 200:
            game = answer.json()
            assert answer.headers["etag"] == f'"{game["version"]}r"'
    sealed = player.start("congress")
    assert player.http.get(f"/v1/games/{sealed['id']}").headers["etag"] == '"1"'


def ids(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [game["id"] for game in answer.json()["items"]]


def test_lists_leave_out_what_the_viewer_may_not_see(
    player: Player, other: Player, http: httpx.Client, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set("2024-07-10T10:00:00Z")
    daily, theirs = start(player), start(other)
    clock.advance(1)
    sealed = player.start("congress")
    seed = seed_of(clocked_postgres, daily)
    by_player, by_seed = f"/v1/games?player={player.name}", f"/v1/games?seed={seed}"
    for stranger in (http, other.http):
        assert ids(stranger.get(by_player)) == [sealed["id"]]
        assert stranger.get(by_player).headers["cache-control"] == "no-cache"
        assert daily["id"] not in ids(stranger.get("/v1/games?variant=congress&status=playing&limit=200"))
    mine = player.http.get(by_player)
    assert ids(mine) == [sealed["id"], daily["id"]]
    assert mine.headers["cache-control"] == "private, no-cache"
    assert [game["deal"]["seed"] for game in mine.json()["items"]] == [None, None]
    assert theirs["id"] not in ids(player.http.get("/v1/games?limit=200"))
    for client in (player.http, other.http, http):
        assert ids(client.get(by_seed)) == []
    player.act(daily, "resign", {})
    assert ids(http.get(by_player)) == [sealed["id"]]
    clock.set("2024-07-11T00:00:00Z")
    for client in (player.http, other.http, http):
        assert ids(client.get(by_player)) == [sealed["id"], daily["id"]]
        assert client.get(by_player).headers["cache-control"] == "no-cache"
        assert set(ids(client.get(by_seed))) == {daily["id"], theirs["id"]}
        assert ids(client.get(f"{by_seed}&status=playing")) == [theirs["id"]]


def test_pages_are_full_and_miss_nothing_where_games_are_left_out(player: Player, other: Player, clock: Clock) -> None:
    clock.set("2024-07-12T10:00:00Z")
    visible = []
    for variant in ("congress", "court", "dolgiy", "forty-thieves", "vokzal-36"):
        start(player, variant)
        for _ in range(2):
            clock.advance(1)
            visible.append(player.start(variant)["id"])
        clock.advance(1)
    met: list[str] = []
    sizes = []
    path = f"/v1/games?player={player.name}&limit=3"
    while path:
        answer = other.http.get(path)
        sizes.append(len(answer.json()["items"]))
        met += ids(answer)
        path = answer.links["next"]["url"] if answer.json()["next"] else ""
    assert sizes == [3, 3, 3, 1]
    assert met == visible[::-1]
    assert len(ids(player.http.get(f"/v1/games?player={player.name}"))) == 15


def verified(http: httpx.Client, record: str) -> httpx.Response:
    return http.post("/v1/records/verify", json={"record": record, "frames": True})


def test_a_record_of_a_sealed_daily_is_refused_whatever_it_says(
    player: Player, http: httpx.Client, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set("2024-07-15T10:00:00Z")
    game = player.play(start(player), "draw")
    seed = seed_of(clocked_postgres, game)
    record = player.http.get(f"/v1/games/{game['id']}/record").text
    assert '[Deal "daily"]\n[Date "2024-07-15"]\n[Commitment "' in record
    commitment = game["deal"]["commitment"]
    told = record.replace("[Commitment", f'[Seed "{seed}"]\n[Commitment')
    guesses = [
        record,
        record.replace('[Deal "daily"]', '[Deal "sealed"]'),
        told,
        told.replace('[Deal "daily"]', '[Deal "shared"]'),
        told.replace("congress", "forty-thieves").replace(f'[Commitment "{commitment}"]\n', ""),
        told.replace("2024-07-15", "2020-01-01"),
        f'[Pasyans "1"]\n[Variant "congress"]\n[Rules "1"]\n[Deal "shared"]\n[Seed "{seed}"]\n\ndraw draw',
    ]
    for text in guesses:
        for client in (http, player.http):
            refused = verified(client, text)
            assert (code(refused), refused.json()["until"]) == ("deal-sealed", "2024-07-16T00:00:00.000Z"), text
    forged = told.replace(f'[Commitment "{commitment}"]\n', "").replace(seed, "grandma")
    assert verified(http, forged).json()["until"] == "2024-07-16T00:00:00.000Z"
    ahead = '[Pasyans "1"]\n[Variant "congress"]\n[Rules "1"]\n[Deal "daily"]\n[Date "2024-08-30"]\n\ndraw'
    assert verified(http, ahead).json()["until"] == "2024-08-31T00:00:00.000Z"
    clock.set("2024-07-16T00:00:00Z")
    stale = verified(http, record).json()
    assert (stale["valid"], stale["line"], stale["game"]) == (False, 4, None)
    assert "get the record anew" in stale["detail"]
    fresh = verified(http, http.get(f"/v1/games/{game['id']}/record").text).json()
    assert (fresh["valid"], fresh["game"]["deal"]["date"]) == (True, "2024-07-15")
    assert fresh["game"]["piles"] == game["piles"]
    other = verified(http, forged).json()
    assert (other["valid"], other["line"], other["game"]) == (False, 6, None)
    expected = f"This is not the seed of the daily deal of 2024-07-15, whose commitment is {commitment}."
    assert other["detail"] == expected
    assert verified(http, forged.replace("draw", "t1-t1")).json()["detail"] == expected
    assert verified(http, forged.replace('[Rules "1"]', '[Rules "9"]')).json()["line"] == 3
    # Nobody drew a deal here on that day: another service may have.
    assert verified(http, forged.replace("2024-07-15", "2020-01-01")).json()["valid"]


@pytest.mark.parametrize("date", ["", '[Date "2024-02-30"]\n', '[Date "soon"]\n'])
def test_a_record_of_a_daily_has_its_day(http: httpx.Client, clock: Clock, date: str) -> None:
    clock.set("2024-07-20T10:00:00Z")
    text = f'[Pasyans "1"]\n[Variant "congress"]\n[Rules "1"]\n[Deal "daily"]\n{date}\ndraw'
    judged = verified(http, text).json()
    assert (judged["valid"], judged["line"]) == (False, 5 if date else 4)
    assert "ate" in judged["detail"]
