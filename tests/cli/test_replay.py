"""Games and records shown move by move."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client
from pasyans_client.models import Game

from tests.cli.conftest import Cli
from tests.cli.terminal import Terminal
from tests.support.vectors import wins

WON = next(win for win in wins() if win.variant == "vokzal-36")


@pytest.fixture
def game(guest: Client) -> Game:
    """A game that was won, with a move undone and made again on the way."""
    game = guest.start_game(WON.variant, seed=WON.seed)
    guest.move(game.id, WON.moves[:3])
    guest.undo(game.id)
    guest.redo(game.id)
    return guest.move(game.id, WON.moves[3:])


def captions(text: str) -> list[str]:
    """The lines that say where in the game a board is, such as `2/9  draw`."""
    return [line.strip() for line in text.splitlines() if line[1:].split("/")[0].isdecimal()]


def test_a_game_is_shown_event_by_event(cli: Cli, game: Game) -> None:
    done = cli("replay", game.id)
    steps = [*WON.moves[:3], "undone 1", "redone 1", *WON.moves[3:], "finished: won"]
    total = len(steps) + 1
    assert captions(done.stdout) == [f"{n}/{total}  {step}" for n, step in enumerate(["started", *steps], 1)]
    assert done.stdout.count(f"game {game.id}") == total
    assert done.stderr.startswith("Won: Vokzal")
    answers = [json.loads(line) for line in cli("replay", game.id, "--json").stdout.splitlines()]
    assert [answer["version"] for answer in answers] == list(range(1, total + 1))


def test_json_is_the_game_as_the_api_has_it_after_each_event(cli: Cli, guest: Client, game: Game) -> None:
    lines = cli("replay", game.id, "--json").stdout.splitlines()
    assert len(lines) == game.version
    for version in (1, 5, game.version):
        guest.game(game.id, at=version)
        assert guest.last_answer is not None
        assert lines[version - 1].encode() == guest.last_answer.body


@pytest.fixture
def long(guest: Client) -> Game:
    """A game of more events than are asked for at once."""
    return guest.move(guest.start_game("congress", seed="hello").id, ["draw"] * 96)


def test_a_long_game_is_shown_to_its_end(cli: Cli, long: Game) -> None:
    done = cli("replay", long.id)
    assert captions(done.stdout) == ["1/97  started", *(f"{n}/97  draw" for n in range(2, 98))]
    assert done.stdout.count(f"game {long.id}") == 97


def test_a_record_is_verified_and_shown(cli: Cli, game: Game, tmp_path: Path) -> None:
    record = cli("record", game.id).stdout
    file = tmp_path / "game.txt"
    file.write_text(record)
    done = cli("replay", str(file))
    steps = ["started", *WON.moves, "finished: won"]
    assert captions(done.stdout) == [f"{n}/{len(steps)}  {step}" for n, step in enumerate(steps, 1)]
    assert f"seed {WON.seed}  played by {game.player}" in done.stdout
    assert "score 36/36" in done.stdout.splitlines()[-2]
    assert cli("replay", "-", stdin=record).stdout == done.stdout
    answer = json.loads(cli("replay", str(file), "--json").stdout)
    assert answer["valid"] is True
    assert len(answer["frames"]) == len(steps)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda record: record.replace(WON.moves[0], "w-f1", 1), "w-f1: "),
        (lambda record: record.replace('[Rules "1"]', '[Rules "99"]'), "line 3: "),
        (lambda _: "Dear diary", "line 1"),
    ],
)
def test_a_record_that_cannot_be_says_where(cli: Cli, game: Game, change: Callable[[str], str], complaint: str) -> None:
    record = change(cli("record", game.id).stdout)
    done = cli("replay", "-", stdin=record)
    assert (done.returncode, done.stdout) == (Exit.INVALID, "")
    assert done.stderr.startswith("Error: The record cannot be")
    assert complaint in done.stderr
    answer = cli("replay", "-", "--json", stdin=record)
    assert answer.returncode == Exit.INVALID
    assert json.loads(answer.stdout)["valid"] is False


def test_what_is_no_record_at_all(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "photo.txt"
    file.write_bytes(b"\xff\xd8\xff")
    done = cli("replay", str(file))
    assert (done.returncode, done.stdout) == (Exit.INVALID, "")
    empty = cli("replay", "-", stdin="")
    assert empty.returncode == Exit.INVALID
    assert "The record has 0 characters" in empty.stderr
    missing = cli("replay", str(tmp_path / "missing.txt"))
    assert missing.returncode == Exit.NOT_FOUND
    assert "neither a file that is there nor a game" in missing.stderr


def test_a_person_goes_through_a_game_key_by_key(terminal: Callable[..., Terminal], game: Game) -> None:
    total = len(WON.moves) + 4
    reel = terminal("replay", game.id)
    reel.see(f" 1/{total}  started", "score 0/36   0 moves")
    reel.press(" ")
    reel.see(f" 2/{total}  {WON.moves[0]}", "1 move ")
    reel.press("\x1b[C")
    reel.see(f" 3/{total}  {WON.moves[1]}")
    reel.press("b")
    reel.see(f" 2/{total}  ")
    reel.press("\x1b[D")
    reel.see(f" 1/{total}  started")
    reel.press("b")
    reel.press("e")
    reel.see(f" {total}/{total}  finished: won", "WON", "Won: Vokzal")
    reel.press("g")
    reel.see(f" 1/{total}  started")
    reel.press("q")
    assert reel.end() == 0


def test_a_person_goes_back_and_forth_in_a_long_game(terminal: Callable[..., Terminal], long: Game) -> None:
    reel = terminal("replay", long.id)
    reel.see(" 1/97  started")
    reel.press("e")
    reel.see(" 97/97  draw")
    for place in range(96, 46, -1):
        reel.press("b")
        reel.see(f" {place}/97  draw")
    for place in range(48, 53):
        reel.press(" ")
        reel.see(f" {place}/97  draw")
    reel.press("g")
    reel.see(" 1/97  started")
    reel.press("q")
    assert reel.end() == 0


def test_at_a_speed_it_runs_by_itself(terminal: Callable[..., Terminal], game: Game) -> None:
    total = len(WON.moves) + 4
    reel = terminal("replay", game.id, "--speed", "500")
    assert reel.end() == 0
    assert f" {total}/{total}  finished: won" in reel.screen
    assert reel.raw.count("  started") == 1
    assert reel.raw.count(f"/{total}  ") == total
