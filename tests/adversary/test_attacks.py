"""Attacks on cards and seeds that nobody may know yet, each by name.

Each is seen to succeed on the service with the guard taken out that it would have to get past, and then to be refused
by the service as it is. Where no guard can be taken out alone, the test says why.
"""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from pasyans.engine.cards import CARD_NAMES
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS
from pasyans.record.times import parse_time

from tests.support.api import Player, code, connect
from tests.support.clocked import Clock
from tests.support.games import replay
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.streams import streaming
from tests.support.unguarded import Unguarded, seed_of_id, seed_of_time
from tests.support.waiting import until

NOON = "T12:00:00.000Z"
SHOWING = ("", "?at=1", "/events", "/replay", "/record", "/board.svg", "/board.svg?at=1")


def start(player: Player, variant: str, kind: str = "daily", url: str | None = None, **headers: str) -> dict[str, Any]:
    """A game on the deal of the day, or a sealed one."""
    with as_seen_by(player, url) as http:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = http.post("/v1/games", json={"variant": variant, "deal": {"kind": kind}}, headers=named)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


@contextmanager
def as_seen_by(player: Player | None, url: str | None) -> Iterator[httpx.Client]:
    """A client of the service at an address; the player's own without one."""
    if player is not None and url is None:
        yield player.http
        return
    assert url is not None
    with connect(url, None if player is None else player.token) as http:
        yield http


def get(url: str, player: Player | None, path: str, **headers: str) -> httpx.Response:
    with as_seen_by(player, url) as http:
        return http.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def act(url: str, player: Player, game: dict[str, Any], action: str, body: object, **headers: str) -> httpx.Response:
    with as_seen_by(player, url) as http:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return http.post(f"/v1/games/{game['id']}/{action}", json=body, headers=named)


def seed_of(postgres: Postgres, game: dict[str, Any]) -> str:
    """The seed, from behind the service."""
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    return str(seed)


def stock_of(postgres: Postgres, game: dict[str, Any], moves: list[str]) -> list[str]:
    """The cards of the stock, the next one first, from behind the service."""
    position = replay(game["variant"], seed_of(postgres, game), moves)
    return [CARD_NAMES[card] for card in reversed(position.piles[0])]


def committed(seed: str) -> str:
    return sha256(f"pasyans-commit-1/{seed}".encode()).hexdigest()


# ---- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "kind", "move"),
    [
        ("congress", "sealed", "draw"),
        ("congress", "daily", "draw"),
        ("vokzal-52", "sealed", "draw"),
        ("vokzal-36", "sealed", "r-"),
        ("dolgiy", "sealed", "redeal"),
        ("dolgiy", "daily", "redeal"),
    ],
)
def test_a_refused_batch_with_a_draw_inside(
    open_service: Unguarded,
    east: Service,
    player: Player,
    clock: Clock,
    clocked_postgres: Postgres,
    variant: str,
    kind: str,
    move: str,
) -> None:
    """Nothing is played, and the refusal tells which moves the card would have allowed that was turned up."""
    clock.set(f"2025-01-01{NOON}")
    games = (start(player, variant, kind) for _ in range(200))
    turning, game = next((legal, game) for game in games for legal in game["legal_moves"] if legal.startswith(move))
    after = replay(variant, seed_of(clocked_postgres, game), [turning])

    def attack(url: str) -> httpx.Response:
        return act(url, player, game, "moves", {"moves": [turning, "hop"]})

    with open_service.without("batch") as url:
        assert attack(url).json()["legal_moves"] == rules_of(VARIANTS[variant]).legal_moves(after)
    refused = attack(east.url)
    assert (refused.status_code, code(refused)) == (400, "invalid-request")
    assert [fault["path"] for fault in refused.json()["errors"]] == ["body.moves[0]"]
    assert player.http.get(f"/v1/games/{game['id']}").json() == game


