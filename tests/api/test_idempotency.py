"""The same request twice is done once and answered alike."""

from typing import Any

import httpx
import pytest

from tests.support.api import Player, code, faults
from tests.support.vectors import wins

# What differs between an answer and its repetition.
OWN = {"x-request-id", "date", "idempotency-replayed"}


def assert_same(first: httpx.Response, again: httpx.Response) -> None:
    assert first.is_success, first.text
    assert again.content == first.content
    assert again.status_code == first.status_code
    headers = [{name: value for name, value in each.headers.items() if name not in OWN} for each in (first, again)]
    assert headers[0] == headers[1]
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"


# What is done first, and then asked for twice; a redeal of Dolgiy shuffles, so that its replay has to find the cards.
WRITES: list[tuple[list[str], str, dict[str, Any]]] = [
    (["redeal"], "moves", {"moves": ["redeal"]}),
    (["redeal"], "undo", {"count": 1}),
    (["redeal", "undo"], "redo", {"count": 1}),
    (["redeal"], "resign", {}),
]


@pytest.mark.parametrize(("before", "action", "body"), WRITES, ids=[action for _, action, _ in WRITES])
def test_a_write_is_repeated_as_it_was_answered_long_after(
    player: Player, before: list[str], action: str, body: dict[str, Any]
) -> None:
    game = player.start("dolgiy")
    for step in before:
        player.act(game, "undo", {}) if step == "undo" else player.play(game, step)
    first = player.act(game, action, body, Idempotency_Key="k")
    assert_same(first, player.act(game, action, body, Idempotency_Key="k"))
    player.act(game, "undo", {})
    player.act(game, "resign", {})
    assert_same(first, player.act(game, action, body, Idempotency_Key="k"))


def test_a_win_is_repeated_as_it_was_answered(player: Player) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    game = player.start("vokzal-36", win.seed)
    first = player.act(game, "moves", {"moves": win.moves}, Idempotency_Key="k")
    assert first.json()["status"] == "won"
    assert_same(first, player.act(game, "moves", {"moves": win.moves}, Idempotency_Key="k"))


@pytest.mark.parametrize("deal", [{"kind": "sealed"}, {"kind": "shared", "seed": "hello"}])
def test_a_game_is_started_once(player: Player, http: httpx.Client, deal: dict[str, str]) -> None:
    body = {"variant": "court", "deal": deal}
    key = {"Idempotency-Key": "start"}
    first = player.http.post("/v1/games", json=body, headers=key)
    assert_same(first, player.http.post("/v1/games", json=body, headers=key))
    game = first.json()
    player.play(game, "draw")
    player.act(game, "resign", {})
    assert_same(first, player.http.post("/v1/games", json=body, headers=key))
    assert [each["id"] for each in http.get(f"/v1/games?player={player.name}").json()["items"]] == [game["id"]]


def test_the_same_means_the_same_and_not_the_same_bytes(player: Player) -> None:
    game = player.start("court")
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json; charset=UTF-8"}
    path = f"/v1/games/{game['id']}/undo"
    player.play(game, "draw")
    bodies = (b'{"count": 1}', b"{}", b' { "count" : 1 } ')
    answers = [player.http.post(path, content=body, headers=headers) for body in bodies]
    assert_same(answers[0], answers[1])
    assert_same(answers[0], answers[2])


def test_a_key_belongs_to_one_request(player: Player) -> None:
    game, another = player.start("court"), player.start("court")
    player.play(game, "draw", Idempotency_Key="k")
    for refused in (
        player.act(game, "moves", {"moves": ["draw", "draw"]}, Idempotency_Key="k"),
        player.act(game, "undo", {}, Idempotency_Key="k"),
        player.act(game, "resign", {}, Idempotency_Key="k"),
        player.act(another, "moves", {"moves": ["draw"]}, Idempotency_Key="k"),
        player.act({"id": "01936f0e-0000-7000-8000-000000000001"}, "resign", {}, Idempotency_Key="k"),
        player.http.post("/v1/tokens", json={"label": "a"}, headers={"Idempotency-Key": "k"}),
        player.http.post(
            "/v1/games", json={"variant": "court", "deal": {"kind": "sealed"}}, headers={"Idempotency-Key": "k"}
        ),
    ):
        assert (refused.status_code, code(refused)) == (422, "idempotency-mismatch"), refused.request.url
    assert player.http.get(f"/v1/games/{game['id']}").json()["version"] == 2
    assert player.http.get(f"/v1/games/{another['id']}").json()["version"] == 1


def test_a_key_belongs_to_one_player(player: Player, other: Player) -> None:
    for each in (player, other):
        played = each.act(each.start("court"), "moves", {"moves": ["draw"]}, Idempotency_Key="k")
        assert "idempotency-replayed" not in played.headers


def test_a_refusal_is_judged_anew(player: Player) -> None:
    game = player.start("court", "hello")
    assert code(player.act(game, "undo", {}, Idempotency_Key="k")) == "nothing-to-undo"
    player.play(game, "draw")
    done = player.act(game, "undo", {}, Idempotency_Key="k")
    assert done.status_code == 200
    assert "idempotency-replayed" not in done.headers
    # Nothing was written under the key before, so another request may have it too until one is.
    assert code(player.act(game, "undo", {}, Idempotency_Key="j")) == "nothing-to-undo"
    assert player.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="j").status_code == 200


def test_the_key_is_looked_at_before_the_condition_and_the_game(player: Player) -> None:
    game = player.start("court")
    first = player.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="k", If_Match='"1"')
    assert_same(first, player.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="k", If_Match='"1"'))
    player.act(game, "resign", {})
    assert_same(first, player.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key="k", If_Match='"1"'))
    mismatch = player.act(game, "undo", {}, Idempotency_Key="k", If_Match='"1"')
    assert code(mismatch) == "idempotency-mismatch"


def test_a_repetition_after_a_redo_was_replaced_is_the_old_answer(player: Player) -> None:
    game = player.play(player.start("court", "hello"), "draw", "draw")
    player.act(game, "undo", {"count": 2})
    first = player.act(game, "redo", {"count": 1}, Idempotency_Key="k")
    player.play(game, "draw")
    again = player.act(game, "redo", {"count": 1}, Idempotency_Key="k")
    assert_same(first, again)
    assert (again.json()["redo_available"], again.headers["etag"]) == (1, '"5"')


@pytest.mark.parametrize("key", ["", "x" * 256, "ключ"])
def test_a_key_is_printable_ascii(player: Player, key: str) -> None:
    game = player.start()
    wrong = player.http.post(f"/v1/games/{game['id']}/resign", json={}, headers=[(b"Idempotency-Key", key.encode())])
    assert list(faults(wrong)) == ["header.Idempotency-Key"]


@pytest.mark.parametrize("key", [" ", "~", "a b, c", "x" * 255])
def test_any_printable_ascii_is_a_key(player: Player, key: str) -> None:
    game = player.start("court", "hello")
    key = key.strip() or "!"
    first = player.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key=key)
    assert_same(first, player.act(game, "moves", {"moves": ["draw"]}, Idempotency_Key=key))
