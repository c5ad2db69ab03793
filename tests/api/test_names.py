"""A guest takes a name: once, and for good."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx
import pytest

from tests.support.api import Player, code, connect, faults, new_player
from tests.support.service import Service


def a_name(start: str = "Anna") -> str:
    return f"{start}-{uuid4().int % 10**12}"


@pytest.fixture
def guest(service: Service, http: httpx.Client) -> Iterator[Player]:
    made = http.post("/v1/players", json={}).json()
    with connect(service.url, made["token"]) as client:
        yield Player(made["name"], made["token"], client)


def test_a_guest_takes_a_name(guest: Player, http: httpx.Client) -> None:
    before = guest.http.get("/v1/players/me").json()
    name = a_name()
    named = guest.http.patch("/v1/players/me", json={"name": name})
    assert named.status_code == 200
    assert named.headers["cache-control"] == "private, no-cache"
    assert named.json() == {**before, "name": name, "guest": False}
    assert guest.http.get("/v1/players/me").json() == named.json()
    assert http.get(f"/v1/players/{name.upper()}").json() == named.json()
    assert code(http.get(f"/v1/players/{guest.name}")) == "not-found"


def test_a_name_is_taken_once(guest: Player, player: Player) -> None:
    name = a_name()
    for wanted, expected in ((name, 200), (name, 200), (name.upper(), 409), (a_name(), 409), (player.name, 409)):
        answer = guest.http.patch("/v1/players/me", json={"name": wanted})
        assert answer.status_code == expected
        assert answer.is_success or code(answer) == "name-fixed"
    assert guest.http.get("/v1/players/me").json()["name"] == name
    assert code(player.http.patch("/v1/players/me", json={"name": a_name()})) == "name-fixed"


def test_a_name_that_is_taken_leaves_a_guest(guest: Player, player: Player) -> None:
    taken = guest.http.patch("/v1/players/me", json={"name": player.name.upper()})
    assert (taken.status_code, code(taken)) == (409, "name-taken")
    assert guest.http.get("/v1/players/me").json()["guest"] is True
    assert guest.http.patch("/v1/players/me", json={"name": a_name()}).status_code == 200


@pytest.mark.parametrize(
    "name", ["ab", "a" * 25, "1ab", "annaж", "ann a", "me", "ADMIN", "guest-anna", "deleted-1", ""]
)
def test_a_name_that_cannot_be(guest: Player, name: str) -> None:
    assert list(faults(guest.http.patch("/v1/players/me", json={"name": name}))) == ["body.name"]


@pytest.mark.parametrize("body", [{}, {"name": None}, {"name": "anna1", "guest": True}, {"nick": "anna1"}])
def test_a_name_is_all_that_is_taken(guest: Player, body: object) -> None:
    assert faults(guest.http.patch("/v1/players/me", json=body))
    assert guest.http.get("/v1/players/me").json()["guest"] is True


def test_nobody_takes_a_name_for_another(http: httpx.Client) -> None:
    assert code(http.patch("/v1/players/me", json={"name": a_name()})) == "unauthenticated"


def test_the_games_of_a_player_show_the_new_name(guest: Player, http: httpx.Client) -> None:
    game = guest.start("court", seed="names")
    path = f"/v1/games/{game['id']}"
    old = http.get(path)
    assert (old.headers["etag"], old.json()["player"]) == ('"1"', guest.name)
    name = a_name("Анна")
    assert guest.http.patch("/v1/players/me", json={"name": name}).status_code == 200
    new = http.get(path, headers={"If-None-Match": old.headers["etag"]})
    assert (new.status_code, new.headers["etag"]) == (200, '"1.1"')
    assert new.json() == {**old.json(), "player": name}
    assert http.get(path, headers={"If-None-Match": '"1.1"'}).status_code == 304
    assert http.get(f"{path}?at=1").json()["player"] == name
    listed = http.get("/v1/games", params={"player": name}).json()["items"]
    assert [(each["id"], each["player"]) for each in listed] == [(game["id"], name)]
    assert http.get("/v1/games", params={"player": guest.name}).json()["items"] == []
    assert f'[Player "{name}"]' in http.get(f"{path}/record").text
    moved = guest.act(game, "moves", {"moves": game["legal_moves"][:1]}, If_Match='"1"')
    assert (moved.status_code, moved.headers["etag"]) == (200, '"2.1"')


def test_a_name_goes_to_one_of_the_guests_who_ask_at_once(service: Service, http: httpx.Client) -> None:
    tokens = [http.post("/v1/players", json={}).json()["token"] for _ in range(8)]
    name = a_name()

    def ask(token: str) -> int:
        with connect(service.url, token) as guest:
            return guest.patch("/v1/players/me", json={"name": name}).status_code

    with ThreadPoolExecutor(len(tokens)) as threads:
        assert sorted(threads.map(ask, tokens)) == [200, *[409] * 7]


def test_a_player_who_was_made_with_a_name_has_it(service: Service) -> None:
    named = new_player(service.url)
    with named.http:
        assert named.http.patch("/v1/players/me", json={"name": named.name}).status_code == 200
        assert named.http.get("/v1/players/me").json()["name"] == named.name
