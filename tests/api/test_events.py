"""A game's events: complete, in order, page by page, and enough to animate it."""

from itertools import pairwise
from typing import Any

import httpx
import msgspec
import pytest
from pasyans.api import views
from pasyans.record.events import Event, Finished, Moved, Redone, Restored, Undone, Voided, VoidReason

from tests.support.api import Player, faults

REASONS: tuple[VoidReason, ...] = ("cheating", "error", "test", "other")


def pages(http: httpx.Client, game: dict[str, Any], limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    path = f"/v1/games/{game['id']}/events?limit={limit}"
    while True:
        page = http.get(path)
        assert page.status_code == 200
        assert page.headers["cache-control"] == "no-cache"
        assert 1 <= len(page.json()["items"]) <= limit
        found += page.json()["items"]
        if page.json()["next"] is None:
            assert "link" not in page.headers
            return found
        assert page.json()["next"] == found[-1]["seq"]
        path = page.links["next"]["url"]


def test_every_event_is_there_with_what_is_its_own(player: Player, http: httpx.Client) -> None:
    game = player.start("vokzal-36", "hello")
    answered = player.play(game, "draw", "draw")["events"]
    for action in ("undo", "redo", "resign"):
        answered += player.act(game, action, {}).json()["events"]
    found = pages(http, game, 200)
    assert found[0] == {"seq": 1, "type": "started", "at": game["started_at"], "changes": []}
    assert found[1:] == answered
    assert [(event["seq"], event["type"]) for event in found] == [
        (1, "started"),
        (2, "moved"),
        (3, "moved"),
        (4, "undone"),
        (5, "redone"),
        (6, "finished"),
    ]


@pytest.mark.parametrize(
    ("event", "own"),
    [
        (Moved("t1-t2"), {"type": "moved", "move": "t1-t2"}),
        (Undone(3), {"type": "undone", "count": 3}),
        (Redone(2), {"type": "redone", "count": 2}),
        *((Finished(outcome), {"type": "finished", "outcome": outcome}) for outcome in ("won", "lost", "abandoned")),
        *((Voided(reason), {"type": "voided", "reason": reason}) for reason in REASONS),
        *((Restored(reason), {"type": "restored", "reason": reason}) for reason in REASONS),
    ],
)
def test_an_event_of_each_kind(event: Event, own: dict[str, Any]) -> None:
    """Those too that no player makes."""
    shown = msgspec.json.decode(msgspec.json.encode(views.event(7, event, 1_764_410_400_000, [])))
    assert shown == {"seq": 7, "at": "2025-11-29T10:00:00.000Z", "changes": [], **own}


def test_pages_of_any_size_are_the_same_events(player: Player, http: httpx.Client) -> None:
    game = player.start("congress", "hello")
    player.play(game, *["draw"] * 7)
    whole = pages(http, game, 200)
    assert len(whole) == 8
    for limit in (1, 2, 3, 4, 8):
        assert pages(http, game, limit) == whole


def test_after_the_last_there_is_nothing(player: Player, http: httpx.Client) -> None:
    game = player.start()
    for after in (1, 2, 2**31 - 1):
        page = http.get(f"/v1/games/{game['id']}/events?after={after}")
        assert page.json() == {"items": [], "next": None}
    assert list(faults(http.get(f"/v1/games/{game['id']}/events?after=-1"))) == ["query.after"]
    assert list(faults(http.get(f"/v1/games/{game['id']}/events?after={2**31}"))) == ["query.after"]
    assert list(faults(http.get(f"/v1/games/{game['id']}/events?limit=201"))) == ["query.limit"]


def test_a_long_game_is_read_like_a_short_one(player: Player, http: httpx.Client) -> None:
    game = player.start("vokzal-36", "hello")
    rounds = (["draw"] * 8 + ["redeal"]) * 55
    states = [player.play(game, *rounds) for _ in range(2)]
    assert states[-1]["version"] == 991
    path = f"/v1/games/{game['id']}"
    early = http.get(f"{path}?at=496").json()
    assert {name: value for name, value in states[0].items() if name != "events"} == early
    last = http.get(f"{path}/events?after=900&limit=200").json()
    assert last == {"items": states[1]["events"][404:], "next": None}
    undone = player.act(game, "undo", {"count": 990}).json()
    assert (undone["piles"], undone["redo_available"]) == (game["piles"], 990)
    assert http.get(f"{path}/record").text.splitlines()[-1] == '[Result "playing"]'


def test_changes_lead_from_one_state_to_the_next(player: Player, http: httpx.Client) -> None:
    """Lift everything, then place everything: a client needs nothing more."""
    game = player.start("vokzal-36", "hello")
    for _ in range(9):
        move = next((move for move in game["legal_moves"] if move not in ("draw", "redeal")), "draw")
        game = player.play(game, move if move in game["legal_moves"] else "redeal")
    game = player.act(game, "undo", {"count": 5}).json()
    player.act(game, "redo", {"count": 2})
    events = pages(http, game, 200)
    assert len(events) == 12
    states = [http.get(f"/v1/games/{game['id']}?at={event['seq']}").json() for event in events]
    for (before, after), event in zip(pairwise(states), events[1:], strict=True):
        assert event["changes"]
        assert moved(before, event["changes"]) == shown(after)


def shown(game: dict[str, Any]) -> dict[str, list[str | None]]:
    return {pile["id"]: [None] * pile["hidden"] + pile["cards"] for pile in game["piles"]}


def moved(game: dict[str, Any], changes: list[dict[str, Any]]) -> dict[str, list[str | None]]:
    piles = shown(game)
    hidden = {pile["id"]: pile["hidden"] for pile in game["piles"]}
    lifted = {(change["from"], change["from_index"]) for change in changes}
    left = {
        name: [card for index, card in enumerate(cards) if (name, index) not in lifted] for name, cards in piles.items()
    }
    for change in sorted(changes, key=lambda change: change["to_index"]):
        was_up = change["from_index"] >= hidden[change["from"]]
        is_up = was_up is not change["turned"]
        left[change["to"]].insert(change["to_index"], change["card"] if is_up else None)
    return left
