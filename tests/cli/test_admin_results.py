"""Results on the command line: tables, CSV that is whole or an error, and voiding many."""

import csv
import io
import json
import os
import subprocess
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client

from tests.cli.conftest import Cli, elapsed
from tests.cli.terminal import PASYANS, Terminal
from tests.client.conftest import DROP, Stub, answer
from tests.support.admins import Admin

CUT = b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ngame\r\n\r\n"
"""A CSV that breaks off after its first line."""


@pytest.fixture
def seed() -> str:
    return uuid.uuid4().hex


def lose(client: Client, seed: str, moves: int) -> str:
    game = client.start_game("congress", seed=seed)
    if moves:
        client.move(game.id, ["draw"] * moves)
    client.resign(game.id)
    return game.id


@pytest.fixture
def games(guest: Client, seed: str) -> list[str]:
    """Four games of the guest on one deal, with 2, 0, 3 moves and 1 move."""
    return [lose(guest, seed, moves) for moves in (2, 0, 3, 1)]


@pytest.mark.parametrize(
    "command",
    [
        "results",
        "results --json",
        "results --csv",
        "results --csv --output FILE",
        "void-results --reason test",
        "audit",
    ],
)
def test_a_filter_by_a_player_that_there_is_not(as_admin: Cli, tmp_path: Path, command: str) -> None:
    file = tmp_path / "results.csv"
    done = as_admin("admin", *command.replace("FILE", str(file)).split(), "--player", "nobody-at-all")
    assert (done.returncode, done.stdout) == (Exit.NOT_FOUND, "")
    assert "player" in done.stderr.lower()
    assert not file.exists()


def test_results_their_filters_and_their_order(
    as_admin: Cli, admin: Admin, games: list[str], seed: str, guest: Client
) -> None:
    def shown(*arguments: str) -> list[str]:
        done = as_admin("admin", "results", "--seed", seed, *arguments)
        assert done.returncode == 0, done.stderr
        return [line.split()[0] for line in done.stdout.splitlines()]

    me = guest.me().name
    assert shown() == games[::-1]
    assert shown("--sort", "moves") == [games[n] for n in (1, 3, 0, 2)]
    assert shown("--sort", "-moves", "--limit", "2") == [games[2], games[0]]
    assert shown("--variant", "congress", "--player", me.upper(), "--kind", "shared", "--rules", "1") == games[::-1]
    assert shown("--status", "abandoned") == shown("--outcome", "abandoned") == [games[1]]
    assert shown("--outcome", "lost") == [games[n] for n in (3, 2, 0)]
    assert shown("--outcome", "lost", "--status", "void") == shown("--outcome", "won") == []
    admin.judge({"id": games[2]}, "void")
    assert shown("--outcome", "lost") == [games[n] for n in (3, 2, 0)]
    assert shown("--outcome", "lost", "--status", "void") == [games[2]]
    whole = as_admin("admin", "results", "--seed", seed, "--outcome", "lost", "--sort", "moves", "--csv").stdout
    assert [line.split(",")[0] for line in whole.splitlines()] == ["game", *(games[n] for n in (3, 0, 2))]
    misspelt = as_admin("admin", "results", "--outcome", "void")
    assert (misspelt.returncode, misspelt.stdout) == (Exit.USAGE, "")
    assert "'void' is not one of 'won', 'lost', 'abandoned'" in misspelt.stderr
    assert shown("--variant", "court") == shown("--before", "2024-02-29") == []
    assert shown("--since", "2024-02-29T10:00", "--before", "2999-01-01") == games[::-1]
    assert sorted(shown("--fast") + shown("--slow")) == games
    row = as_admin("admin", "results", "--seed", seed, "--limit", "1")
    game = guest.game(games[3])
    assert row.stdout.split()[:17] == [
        game.id, me, "congress", "1", "shared", seed, "-", "4", "lost", "lost", "0", "0", "1", "0", elapsed(game),
        str(game.elapsed_ms), f"{game.started_at:%Y-%m-%d}",
    ]  # fmt: skip
    assert row.stderr.startswith("There are more: ")
    assert as_admin("admin", "results", "--seed", f"{seed}-none").stderr == "No results.\n"
    wrong = as_admin("admin", "results", "--sort", "colour")
    assert wrong.returncode == Exit.INVALID
    assert "--sort should be " in wrong.stderr


