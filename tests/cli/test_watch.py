"""A game watched while it is played."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client
from pasyans_client.models import Game

from tests.cli.conftest import Cli
from tests.cli.proxy import Line
from tests.cli.terminal import PASYANS, Terminal


@pytest.fixture
def game(guest: Client) -> Game:
    return guest.start_game("congress", seed="hello")


@contextmanager
def watching(env: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`pasyans watch` with its output in pipes."""
    process = subprocess.Popen(
        [PASYANS, "watch", *arguments], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def lines_to(process: subprocess.Popen[str], end: str) -> list[str]:
    """What it writes up to a line."""
    assert process.stdout is not None
    found = []
    for line in process.stdout:
        found.append(line.rstrip("\n"))
        if found[-1] == end:
            return found
    raise AssertionError(f"{end!r} did not come, but {found}")


def test_each_event_is_shown_as_it_comes_until_the_game_is_over(env: dict[str, str], guest: Client, game: Game) -> None:
    with watching(env, game.id) as process:
        assert lines_to(process, " 1")[0].endswith(f"seed hello  game {game.id}")
        guest.move(game.id, ["draw"])
        shown = lines_to(process, " 2  draw")
        assert any("score 0/104   1 move" in line for line in shown)
        guest.move(game.id, ["draw", "draw"])
        lines_to(process, " 4  draw  draw")
        guest.undo(game.id, 2)
        lines_to(process, " 5  undone 2")
        guest.resign(game.id)
        lines_to(process, " 6  finished: lost")
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out) == (0, "")
        assert err.startswith("Lost: Congress")


def test_with_json_each_message_is_a_line_as_the_api_sent_it(env: dict[str, str], guest: Client, game: Game) -> None:
    with watching(env, game.id, "--json") as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert (first["events"], first["game"]["version"]) == ([], 1)
        for version in range(2, 6):
            guest.move(game.id, ["draw"])
            message = json.loads(process.stdout.readline())
            assert set(message) == {"events", "game"}
            assert [event["seq"] for event in message["events"]] == [version]
            assert message["game"]["version"] == version
        guest.resign(game.id)
        out, err = process.communicate(timeout=20)
        assert [json.loads(line)["game"]["status"] for line in out.splitlines()] == ["lost"]
        assert (process.returncode, err) == (0, "")


def test_a_game_that_is_over_is_shown_as_it_ended(cli: Cli, guest: Client, game: Game) -> None:
    guest.move(game.id, ["draw"])
    guest.resign(game.id)
    done = cli("watch", game.id)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == " 3"
    assert done.stdout.count(f"game {game.id}") == 1
    assert done.stderr.startswith("Lost: Congress")


def test_a_game_is_named_as_in_other_commands(cli: Cli, guest: Client, game: Game) -> None:
    guest.resign(game.id)
    assert f"game {game.id}" in cli("watch", "last").stdout
    assert cli("watch", "01936f0e-0000-7000-8000-000000000000").returncode == Exit.NOT_FOUND
    assert cli("watch", "nothing").returncode == Exit.NOT_FOUND
    assert cli("watch").returncode == Exit.USAGE


def test_another_players_daily_is_not_shown(cli: Cli, guest: Client) -> None:
    with Client(guest.base_url) as anyone:
        token = anyone.create_player().token
    with Client(guest.base_url, token) as other:
        theirs = other.start_game("congress", daily=True)
        refused = cli("watch", theirs.id)
        assert (refused.returncode, refused.stdout) == (Exit.FORBIDDEN, "")
        other.resign(theirs.id)


def test_on_a_terminal_the_board_is_drawn_anew(terminal: Callable[..., Terminal], guest: Client, game: Game) -> None:
    screen = terminal("watch", game.id)
    screen.see(f"game {game.id}", "Watching; Ctrl-C leaves.")
    guest.move(game.id, ["draw"])
    screen.see(" 2  draw", "1 move\n")
    guest.move(game.id, ["draw"])
    shown = screen.see(" 3  draw  draw", "2 moves")
    assert shown.count(f"game {game.id}") == 1
    assert "›" in shown
    guest.resign(game.id)
    screen.see(" 4  draw  draw  finished: lost", "Lost: Congress")
    assert screen.end() == 0


def test_ctrl_c_leaves(terminal: Callable[..., Terminal], game: Game) -> None:
    screen = terminal("watch", game.id)
    screen.see("Watching; Ctrl-C leaves.")
    screen.press("\x03")
    assert screen.end() == Exit.INTERRUPTED
    assert "Traceback" not in screen.raw
    assert "Interrupted." in screen.screen


def test_a_line_that_breaks_loses_nothing(env: dict[str, str], guest: Client, game: Game, line: Line) -> None:
    with watching({**env, "PASYANS_URL": line.url}, game.id, "--json") as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["events"] == []
        line.cut()
        guest.move(game.id, ["draw", "draw"])
        line.mend()
        assert [event["seq"] for event in json.loads(process.stdout.readline())["events"]] == [2, 3]
        guest.resign(game.id)
        out, err = process.communicate(timeout=20)
        assert [event["seq"] for event in json.loads(out)["events"]] == [4]
        assert process.returncode == 0
        assert err.splitlines()[0].startswith(f"{line.url} cannot be reached; trying again in ")
