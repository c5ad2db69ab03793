"""Attacks on others' games, by looking, by lists and by repeating what they asked for; each by name.

Each is seen to succeed on the service with the guard taken out that it would have to get past, and then to be refused
by the service as it is. Where no guard can be taken out alone, the test says why.
"""

import re
from typing import Any
from uuid import uuid4

import httpx
import pytest
from pasyans.engine.cards import CARD_NAMES

from tests.adversary.attacking import NOON, act, cards_in, get, seed_of, start
from tests.support.api import Player, code, connect
from tests.support.clocked import Clock
from tests.support.games import replay
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.streams import streaming
from tests.support.unguarded import Unguarded

SHOWING = ("", "?at=1", "/events", "/replay", "/record", "/board.svg", "/board.svg?at=1")


# ---- looking at another's --------------------------------------------------------------------------------------------


def looks(url: str, viewer: Player | None, game: dict[str, Any]) -> dict[str, int]:
    """The status of everything that shows a game."""
    path = f"/v1/games/{game['id']}"
    ndjson = get(url, viewer, f"{path}/replay", Accept="application/x-ndjson").status_code
    return {"ndjson": ndjson} | {rest: get(url, viewer, path + rest).status_code for rest in SHOWING}


@pytest.mark.parametrize("viewer", ["nobody", "somebody", "one who finished the same daily"])
def test_looking_at_anothers_daily(
    open_service: Unguarded, east: Service, player: Player, other: Player, clock: Clock, viewer: str
) -> None:
    clock.set(f"2025-04-01{NOON}")
    game = start(player, "congress")
    player.play(game, "draw")
    if viewer == "one who finished the same daily":
        other.act(other.play(start(other, "congress"), "draw"), "resign", {})
    who = None if viewer == "nobody" else other
    with open_service.without("look") as url:
        assert set(looks(url, who, game).values()) == {200}
    assert set(looks(east.url, who, game).values()) == {403}
    player.act(game, "resign", {})
    assert set(looks(east.url, who, game).values()) == {403}


@pytest.mark.parametrize("viewer", ["nobody", "somebody"])
def test_the_stream_of_anothers_daily(
    open_service: Unguarded, east: Service, player: Player, other: Player, clock: Clock, viewer: str
) -> None:
    clock.set(f"2025-04-10{NOON}")
    game = start(player, "congress")
    token = None if viewer == "nobody" else other.token
    with open_service.without("look") as url, streaming(url, game["id"], token=token) as reader:
        assert reader.next().game["id"] == game["id"]
    for last in (None, "1"):
        headers = {} if last is None else {"Last-Event-ID": last}
        with connect(east.url, token) as http:
            refused = http.get(f"/v1/games/{game['id']}/stream", headers=headers)
        assert (refused.status_code, code(refused)) == (403, "deal-sealed")


def test_conditional_requests_and_head_on_anothers_daily(
    open_service: Unguarded, east: Service, player: Player, other: Player, clock: Clock
) -> None:
    """A 304, a tag or a length tells how far a game is."""
    clock.set(f"2025-04-20{NOON}")
    game = start(player, "congress")
    player.play(game, "draw")
    tagged = ("", "?at=1", "/record", "/board.svg", "/replay")

    def attack(url: str) -> set[tuple[int, str | None]]:
        found = set()
        with connect(url, other.token) as http:
            for rest in tagged:
                path = f"/v1/games/{game['id']}{rest}"
                accept = {"Accept": "application/x-ndjson"} if rest == "/replay" else {}
                for tag in ('"2"', "*", 'W/"2"', '"1"'):
                    answer = http.get(path, headers=accept | {"If-None-Match": tag})
                    found.add((answer.status_code, answer.headers.get("etag")))
                answer = http.head(path, headers=accept)
                found.add((answer.status_code, answer.headers.get("etag")))
                # The length of the refusal is that of its words, which are always the same.
                assert answer.status_code == 200 or answer.headers["cache-control"] == "no-store"
        return found

    with open_service.without("look") as url:
        assert attack(url) == {(304, '"2"'), (200, '"2"')}
    assert attack(east.url) == {(403, None)}
    lengths = set()
    for _ in range(12):
        player.play(game, "draw")
        lengths.add(get(east.url, other, f"/v1/games/{game['id']}").content)
    assert len(lengths) == 1


