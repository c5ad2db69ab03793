"""Attacks on seeds that nobody may know yet, and on dailies that are known by now; each by name.

Each is seen to succeed on the service with the guard taken out that it would have to get past, and then to be refused
by the service as it is. Where no guard can be taken out alone, the test says why.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from typing import Any
from uuid import UUID

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans.record.times import parse_time

from tests.adversary.attacking import NOON, act, committed, get, seed_of, start
from tests.support.api import Player, code, connect
from tests.support.clocked import Clock
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.unguarded import Unguarded, seed_of_id, seed_of_time
from tests.support.waiting import until

# ---- seeds -----------------------------------------------------------------------------------------------------------


def test_trying_seeds_against_a_commitment(
    open_service: Unguarded, player: Player, anyone: httpx.Client, clock: Clock, clocked_postgres: Postgres
) -> None:
    """Anybody may try: the guard is that there are 2**128 of them."""
    clock.set(f"2025-02-01{NOON}")
    coming = anyone.get("/v1/daily?date=2025-02-07").json()["items"]

    def attack(commitment: str) -> list[str]:
        likely = [*(bytes(15) + bytes([low]) for low in range(256)), *(bytes([low]) * 16 for low in range(1, 256))]
        return [seed.hex() for seed in likely if committed(seed.hex()) == commitment]

    with open_service.without("chance") as url:
        game = start(player, "congress", "sealed", url)
        (found,) = attack(game["deal"]["commitment"])
        assert act(url, player, game, "resign", {}).json()["deal"]["seed"] == found

        def attacked() -> list[int]:
            """How many seeds are found for each deal of a day, which are drawn anew."""
            query(clocked_postgres.admin_url, "DELETE FROM dailies WHERE date = '2025-02-08'")
            drawn = get(url, None, "/v1/daily?date=2025-02-08").json()["items"]
            return [len(attack(daily["commitment"])) for daily in drawn]

        # The other services draw ahead too, and whoever comes first has drawn.
        until(lambda: attacked() == [1] * len(VARIANTS), "each deal that this service has drawn is found")
    assert attack(start(player, "congress", "sealed")["deal"]["commitment"]) == []
    assert [attack(daily["commitment"]) for daily in coming] == [[]] * len(VARIANTS)


def test_a_seed_that_follows_from_the_time(open_service: Unguarded, player: Player, clock: Clock) -> None:
    clock.set(f"2025-02-10{NOON}")

    def attack(game: dict[str, Any]) -> list[str]:
        began = parse_time(game["started_at"])
        seeds = [seed_of_time(at).hex() for at in range(began - 50, began + 50)]
        return [seed for seed in seeds if committed(seed) == game["deal"]["commitment"]]

    with open_service.without("time") as url:
        assert len(attack(start(player, "congress", "sealed", url))) == 1
    assert attack(start(player, "congress", "sealed")) == []


def test_a_seed_that_follows_from_the_id(
    open_service: Unguarded, player: Player, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set(f"2025-02-11{NOON}")

    def attack(game: dict[str, Any]) -> bool:
        return bool(committed(seed_of_id(UUID(game["id"])).hex()) == game["deal"]["commitment"])

    with open_service.without("id") as url:
        assert attack(start(player, "congress", "sealed", url))
    games = [start(player, "congress", "sealed") for _ in range(100)]
    assert not any(map(attack, games))
    # Of an id all but the time and the version is random, and none of that is in the seed: in no place do the two agree
    # or differ always.
    ids = [UUID(game["id"]).int for game in games]
    seeds = [int(seed_of(clocked_postgres, game), 16) for game in games]
    fixed = {*range(80, 128), *range(76, 80), 62, 63}
    for bit in range(128):
        chances = {id_ >> bit & 1 for id_ in ids}
        assert len(chances) == (1 if bit in fixed else 2)
        assert {seed >> bit & 1 for seed in seeds} == {0, 1}
        if bit not in fixed:
            assert {(id_ ^ seed) >> bit & 1 for id_, seed in zip(ids, seeds, strict=True)} == {0, 1}


def test_a_shared_game_on_the_seed_of_a_running_one(
    open_service: Unguarded, player: Player, other: Player, clock: Clock, clocked_postgres: Postgres
) -> None:
    """Who has a seed sees its cards; but nothing tells of which game it is, so guesses are not confirmed here."""
    clock.set(f"2025-02-12{NOON}")
    for kind in ("sealed", "daily"):
        secret = start(player, "congress", kind)
        seed = seed_of(clocked_postgres, secret)
        shared = other.start("congress", seed)
        control = other.start("congress", f"{'0' * 31}{'1' if kind == 'sealed' else '2'}")
        told = {"id", "deal", "piles", "legal_moves", "started_at", "updated_at", "attempt", "stuck", "finish"}
        assert {name: value for name, value in shared.items() if name not in told} == {
            name: value for name, value in control.items() if name not in told
        }
        assert shared["attempt"] == control["attempt"] == 1
        assert shared["deal"] == {"kind": "shared", "seed": seed, "commitment": None, "date": None}

        def attack(url: str, seed: str = seed) -> set[str]:
            games = get(url, other, f"/v1/games?seed={seed}").json()["items"]
            stats = get(url, other, f"/v1/variants/congress/deals/{seed}/stats").json()
            return {game["id"] for game in games} | ({"stats"} if stats["games"] else set())

        player.play(secret, "draw")
        with open_service.without("open", "seen", "look") as url:
            assert attack(url) == {secret["id"], shared["id"]}
        assert attack(str(other.http.base_url)) == {shared["id"]}
    # The daily ends; its result is in no statistics of the deal before the day is over, nor after.
    player.act(secret, "resign", {})
    with open_service.without("open", "seen", "kind", "look") as url:
        assert "stats" in attack(url)
    assert attack(str(other.http.base_url)) == {shared["id"]}


def test_the_opening_of_a_running_dailys_seed(
    anyone: httpx.Client, player: Player, clock: Clock, clocked_postgres: Postgres
) -> None:
    """No guard to take out: it is worked out from the address alone, so it can't tell whose seed it is."""
    clock.set(f"2025-02-14{NOON}")
    seed = seed_of(clocked_postgres, start(player, "court"))
    path = f"/v1/variants/court/deals/{seed}"
    during = [anyone.get(path), anyone.get(f"{path}/stats")]
    clock.set("2025-02-15T00:00:00Z")
    after = [anyone.get(path), anyone.get(f"{path}/stats")]
    control = [anyone.get(f"/v1/variants/court/deals/{'a' * 32}{rest}") for rest in ("", "/stats")]
    for one, two, three in zip(during, after, control, strict=True):
        assert (one.status_code, one.content) == (two.status_code, two.content)
        assert shape(one) == shape(two) == shape(three)


