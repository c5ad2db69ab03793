"""Looking for players, banning them and letting them back."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.admins import Admin, new_admin
from tests.support.api import Player, code, connect, faults
from tests.support.postgres import Postgres
from tests.support.service import Service

PATH = "/v1/admin/players"


@pytest.fixture
def second(service: Service, postgres: Postgres) -> Iterator[Admin]:
    """Another admin."""
    someone = new_admin(service.url, postgres)
    with someone.http:
        yield someone


def lose(player: Player, seed: str, moves: int = 1) -> dict[str, Any]:
    game = player.start("congress", seed)
    for _ in range(moves):
        game = player.play(game, "draw")
    return dict(player.act(game, "resign", {}).json())


def row(admin: Admin, name: str) -> dict[str, Any]:
    """The one row that a whole name finds."""
    (item,) = admin.http.get(PATH, params={"search": name}).json()["items"]
    return dict(item)


def ban(admin: Admin, player: Player, action: str = "ban", note: str | None = None, **headers: str) -> httpx.Response:
    body = {"reason": "cheating"} | ({} if note is None else {"note": note})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return admin.http.post(f"{PATH}/{player.name}/{action}", json=body, headers=named)


def board(http: httpx.Client, seed: str) -> list[str]:
    return [item["game"] for item in http.get(f"/v1/leaderboards/congress?seed={seed}").json()["items"]]


def test_a_player_is_found_with_the_games(admin: Admin, player: Player) -> None:
    made = player.http.get("/v1/players/me").json()
    assert row(admin, player.name) == {
        "name": player.name,
        "guest": False,
        "created_at": made["created_at"],
        "banned_at": None,
        "erased_at": None,
        "games": 0,
        "running": 0,
        "finished": 0,
    }
    lose(player, "a")
    lose(player, "b", 0)
    player.start("court")
    assert [row(admin, player.name)[name] for name in ("games", "running", "finished")] == [3, 1, 2]


def test_a_search_is_for_a_part_of_a_name_in_any_case(admin: Admin, http: httpx.Client) -> None:
    word = f"{uuid4().int % 10**8:08}"
    names = [f"Ab{word}", f"b{word}_x", f"C-{word}", f"Анна-{word}"]
    for name in names:
        assert http.post("/v1/players", json={"name": name}).status_code == 201

    def found(search: str, limit: int = 50) -> list[str]:
        met: list[str] = []
        path = str(httpx.URL(PATH, params={"search": search, "limit": limit}))
        while path:
            page = admin.http.get(path)
            met += [item["name"] for item in page.json()["items"]]
            path = page.links["next"]["url"] if page.json()["next"] else ""
        return met

    for limit in (1, 2, 3, 4, 50):
        assert found(word, limit) == names
    assert found(word.upper()) == names
    assert found(f"B{word}") == names[:2]
    assert found(f"анна-{word}") == found(f"АННА-{word}") == [names[3]]
    # What is a sign of a pattern elsewhere is a letter here.
    assert found(f"{word}_") == [names[1]]
    assert found(f"{word}%") == found(f"{word[:4]}_{word[5:]}") == found(f"{word}\\") == []
    assert found(f"nobody-{word}") == []


def test_everybody_is_there_by_name(admin: Admin, player: Player, other: Player) -> None:
    names: list[str] = []
    path = f"{PATH}?limit=200"
    while path:
        page = admin.http.get(path)
        names += [item["name"].casefold() for item in page.json()["items"]]
        path = page.links["next"]["url"] if page.json()["next"] else ""
    assert len(names) == len(set(names))
    assert {player.name, other.name} <= set(names)


def test_who_is_banned_plays_and_is_on_no_board(admin: Admin, player: Player, other: Player) -> None:
    seed = f"s{uuid4().hex}"
    mine, theirs = lose(player, seed), lose(other, seed, 2)
    assert board(player.http, seed) == [mine["id"], theirs["id"]]
    answer = ban(admin, player)
    assert answer.status_code == 200
    banned = answer.json()
    assert banned == row(admin, player.name)
    assert banned["banned_at"] is not None
    assert board(player.http, seed) == [theirs["id"]]
    again = lose(player, seed, 0)
    best = lose(player, seed)
    assert [again["status"], best["status"]] == ["abandoned", "lost"]
    assert board(player.http, seed) == [theirs["id"]]
    near = player.http.get(f"/v1/leaderboards/congress/players/{player.name}?seed={seed}")
    assert code(near) == "not-found"
    assert player.http.get(f"/v1/players/{player.name}").json()["name"] == player.name
    unbanned = ban(admin, player, "unban").json()
    assert unbanned == row(admin, player.name)
    assert (unbanned["banned_at"], unbanned["finished"]) == (None, 3)
    assert board(player.http, seed) == [mine["id"], theirs["id"]]


def test_banned_players_are_listed_apart(admin: Admin, player: Player, other: Player) -> None:
    ban(admin, player)
    for name, search, expected in (
        ("true", player.name, [player.name]),
        ("false", player.name, []),
        ("true", other.name, []),
        ("false", other.name, [other.name]),
    ):
        page = admin.http.get(PATH, params={"search": search, "banned": name}).json()
        assert [item["name"] for item in page["items"]] == expected
    everyone = admin.http.get(PATH, params={"banned": "true", "limit": 200}).json()["items"]
    assert player.name in {item["name"] for item in everyone}
    assert all(item["banned_at"] for item in everyone)


def test_to_repeat_a_ban_changes_nothing(admin: Admin, second: Admin, player: Player) -> None:
    first = ban(admin, player, note="one")
    for again in (ban(admin, player, note="two"), ban(second, player), ban(admin, player, "ban")):
        assert (again.status_code, again.content) == (200, first.content)
    ended = ban(second, player, "unban", note="three")
    for again in (ban(admin, player, "unban"), ban(second, player, "unban")):
        assert (again.status_code, again.content) == (200, ended.content)
    assert [(entry["actor"], entry["action"], entry["note"]) for entry in admin.audit(player=player.name)] == [
        (second.name, "unbanned", "three"),
        (admin.name, "banned", "one"),
    ]


def test_a_repetition_that_comes_late_bans_nobody_again(admin: Admin, player: Player) -> None:
    first = ban(admin, player, Idempotency_Key="k")
    ban(admin, player, "unban")
    again = ban(admin, player, Idempotency_Key="k")
    assert (again.content, again.headers["idempotency-replayed"]) == (first.content, "true")
    assert row(admin, player.name)["banned_at"] is None
    ended = ban(admin, player, "unban", Idempotency_Key="e")
    anew = ban(admin, player)
    again = ban(admin, player, "unban", Idempotency_Key="e")
    assert (again.content, again.headers["idempotency-replayed"]) == (ended.content, "true")
    assert row(admin, player.name)["banned_at"] == anew.json()["banned_at"]
    assert ban(admin, player, Idempotency_Key="k").content == first.content
    # What was found done is answered so again.
    found = ban(admin, player, Idempotency_Key="found")
    ban(admin, player, "unban")
    assert ban(admin, player, Idempotency_Key="found").json()["banned_at"] >= found.json()["banned_at"]


def test_a_key_belongs_to_one_request(admin: Admin, second: Admin, player: Player, other: Player) -> None:
    key = uuid4().hex
    ban(admin, player, note="a", Idempotency_Key=key)
    for refused in (
        ban(admin, player, note="b", Idempotency_Key=key),
        ban(admin, player, "unban", note="a", Idempotency_Key=key),
        ban(admin, other, note="a", Idempotency_Key=key),
    ):
        assert (refused.status_code, code(refused)) == (422, "idempotency-mismatch")
    assert row(admin, other.name)["banned_at"] is None
    assert ban(second, other, note="a", Idempotency_Key=key).json()["banned_at"]


def test_who_is_not_there(admin: Admin) -> None:
    for action in ("ban", "unban"):
        answer = admin.http.post(f"{PATH}/nobody-{uuid4().hex[:9]}/{action}", json={"reason": "test"})
        assert (answer.status_code, code(answer)) == (404, "not-found")


def test_a_name_is_found_in_any_case(admin: Admin, player: Player) -> None:
    shouted = Player(player.name.upper(), player.token, player.http)
    first = ban(admin, shouted, Idempotency_Key="case")
    assert first.json()["name"] == player.name
    assert ban(admin, player, Idempotency_Key="case").headers["idempotency-replayed"] == "true"


def test_an_erased_player_has_no_name_here_either(admin: Admin, player: Player, service: Service) -> None:
    lose(player, "erased")
    ban(admin, player, note="before")
    assert player.http.delete("/v1/players/me").status_code == 204
    assert admin.http.get(PATH, params={"search": player.name}).json()["items"] == []
    (entry, *_) = admin.audit(actor=admin.name)
    assert entry["note"] == "before"
    assert entry["player"].startswith("deleted-")
    found = row(admin, entry["player"])
    assert (found["name"], found["finished"], found["running"]) == (entry["player"], 1, 0)
    assert found["erased_at"] is not None
    assert found["banned_at"] is not None
    assert player.name not in admin.http.get("/v1/admin/audit", params={"player": entry["player"]}).text
    with connect(service.url, player.token) as gone:
        assert code(gone.get(PATH)) == "unauthenticated"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("search=", "query.search"),
        (f"search={'x' * 65}", "query.search"),
        ("search=%00", "query.search"),
        ("banned=maybe", "query.banned"),
        ("limit=0", "query.limit"),
        ("cursor=abc", "query.cursor"),
        ("name=anna", "query.name"),
    ],
)
def test_what_is_wrong_is_named(admin: Admin, text: str, path: str) -> None:
    assert list(faults(admin.http.get(f"{PATH}?{text}"))) == [path]
