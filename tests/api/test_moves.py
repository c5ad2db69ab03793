"""Playing: moves, undo, redo, resigning."""

import httpx
import pytest
from pasyans.engine.errors import Reason

from tests.support.api import Player, code, faults
from tests.support.vectors import wins

VOKZAL = "hello"


def test_moves_are_played_and_come_with_their_events(player: Player) -> None:
    game = player.start("congress", "hello")
    played = player.act(game, "moves", {"moves": ["draw", "draw"]})
    assert played.status_code == 200
    assert played.headers["etag"] == '"3"'
    body = played.json()
    events = body.pop("events")
    assert (body["version"], body["moves"], body["undo_available"]) == (3, 2, 2)
    assert [(event["seq"], event["type"], event["move"]) for event in events] == [
        (2, "moved", "draw"),
        (3, "moved", "draw"),
    ]
    assert all(set(event) == {"seq", "type", "at", "changes", "move"} for event in events)
    assert [event["at"] for event in events] == [body["updated_at"]] * 2
    top = body["piles"][1]["cards"][-1]
    assert events[1]["changes"] == [
        {"card": top, "from": "s", "from_index": 94, "to": "w", "to_index": 1, "turned": True}
    ]
    assert player.http.get(f"/v1/games/{game['id']}").json() == body


def test_the_longest_batch_is_played(player: Player) -> None:
    game = player.start("vokzal-36", "hello")
    moves = (["draw"] * 8 + ["redeal"]) * 56
    played = player.play(game, *moves[:500])
    assert (played["version"], len(played["events"])) == (501, 500)
    assert list(faults(player.act(game, "moves", {"moves": moves[:501]}))) == ["body.moves"]


def test_short_forms_are_logged_in_full(player: Player) -> None:
    game = player.start("congress", "hello")
    while not any(move.startswith("w-f") for move in game["legal_moves"]):
        game = player.play(game, "draw")
    target = min(move for move in game["legal_moves"] if move.startswith("w-f"))
    played = player.play(game, "w-f")
    assert [event["move"] for event in played["events"]] == [target]


@pytest.mark.parametrize("variant", sorted({win.variant for win in wins()}))
def test_a_win_ends_the_game(player: Player, http: httpx.Client, variant: str) -> None:
    win = next(win for win in wins() if win.variant == variant)
    game = player.start(variant, win.seed)
    *first, last = (win.moves[at : at + 500] for at in range(0, len(win.moves), 500))
    for batch in first:
        player.play(game, *batch)
    over = player.play(game, *last)
    assert [event["type"] for event in over["events"][-2:]] == ["moved", "finished"]
    assert over["events"][-1] == {
        "seq": len(win.moves) + 2,
        "type": "finished",
        "at": over["finished_at"],
        "changes": [],
        "outcome": "won",
    }
    assert (over["status"], over["version"]) == ("won", len(win.moves) + 2)
    assert (over["legal_moves"], over["finish"], over["undo_available"]) == ([], None, 0)
    assert over["score"] == http.get(f"/v1/variants/{variant}").json()["cards"]
    for action, body in (("moves", {"moves": ["draw"]}), ("undo", {"count": 1}), ("redo", {}), ("resign", {})):
        refused = player.act(game, action, body)
        assert (refused.status_code, code(refused)) == (409, "game-over")
    record = http.get(f"/v1/games/{game['id']}/record").text
    verified = http.post("/v1/records/verify", json={"record": record}).json()
    assert (verified["valid"], verified["game"]["status"]) == (True, "won")


def test_a_move_after_the_winning_one_refuses_the_whole_batch(player: Player, http: httpx.Client) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    game = player.start("vokzal-36", win.seed)
    refused = player.act(game, "moves", {"moves": [*win.moves, "draw", "draw"]})
    assert (refused.status_code, code(refused)) == (409, "game-over")
    assert refused.json()["index"] == len(win.moves)
    assert http.get(f"/v1/games/{game['id']}").json() == game


def test_an_illegal_move_says_why_and_plays_nothing(player: Player, http: httpx.Client) -> None:
    game = player.start("congress", "hello")
    refused = player.act(game, "moves", {"moves": ["draw", "redeal", "draw"]})
    assert (refused.status_code, code(refused)) == (422, "illegal-move")
    body = refused.json()
    assert (body["move"], body["index"], body["reason"]) == ("redeal", 1, "stock-not-empty")
    assert http.get(f"/v1/games/{game['id']}").json() == game
    assert body["legal_moves"] == player.play(game, "draw")["legal_moves"]


@pytest.mark.parametrize("move", ["hop", "w_t3", "W-T3", "t1-t2*1", " draw", "draw ", "t1-t2*0", "t1-t2*x", "я-t1"])
def test_an_unreadable_move_is_told_apart(player: Player, move: str) -> None:
    refused = player.act(player.start("congress", "hello"), "moves", {"moves": ["draw", move]})
    assert (refused.status_code, code(refused)) == (422, "unreadable-move")
    assert (refused.json()["move"], refused.json()["index"], refused.json()["reason"]) == (move, 1, None)


def test_a_reason_is_one_of_the_closed_list(player: Player) -> None:
    game = player.start("congress", "hello")
    reasons = {
        player.act(game, "moves", {"moves": [move]}).json()["reason"]
        for move in ("x-t1", "w-t1", "f1-t1", "t1-s", "t1-t1", "redeal", "t1-t2*2")
    }
    assert len(reasons) >= 5
    assert reasons <= set(Reason)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["body.moves"]),
        ({"moves": []}, ["body.moves"]),
        ({"moves": ["draw"] * 501}, ["body.moves"]),
        ({"moves": "draw"}, ["body.moves"]),
        ({"moves": [1, None, "", "x" * 33]}, ["body.moves[0]", "body.moves[1]", "body.moves[2]", "body.moves[3]"]),
        ({"moves": ["draw"], "move": "draw"}, ["body.move"]),
        ([], ["body"]),
        (None, ["body"]),
    ],
)
def test_a_malformed_batch(player: Player, body: object, paths: list[str]) -> None:
    assert list(faults(player.act(player.start(), "moves", body))) == paths


