"""A service that is killed at any statement of what it does: after the next start all of it is there, or nothing."""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.admins import new_admin
from tests.support.api import Player, connect, new_player
from tests.support.cutting import cutting
from tests.support.postgres import Postgres, apart
from tests.support.service import Service, serving
from tests.support.waiting import until

_VARIANT, _SEED = "vokzal-36", "grandma"


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with apart() as postgres:
        yield postgres


@dataclass
class Scene:
    """A player with two lost games on a seed and one that is being played, and what is asked for then."""

    method: str = ""
    path: str = ""
    token: str = ""
    body: object = None
    player: str = ""
    games: list[str] = field(default_factory=list)
    key: str = field(default_factory=lambda: uuid4().hex)

    def ask(self, url: str) -> httpx.Response:
        with connect(url, self.token) as http:
            return http.request(self.method, self.path, json=self.body, headers={"Idempotency-Key": self.key})


@dataclass
class Seen:
    """What a player has, as an admin and anybody see it, without what is new each time."""

    named: bool
    banned: bool
    games: list[tuple[str, int]]
    listed: int | None
    audit: list[str]


def _scene(url: str) -> tuple[Scene, Player]:
    scene, player = Scene(), new_player(url)
    scene.player = player.name
    for moves in (3, 2, 1):
        game = player.start(_VARIANT, _SEED)
        for _ in range(moves):
            game = player.play(game, game["legal_moves"][-1])
        if moves > 1:
            player.act(game, "resign", {})
        scene.games.append(game["id"])
    player.http.close()
    return scene, player


def _resign(scene: Scene, player: Player, _admin: httpx.Client) -> None:
    scene.method, scene.path, scene.token = "POST", f"/v1/games/{scene.games[2]}/resign", player.token
    scene.body = {}


def _void(scene: Scene, _player: Player, _admin: httpx.Client) -> None:
    scene.method, scene.path = "POST", f"/v1/admin/games/{scene.games[1]}/void"
    scene.body = {"reason": "error"}


def _restore(scene: Scene, player: Player, admin: httpx.Client) -> None:
    _void(scene, player, admin)
    assert admin.post(scene.path, json=scene.body).status_code == 200
    scene.path = f"/v1/admin/games/{scene.games[1]}/restore"


def _ban(scene: Scene, player: Player, _admin: httpx.Client) -> None:
    scene.method, scene.path = "POST", f"/v1/admin/players/{player.name}/ban"
    scene.body = {"reason": "cheating"}


def _unban(scene: Scene, player: Player, admin: httpx.Client) -> None:
    _ban(scene, player, admin)
    assert admin.post(scene.path, json=scene.body).status_code == 200
    scene.path = f"/v1/admin/players/{player.name}/unban"


def _erase(scene: Scene, player: Player, _admin: httpx.Client) -> None:
    scene.method, scene.path, scene.token = "DELETE", "/v1/players/me", player.token


# How many statements there are at least.
_DEEDS: dict[str, tuple[Callable[[Scene, Player, httpx.Client], None], int]] = {
    "resign": (_resign, 1),
    "void": (_void, 6),
    "restore": (_restore, 4),
    "ban": (_ban, 6),
    "unban": (_unban, 6),
    "erase": (_erase, 8),
}


def _seen(url: str, scene: Scene, admin_token: str) -> Seen:
    with connect(url, admin_token) as http:

        def get(path: str, **query: str) -> Any:
            return http.get(path, params=query).json()

        games = [get(f"/v1/games/{game}") for game in scene.games]
        board = get(f"/v1/leaderboards/{_VARIANT}/players/{games[0]['player']}", seed=_SEED)
        (row,) = get("/v1/admin/players", search=games[0]["player"])["items"]
        return Seen(
            games[0]["player"] == scene.player,
            row["banned_at"] is not None,
            [(game["status"], game["version"]) for game in games],
            scene.games.index(board["row"]["game"]) if "row" in board else None,
            [entry["action"] for entry in get("/v1/admin/audit", player=games[0]["player"])["items"]],
        )


def _verify(url: str, scene: Scene, admin_token: str) -> None:
    with connect(url, admin_token) as http:
        for game in scene.games:
            verified = http.post(f"/v1/admin/games/{game}/verify").json()
            assert (verified["ok"], verified["difference"]) == (True, None)


@pytest.mark.parametrize("deed", ["resign", *(pytest.param(deed, marks=pytest.mark.full) for deed in list(_DEEDS)[1:])])
def test_all_or_nothing(database: Postgres, tmp_path: Path, deed: str) -> None:
    prepare, least = _DEEDS[deed]
    states: list[Seen] = []
    admin_token = ""

    def prepared(service: Service) -> Scene:
        scene, player = _scene(service.url)
        scene.token = admin_token
        with connect(service.url, admin_token) as http:
            prepare(scene, player, http)
        return scene

    def settled(service: Service, scene: Scene, answer: httpx.Response | None) -> None:
        """What was killed is done wholly or not at all, and done once when it is asked for again."""
        allowed = states if answer is None else states[1:]
        # A service that starts goes on by itself with an erasure that has begun.
        until(lambda: _seen(service.url, scene, admin_token) in allowed, f"{deed} to be all or nothing")
        done = _seen(service.url, scene, admin_token) == states[1]
        answers = [scene.ask(service.url) for _ in range(2)]
        if deed == "erase":
            assert [each.status_code for each in answers] == [401 if done else 204, 401]
        else:
            assert [each.status_code for each in answers] == [200, 200]
            told = [each.json() for each in (*answers, *([answer] if answer is not None else []))]
            for each in told[1:]:
                assert each == told[0]
        assert _seen(service.url, scene, admin_token) == states[1]
        _verify(service.url, scene, admin_token)

    with cutting(database.service_url) as cutter:
        settings = {
            "DATABASE_URL": cutter.url,
            "PASYANS_ADMIN_DATABASE_URL": database.admin_url,
            "PASYANS_ALLOW_DATA_LOSS": "yes",
        }
        killed = 0
        left: tuple[Scene, httpx.Response | None] | None = None
        while True:
            with serving(tmp_path / "log", settings) as service:
                if not admin_token:
                    admin = new_admin(service.url, database)
                    admin_token = admin.token
                    admin.http.close()
                    whole = prepared(service)
                    states.append(_seen(service.url, whole, admin_token))
                    assert whole.ask(service.url).is_success
                    states.append(_seen(service.url, whole, admin_token))
                    assert states[0] != states[1]
                if left is not None:
                    settled(service, *left)
                scene = prepared(service)
                # With all its workers, which are in its group.
                kill = partial(os.killpg, service.process.pid, signal.SIGKILL)
                cutter.arm(killed + 1, answered=True, act=kill)
                try:
                    answer = scene.ask(service.url)
                except httpx.TransportError:
                    answer = None
                if not cutter.disarm():
                    assert answer is not None
                    settled(service, scene, answer)
                    break
                service.process.wait()
                killed += 1
                left = scene, answer
    assert killed >= least