def test_json_is_the_answer_page_by_page(as_admin: Cli, admin: Admin, games: list[str], seed: str) -> None:
    assert len(games) == 4
    for arguments, query in (((), "limit=20"), (("--sort", "score", "--limit", "2"), "sort=score&limit=2")):
        whole = admin.http.get(f"/v1/admin/results?seed={seed}&{query}").text
        assert as_admin("admin", "results", "--seed", seed, "--json", *arguments).stdout == f"{whole}\n"


def test_the_csv_is_that_of_the_service(
    as_admin: Cli, admin: Admin, games: list[str], seed: str, tmp_path: Path
) -> None:
    whole = admin.http.get(
        "/v1/admin/results", params={"seed": seed, "sort": "moves"}, headers={"Accept": "text/csv"}
    ).text
    assert [row["game"] for row in csv.DictReader(io.StringIO(whole, newline=""))] == [games[n] for n in (1, 3, 0, 2)]
    printed = as_admin("admin", "results", "--seed", seed, "--sort", "moves", "--csv", "--all")
    assert (printed.returncode, printed.stderr) == (0, "")
    assert printed.stdout == whole.replace("\r\n", "\n")  # as text is read here
    target = tmp_path / "results.csv"
    target.write_text("older")
    target.chmod(0o640)
    written = as_admin("admin", "results", "--seed", seed, "--sort", "moves", "--csv", "--output", str(target))
    assert (written.returncode, written.stdout, written.stderr) == (0, "", f"Wrote {target}.\n")
    assert target.read_bytes() == whole.encode()
    for wrong, complaint in (
        (["--output", "x"], "--output goes with --csv"),
        (["--csv", "--json"], "not both"),
        (["--csv", "--limit", "3"], "leave out --limit"),
    ):
        done = as_admin("admin", "results", *wrong)
        assert (done.returncode, done.stdout) == (Exit.USAGE, "")
        assert complaint in done.stderr
    nowhere = as_admin("admin", "results", "--csv", "--output", str(tmp_path / "no" / "where"))
    assert (nowhere.returncode, nowhere.stdout) == (Exit.FAILURE, "")
    assert nowhere.stderr.startswith("Error: ")