def test_a_member_that_is_given_twice_is_not_taken_for_the_last(player: Player) -> None:
    game = player.start("congress", "hello")
    path = f"/v1/games/{game['id']}/moves"
    twice = b'{"moves": ["draw"], "moves": ["draw", "draw"]}'
    refused = player.http.post(path, content=twice, headers={"Content-Type": "application/json"})
    assert faults(refused) == {"body.moves": "is given more than once"}
    assert player.http.get(f"/v1/games/{game['id']}").json()["version"] == 1


def test_only_the_owner_plays(player: Player, other: Player, http: httpx.Client) -> None:
    game = player.start("congress", "hello")
    for action, body in (("moves", {"moves": ["draw"]}), ("undo", {}), ("redo", {}), ("resign", {})):
        refused = other.act(game, action, body)
        assert (refused.status_code, code(refused)) == (403, "forbidden")
    assert http.get(f"/v1/games/{game['id']}").json() == game


# ---- undo and redo


def test_undo_and_redo_go_back_and_forth_across_a_redeal(player: Player) -> None:
    game = player.start("vokzal-36", "hello")
    states = [game]
    while game["piles"][0]["hidden"]:
        game = player.play(game, "draw")
        states.append(game)
    states.append(player.play(game, "redeal"))
    undone = player.act(game, "undo", {"count": 3}).json()
    assert undone["piles"] == states[-4]["piles"]
    assert (undone["moves"], undone["undos"], undone["redo_available"]) == (states[-4]["moves"], 3, 3)
    assert (states[-1]["redeals"], undone["redeals"]) == (1, 0)
    assert [event["type"] for event in undone["events"]] == ["undone"]
    assert undone["events"][0]["count"] == 3
    redone = player.act(game, "redo", {"count": 3}).json()
    assert redone["piles"] == states[-1]["piles"]
    assert (redone["redeals"], redone["undos"], redone["redo_available"]) == (1, 3, 0)
    assert redone["events"][0]["type"] == "redone"


def test_redo_after_a_shuffling_redeal_gives_the_same_cards(player: Player) -> None:
    game = player.start("dolgiy")
    dealt = player.play(game, "redeal")
    player.act(game, "undo", {"count": 1})
    assert player.act(game, "redo", {"count": 1}).json()["piles"] == dealt["piles"]


def test_the_count_is_one_unless_told(player: Player) -> None:
    game = player.start("congress", "hello")
    player.play(game, "draw", "draw")
    assert player.act(game, "undo", {}).json()["moves"] == 1
    assert player.act(game, "redo", {}).json()["moves"] == 2


def test_more_than_there_is_is_refused_with_how_much_there_is(player: Player) -> None:
    game = player.play(player.start("congress", "hello"), "draw", "draw")
    refused = player.act(game, "undo", {"count": 3})
    assert (refused.status_code, code(refused), refused.json()["available"]) == (409, "nothing-to-undo", 2)
    player.act(game, "undo", {"count": 1})
    refused = player.act(game, "redo", {"count": 2})
    assert (refused.status_code, code(refused), refused.json()["available"]) == (409, "nothing-to-redo", 1)


def test_a_new_move_ends_what_could_be_redone(player: Player) -> None:
    game = player.play(player.start("congress", "hello"), "draw", "draw")
    player.act(game, "undo", {"count": 1})
    assert player.play(game, "draw")["redo_available"] == 0
    assert player.act(game, "redo", {}).json()["available"] == 0


@pytest.mark.parametrize("count", [0, -1, 100_001, "1", 1.5, True, None, 10**30])
def test_a_count_that_is_none(player: Player, count: object) -> None:
    game = player.start()
    for action in ("undo", "redo"):
        assert list(faults(player.act(game, action, {"count": count}))) == ["body.count"]


# ---- resigning


def test_resigning_loses_a_game_and_abandons_an_untouched_one(player: Player) -> None:
    played = player.play(player.start("court"), "draw")
    lost = player.act(played, "resign", {}).json()
    assert (lost["status"], lost["ranked"], lost["legal_moves"], lost["finish"]) == ("lost", True, [], None)
    assert lost["events"] == [
        {"seq": 3, "type": "finished", "at": lost["finished_at"], "changes": [], "outcome": "lost"}
    ]
    abandoned = player.act(player.start("court"), "resign", {}).json()
    assert (abandoned["status"], abandoned["ranked"]) == ("abandoned", False)


def test_undoing_everything_does_not_make_a_game_untouched(player: Player) -> None:
    game = player.play(player.start("court"), "draw")
    player.act(game, "undo", {})
    assert player.act(game, "resign", {}).json()["status"] == "lost"


def test_resign_takes_no_body_or_an_empty_object(player: Player) -> None:
    bare = player.http.post(f"/v1/games/{player.start()['id']}/resign")
    assert (bare.status_code, bare.json()["status"]) == (200, "abandoned")
    assert player.act(player.start(), "resign", {}).status_code == 200
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    empty = player.http.post(f"/v1/games/{player.start()['id']}/resign", content=b"", headers=form)
    assert empty.status_code == 200
    assert list(faults(player.act(player.start(), "resign", {"x": 1}))) == ["body.x"]
    null = player.http.post(
        f"/v1/games/{player.start()['id']}/resign", content=b"null", headers={"Content-Type": "application/json"}
    )
    assert list(faults(null)) == ["body"]
