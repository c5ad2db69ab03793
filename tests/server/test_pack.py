"""`pasyansd pack`: what was readable stays so, nothing is taken away that is not kept, and what is wrong stays."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.api import Player, new_player
from tests.support.games import choose
from tests.support.service import pasyansd
from tests.support.upkeep import Server, lose, operated

_EVENTS = "SELECT count(*)::int4 FROM game_events WHERE game_id = $1"


@pytest.fixture
def server(_new_cluster: Path, tmp_path: Path) -> Iterator[Server]:
    with operated(_new_cluster, tmp_path / "log") as server:
        yield server


@pytest.fixture
def player(server: Server) -> Iterator[Player]:
    player = new_player(server.service.url)
    with player.http:
        yield player


def long_game(player: Player, variant: str, moves: int, *, ends: bool = True) -> str:
    """A game in which moves are made one and two at a time, taken back and made again."""
    game = player.start(variant, "packed")
    for number in range(moves):
        if not game["legal_moves"]:
            break
        game = player.play(game, choose(game["legal_moves"], f"{variant} {number}"))
        if number % 5 == 4:
            player.act(game, "undo", {"count": 2})
            game = player.act(game, "redo", {"count": 1}).json()
    if ends:
        player.act(game, "resign", {})
    return str(game["id"])


def told(player: Player, game_id: str) -> list[tuple[int, dict[str, str], bytes]]:
    """All that is to be read of a game."""
    path = f"/v1/games/{game_id}"
    version = player.http.get(path).json()["version"]
    paths = [
        path,
        f"{path}/record",
        f"{path}/board.svg?at={version // 2}",
        *(f"{path}?at={at}" for at in range(1, version + 1)),
        *(f"{path}/events?after={after}&limit={limit}" for after in range(version + 1) for limit in (1, 3)),
        *(f"{path}/replay?after={after}&limit=200" for after in (0, 1, version // 2, version - 1)),
        f"/v1/games?player={player.name}",
    ]
    answers = [player.http.get(path) for path in paths]
    record = answers[1].text
    answers.append(player.http.post("/v1/records/verify", json={"record": record, "frames": True}))
    kept = ("etag", "content-type", "link")
    return [(each.status_code, {name: each.headers.get(name, "") for name in kept}, each.content) for each in answers]


def rows(server: Server, game_id: str) -> int:
    ((count,),) = server.sql(_EVENTS, game_id)
    assert isinstance(count, int)
    return count


def test_nobody_who_reads_sees_a_difference(server: Server, player: Player) -> None:
    ended = [long_game(player, variant, 30) for variant in ("congress", "dolgiy-open", "vokzal-52")]
    running = long_game(player, "court", 7, ends=False)
    before = {game_id: told(player, game_id) for game_id in [*ended, running]}
    assert all(status == 200 for answers in before.values() for status, _, _ in answers)
    events = sum(int(player.http.get(f"/v1/games/{game_id}").json()["version"]) for game_id in ended)

    assert server.run("pack")[:2] == (0, "Packed 0 games with 0 events into 0 bytes.\n")  # they ended today
    code, out, err = server.run("pack", "--older-than", "0")
    assert (code, out.startswith(f"Packed 3 games with {events} events into ")) == (0, True), (out, err)
    assert "Packing" in err

    assert [rows(server, game_id) for game_id in ended] == [0, 0, 0]
    assert rows(server, running) > 7
    assert server.sql("SELECT game_id::text FROM games WHERE snapshot <> ''") == [(running,)]
    assert {game_id: told(player, game_id) for game_id in before} == before
    assert server.run("verify")[0] == 0
    assert server.run("pack", "--older-than", "0")[1] == "Packed 0 games with 0 events into 0 bytes.\n"
    ((size,),) = server.sql("SELECT sum(octet_length(packed))::int4 FROM games")
    assert isinstance(size, int)
    assert size < 6 * events


def test_a_game_that_is_long_to_replay_keeps_its_snapshot(server: Server, player: Player) -> None:
    game, moves = player.start("congress", "packed"), list[str]()
    while len(moves) < 40:
        moves.append(choose(game["legal_moves"], f"long {len(moves)}"))
        game = player.play(game, moves[-1])
    while game["version"] <= 500:
        player.act(game, "undo", {"count": len(moves)})
        game = player.play(game, *moves)
    player.act(game, "resign", {})
    short = long_game(player, "congress", 20)
    before = {game_id: player.http.get(f"/v1/games/{game_id}").json() for game_id in (game["id"], short)}
    assert server.run("pack", "--older-than", "0")[1].startswith("Packed 2 games")
    assert server.sql("SELECT game_id::text FROM games WHERE snapshot <> ''") == [(game["id"],)]
    assert {game_id: player.http.get(f"/v1/games/{game_id}").json() for game_id in before} == before
    assert server.run("verify")[0] == 0


def test_a_packed_game_is_voided_and_restored_as_any_other(server: Server, player: Player) -> None:
    game = lose(player, "packed", 5)
    assert server.run("pack", "--older-than", "0")[0] == 0
    _, token, _ = server.run("admin-token", "new", "anna")
    admin = {"Authorization": f"Bearer {token.strip()}"}
    path = f"{server.service.url}/v1/admin/games/{game['id']}"
    assert httpx.post(f"{path}/void", json={"reason": "test"}, headers=admin).json()["status"] == "void"
    assert rows(server, game["id"]) == 1
    assert server.run("pack", "--older-than", "0")[1].startswith("Packed 1 games")
    assert rows(server, game["id"]) == 0
    assert httpx.post(f"{path}/restore", json={"reason": "error"}, headers=admin).json()["status"] == "lost"
    events = player.http.get(f"/v1/games/{game['id']}/events").json()["items"]
    assert [event["seq"] for event in events] == list(range(1, game["version"] + 3))
    assert [event["type"] for event in events[-3:]] == ["finished", "voided", "restored"]
    assert server.run("verify")[0] == 0


def test_cut_short_it_leaves_rows_that_are_passed_over_and_go_the_next_time(server: Server, player: Player) -> None:
    game_id = long_game(player, "congress", 20)
    before = told(player, game_id)
    server.sql("CREATE TABLE aside AS SELECT * FROM game_events")
    assert server.run("pack", "--older-than", "0")[0] == 0
    server.sql("INSERT INTO game_events SELECT * FROM aside")
    assert rows(server, game_id) > 20
    assert told(player, game_id) == before
    assert server.run("verify")[0] == 0
    assert server.run("pack", "--older-than", "0")[0] == 0
    assert rows(server, game_id) == 0
    assert told(player, game_id) == before


def test_what_is_not_as_the_log_says_is_not_packed(server: Server, player: Player) -> None:
    wrong, right = (lose(player, f"packed{number}", 3)["id"] for number in range(2))
    server.sql("UPDATE game_events SET at = at + interval '1 ms' WHERE game_id = $1 AND first_seq = 2", wrong)
    code, out, err = server.run("pack", "--older-than", "0")
    assert (code, out[:14]) == (7, "Packed 1 games")
    assert f"pasyansd: Game {wrong}, event 2: the chain of hashes is broken." in err
    assert (rows(server, wrong), rows(server, right)) == (6, 0)


def test_rows_stay_where_the_packed_log_is_another(server: Server, player: Player) -> None:
    one, other = (lose(player, f"packed{number}", 3)["id"] for number in range(2))
    server.sql("CREATE TABLE aside AS SELECT * FROM game_events")
    assert server.run("pack", "--older-than", "0")[0] == 0
    server.sql("INSERT INTO game_events SELECT * FROM aside")
    server.sql("UPDATE games SET packed = (SELECT packed FROM games WHERE game_id = $2) WHERE game_id = $1", one, other)
    code, _, err = server.run("pack", "--older-than", "0")
    assert code == 7
    assert f"Game {one}: the packed log is not that of its rows, which stay." in err
    assert (rows(server, one), rows(server, other)) == (6, 0)


@pytest.mark.parametrize("spoilt", ["\\x01", "\\x0163665cc3c4c4c0f8821dcc2b87c70f4a140000"])
def test_a_packed_log_that_is_spoilt_is_named(server: Server, player: Player, spoilt: str) -> None:
    game_id = lose(player, "packed", 3)["id"]
    assert server.run("pack", "--older-than", "0")[0] == 0
    server.sql(f"UPDATE games SET packed = '{spoilt}' WHERE game_id = $1", game_id)
    code, out, err = server.run("verify")
    assert (code, out) == (7, "")
    assert f"pasyansd: Game {game_id}, event " in err
    answer: dict[str, Any] = player.http.get(f"/v1/games/{game_id}/replay").json()
    assert answer["code"] == "internal"


def test_bad_usage_is_told() -> None:
    done = pasyansd("pack", "--older-than", "-1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "0<=x<=36500" in done.stderr
