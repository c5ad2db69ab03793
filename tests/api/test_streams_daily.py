"""Streams of a daily's game: its owner's until the day is over, with a message when its seed opens."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.api import Player, code, connect, new_player
from tests.support.clocked import Clock
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.streams import Message, streaming, whole

WITHIN = 5.0
"""Seconds within which the opening of a seed is told, less than from one comment to the next."""


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


def start(player: Player) -> dict[str, Any]:
    answer = player.http.post("/v1/games", json={"variant": "congress", "deal": {"kind": "daily"}})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def seed_of(postgres: Postgres, game: dict[str, Any]) -> str:
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    assert isinstance(seed, str)
    return seed


@pytest.mark.parametrize("is_over", [False, True])
def test_until_its_day_is_over_a_stream_is_its_owners(
    player: Player, other: Player, west: Service, clock: Clock, is_over: bool
) -> None:
    clock.set("2024-09-01T12:00:00Z" if is_over else "2024-09-03T12:00:00Z")
    game = player.play(start(player), "draw")
    if is_over:
        player.act(game, "resign", {})
    path = f"/v1/games/{game['id']}/stream"
    with connect(west.url) as nobody:
        for stranger in (nobody, other.http):
            for last in (None, "0", "1", str(game["version"]), "99"):
                headers = {} if last is None else {"Last-Event-ID": last}
                refused = stranger.get(path, headers=headers)
                assert (refused.status_code, code(refused)) == (403, "deal-sealed")
                assert refused.json()["until"] == clock_day_after(clock)
            assert stranger.head(path).status_code == 403


def clock_day_after(clock: Clock) -> str:
    day = str(clock)[:10]
    return f"{day[:-2]}{int(day[-2:]) + 1:02}T00:00:00.000Z"


def test_the_owner_hears_by_the_token_and_no_seed(
    player: Player, west: Service, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set("2024-09-05T12:00:00Z")
    game = start(player)
    with streaming(west.url, game["id"], token=player.token) as reader:
        assert reader.response.headers["cache-control"] == "private, no-cache"
        assert reader.response.headers["vary"] == "Authorization"
        heard = [reader.next()]
        player.play(game, "draw")
        player.play(game, "draw")
        heard += reader.upto(3)
        player.act(game, "resign", {})
        heard += reader
    assert heard[-1] == Message(None, "end", {})
    assert seed_of(clocked_postgres, game) not in str(heard)
    assert {message.game["deal"]["seed"] for message in heard[:-1]} == {None}


@pytest.mark.parametrize("resumed", [False, True])
def test_the_opening_of_the_seed_is_a_message_without_events(
    player: Player, east: Service, west: Service, clock: Clock, clocked_postgres: Postgres, resumed: bool
) -> None:
    day = "2024-10-03" if resumed else "2024-10-01"
    clock.set(f"{day}T23:59:59.700Z")
    game = player.play(start(player), "draw")
    last = 2 if resumed else None
    with (
        streaming(east.url, game["id"], last, token=player.token) as here,
        streaming(west.url, game["id"], last, token=player.token) as there,
    ):
        if not resumed:
            assert here.next().game["deal"]["seed"] is None
            assert there.next().game["deal"]["seed"] is None
        clock.set(f"{day[:-1]}{int(day[-1]) + 1}T00:00:00.000Z")
        begun = time.monotonic()
        seed = seed_of(clocked_postgres, game)
        now = player.http.get(f"/v1/games/{game['id']}").json()
        assert (now["deal"]["seed"], now["ranked"]) == (seed, False)
        for reader in (here, there):
            assert reader.next() == Message(2, "game", {"events": [], "game": now})
        assert time.monotonic() - begun < WITHIN
        player.play(game, "draw")
        for reader in (here, there):
            assert reader.next().seqs == [3]


def test_once_it_has_opened_anybody_hears(player: Player, west: Service, clock: Clock) -> None:
    clock.set("2024-10-05T20:00:00Z")
    game = player.play(start(player), "draw")
    clock.set("2024-10-06T00:00:00Z")
    now = player.http.get(f"/v1/games/{game['id']}").json()
    with streaming(west.url, game["id"]) as reader:
        assert reader.response.headers["cache-control"] == "no-cache"
        assert reader.next() == Message(2, "game", {"events": [], "game": now})
        player.play(game, "draw")
        assert reader.next().seqs == [3]


def test_who_comes_back_after_the_opening_is_told_of_it(player: Player, west: Service, clock: Clock) -> None:
    clock.set("2024-10-08T20:00:00Z")
    game = player.play(
        start(player),
        "draw",
    )
    clock.set("2024-10-09T01:00:00Z")
    with streaming(west.url, game["id"], 2) as reader:
        opening = reader.next()
        assert (opening.id, opening.data["events"]) == (2, [])
        assert opening.game["deal"]["seed"] is not None
    with streaming(west.url, game["id"], 1) as reader:
        message = reader.next()
        assert (message.id, message.seqs) == (2, [2])
        assert message.game["deal"]["seed"] is not None
        player.play(game, "draw")
        assert reader.next().seqs == [3]


def test_a_game_that_ended_before_its_day_did(player: Player, west: Service, clock: Clock) -> None:
    clock.set("2024-10-11T20:00:00Z")
    game = player.play(start(player), "draw")
    player.act(game, "resign", {})
    path = f"{west.url}/v1/games/{game['id']}/stream"
    (message,) = whole(west.url, game["id"], token=player.token)
    assert message.game["deal"]["seed"] is None
    own = {"Authorization": f"Bearer {player.token}", "Last-Event-ID": "3"}
    assert httpx.get(path, headers=own).status_code == 204
    clock.set("2024-10-12T00:00:00Z")
    (message,) = whole(west.url, game["id"])
    assert message.game["deal"]["seed"] is not None
    assert [message.seqs for message in whole(west.url, game["id"], 1)] == [[2, 3]]
    # Nothing follows: the opening is no event.
    assert httpx.get(path, headers={"Last-Event-ID": "3"}).status_code == 204


def test_a_token_that_is_revoked_hears_no_more(player: Player, west: Service, clock: Clock) -> None:
    clock.set("2024-10-14T12:00:00Z")
    game = start(player)
    second = player.http.post("/v1/tokens", json={"label": "elsewhere"}).json()
    with (
        streaming(west.url, game["id"], token=second["token"]) as revoked,
        streaming(west.url, game["id"], token=player.token) as own,
    ):
        assert revoked.next().id == own.next().id == 1
        player.play(game, "draw")
        assert revoked.next().seqs == own.next().seqs == [2]
        assert player.http.delete(f"/v1/tokens/{second['id']}").status_code == 204
        player.play(game, "draw")
        assert own.next().seqs == [3]
        assert list(revoked) == []
