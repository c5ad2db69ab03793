"""`pasyansd rebuild` and `pasyansd verify`: beside a running service, and on what somebody has spoilt."""

import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import connect, new_player
from tests.support.service import PASYANSD, environment, pasyansd
from tests.support.upkeep import Server, lose, operated
from tests.support.waiting import until

_ROWS = "SELECT player_id, board, place, game_id FROM board_rows ORDER BY player_id, board"
_RESULTS = "SELECT * FROM results ORDER BY game_id"
_DERIVED = ("results", "board_rows", "board_counts", "board_changes")


@pytest.fixture(scope="module")
def server(_new_cluster: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with operated(_new_cluster, tmp_path_factory.mktemp("upkeep") / "log") as server:
        yield server


@pytest.fixture(scope="module")
def games(server: Server) -> list[dict[str, Any]]:
    """Some games of three players, and one that is being played."""
    with ExitStack() as stack:
        players = [new_player(server.service.url) for _ in range(3)]
        for player in players:
            stack.enter_context(player.http)
        found = [lose(player, f"seed{number % 2}", 1 + number) for player in players for number in range(4)]
        players[0].start("court")
        return found


@pytest.mark.parametrize("command", ["verify", "rebuild", "pack", "player-token anna", "admin-token list"])
def test_where_there_are_no_data_none_are_made(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "mistyped"
    done = pasyansd(*command.split(), PASYANS_DATA_DIR=str(folder))
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == (
        f"pasyansd: There is no database in {folder}/postgres. Is PASYANS_DATA_DIR right? "
        "`pasyansd migrate` makes a new one.\n"
    )
    assert not folder.exists()


@pytest.mark.parametrize("command", ["verify", "player-token anna"])
def test_a_folder_that_cannot_be_entered_is_not_called_empty(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "round"
    folder.symlink_to(folder)  # in a circle, where root comes to nothing either
    done = pasyansd(*command.split(), PASYANS_DATA_DIR=str(folder))
    assert (done.returncode, done.stdout) == (5, "")
    assert f"{folder}/postgres cannot be used for the data (" in done.stderr


def test_all_is_well(server: Server, games: list[dict[str, Any]]) -> None:
    code, out, err = server.run("verify")
    assert code == 0, err
    assert out == (
        f"Verified {len(games) + 1} games with {sum(game['version'] for game in games) + 1} events, and 48 rows of "
        "leaderboards: all is as the log says.\n"
    )
    assert "Verifying" in err


def test_a_rebuild_makes_what_was_thrown_away(server: Server, games: list[dict[str, Any]]) -> None:
    rows, results = server.sql(_ROWS), server.sql(_RESULTS)
    assert (len(rows), len(results)) == (48, len(games))
    server.sql(f"TRUNCATE {', '.join(_DERIVED)}")
    with connect(server.service.url) as http:
        assert http.get("/v1/leaderboards/congress?seed=seed0").json()["total"] == 0
        code, out, err = server.run("rebuild")
        assert code == 0, err
        assert out == (
            f"Replayed {len(games)} games with {sum(game['version'] for game in games)} events. "
            f"Put right {len(games)} results, and the rows of 3 players.\n"
        )
        assert "Rebuilding" in err
        assert (server.sql(_ROWS), server.sql(_RESULTS)) == (rows, results)
        assert http.get("/v1/leaderboards/congress?seed=seed0").json()["total"] == 3
    assert "Put right 0 results, and the rows of 0 players." in server.run("rebuild")[1]


_SPOILT = {
    "events": (
        "UPDATE game_events SET events = events || ' ' WHERE game_id = $1 AND first_seq = 2 RETURNING 1",
        "UPDATE game_events SET events = rtrim(events) WHERE game_id = $1 AND first_seq = 2 RETURNING 1",
        ", event 2: the chain of hashes is broken.",
    ),
    "head": (
        "UPDATE games SET attempt = attempt + 10 WHERE game_id = $1 RETURNING 1",
        "UPDATE games SET attempt = attempt - 10 WHERE game_id = $1 RETURNING 1",
        ": the head has attempt 11, and the log says 1.",
    ),
    "snapshot": (
        "UPDATE games SET snapshot = set_byte(snapshot, 2, 99) WHERE game_id = $1 RETURNING 1",
        "UPDATE games SET snapshot = set_byte(snapshot, 2, 0) WHERE game_id = $1 RETURNING 1",
        ": the snapshot is not what the log comes to.",
    ),
}


@pytest.mark.parametrize("what", _SPOILT)
def test_what_is_spoilt_in_the_log_or_the_head_is_named(server: Server, games: list[dict[str, Any]], what: str) -> None:
    spoil, mend, said = _SPOILT[what]
    game_id = games[0]["id"]
    assert server.sql(spoil, game_id)
    try:
        code, out, err = server.run("verify")
    finally:
        server.sql(mend, game_id)
    assert (code, out) == (7, "")
    assert f"pasyansd: Game {game_id}{said}" in err


_SPOILT_BESIDE = {
    "result": ("UPDATE results SET moves = moves + 1 WHERE game_id = $1 RETURNING 1", "the result has moves"),
    "no result": ("DELETE FROM results WHERE game_id = $1 RETURNING 1", "the result is missing"),
    "another's result": (
        """
        UPDATE results r SET player_id = (SELECT p.player_id FROM players p WHERE p.player_id <> r.player_id LIMIT 1)
        WHERE game_id = $1 RETURNING 1
        """,
        "result",
    ),
    "row": ("UPDATE board_rows SET place = substr(sha256(place), 1, 22) WHERE game_id = $1 RETURNING 1", "has game"),
    "no row": ("DELETE FROM board_rows WHERE game_id = $1 RETURNING 1", "is missing"),
    "counts": ("UPDATE board_counts SET n = n + 1 WHERE $1::uuid IS NOT NULL RETURNING 1", "are counted"),
    "no board": (
        "INSERT INTO board_counts SELECT 1, 0, '\\x00', '' WHERE $1::uuid IS NOT NULL RETURNING 1",
        "of 0 rows",
    ),
}


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("what", _SPOILT_BESIDE)
def test_what_is_spoilt_beside_the_log_is_named_and_rebuilt(server: Server, what: str) -> None:
    spoil, said = _SPOILT_BESIDE[what]
    rows, results = server.sql(_ROWS), server.sql(_RESULTS)
    until(lambda: not server.sql("SELECT FROM board_changes"), "changes to be folded")
    game_id = next(row[3] for row in rows)
    assert server.sql(spoil, game_id)
    code, out, err = server.run("verify")
    assert (code, out) == (7, "")
    assert said in err
    assert server.run("rebuild")[0] == 0
    assert (server.sql(_ROWS), server.sql(_RESULTS)) == (rows, results)
    assert server.run("verify")[0] == 0


def test_a_rebuild_while_games_end_and_another_that_is_killed(server: Server) -> None:
    """Nothing is lost or doubled, whenever a game ends or is voided or restored, and a player banned."""
    stop = threading.Event()
    ended: list[str] = []
    judged: Counter[str] = Counter()
    admin_token = server.run("admin-token", "new", "judge")[1].strip()

    def play(number: int) -> None:
        player = new_player(server.service.url)
        with player.http, connect(server.service.url, admin_token) as admin:

            def judge(what: str, path: str) -> None:
                assert admin.post(f"/v1/admin/{path}/{what}", json={"reason": "test"}).status_code == 200
                judged[what] += 1

            while not stop.is_set():
                game = lose(player, f"load{number}", 1 + len(ended) % 3)["id"]
                ended.append(game)
                for what in ("void", "restore", "void")[: len(ended) % 4]:
                    judge(what, f"games/{game}")
                judge("unban" if len(ended) % 2 else "ban", f"players/{player.name}")

    threads = [threading.Thread(target=play, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(2):
            for table in _DERIVED[:3]:
                server.sql(f"DELETE FROM {table}")
            killed = subprocess.Popen(
                [PASYANSD, "rebuild"],
                env=environment(**server.settings),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            until(lambda: server.sql("SELECT FROM results LIMIT 1"), "the rebuild to have begun")
            killed.kill()
            killed.wait()
            code, _, err = server.run("rebuild")
            assert code == 0, err
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert len(ended) > 10
    assert min(judged[what] for what in ("void", "restore", "ban", "unban")) > 2
    code, out, err = server.run("rebuild")
    assert code == 0, err
    assert "Put right 0 results, and the rows of 0 players." in out
    assert server.run("verify")[0] == 0
    counted = server.sql("SELECT count(*) FROM results WHERE game_id = ANY ($1)", ended)
    assert counted == [(len(ended),)]


def test_nobody_there() -> None:
    for command in ("rebuild", "verify"):
        done = pasyansd(command, DATABASE_URL="postgresql://u:hidden@127.0.0.1:1/d")
        assert (done.returncode, done.stdout) == (5, "")
        assert "hidden" not in done.stderr
