"""Help is there, complete, and quick."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from pasyans_cli.exits import MEANINGS, Exit
from pasyans_cli.main import COMMANDS, main

PASYANS = Path(sys.executable).with_name("pasyans")
README = Path(__file__).parents[2] / "clients" / "cli" / "README.md"
SLOW = ("httpx", "rich", "msgspec", "platformdirs", "pasyans", "pasyans_client", "pasyans_cli.commands")
LIST = ("limit", "everything")
SHARED = ("--server", "--json", "--ascii", "--four-colours")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PASYANS, *arguments], capture_output=True, text=True, timeout=30, check=False)


def test_help_imports_nothing_slow() -> None:
    imports = subprocess.run(
        [sys.executable, "-X", "importtime", PASYANS, "--help"],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    modules = {
        line.rsplit("|", 1)[-1].strip() for line in imports.stderr.splitlines() if line.startswith("import time:")
    }
    assert {"click", "pasyans_cli.main"} <= modules
    assert modules.isdisjoint(SLOW)


def test_help_lists_every_command_and_every_exit_code() -> None:
    text = run("--help").stdout
    longest = max(map(len, COMMANDS))
    for name, (_, summary) in COMMANDS.items():
        assert f"  {name.ljust(longest)}  {summary}" in text
    for code in Exit:
        assert f"\n  {int(code):<3}  " in text
    assert all(option in text for option in (*SHARED, "--version"))


def test_the_readme_has_every_exit_code() -> None:
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", README.read_text("utf-8"), re.MULTILINE)
    assert rows == [(str(int(code)), meaning) for code, meaning in MEANINGS.items()]
    assert list(MEANINGS) == list(Exit)


def commands_of(group: click.Group, *before: str) -> Iterator[tuple[str, click.Command]]:
    """All commands, those of groups too, by what is typed for them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield " ".join((*before, name)), command
        if isinstance(command, click.Group):
            yield from commands_of(command, *before, name)


EVERY = dict(commands_of(main))


@pytest.mark.parametrize("name", EVERY)
def test_every_command_explains_itself_and_takes_the_shared_options(name: str) -> None:
    command = EVERY[name]
    assert command.name == name.split()[-1]
    assert command.help
    options = {option for parameter in command.params for option in parameter.opts}
    assert options.issuperset(SHARED)
    for parameter in command.params:
        assert parameter.param_type_name == "argument" or getattr(parameter, "help", None)


def test_everything_that_lists_takes_the_same_two_options() -> None:
    extents = {
        name: [parameter.to_info_dict() for parameter in command.params if parameter.name in LIST]
        for name, command in EVERY.items()
    }
    lists = {name: found for name, found in extents.items() if found}
    assert set(lists) == {
        *("variants", "daily", "games", "token list", "leaderboard"),
        *("admin results", "admin players", "admin audit"),
    }
    assert all(found == lists["games"] for found in lists.values())
    assert [option["opts"] for option in lists["games"]] == [["--limit"], ["--all"]]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["dance"], "No such command 'dance'"),
        (["variants", "--loud"], "No such option '--loud'"),
        (["undo", "last", "0"], "0 is not in the range x>=1"),
        (["undo", "last", "two"], "'two' is not a valid integer"),
        (["rules", "congress", "--lang", "fr"], "'fr' is not one of 'en', 'ru'"),
        (["games", "--limit", "0"], "0 is not in the range x>=1"),
        (["token", "list", "--limit", "2", "--all"], "Give --limit or --all, not both"),
        (["leaderboard", "court", "--neighbours", "2"], "--neighbours goes with --around"),
        (["leaderboard", "court", "--around", "anna", "--all"], "leave out --limit and --all"),
        (["leaderboard", "--daily", "court"], "'court' is no date such as 2026-11-29"),
        (["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
        (["games", "--everyone", "--player", "anna"], "not both"),
        (["play", "congress", "--game", "last"], "--game says it all"),
        (["play", "--daily", "--game", "last"], "--game says it all"),
        (["play", "congress", "--daily", "--seed", "hello"], "leave out --seed and --new"),
        (["play", "congress", "--daily", "--new"], "leave out --seed and --new"),
        (["token", "burn"], "No such command 'burn'"),
        (["erase", "--yes"], "requires an argument"),
        (["admin", "pardon"], "No such command 'pardon'"),
        (["admin", "ban", "anna"], "Missing option '--reason'"),
        (["variants", "--server", "nowhere"], "'nowhere' is not an address"),
        (["--server", "ftp://nowhere", "variants"], "'ftp://nowhere' is not an address"),
    ],
)
def test_a_wrong_command_line_is_explained(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (Exit.USAGE, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_version() -> None:
    assert run("--version").stdout.startswith("pasyans, version ")