@pytest.mark.parametrize("variant", ["congress", "vokzal-52"])
def test_a_move_from_the_stock_whose_refusal_names_its_card(
    open_service: Unguarded, east: Service, player: Player, clocked_postgres: Postgres, variant: str
) -> None:
    # One whose next card of the stock would not go to an empty foundation.
    games = (start(player, variant, "sealed") for _ in range(200))
    dealt = ((stock_of(clocked_postgres, game, [])[0], game) for game in games)
    card, game = next((card, game) for card, game in dealt if card[0] != "A")

    def attack(url: str) -> dict[str, Any]:
        return dict(act(url, player, game, "moves", {"moves": ["s-f1"]}).json())

    with open_service.without("stock") as url:
        told = attack(url)
        assert told["reason"] != "not-available"
        assert card in told["detail"]
    told = attack(east.url)
    assert (told["reason"], told["detail"]) == ("not-available", "No card is taken from s.")
    assert told["legal_moves"] == game["legal_moves"]


def test_moves_that_name_cards_which_lie_face_down(player: Player, clocked_postgres: Postgres) -> None:
    """No guard to take out: the reserve's lower cards are reached by no refusal, since a count is refused first."""
    game = start(player, "vokzal-52", "sealed")
    position = replay("vokzal-52", seed_of(clocked_postgres, game), [])
    hidden = {CARD_NAMES[card] for card in position.piles[0] + position.piles[2][:-1]}
    tried = [
        f"{source}-{target}{count}"
        for source in ("s", "r", "w", "f1", "t1")
        for target in ("s", "r", "w", "f", "f1", "t1", "t2")
        for count in ("", "*2", "*5", "*13", "*40")
    ]
    refused = 0
    for move in tried:
        if move in game["legal_moves"] or (
            move.endswith("-f") and any(m.startswith(move) for m in game["legal_moves"])
        ):
            continue
        answer = player.act(game, "moves", {"moves": [move]})
        assert code(answer) in ("illegal-move", "unreadable-move")
        assert not cards_in(answer.json()["detail"]) & hidden
        assert answer.json()["legal_moves"] == game["legal_moves"]
        refused += 1
    assert refused > 150


def cards_in(text: str) -> set[str]:
    return set(re.findall(r"\b[A23456789TJQK][CDHS]\b", text))


def test_what_lies_face_down_is_named_as_something_moves(
    open_service: Unguarded, east: Service, player: Player, clocked_postgres: Postgres
) -> None:
    """An undo across a redeal shifts cards that lie face down before and after it."""
    shifts = False  # only cards below one that has left the waste; of some deals none does so in the first pass
    while not shifts:
        game = start(player, "vokzal-36", "sealed")
        moves: list[str] = []
        while "redeal" not in game["legal_moves"]:
            playable = [move for move in game["legal_moves"] if move.startswith("w-")]
            moves.append(playable[0] if playable else "draw")
            game |= player.play(game, moves[-1])
        dealt, turned = (stock_of(clocked_postgres, game, line) for line in ([], [*moves, "redeal"]))
        shifts = turned != dealt[-len(turned) :]
    before = game["version"]
    player.play(game, "redeal")
    player.act(game, "undo", {"count": game["moves"] + 1})

    def attack(url: str) -> set[int]:
        """The events that name a card which lies face up neither before nor after them."""
        events = get(url, player, f"/v1/games/{game['id']}/events?limit=200").json()["items"]
        states = {seq: up(url, seq) for seq in range(1, before + 3)}
        return {
            event["seq"]
            for event in events[1:]
            for change in event["changes"]
            if change["card"] is not None
            and (change["from"], change["from_index"]) not in states[event["seq"] - 1]
            and (change["to"], change["to_index"]) not in states[event["seq"]]
        }

    def up(url: str, at: int) -> set[tuple[str, int]]:
        piles = get(url, player, f"/v1/games/{game['id']}?at={at}").json()["piles"]
        return {(pile["id"], pile["hidden"] + index) for pile in piles for index in range(len(pile["cards"]))}

    with open_service.without("changes") as url:
        assert before + 2 in attack(url)
    assert attack(east.url) == set()


