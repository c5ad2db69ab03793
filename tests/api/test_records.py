"""Text records: of every game, and judged."""

import asyncio
from typing import Any, cast

import httpx
import pytest
from pasyans.api.schemas.records import VerifyRecord
from pasyans.api.v1 import records
from pasyans.games.catalogue import VARIANTS

from tests.support.api import Player, code, faults
from tests.support.games import choose


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_record_of_every_game_verifies(player: Player, http: httpx.Client, variant: str) -> None:
    game = player.start(variant, "hello")
    for number in range(25):
        if not game["legal_moves"]:
            break
        game = player.play(game, choose(game["legal_moves"], f"{variant} {number}"))
    player.act(game, "undo", {"count": 3})
    over = player.act(game, "resign", {}).json()
    record = http.get(f"/v1/games/{game['id']}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    lines = record.text.splitlines()
    assert lines[0] == '[Pasyans "1"]'
    for tag, value in (("Variant", variant), ("Seed", "hello"), ("Player", player.name), ("Result", "lost")):
        assert f'[{tag} "{value}"]' in lines
    words = record.text.partition("\n\n")[2].split()
    assert len(words) == over["moves"]
    verified = http.post("/v1/records/verify", json={"record": record.text, "frames": True})
    assert verified.status_code == 200
    body = verified.json()
    assert set(body) == {"valid", "game", "frames", "line", "move", "index", "detail"}
    assert (body["valid"], body["line"], body["detail"]) == (True, None, None)
    for name in ("piles", "score", "moves", "status", "redeals", "deal", "player", "started_at", "finished_at"):
        assert body["game"][name] == over[name], name
    assert (body["game"]["id"], body["game"]["attempt"], body["game"]["ranked"]) == (None, None, False)
    assert [frame["event"]["type"] for frame in body["frames"]] == ["started", *["moved"] * len(words), "finished"]
    assert [frame["event"].get("move") for frame in body["frames"][1:-1]] == words
    assert body["frames"][-1]["game"] == body["game"]


def test_frames_come_on_request_only(player: Player, http: httpx.Client) -> None:
    record = http.get(f"/v1/games/{player.start('court', 'x')['id']}/record").text
    assert http.post("/v1/records/verify", json={"record": record}).json()["frames"] is None


def test_a_running_sealed_game_has_a_record_without_a_seed_that_is_refused(player: Player, http: httpx.Client) -> None:
    game = player.play(player.start("court"), "draw")
    record = http.get(f"/v1/games/{game['id']}/record").text
    assert "Seed" not in record
    assert f'[Commitment "{game["deal"]["commitment"]}"]' in record
    refused = http.post("/v1/records/verify", json={"record": record})
    assert (refused.status_code, code(refused), refused.json()["until"]) == (403, "deal-sealed", None)
    seed = player.act(game, "resign", {}).json()["deal"]["seed"]
    opened = http.get(f"/v1/games/{game['id']}/record").text
    assert f'[Seed "{seed}"]' in opened
    assert http.post("/v1/records/verify", json={"record": opened}).json()["valid"] is True


RECORD = '[Pasyans "1"]\n[Variant "congress"]\n[Rules "1"]\n[Deal "shared"]\n[Seed "hello"]\n\n'


@pytest.mark.parametrize(
    ("text", "line", "move", "index"),
    [
        ("draw", 1, None, None),
        (RECORD + "draw draw\nredeal draw", 8, "redeal", 2),
        (RECORD + "draw hop", 7, "hop", 1),
        (RECORD.replace("congress", "klondike"), 2, None, None),
        (RECORD.replace('Rules "1"', 'Rules "7"'), 3, None, None),
        (RECORD.replace("hello", "a b"), 5, None, None),
        (RECORD.replace('[Seed "hello"]', '[Seed "hello"]\n[Result "won"]') + "draw", 6, None, None),
        (RECORD.replace('[Seed "hello"]', "[Seed hello]"), 5, None, None),
    ],
)
def test_the_first_thing_that_cannot_be_is_named(
    http: httpx.Client, text: str, line: int, move: str | None, index: int | None
) -> None:
    answer = http.post("/v1/records/verify", json={"record": text})
    assert answer.status_code == 200
    body = answer.json()
    assert (body["valid"], body["game"], body["frames"]) == (False, None, None)
    assert (body["line"], body["move"], body["index"]) == (line, move, index)
    assert body["detail"]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "body.record"),
        ({"record": ""}, "body.record"),
        ({"record": "a\0"}, "body.record"),
        ({"record": "x" * 131_073}, "body.record"),
        ({"record": "x", "frames": 1}, "body.frames"),
        ({"record": "x", "frame": True}, "body.frame"),
    ],
)
def test_a_malformed_request(http: httpx.Client, body: object, path: str) -> None:
    assert list(faults(http.post("/v1/records/verify", json=body))) == [path]


LONGEST = RECORD.replace("congress", "vokzal-36") + ("draw " * 8 + "redeal ") * 2700


def test_the_longest_record_is_judged(http: httpx.Client) -> None:
    assert 120_000 < len(LONGEST) <= 131_072
    verified = http.post("/v1/records/verify", json={"record": LONGEST}).json()
    assert (verified["valid"], verified["game"]["redeals"]) == (True, 2700)


def test_judging_does_not_keep_others_waiting() -> None:
    async def turns() -> int:
        judging = asyncio.ensure_future(records.verify.fn(cast("Any", None), VerifyRecord(LONGEST)))
        count = 0
        while not judging.done():
            await asyncio.sleep(0)
            count += 1
        return count

    assert asyncio.run(turns()) > 10
