"""Attacks on cards that nobody may know yet, by moves and by records; each by name.

Each is seen to succeed on the service with the guard taken out that it would have to get past, and then to be refused
by the service as it is. Where no guard can be taken out alone, the test says why.
"""

from typing import Any

import httpx
import pytest
from pasyans.engine.cards import CARD_NAMES
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS

from tests.adversary.attacking import NOON, act, cards_in, get, seed_of, start, stock_of
from tests.support.api import Player, code, connect
from tests.support.clocked import Clock
from tests.support.games import replay
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.unguarded import Unguarded

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
