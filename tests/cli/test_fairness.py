"""`pasyans verify-deal`: what it checks, what it cannot, and that a file needs no service."""

import json
import re
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client
from pasyans_client.models import Game

from tests.cli.conftest import Cli, Done
from tests.cli.terminal import PASYANS

NAMES = ["commitment", "noted", "opening", "events", "boards"]
README = Path(__file__).parents[2] / "clients" / "cli" / "README.md"
OTHER = "0123456789abcdef" * 4


@pytest.fixture
def closed() -> str:
    """An address where nobody answers."""
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    return f"http://127.0.0.1:{port}"


@pytest.fixture
def offline(home: dict[str, str], closed: str, tmp_path: Path) -> Cli:
    """`pasyans` where there is no service, nobody was ever logged in, and files are at hand."""
    alone = {**home, "XDG_CONFIG_HOME": str(tmp_path / "nobody")}

    def run(*arguments: str, stdin: str = "") -> Done:
        return subprocess.run(
            [PASYANS, "--server", closed, *arguments],
            env=alone,
            input=stdin,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def answer(client: Client) -> str:
    """The last answer, which is what `--json` prints."""
    assert client.last_answer is not None
    return client.last_answer.body.decode() + "\n"


@pytest.fixture
def game(guest: Client, tmp_path: Path) -> Game:
    """A sealed game with three draws, given up; saved at its start and at its end, with both its records."""
    game = guest.start_game("vokzal-52")
    (tmp_path / "start.json").write_text(answer(guest))
    for _ in range(3):
        guest.move(game.id, ["draw"])
    (tmp_path / "running.txt").write_text(guest.record(game.id))
    guest.resign(game.id)
    ended = guest.game(game.id)
    (tmp_path / "end.json").write_text(answer(guest))
    (tmp_path / "record.txt").write_text(guest.record(game.id))
    return ended


def results(done: Done) -> dict[str, str]:
    """What became of each check, as people read it."""
    rows = [line.split()[:2] for line in done.stdout.splitlines()[1:]]
    assert [name for _, name in rows] == NAMES
    return {name: result for result, name in rows}


def rewrite(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    content = json.loads(file.read_text())
    change(content)
    file.write_text(json.dumps(content))


def test_a_game_of_the_service(cli: Cli, game: Game) -> None:
    done = cli("verify-deal", game.id)
    assert (done.returncode, done.stderr) == (0, "What could be checked is right.\n")
    assert done.stdout.startswith(f"vokzal-52, game {game.id}, deal sealed, seed {game.deal.seed}\n")
    assert f"The commitment to the seed is {game.deal.commitment}, as was published." in done.stdout
    expected = {"commitment": "right", "noted": "unchecked", "opening": "right", "events": "right", "boards": "right"}
    assert results(done) == expected
    assert cli("verify-deal", "last").stdout == cli("verify-deal", game.id[:8]).stdout == done.stdout


def test_nothing_has_to_be_believed_with_a_note_from_the_start(cli: Cli, game: Game, tmp_path: Path) -> None:
    note = str(game.deal.commitment).upper()
    for noted in (["--commitment", note], ["--before", str(tmp_path / "start.json")]):
        done = cli("verify-deal", game.id, *noted)
        assert (done.returncode, done.stderr) == (0, "The deal is as promised.\n")
        assert results(done) == dict.fromkeys(NAMES, "right")


def test_a_deal_that_is_still_sealed(cli: Cli, offline: Cli, guest: Client, tmp_path: Path) -> None:
    game = guest.start_game("congress")
    start = tmp_path / "start.json"
    start.write_text(answer(guest))
    for done in (cli("verify-deal", game.id), offline("verify-deal", "start.json")):
        assert done.returncode == Exit.FORBIDDEN
        assert done.stderr == "Error: The deal is still sealed: its seed is told when the game ends.\n"
        assert set(results(done).values()) == {"unchecked"}
        assert "seed" not in done.stdout.splitlines()[0]
    kept = cli("verify-deal", game.id, "--before", str(start), "--json")
    assert kept.returncode == Exit.FORBIDDEN
    found = json.loads(kept.stdout)
    assert (found["verdict"], found["deal"]["seed"]) == ("sealed", None)
    assert {check["name"]: check["result"] for check in found["checks"]}["noted"] == "passed"
    changed = cli("verify-deal", game.id, "--commitment", OTHER)
    assert changed.returncode == Exit.UNFAIR
    assert results(changed)["noted"] == "WRONG"
    record = offline("verify-deal", "-", stdin=cli("record", game.id).stdout)
    assert record.returncode == Exit.FORBIDDEN


def test_a_daily_opens_with_the_end_of_its_day(offline: Cli, guest: Client, tmp_path: Path) -> None:
    game = guest.start_game("congress")
    file = tmp_path / "daily.json"
    file.write_text(answer(guest))
    rewrite(file, lambda content: content["deal"].update(kind="daily", date="2026-11-29"))
    done = offline("verify-deal", "daily.json")
    assert done.returncode == Exit.FORBIDDEN
    assert done.stderr == "Error: The deal is still sealed: its seed is told when the UTC day 2026-11-29 is over.\n"
    assert done.stdout.startswith(f"congress, game {game.id}, deal daily, date 2026-11-29\n")


def test_a_shared_deal_promises_nothing_and_its_cards_are_checked(cli: Cli, offline: Cli, guest: Client) -> None:
    game = guest.start_game("forty-thieves", seed="hello")
    assert cli("move", game.id, "draw", "t8-f").returncode == 0
    done = cli("verify-deal", "last")
    assert (done.returncode, done.stderr) == (0, "What could be checked is right.\n")
    expected = {"commitment": "unchecked", "noted": "unchecked"}
    assert results(done) == dict.fromkeys(NAMES, "right") | expected
    assert "A shared deal has none: its seed is public from the start." in done.stdout
    noted = cli("verify-deal", "last", "--commitment", OTHER)
    assert (noted.returncode, noted.stdout) == (Exit.INVALID, "")
    record = offline("verify-deal", "-", stdin=cli("record", game.id).stdout)
    assert record.returncode == Exit.USAGE
    assert set(results(record).values()) == {"unchecked"}
    assert record.stderr.startswith("Error: Nothing could be checked.")


def test_saved_games_are_checked_without_a_service(cli: Cli, offline: Cli, game: Game, tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text(cli("replay", game.id, "--json").stdout)
    assert cli("show", game.id, "--json").stdout == (tmp_path / "end.json").read_text()
    refused = offline("verify-deal", game.id)
    assert (refused.returncode, refused.stdout) == (Exit.NETWORK, "")
    ended = offline("verify-deal", "end.json")
    assert results(ended) == {
        "commitment": "right",
        "noted": "unchecked",
        "opening": "unchecked",
        "events": "unchecked",
        "boards": "right",
    }
    every = offline("verify-deal", "all.json")
    assert results(every) == {**results(ended), "opening": "right"}
    before = offline("verify-deal", "end.json", "--before", "start.json")
    assert results(before) == dict.fromkeys(NAMES, "right") | {"events": "unchecked"}
    noted = offline("verify-deal", "end.json", "--commitment", str(game.deal.commitment))
    assert results(noted)["noted"] == "right"
    for done in (ended, every, before, noted):
        assert (done.returncode, done.stderr) == (0, "What could be checked is right.\n")


def test_a_saved_record_is_checked_without_a_service(offline: Cli, game: Game) -> None:
    alone = offline("verify-deal", "record.txt")
    assert (alone.returncode, alone.stderr) == (0, "What could be checked is right.\n")
    assert results(alone) == dict.fromkeys(NAMES, "unchecked") | {"commitment": "right"}
    assert "What was given shows no card." in alone.stdout
    noted = offline("verify-deal", "record.txt", "--before", "running.txt")
    assert results(noted) == {**results(alone), "noted": "right"}
    shown = offline("verify-deal", "record.txt", "--before", "start.json")
    assert results(shown) == {**results(noted), "opening": "right"}
    assert f"seed {game.deal.seed}" in alone.stdout


def test_a_session_that_was_saved_as_it_was_played(cli: Cli, offline: Cli, guest: Client, tmp_path: Path) -> None:
    played = cli("play", "dolgiy", "--json", stdin="redeal\nu\nr\n")
    assert played.returncode == 0
    given_up = cli("resign", "last", "--json")
    (tmp_path / "session.json").write_text(played.stdout + given_up.stdout)
    done = offline("verify-deal", "session.json")
    assert (done.returncode, done.stderr) == (0, "The deal is as promised.\n")
    assert results(done) == dict.fromkeys(NAMES, "right")
    assert guest.game(json.loads(given_up.stdout)["id"]).status == "lost"


def test_the_commands_of_the_readme(env: dict[str, str], guest: Client, tmp_path: Path) -> None:
    blocks = re.findall(r"```\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    first, whole = (block for block in blocks if "verify-deal" in block)
    before, *after = first.splitlines()

    def run(*lines: str, **settings: str) -> Done:
        return subprocess.run(
            ["bash", "-euc", "\n".join(lines)],
            env={**env, **settings, "PATH": f"{Path(PASYANS).parent}:{env['PATH']}"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    guest.start_game("court")
    done = run(before, "pasyans move last draw draw", "pasyans resign last", *after)
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("The deal is as promised.\nWhat could be checked is right.\n")
    game = guest.start_game("dolgiy").id
    boards = run(before, "pasyans move last redeal", "pasyans resign last", *after)
    assert boards.returncode == 0, boards.stderr
    last = boards.stdout[boards.stdout.rindex("dolgiy, game ") :]
    assert [line.split()[1] for line in last.splitlines()[1:] if line.startswith("unchecked")] == ["events", "boards"]
    every = run(whole, GAME=game)
    assert (every.returncode, every.stderr) == (0, "The deal is as promised.\n")
    assert results(every) == dict.fromkeys(NAMES, "right")


def test_json_is_one_object(cli: Cli, game: Game) -> None:
    done = cli("verify-deal", game.id, "--json")
    assert len(done.stdout.splitlines()) == 1
    found = json.loads(done.stdout)
    assert list(found) == ["verdict", "game", "variant", "rules", "deal", "checks"]
    assert (found["verdict"], found["game"], found["variant"], found["rules"]) == ("verified", game.id, "vokzal-52", 1)
    assert found["deal"]["seed"] == game.deal.seed
    assert [check["name"] for check in found["checks"]] == NAMES
    assert {check["result"] for check in found["checks"]} == {"passed", "skipped"}


def test_a_deal_that_was_changed(offline: Cli, game: Game, tmp_path: Path) -> None:
    noted = offline("verify-deal", "end.json", "--commitment", OTHER)
    assert noted.returncode == Exit.UNFAIR
    assert noted.stderr == "Error: The deal is not as promised: noted.\n"
    assert f"{OTHER} was noted before the seed was told." in noted.stdout
    rewrite(tmp_path / "end.json", lambda content: content["deal"].update(seed="f" * 32))
    seed = offline("verify-deal", "end.json", "--before", "start.json", "--json")
    assert seed.returncode == Exit.UNFAIR
    assert seed.stderr == "Error: The deal is not as promised: commitment and noted and opening and boards.\n"
    found = json.loads(seed.stdout)
    assert found["verdict"] == "mismatch"
    assert game.id == found["game"]
    record = (tmp_path / "record.txt").read_text().replace(f'[Seed "{game.deal.seed}"]', f'[Seed "{"f" * 32}"]')
    assert offline("verify-deal", "-", stdin=record).returncode == Exit.UNFAIR


def test_another_card_than_was_dealt(offline: Cli, game: Game, tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        (reserve,) = (pile for pile in content["piles"] if pile["id"] == "r")
        (column,) = (pile for pile in content["piles"] if pile["id"] == "t2")
        reserve["cards"], column["cards"] = column["cards"], reserve["cards"]

    rewrite(tmp_path / "start.json", change)
    done = offline("verify-deal", "end.json", "--before", "start.json")
    assert done.returncode == Exit.UNFAIR
    assert done.stderr == "Error: The deal is not as promised: opening.\n"
    assert results(done)["opening"] == "WRONG"
    assert str(game.deal.commitment) in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["missing.json"], Exit.NOT_FOUND, "'missing.json' is neither a file that is there nor a game."),
        (["photo.jpg"], Exit.INVALID, "photo.jpg is no saved game: it is not UTF-8 text."),
        (["diary.txt"], Exit.INVALID, "diary.txt: That is neither a game in JSON nor a text record"),
        (["empty.txt"], Exit.INVALID, "empty.txt: Nothing was saved."),
        (["-"], Exit.INVALID, "stdin: Nothing was saved."),
        (["end.json", "--before", "diary.txt"], Exit.INVALID, "diary.txt: That is neither"),
        (["end.json", "--before", "missing.json"], Exit.FAILURE, "missing.json"),
        (["end.json", "--before", "other.json"], Exit.INVALID, "What was saved before is of another game."),
        (["end.json", "--commitment", "9f"], Exit.USAGE, "A commitment is 64 hexadecimal digits."),
        (["-", "--before", "-"], Exit.USAGE, "Only one of the two can be read from stdin."),
        ([], Exit.USAGE, "Missing argument 'GAME|FILE'"),
    ],
)
def test_what_cannot_be_checked_is_explained(
    offline: Cli, guest: Client, game: Game, tmp_path: Path, arguments: list[str], code: Exit, complaint: str
) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "diary.txt").write_text("Dear diary")
    (tmp_path / "empty.txt").write_text("\n")
    guest.start_game("vokzal-52")
    (tmp_path / "other.json").write_text(answer(guest))
    done = offline("verify-deal", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert game.id not in done.stderr
