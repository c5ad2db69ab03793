"""Pictures of a game's board: the board that the game has, for whoever may see it."""

from typing import Any

import httpx
import pytest
from pasyans.api.drawing.board import draw
from pasyans.engine.families import rules_of
from pasyans.engine.view import PileView
from pasyans.games.catalogue import VARIANTS

from tests.support.api import Player, code, faults
from tests.support.games import VARIANT_IDS, choose


def picture(game: dict[str, Any], rest: str = "") -> str:
    return f"/v1/games/{game['id']}/board.svg{rest}"


def drawn(game: dict[str, Any]) -> bytes:
    """The picture of a game as the API shows it."""
    variant = VARIANTS[game["variant"]]
    views = [PileView(**pile) for pile in game["piles"]]
    return draw(variant.name.en, rules_of(variant).layout, views).encode()


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_a_picture_shows_the_board_of_each_version(player: Player, http: httpx.Client, variant: str) -> None:
    game = player.start(variant)
    for number in range(6):
        if not game["legal_moves"]:
            break
        game = player.play(game, choose(game["legal_moves"], f"{variant} {number}"))
    assert game["version"] > 1
    present = http.get(picture(game))
    assert present.content == drawn(game)
    boards = {present.content}
    for version in range(1, game["version"] + 1):
        then = http.get(picture(game, f"?at={version}"))
        assert then.content == drawn(http.get(f"/v1/games/{game['id']}?at={version}").json())
        boards.add(then.content)
    assert len(boards) > 1
    assert http.get(picture(game, f"?at={game['version']}")).content == present.content


def test_a_picture_is_svg_that_loads_nothing_and_runs_nothing(player: Player, http: httpx.Client) -> None:
    answer = http.get(picture(player.start("dolgiy", "hello")))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert answer.text.startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    for word in ("<script", "javascript:", "xlink", "@import", "foreignObject"):
        assert word not in answer.text


def test_a_copy_that_is_still_good_is_not_sent_again(player: Player, http: httpx.Client) -> None:
    game = player.play(player.start("congress", "hello"), "draw")
    for rest in ("", "?at=1", "?at=2"):
        full = http.get(picture(game, rest))
        assert full.headers["etag"] == '"2"'
        assert (full.headers["cache-control"], full.headers["vary"]) == ("no-cache", "Authorization")
        for tag in ('"2"', 'W/"2"', "*"):
            unmodified = http.get(picture(game, rest), headers={"If-None-Match": tag})
            assert (unmodified.status_code, unmodified.content) == (304, b"")
            assert unmodified.headers["etag"] == '"2"'
        assert http.get(picture(game, rest), headers={"If-None-Match": '"1"'}).content == full.content
    player.play(game, "draw")
    assert http.get(picture(game), headers={"If-None-Match": '"2"'}).status_code == 200


@pytest.mark.parametrize("version", ["0", "3", "2147483647"])
def test_a_version_that_there_is_not(player: Player, http: httpx.Client, version: str) -> None:
    game = player.play(player.start("congress", "hello"), "draw")
    for headers in ({}, {"If-None-Match": "*"}):
        missing = http.get(picture(game, f"?at={version}"), headers=headers)
        assert (missing.status_code, code(missing)) == (404, "not-found")


def test_wrong_requests(player: Player, http: httpx.Client) -> None:
    game = player.start("congress", "hello")
    unknown = http.get("/v1/games/01936f0e-7c1a-7b3e-9d55-0123456789ab/board.svg")
    assert (unknown.status_code, code(unknown)) == (404, "not-found")
    wrong = http.get("/v1/games/x/board.svg?at=x&width=3", headers={"If-None-Match": "2"})
    assert set(faults(wrong)) == {"path.id", "query.at", "query.width", "header.If-None-Match"}
    assert list(faults(http.get(picture(game, "?at=-1")))) == ["query.at"]
    refused = http.post(picture(game))
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


def test_what_a_browser_asks_for_is_given(player: Player, http: httpx.Client) -> None:
    path = picture(player.start("congress", "hello"))
    for accept in (
        "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "image/*",
    ):
        assert http.get(path, headers={"Accept": accept}).status_code == 200
    for accept in ("image/png", "application/json", "image/svg+xml;q=0"):
        refused = http.get(path, headers={"Accept": accept})
        assert (refused.status_code, code(refused)) == (406, "not-acceptable")


def test_head_is_get_without_the_body(player: Player, http: httpx.Client) -> None:
    path = picture(player.start("congress", "hello"))
    got, headed = http.get(path), http.head(path)
    assert (headed.status_code, headed.content) == (200, b"")
    own = {"date", "x-request-id"}
    assert {name: value for name, value in headed.headers.items() if name not in own} == {
        name: value for name, value in got.headers.items() if name not in own
    }


def test_a_sealed_game_shows_its_face_up_cards_to_all(player: Player, http: httpx.Client) -> None:
    """Nothing that lies face down is told before the end, nor after it: that is the seed's to tell."""
    game = player.start("vokzal-52")
    seen = http.get(picture(game))
    assert seen.content == player.http.get(picture(game)).content == drawn(game)
    over = player.act(game, "resign", {}).json()
    assert over["deal"]["seed"] not in http.get(picture(over)).text
    assert http.get(picture(over)).content == seen.content