def test_the_tag_changes_with_what_it_is_the_tag_of(player: Player, clock: Clock, east: Service) -> None:
    """No guard to take out: this is about what a cache must not go on showing, or have shown before.

    The owner's copy of a daily is private, and when the seed opens a copy from before is not still good.
    """
    clock.set("2025-04-21T23:59:59.999Z")
    game = start(player, "congress")
    path = f"/v1/games/{game['id']}"
    sealed = get(east.url, player, path)
    assert (sealed.headers["etag"], sealed.headers["cache-control"]) == ('"1"', "private, no-cache")
    assert "Authorization" in sealed.headers["vary"]
    refused = get(east.url, None, path)
    assert refused.headers["cache-control"] == "no-store"
    assert not {"etag", "last-modified", "location", "link"} & set(refused.headers)
    clock.advance(1)
    opened = get(east.url, player, path, If_None_Match='"1"')
    assert (opened.status_code, opened.headers["etag"]) == (200, '"1r"')
    assert (sealed.json()["deal"]["seed"], len(opened.json()["deal"]["seed"])) == (None, 32)


def test_the_picture_of_a_game(
    open_service: Unguarded, east: Service, player: Player, clocked_postgres: Postgres
) -> None:
    """Its text too, which names the cards for those who don't see them."""
    game = start(player, "vokzal-52", "sealed")
    game = player.play(game, "draw")
    position = replay("vokzal-52", seed_of(clocked_postgres, game), ["draw"])
    hidden = {CARD_NAMES[card] for card in position.piles[0] + position.piles[2][:-1]}

    def attack(url: str) -> set[str]:
        picture = get(url, None, f"/v1/games/{game['id']}/board.svg").text
        drawn = {face[:2] for face in re.findall(r'(?:id|href)="#?([A23456789TJQK][CDHS][a-z]*)"', picture)}
        (words,) = re.findall(r"<desc[^>]*>(.*?)</desc>", picture)
        return (drawn | cards_in(words)) & hidden

    with open_service.without("face-down") as url:
        assert attack(url)
    assert attack(east.url) == set()
    up = {card for pile in game["piles"] for card in pile["cards"]}
    assert not up & hidden


# ---- lists and statistics --------------------------------------------------------------------------------------------


def test_finding_anothers_daily_by_filters_and_by_counting_pages(
    open_service: Unguarded, east: Service, player: Player, other: Player, clock: Clock
) -> None:
    """The list and what it shows are two guards, one behind the other: with one of them out, the other refuses."""
    clock.set(f"2025-05-01{NOON}")
    game = start(player, "congress")
    player.play(game, "draw")
    shared = []
    for number in range(3):
        clock.advance(1)
        shared.append(player.start("congress", f"page{number}")["id"])
    filters = ("", "&status=playing", "&variant=congress", "&status=playing&variant=congress")

    def attack(url: str) -> list[list[list[str]]]:
        """The ids on each page of one row, for each filter."""
        found = []
        for more in filters:
            path = f"/v1/games?player={player.name}{more}&limit=1"
            pages = []
            while path:
                answer = get(url, other, path)
                assert answer.status_code == 200
                pages.append([item["id"] for item in answer.json()["items"]])
                path = answer.links["next"]["url"] if answer.json()["next"] else ""
                assert bool(answer.json()["next"]) is ("link" in answer.headers)
            found.append(pages)
        return found

    with open_service.without("seen", "look") as url:
        assert attack(url) == [[[id_] for id_ in (*reversed(shared), game["id"])]] * len(filters)
    assert attack(east.url) == [[[id_] for id_ in reversed(shared)]] * len(filters)
    for status in ("won", "lost", "abandoned", "void"):
        assert get(east.url, other, f"/v1/games?player={player.name}&status={status}").json()["items"] == []