def at(stub: Stub, env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """`pasyans admin` at a service that answers as a test tells it."""
    try:
        return subprocess.run(
            [PASYANS, "admin", *arguments],
            env={**env, "PASYANS_URL": stub.url, "PASYANS_ADMIN_TOKEN": "t"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        stub.close()


def test_a_csv_that_breaks_off_is_an_error_and_no_file(home: dict[str, str], tmp_path: Path) -> None:
    printed = at(Stub([CUT]), home, "results", "--csv")
    assert (printed.returncode, printed.stdout) == (Exit.NETWORK, "game\n")
    assert printed.stderr.endswith("What was printed is not whole.\n")
    target = tmp_path / "results.csv"
    new = at(Stub([CUT]), home, "results", "--csv", "--output", str(target))
    assert (new.returncode, new.stdout) == (Exit.NETWORK, "")
    assert [each.name for each in tmp_path.iterdir() if "results" in each.name] == []
    target.write_text("older")
    old = at(Stub([CUT]), home, "results", "--csv", "--output", str(target))
    assert old.returncode == Exit.NETWORK
    assert old.stderr.endswith(f"{target} is as it was.\n")
    assert target.read_text() == "older"


def test_what_is_no_file_is_written_to_and_not_replaced(
    as_admin: Cli, games: list[str], seed: str, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert as_admin("admin", "results", "--seed", seed, "--csv", "--output", str(pipe)).returncode == 0
        assert len(reader.communicate(timeout=20)[0].splitlines()) == 1 + len(games)
    assert pipe.is_fifo()


def test_many_are_voided_where_it_is_meant(
    as_admin: Cli, admin: Admin, games: list[str], seed: str, guest: Client
) -> None:
    def void(*arguments: str) -> Any:
        return as_admin("admin", "void-results", "--seed", seed, "--reason", "test", *arguments)

    def statuses() -> list[str]:
        return [guest.game(game).status for game in games]

    untouched = ["lost", "abandoned", "lost", "lost"]
    asked = void()
    assert (asked.returncode, asked.stdout) == (Exit.USAGE, "")
    assert f"3 results at {guest.base_url} would be void. Say --yes to void them" in asked.stderr
    counting = void("--dry-run")
    assert (counting.returncode, counting.stdout, counting.stderr) == (0, "matched  3\nvoided   0\n", "")
    assert json.loads(void("--dry-run", "--yes", "--json").stdout) == {"dry_run": True, "matched": 3, "voided": 0}
    assert statuses() == untouched
    everything = as_admin("admin", "void-results", "--reason", "test", "--yes")
    assert (everything.returncode, everything.stdout) == (Exit.USAGE, "")
    assert "at least one of the filters" in everything.stderr
    done = void("--yes", "--note", "a trial", "--status", "lost")
    assert (done.returncode, done.stdout, done.stderr) == (0, "matched  3\nvoided   3\n", "")
    assert statuses() == ["void", "abandoned", "void", "void"]
    admin.judge({"id": games[0]}, "restore")
    assert void("--yes", "--outcome", "won").stdout == "matched  0\nvoided   0\n"
    assert void("--yes", "--outcome", "lost").stdout == "matched  1\nvoided   1\n"
    assert statuses() == ["void", "abandoned", "void", "void"]
    entry = as_admin("admin", "audit", "--action", "results-voided", "--player", guest.me().name, "--limit", "1")
    assert "outcome" not in entry.stdout
    said = as_admin("admin", "audit", "--action", "results-voided", "--actor", admin.name, "--limit", "1")
    assert f"1 of 1: seed={seed} outcome=lost" in " ".join(said.stdout.split())
    nothing = void()
    assert (nothing.returncode, nothing.stdout) == (0, "matched  0\nvoided   0\n")
    assert void("--status", "abandoned").returncode == void("--outcome", "abandoned").returncode == Exit.USAGE


def test_a_person_is_asked_before_many_are_voided(
    terminal: Callable[..., Terminal], admin: Admin, games: list[str], seed: str, guest: Client
) -> None:
    arguments = ("admin", "void-results", "--seed", seed, "--reason", "test")
    first = terminal(*arguments, PASYANS_ADMIN_TOKEN=admin.token)
    first.see("3 results at", "would be void.", "Void them? [y/N]")
    first.type("n")
    assert first.end() == Exit.INTERRUPTED
    assert guest.game(games[0]).status == "lost"
    second = terminal(*arguments, PASYANS_ADMIN_TOKEN=admin.token)
    second.see("Void them? [y/N]")
    second.type("y")
    second.see("matched  3", "voided   3")
    assert second.end() == 0
    assert guest.game(games[0]).status == "void"


def test_a_voiding_that_breaks_off_says_how_it_goes_on(home: dict[str, str]) -> None:
    stub = Stub([DROP] * 5)
    done = at(stub, home, "void-results", "--fast", "--reason", "cheating", "--yes")
    assert (done.returncode, done.stdout) == (Exit.NETWORK, "")
    assert "Some may be void by now. The same command goes on with the rest." in done.stderr
    assert len({seen.headers["idempotency-key"] for seen in stub.seen}) == 1


def test_a_terminal_shows_what_the_order_goes_by_and_not_what_is_the_same_in_all(
    terminal: Callable[..., Terminal], admin: Admin, games: list[str], seed: str
) -> None:
    def header(*arguments: str) -> list[str]:
        shown = terminal("admin", "results", "--seed", seed, *arguments, PASYANS_ADMIN_TOKEN=admin.token)
        assert shown.end() == 0
        lines = shown.screen.splitlines()
        assert [line.split()[0] for line in lines[1:]] == sorted(games, reverse=True) or arguments
        return lines[0].replace(" (UTC)", "").split()

    assert header()[:4] == ["game", "player", "finished", "status"]
    assert header("--sort", "ms_per_move")[:4] == ["game", "player", "ms/move", "status"]
    assert header("--sort", "-variant", "--status", "lost")[:3] == ["game", "player", "variant"]


def test_what_is_no_csv_is_not_printed(home: dict[str, str]) -> None:
    stub = Stub([answer(200, {"items": [], "next": None}, content_type="application/json")])
    done = at(stub, home, "results", "--csv")
    assert (done.returncode, done.stdout) == (Exit.SERVICE, "")
    assert "and not with text/csv" in done.stderr
