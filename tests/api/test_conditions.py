"""Conditional requests: If-None-Match on reads, If-Match on writes."""

import httpx
import pytest

from tests.support.api import Player, code, faults


def test_a_copy_that_is_still_good_is_not_sent_again(player: Player, http: httpx.Client) -> None:
    game = player.play(player.start("congress", "hello"), "draw")
    for path in ("", "?at=1", "/record"):
        full = http.get(f"/v1/games/{game['id']}{path}")
        assert full.headers["etag"] == '"2"'
        assert (full.headers["cache-control"], full.headers["vary"]) == ("no-cache", "Authorization")
        for tag in ('"2"', 'W/"2"', '"1", W/"2"', "*"):
            unmodified = http.get(f"/v1/games/{game['id']}{path}", headers={"If-None-Match": tag})
            assert (unmodified.status_code, unmodified.content) == (304, b"")
            for name in ("etag", "cache-control", "vary"):
                assert unmodified.headers[name] == full.headers[name]
        for tag in ('"1"', '"22"', '""'):
            assert http.get(f"/v1/games/{game['id']}{path}", headers={"If-None-Match": tag}).status_code == 200
    player.play(game, "draw")
    assert http.get(f"/v1/games/{game['id']}", headers={"If-None-Match": '"2"'}).status_code == 200


def test_a_condition_does_not_hide_that_there_is_no_such_version(player: Player, http: httpx.Client) -> None:
    game = player.start()
    assert code(http.get(f"/v1/games/{game['id']}?at=9", headers={"If-None-Match": "*"})) == "not-found"


@pytest.mark.parametrize("tag", ["2", '"2', "'2'", '"1" "2"', "", '*, "2"'])
def test_what_is_no_list_of_tags_is_a_fault(player: Player, tag: str) -> None:
    game = player.start()
    wrong = player.http.get(f"/v1/games/{game['id']}", headers={"If-None-Match": tag})
    assert list(faults(wrong)) == ["header.If-None-Match"]
    wrong = player.act(game, "resign", {}, If_Match=tag)
    assert list(faults(wrong)) == ["header.If-Match"]


@pytest.mark.parametrize("tag", ['"2"', 'W/"2"', '"1", "2"', "*", '"2.1"'])
def test_a_write_on_the_version_that_the_player_saw(player: Player, tag: str) -> None:
    game = player.play(player.start("congress", "hello"), "draw")
    assert player.play(game, "draw", If_Match=tag)["version"] == 3


@pytest.mark.parametrize("action", ["moves", "undo", "redo", "resign"])
def test_a_write_on_a_version_that_is_past_writes_nothing(player: Player, http: httpx.Client, action: str) -> None:
    game = player.play(player.start("congress", "hello"), "draw", "draw")
    player.act(game, "undo", {})
    body = {"moves": ["draw"]} if action == "moves" else {}
    before = http.get(f"/v1/games/{game['id']}").json()
    for tag in ('"3"', 'W/"1"', '"1", "2", "3", "5"', '"x"', '""'):
        stale = player.act(game, action, body, If_Match=tag)
        assert (stale.status_code, code(stale), stale.json()["version"]) == (412, "stale-version", 4)
    assert http.get(f"/v1/games/{game['id']}").json() == before
    assert player.act(game, action, body, If_Match='"4"').status_code == 200


def test_the_condition_is_judged_before_the_move(player: Player) -> None:
    game = player.start("congress", "hello")
    assert code(player.act(game, "moves", {"moves": ["redeal"]}, If_Match='"9"')) == "stale-version"
    assert code(player.act(game, "undo", {}, If_Match='"9"')) == "stale-version"
    over = player.act(game, "resign", {}).json()
    assert code(player.act(over, "resign", {}, If_Match='"1"')) == "stale-version"
    assert code(player.act(over, "resign", {}, If_Match='"2"')) == "game-over"


def test_the_owner_is_judged_before_the_condition(player: Player, other: Player) -> None:
    game = player.start("congress", "hello")
    assert code(other.act(game, "moves", {"moves": ["draw"]}, If_Match='"9"')) == "forbidden"
