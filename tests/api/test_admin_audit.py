"""The audit: who did what, when and why; nothing in it changes."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.admins import Admin, new_admin, revoke
from tests.support.api import Player, faults, new_player
from tests.support.clocked import Clock
from tests.support.postgres import Postgres
from tests.support.service import Service

PATH = "/v1/admin/audit"


@pytest.fixture
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


@pytest.fixture
def done(boss: Admin, gamer: Player, clock: Clock) -> list[dict[str, Any]]:
    """Six things that an admin did, a minute apart, the oldest first."""
    clock.set("2024-04-01T12:00:00.000Z")
    game = gamer.play(gamer.start("court"), "draw")
    gamer.act(game, "resign", {})
    player = f"/v1/admin/players/{gamer.name}"
    for number, (path, reason) in enumerate(
        [
            (f"/v1/admin/games/{game['id']}/void", "cheating"),
            (f"/v1/admin/games/{game['id']}/restore", "error"),
            (f"{player}/ban", "other"),
            (f"{player}/unban", "test"),
            (f"/v1/admin/games/{game['id']}/void", "test"),
            (f"{player}/ban", "cheating"),
        ]
    ):
        clock.set(f"2024-04-01T12:0{number + 1}:00.000Z")
        assert boss.http.post(path, json={"reason": reason, "note": f"note {number}"}).status_code == 200
    return [
        {
            "at": f"2024-04-01T12:0{number + 1}:00.000Z",
            "actor": boss.name,
            "action": action,
            "game": game["id"] if action in ("voided", "restored") else None,
            "player": gamer.name,
            "reason": reason,
            "note": f"note {number}",
            "details": None,
        }
        for number, (action, reason) in enumerate(
            [
                ("voided", "cheating"),
                ("restored", "error"),
                ("banned", "other"),
                ("unbanned", "test"),
                ("voided", "test"),
                ("banned", "cheating"),
            ]
        )
    ]


def listed(boss: Admin, limit: int = 50, **filters: object) -> list[dict[str, Any]]:
    """The entries that fit, the newest first, without their ids."""
    found: list[dict[str, Any]] = []
    path = str(httpx.URL(PATH, params={name: str(value) for name, value in filters.items()} | {"limit": str(limit)}))
    while path:
        page = boss.http.get(path)
        assert page.status_code == 200, page.text
        found += page.json()["items"]
        path = page.links["next"]["url"] if page.json()["next"] else ""
    assert len({entry.pop("id") for entry in found}) == len(found)
    return found


def test_entries_come_newest_first_page_by_page(boss: Admin, done: list[dict[str, Any]]) -> None:
    for limit in (1, 2, 5, 6, 7):
        assert listed(boss, limit, actor=boss.name) == done[::-1]


def test_filters_hold_all_together(
    boss: Admin, gamer: Player, done: list[dict[str, Any]], clock: Clock, east: Service, clocked_postgres: Postgres
) -> None:
    game = done[0]["game"]
    clock.advance(1)
    other = new_admin(east.url, clocked_postgres)
    with other.http:
        other.http.post(f"/v1/admin/players/{gamer.name}/unban", json={"reason": "other"})
    for filters, numbers in (
        ({"action": "voided"}, [4, 0]),
        ({"action": "results-voided"}, []),
        ({"game": game}, [4, 1, 0]),
        ({"game": game, "action": "restored"}, [1]),
        ({"since": "2024-04-01T12:03:00Z"}, [5, 4, 3, 2]),
        ({"before": "2024-04-01T12:03:00Z"}, [1, 0]),
        ({"since": "2024-04-01T12:03:00Z", "before": "2024-04-01T12:03:00.001Z"}, [2]),
    ):
        expected = [done[number] for number in numbers]
        assert listed(boss, actor=boss.name, player=gamer.name.upper(), **filters) == expected, filters
    assert [entry["actor"] for entry in listed(boss, player=gamer.name)] == [other.name, *[boss.name] * 6]
    assert listed(boss, actor="nobody-of-this-name") == listed(boss, player="nobody-of-this-name") == []
    assert listed(boss, actor=boss.name.upper()) == []


def test_what_the_operator_does_is_there_too(boss: Admin, east: Service, clocked_postgres: Postgres) -> None:
    """At the time of the operator's clock, which is not the one that tests set."""
    gone = new_admin(east.url, clocked_postgres)
    gone.http.close()
    revoke(gone, clocked_postgres)
    for action in ("token-made", "token-revoked"):
        (entry,) = (each for each in listed(boss, 200, action=action) if each["details"]["name"] == gone.name)
        assert {name: entry[name] for name in ("actor", "game", "player", "reason", "note")} == dict.fromkeys(
            ("actor", "game", "player", "reason", "note")
        )
        assert set(entry["details"]) == {"filter", "matched", "voided", "token", "name"}
        assert entry["details"]["token"] is not None
        assert gone.token not in str(entry)


def test_an_entry_keeps_the_name_of_a_token_that_was_revoked(
    boss: Admin, gamer: Player, east: Service, clocked_postgres: Postgres
) -> None:
    gone = new_admin(east.url, clocked_postgres)
    with gone.http:
        gone.http.post(f"/v1/admin/players/{gamer.name}/ban", json={"reason": "test"})
    revoke(gone, clocked_postgres)
    assert [entry["actor"] for entry in listed(boss, player=gamer.name)] == [gone.name]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("action=deleted", "query.action"),
        ("game=x", "query.game"),
        ("since=2026-11-29", "query.since"),
        ("since=2026-11-29T10:00:00Z&before=2026-11-29T10:00:00Z", "query.before"),
        ("actor=", "query.actor"),
        ("limit=201", "query.limit"),
        ("cursor=abc", "query.cursor"),
        ("reason=test", "query.reason"),
    ],
)
def test_what_is_wrong_is_named(boss: Admin, text: str, path: str) -> None:
    assert list(faults(boss.http.get(f"{PATH}?{text}"))) == [path]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_in_it_is_changed(boss: Admin, method: str) -> None:
    assert boss.http.request(method, PATH).status_code == 405