def test_a_draw_that_is_refused_or_taken_back_leaves_no_card_behind(
    open_service: Unguarded, east: Service, player: Player, clocked_postgres: Postgres
) -> None:
    """What is taken back has been seen; the next card has not, and is in nothing that is said of either."""
    game = start(player, "vokzal-52", "sealed")
    player.play(game, "draw")
    unseen = set(stock_of(clocked_postgres, game, ["draw"]))
    refusals = [
        player.act(game, "moves", {"moves": ["draw"]}, If_Match='"1"'),
        player.act(game, "moves", {"moves": ["t1-t1", "draw"]}),
        player.act(game, "moves", {"moves": ["draw", "draw"]}),
    ]
    assert [code(refusal) for refusal in refusals] == ["stale-version", "illegal-move", "invalid-request"]
    undone = player.act(game, "undo", {})
    path = f"/v1/games/{game['id']}"
    seqs = [event["seq"] for event in get(east.url, None, f"{path}/events").json()["items"]]
    assert seqs == [1, 2, 3]

    def said(url: str) -> set[str]:
        answers = [get(url, player, path + rest).text for rest in ("", "?at=2", "/events", "/replay", "/record")]
        return set().union(*(cards_in(answer) for answer in answers))

    with open_service.without("face-down") as url:
        assert said(url) >= unseen
    assert not said(east.url) & unseen
    assert not set().union(*(cards_in(answer.text) for answer in [*refusals, undone])) & unseen


# ---- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sealed", "daily"])
def test_the_record_of_a_running_game_and_what_judging_it_gives(
    open_service: Unguarded, east: Service, player: Player, clock: Clock, clocked_postgres: Postgres, kind: str
) -> None:
    clock.set(f"2025-01-03{NOON}")
    game = start(player, "congress", kind)
    player.play(game, "draw")

    def attack(url: str) -> httpx.Response:
        record = get(url, player, f"/v1/games/{game['id']}/record").text
        # Judging refuses what is a daily's by itself; the next attack is on that.
        with connect(url) as http:
            return http.post("/v1/records/verify", json={"record": record, "frames": True})

    with open_service.without("seed", "verify") as url:
        told = attack(url).json()
        assert told["game"]["deal"]["seed"] == seed_of(clocked_postgres, game)
        assert len(told["frames"]) == 2
    refused = attack(east.url)
    assert (refused.status_code, code(refused)) == (403, "deal-sealed")
    assert refused.json()["until"] == (None if kind == "sealed" else "2025-01-04T00:00:00.000Z")


@pytest.mark.parametrize("named", ["daily", "shared", "sealed"])
def test_judging_a_record_of_a_running_daily_whose_seed_is_known(
    open_service: Unguarded, east: Service, player: Player, clock: Clock, clocked_postgres: Postgres, named: str
) -> None:
    """Whatever the record says that it is of."""
    clock.set(f"2025-01-04{NOON}")
    seed = seed_of(clocked_postgres, start(player, "congress"))
    tags = {"Pasyans": "1", "Variant": "congress", "Rules": "1", "Deal": named, "Date": "2025-01-04", "Seed": seed}
    record = "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\ndraw draw\n"

    def attack(url: str) -> httpx.Response:
        with connect(url) as http:
            return http.post("/v1/records/verify", json={"record": record, "frames": True})

    with open_service.without("verify") as url:
        assert [len(pile["cards"]) for pile in attack(url).json()["frames"][-1]["game"]["piles"][:2]] == [0, 2]
    refused = attack(east.url)
    assert (code(refused), refused.json()["until"]) == ("deal-sealed", "2025-01-05T00:00:00.000Z")


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