def shape(answer: httpx.Response) -> tuple[int, list[str], list[str]]:
    own = {"date", "x-request-id", "content-length"}
    return answer.status_code, sorted(set(answer.headers) - own), sorted(answer.json())


@pytest.mark.parametrize("moment", ["", "?date=2025-02-16", "?date=2025-02-20"])
def test_the_seed_in_the_list_of_dailies(open_service: Unguarded, east: Service, clock: Clock, moment: str) -> None:
    clock.set("2025-02-16T23:59:59.999Z")

    def attack(url: str) -> list[str]:
        items = get(url, None, f"/v1/daily{moment}").json()["items"]
        assert len(items) == len(VARIANTS)
        return [item["variant"] for item in items if item["seed"] and committed(item["seed"]) == item["commitment"]]

    with open_service.without("seed") as url:
        assert attack(url) == sorted(VARIANTS)
    assert attack(east.url) == []


# ---- dailies ---------------------------------------------------------------------------------------------------------


def test_two_running_dailies_one_after_the_other(
    open_service: Unguarded, east: Service, west: Service, player: Player, clock: Clock
) -> None:
    """To look ahead in one and play the other."""
    clock.set(f"2025-03-01{NOON}")
    first = start(player, "congress")

    def attack(url: str) -> httpx.Response:
        with connect(url, player.token) as http:
            return http.post("/v1/games", json={"variant": "congress", "deal": {"kind": "daily"}})

    with open_service.without("running") as url:
        second = attack(url)
        assert second.status_code == 201
        act(url, player, second.json(), "resign", {})
    for url in (east.url, west.url):
        refused = attack(url)
        assert (code(refused), refused.json()["game"]) == ("already-playing", first["id"])