def test_finding_a_running_sealed_game_by_its_seed(
    open_service: Unguarded, east: Service, player: Player, other: Player, clocked_postgres: Postgres
) -> None:
    game = start(player, "congress", "sealed")
    seed = seed_of(clocked_postgres, game)

    def attack(url: str, viewer: Player) -> list[str]:
        found = []
        for more in ("", "&status=playing", f"&player={player.name}", "&variant=congress&limit=1"):
            page = get(url, viewer, f"/v1/games?seed={seed}{more}").json()
            assert page["next"] is None
            found += [item["id"] for item in page["items"]]
        return found

    for viewer in (player, other):
        with open_service.without("open") as url:
            assert attack(url, viewer) == [game["id"]] * 4
        assert attack(east.url, viewer) == []


# ---- repeated requests -----------------------------------------------------------------------------------------------


def test_repeating_anothers_start(
    open_service: Unguarded, east: Service, player: Player, other: Player, clock: Clock
) -> None:
    """With the key of another, who has drawn since: the answer would be the other's game."""
    body = {"variant": "congress", "deal": {"kind": "daily"}}
    key = str(uuid4())

    def attack(url: str) -> tuple[str, str]:
        with connect(url, player.token) as mine, connect(url, other.token) as theirs:
            one, two = (http.post("/v1/games", json=body, headers={"Idempotency-Key": key}) for http in (mine, theirs))
        assert one.status_code == two.status_code == 201
        return two.json()["player"], two.headers.get("idempotency-replayed", "false")

    clock.set(f"2025-06-01{NOON}")
    with open_service.without("scope") as url:
        # The other has a game of the daily already, or this would be judged as new.
        start(other, "congress")
        assert attack(url) == (player.name, "true")
    clock.set(f"2025-06-02{NOON}")
    assert attack(east.url) == (other.name, "false")


@pytest.mark.parametrize("action", ["moves", "undo", "redo", "resign"])
def test_repeating_anothers_write(
    open_service: Unguarded, east: Service, player: Player, other: Player, clock: Clock, action: str
) -> None:
    """On a daily, whose cards the answer would show."""
    clock.set(f"2025-06-03{NOON}")
    game = start(player, "congress")
    player.play(game, "draw")
    key, real = str(uuid4()), str(uuid4())
    body: dict[str, Any] = {"moves": ["draw"]} if action == "moves" else {}
    if action == "redo":
        player.act(game, "undo", {})

    def attack(url: str, key: str) -> httpx.Response:
        return act(url, other, game, action, body, Idempotency_Key=key)

    with open_service.without("scope") as url:
        assert act(url, player, game, action, body, Idempotency_Key=key).status_code == 200
        told = attack(url, key)
        assert (told.status_code, told.headers["idempotency-replayed"]) == (200, "true")
        assert told.json()["piles"][1]["kind"] == "waste"
    if action != "resign":
        player.act(game, "resign", {}, Idempotency_Key=real)
    for used in (key, real, "another"):
        refused = attack(east.url, used)
        assert (refused.status_code, code(refused)) == (403, "forbidden")


@pytest.mark.parametrize("action", ["moves", "undo", "redo", "resign"])
def test_playing_anothers_game_to_be_shown_it(
    open_service: Unguarded, east: Service, player: Player, other: Player, clock: Clock, action: str
) -> None:
    clock.set(f"2025-06-13{NOON}")
    game = start(player, "congress")
    player.play(game, "draw")
    player.play(game, "draw")
    player.act(game, "undo", {})
    body: dict[str, Any] = {"moves": ["hop"]} if action == "moves" else {"count": 200} if action != "resign" else {}

    def attack(url: str, **headers: str) -> set[str]:
        """The members by which the answer tells of the game."""
        answer = act(url, other, game, action, body, **headers)
        assert "etag" not in answer.headers or answer.status_code == 200
        return set(answer.json()) & {"legal_moves", "available", "piles", "version"}

    assert attack(east.url) == attack(east.url, If_Match='"1"') == set()
    with open_service.without("owner") as url:
        assert attack(url)
        assert action == "resign" or attack(url, If_Match='"1"') == {"version"}
