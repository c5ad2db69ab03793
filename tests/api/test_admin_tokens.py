"""Admin tokens: what they open, what they don't, and that nobody else gets in."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from uuid import uuid4

import httpx
import pytest
from pasyans.api.v1.routes import HANDLERS

from tests.support.admins import Admin, new_admin, revoke
from tests.support.api import Player, code, connect
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query

ANY = "01936f0e-7c1a-7b3e-9d55-0123456789ab"  # an id of nothing
GROUNDS = {"reason": "test"}
BY_FILTER = {"filter": {"seed": "nobody"}, "reason": "test"}


def operations(scheme: str) -> Iterator[tuple[str, str]]:
    """Every operation that takes a kind of token."""
    for handler in HANDLERS:
        if any(scheme in each for each in handler.security or ()):
            (path,), (method,) = handler.paths, handler.http_methods
            filled = path.replace("{id:str}", ANY).replace("{name:str}", "nobody").replace("{variant:str}", "court")
            yield str(method), filled


FOR_ADMINS, FOR_PLAYERS = list(operations("adminToken")), list(operations("token"))


def test_there_are_operations_of_both_kinds() -> None:
    assert {path for _, path in FOR_ADMINS} == {
        "/v1/admin/results",
        "/v1/admin/results/void",
        f"/v1/admin/games/{ANY}/void",
        f"/v1/admin/games/{ANY}/restore",
        f"/v1/admin/games/{ANY}/verify",
        "/v1/admin/players",
        "/v1/admin/players/nobody/ban",
        "/v1/admin/players/nobody/unban",
        "/v1/admin/audit",
    }
    assert len(FOR_PLAYERS) == 12
    assert not any(path.startswith("/v1/admin") for _, path in FOR_PLAYERS)


@pytest.mark.parametrize(("method", "path"), FOR_ADMINS)
def test_nobody_else_gets_in(http: httpx.Client, player: Player, service: Service, method: str, path: str) -> None:
    """And that is said before anything else is, such as what is wrong with the request."""
    refused = http.request(method, f"{path}?unknown=1")
    assert (refused.status_code, code(refused)) == (401, "unauthenticated")
    assert refused.headers["www-authenticate"] == 'Bearer realm="pasyans"'
    refused = player.http.request(method, f"{path}?unknown=1")
    assert (refused.status_code, code(refused)) == (403, "forbidden")
    assert "admin token" in refused.json()["detail"]
    for wrong in (f"pasyans_admin_{'A' * 43}", f"pasyans_admin_{'A' * 42}", f"pasyans_{'A' * 43}", "admin"):
        with connect(service.url, wrong) as stranger:
            assert code(stranger.request(method, path)) == "unauthenticated"


@pytest.mark.parametrize(("method", "path"), FOR_PLAYERS)
def test_an_admin_is_no_player(admin: Admin, method: str, path: str) -> None:
    refused = admin.http.request(method, path)
    assert (refused.status_code, code(refused)) == (403, "forbidden")
    assert "no player" in refused.json()["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/variants",
        "/v1/variants/court/rules",
        "/v1/variants/court/deals/1/stats",
        "/v1/daily",
        "/v1/games",
        "/v1/games?player={player}",
        "/v1/games/{game}",
        "/v1/games/{game}/events",
        "/v1/games/{game}/replay",
        "/v1/games/{game}/record",
        "/v1/games/{game}/board.svg",
        "/v1/players/{player}",
        "/v1/players/{player}/stats",
        "/v1/leaderboards/court",
        "/fair",
    ],
)
def test_an_admin_sees_what_anybody_sees(admin: Admin, http: httpx.Client, player: Player, path: str) -> None:
    game = player.play(player.start("court"), "draw")
    url = path.format(game=game["id"], player=player.name)
    one, two = admin.http.get(url), http.get(url)
    assert (one.status_code, one.content) == (two.status_code, two.content)
    assert one.status_code == 200
    own = {"date", "x-request-id"}
    assert {name: value for name, value in one.headers.items() if name not in own} == {
        name: value for name, value in two.headers.items() if name not in own
    }


def test_an_admin_does_not_see_anothers_daily(admin: Admin, player: Player) -> None:
    game = player.http.post("/v1/games", json={"variant": "court", "deal": {"kind": "daily"}}).json()
    for rest in ("", "/events", "/replay", "/record", "/board.svg", "/stream"):
        refused = admin.http.get(f"/v1/games/{game['id']}{rest}")
        assert (refused.status_code, code(refused)) == (403, "deal-sealed")


def test_a_revoked_token_ends_at_once(service: Service, postgres: Postgres) -> None:
    gone = new_admin(service.url, postgres)
    with gone.http:
        assert gone.http.get("/v1/admin/audit").status_code == 200
        revoke(gone, postgres)
        refused = gone.http.get("/v1/admin/audit")
        assert (refused.status_code, code(refused)) == (401, "unauthenticated")
        assert code(gone.http.get("/v1/variants")) == "unauthenticated"


def test_a_players_token_that_begins_like_an_admins(player: Player, service: Service, postgres: Postgres) -> None:
    """One of 64**6 does: it is told apart by its length."""
    token = f"pasyans_admin_{uuid4().hex}{'A' * 5}"
    assert len(token) == len(player.token)
    made = query(
        postgres.admin_url,
        "UPDATE tokens t SET hash = $1 FROM players p WHERE p.player_id = t.player_id AND p.name = $2 RETURNING 1",
        sha256(token.encode()).digest(),
        player.name,
    )
    assert made == [(1,)]
    with connect(service.url, token) as again:
        assert again.get("/v1/players/me").json()["name"] == player.name
        assert code(again.get("/v1/admin/audit")) == "forbidden"


def answers(admin: Admin, player: Player) -> Iterator[httpx.Response]:
    game = player.play(player.start("court"), "draw")
    player.act(game, "resign", {})
    for action in ("void", "restore", "verify"):
        yield admin.http.post(f"/v1/admin/games/{game['id']}/{action}", json=None if action == "verify" else GROUNDS)
    for path in ("results", "players", "audit"):
        yield admin.http.get(f"/v1/admin/{path}")
    yield admin.http.get("/v1/admin/results", headers={"Accept": "text/csv"})
    yield admin.http.post("/v1/admin/results/void", json=BY_FILTER)
    for action in ("ban", "unban"):
        yield admin.http.post(f"/v1/admin/players/{player.name}/{action}", json=GROUNDS)


def test_no_answer_to_an_admin_is_kept(admin: Admin, player: Player) -> None:
    found = list(answers(admin, player))
    assert len(found) == len(FOR_ADMINS) + 1
    for answer in found:
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "private, no-store"


def test_the_token_is_in_no_log(admin: Admin, service: Service) -> None:
    assert admin.http.get("/v1/admin/players?search=nobody-of-this-name").status_code == 200
    assert '"route":"/v1/admin/players"' in service.log.replace('": "', '":"')
    assert admin.token not in service.log
    assert "nobody-of-this-name" not in service.log


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["body.reason"]),
        ({"reason": "envy"}, ["body.reason"]),
        ({"reason": None, "note": 1}, ["body.reason", "body.note"]),
        ({"reason": "test", "note": ""}, ["body.note"]),
        ({"reason": "test", "note": "x" * 501}, ["body.note"]),
        ({"reason": "test", "note": "a\x1b[2J"}, ["body.note"]),
        ({"reason": "test", "why": "x"}, ["body.why"]),
    ],
)
def test_why_is_asked_in_the_same_way_everywhere(admin: Admin, body: dict[str, Any], paths: list[str]) -> None:
    for path in (f"games/{ANY}/void", f"games/{ANY}/restore", "players/nobody/ban", "players/nobody/unban"):
        answer = admin.http.post(f"/v1/admin/{path}", json=body)
        assert answer.status_code == 400, answer.text
        assert [fault["path"] for fault in answer.json()["errors"]] == paths
    answer = admin.http.post("/v1/admin/results/void", json=body | {"filter": {"seed": "x"}})
    assert [fault["path"] for fault in answer.json()["errors"]] == paths