def test_two_running_dailies_at_once(
    open_service: Unguarded, east: Service, west: Service, player: Player, clock: Clock
) -> None:
    clock.set(f"2025-03-02{NOON}")

    def attack(urls: list[str]) -> int:
        """The most that ran at once, of those that were asked for together, in up to 40 tries."""
        most = 0
        with ExitStack() as stack:
            ends = [stack.enter_context(connect(url, player.token)) for url in urls]
            pool = stack.enter_context(ThreadPoolExecutor(len(ends)))
            for _ in range(40):
                barrier = Barrier(len(ends))

                def post(end: httpx.Client, barrier: Barrier = barrier) -> httpx.Response:
                    barrier.wait()
                    return end.post("/v1/games", json={"variant": "congress", "deal": {"kind": "daily"}})

                answers = [answer for answer in pool.map(post, ends) if answer.status_code == 201]
                for answer in answers:
                    player.act(answer.json(), "resign", {})
                most = max(most, len(answers))
                if most > 1:
                    return most
        return most

    with open_service.without("turn") as url:
        assert attack([url] * 4) > 1
    clock.set(f"2025-03-03{NOON}")
    assert attack([east.url, west.url] * 2) == 1


def test_resigning_to_start_again_with_known_cards(
    open_service: Unguarded, east: Service, player: Player, clock: Clock
) -> None:
    """It is allowed, and the same cards come again; but what counts is the first attempt."""
    clock.set(f"2025-03-04{NOON}")
    first = start(player, "congress")
    seen = player.play(first, "draw")["piles"][1]["cards"]
    over = player.act(first, "resign", {}).json()
    assert (over["status"], over["deal"]["seed"], over["ranked"]) == ("lost", None, True)
    again = start(player, "congress")
    assert player.play(again, "draw")["piles"][1]["cards"] == seen

    def attack(url: str) -> bool:
        game = get(url, player, f"/v1/games/{again['id']}").json()
        assert game["attempt"] == 2
        return bool(game["ranked"])

    with open_service.without("ranking") as url:
        assert attack(url)
    assert not attack(east.url)


def test_resigning_untouched_to_have_a_first_attempt_left(
    open_service: Unguarded, east: Service, player: Player, clock: Clock
) -> None:
    clock.set(f"2025-03-05{NOON}")
    untouched = start(player, "congress")
    assert player.act(untouched, "resign", {}).json()["status"] == "abandoned"
    again = start(player, "congress")

    def attack(url: str) -> bool:
        return bool(get(url, player, f"/v1/games/{again['id']}").json()["ranked"])

    with open_service.without("ranking") as url:
        assert attack(url)
    assert (again["attempt"], attack(east.url)) == (2, False)


def test_a_daily_that_is_finished_when_its_seed_is_known(
    open_service: Unguarded, east: Service, player: Player, clock: Clock
) -> None:
    clock.set("2025-03-06T23:59:59.999Z")
    game = start(player, "congress")
    assert player.play(game, "draw")["ranked"] is True
    clock.advance(1)
    assert player.http.get(f"/v1/games/{game['id']}").json()["deal"]["seed"] is not None
    player.play(game, "draw")
    player.act(game, "resign", {})

    def attack(url: str) -> bool:
        return bool(get(url, player, f"/v1/games/{game['id']}").json()["ranked"])

    with open_service.without("ranking") as url:
        assert attack(url)
    assert not attack(east.url)


def test_undo_past_the_start_and_redo_after_the_end(player: Player, clock: Clock) -> None:
    """No guard can be taken out alone: what decides refuses it, and so does the fold of the log behind that."""
    clock.set(f"2025-03-07{NOON}")
    for kind in ("sealed", "daily"):
        game = start(player, "forty-and-eight", kind)
        answer = player.act(game, "undo", {})
        assert (code(answer), answer.json()["available"]) == ("nothing-to-undo", 0)
        drawn = player.play(game, "draw")
        answer = player.act(game, "undo", {"count": 2})
        assert (code(answer), answer.json()["available"]) == ("nothing-to-undo", 1)
        player.act(game, "undo", {})
        again = player.act(game, "redo", {}).json()
        assert (again["piles"], again["undos"]) == (drawn["piles"], 1)
        player.act(game, "undo", {})
        answer = player.act(game, "redo", {"count": 2})
        assert (code(answer), answer.json()["available"]) == ("nothing-to-redo", 1)
        over = player.act(game, "resign", {}).json()
        assert (over["redo_available"], over["legal_moves"], over["piles"][1]["cards"]) == (0, [], [])
        for action in ("undo", "redo", "resign"):
            assert code(player.act(game, action, {})) == "game-over"
        assert code(player.act(game, "moves", {"moves": ["draw"]})) == "game-over"
        assert player.http.get(f"/v1/games/{game['id']}").json()["version"] == over["version"]
