"""What a server knows of a game and of its player is used to be quick, and never to be wrong.

A second server on the same database does what the first can't know of; the first then answers as if it had.
"""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.admins import Admin
from tests.support.api import Player, code, connect, faults
from tests.support.postgres import Postgres
from tests.support.service import Service, serving
from tests.support.streams import ENDLESS, endless

SEED = "hello"


@pytest.fixture(scope="module")
def elsewhere(postgres: Postgres, service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Another server on the same database, with two workers."""
    assert service.url
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_WORKERS": "2",
    }
    with serving(tmp_path_factory.mktemp("elsewhere") / "log", settings) as process:
        yield process


@pytest.fixture
def far(player: Player, elsewhere: Service) -> Iterator[Player]:
    """The same player at the other server."""
    with connect(elsewhere.url, player.token) as http:
        yield Player(player.name, player.token, http)


def known(player: Player, *moves: str) -> dict[str, Any]:
    """A game of which the player's server knows how it stands."""
    return player.play(player.start(ENDLESS, SEED), *(moves or ("draw",)))


def shown(at: Player, game: dict[str, Any]) -> dict[str, Any]:
    """A game as a server shows it."""
    answer = at.http.get(f"/v1/games/{game['id']}")
    assert answer.headers["etag"] == f'"{answer.json()["version"]}"'
    return dict(answer.json())


def test_a_game_whose_moves_go_through_two_servers_in_turn(player: Player, far: Player) -> None:
    game = player.start(ENDLESS, SEED)
    for number, (at, move) in enumerate(zip(cycle((player, far, far, player, far)), islice(endless(SEED), 60)), 2):
        played = at.play(game, move)
        assert played["version"] == number
        assert [event["seq"] for event in played.pop("events")] == [number]
        assert shown(player, game) == shown(far, game) == played


def test_a_move_that_only_the_present_position_allows(player: Player, far: Player) -> None:
    game = known(player)
    assert far.act(game, "undo", {}).status_code == 200
    refused = player.act(game, "undo", {})
    assert (code(refused), refused.json()["available"]) == ("nothing-to-undo", 0)
    assert far.act(game, "redo", {}).status_code == 200
    assert player.act(game, "undo", {}).json()["version"] == 5


def test_a_refusal_tells_of_the_present_position(player: Player, far: Player) -> None:
    game = known(player)
    there = far.play(game, "draw")
    refused = player.act(game, "moves", {"moves": ["t1-t1"]})
    assert (code(refused), refused.json()["legal_moves"]) == ("illegal-move", there["legal_moves"])
    here = player.act(game, "moves", {"moves": ["draw", "draw"]})
    assert (here.status_code, here.json()["version"]) == (200, 5)


def test_a_condition_is_held_against_the_present_version(player: Player, far: Player) -> None:
    game = known(player)
    far.play(game, "draw")
    stale = player.act(game, "moves", {"moves": ["draw"]}, If_Match='"2"')
    assert (code(stale), stale.json()["version"]) == ("stale-version", 3)
    game = known(player)
    far.play(game, "draw")
    assert player.play(game, "draw", If_Match='"3"')["version"] == 4


def test_a_game_that_ended_elsewhere_is_over(player: Player, far: Player, admin: Admin) -> None:
    game = known(player)
    assert far.act(game, "resign", {}).json()["status"] == "lost"
    for action, body in (("moves", {"moves": ["draw"]}), ("undo", {}), ("redo", {}), ("resign", {})):
        assert code(player.act(game, action, body)) == "game-over"
    assert admin.judge(game, "void").status_code == 200
    assert code(player.act(game, "moves", {"moves": ["draw"]})) == "game-over"
    assert (shown(player, game)["status"], shown(far, game)["status"]) == ("void", "void")
    assert admin.judge(game, "restore").status_code == 200
    assert (shown(player, game)["status"], shown(far, game)["version"]) == ("lost", 5)


def test_the_same_key_at_two_servers_is_used_once(player: Player, far: Player) -> None:
    game = known(player)
    first = far.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="one")
    again = player.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="one")
    assert again.content == first.content
    assert again.headers["idempotency-replayed"] == "true"
    mismatch = player.act(game, "moves", {"moves": ["draw", "draw"]}, Idempotency_Key="one")
    assert code(mismatch) == "idempotency-mismatch"
    assert shown(player, game)["version"] == 3


def test_another_player_is_refused_a_game_that_is_known(player: Player, other: Player) -> None:
    game = known(player)
    known(other)
    for action, body in (("moves", {"moves": ["draw"]}), ("undo", {}), ("resign", {})):
        assert code(other.act(game, action, body)) == "forbidden"
    assert shown(player, game)["version"] == 2


ASKED = [
    ("moves", {"moves": ["draw"]}),
    ("moves", {"moves": ["t1-t1"]}),
    ("moves", {"moves": []}),
    ("undo", {}),
    ("undo", {"count": 99}),
    ("redo", {"count": 1}),
    ("resign", {}),
]


@pytest.mark.parametrize(("action", "body"), ASKED)
def test_a_token_that_was_revoked_elsewhere_ends_at_once(
    player: Player, far: Player, service: Service, action: str, body: object
) -> None:
    made = player.http.post("/v1/tokens", json={"label": "a"}).json()
    with connect(service.url, made["token"]) as http:
        device = Player(player.name, made["token"], http)
        game = known(device)
        done = device.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="done")
        assert done.status_code == 200
        assert far.http.delete(f"/v1/tokens/{made['id']}").status_code == 204
        for headers in ({}, {"If_Match": '"1"'}, {"Idempotency_Key": f"{uuid4()}"}, {"Accept": "text/csv"}):
            refused = device.act(game, action, body, **headers)
            assert (refused.status_code, code(refused)) == (401, "unauthenticated")
        again = device.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="done")
        assert (again.status_code, code(again)) == (401, "unauthenticated")
        assert device.http.get(f"/v1/games/{game['id']}").status_code == 401
    assert shown(player, game)["version"] == 3


def test_a_faulty_request_of_a_token_in_force_is_told_its_faults(player: Player) -> None:
    game = known(player)
    assert list(faults(player.act(game, "moves", {"moves": []}))) == ["body.moves"]
    assert code(player.act(game, "moves", {"moves": ["draw"]}, Accept="text/csv")) == "not-acceptable"


def test_a_name_that_was_taken_elsewhere_is_shown_at_once(
    http: httpx.Client, service: Service, elsewhere: Service
) -> None:
    token = http.post("/v1/players", json={}).json()["token"]
    name = f"p{uuid4().hex[:20]}"
    with connect(service.url, token) as near_http, connect(elsewhere.url, token) as far_http:
        guest = Player("", token, near_http)
        game = known(guest)
        assert far_http.patch("/v1/players/me", json={"name": name}).status_code == 200
        played = guest.act(game, "moves", {"moves": ["draw"]})
        assert (played.json()["player"], played.headers["etag"]) == (name, '"3.1"')
        again = guest.act(game, "moves", {"moves": ["draw"]})
        assert (again.json()["player"], again.headers["etag"]) == (name, '"4.1"')


def test_who_was_erased_elsewhere_plays_no_more(player: Player, far: Player) -> None:
    game = known(player)
    assert far.http.delete("/v1/players/me").status_code == 204
    refused = player.act(game, "moves", {"moves": ["draw"]})
    assert (refused.status_code, code(refused)) == (401, "unauthenticated")
