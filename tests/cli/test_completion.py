"""Shells complete what is typed: commands, options and variants, without a service."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class
from pasyans.games.catalogue import VARIANTS
from pasyans_cli.main import COMMANDS, main

from tests.cli.terminal import PASYANS, Terminal
from tests.support.service import Service

SHELLS = ("bash", "zsh", "fish")
NOT_NEEDED = ("httpx", "rich", "msgspec", "platformdirs", "pasyans_client", "pasyans_cli.commands")

needs_zsh = pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
needs_fish = pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")


@pytest.fixture
def here(home: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has `pasyans` on the path and two files in the folder, and reaches no service."""
    (tmp_path / "opening.json").touch()
    (tmp_path / "closing.json").touch()
    (tmp_path / "inputrc").write_text(
        "set show-all-if-ambiguous on\nset completion-query-items 0\nset page-completions off\n"
    )
    return {
        **home,
        "PATH": f"{Path(PASYANS).parent}{os.pathsep}{home['PATH']}",
        "PASYANS_URL": "http://127.0.0.1:9",
        "INPUTRC": str(tmp_path / "inputrc"),
    }


@pytest.fixture
def shell(here: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Open a terminal with a shell in it, and have the script run there."""
    opened: list[Terminal] = []

    def start(name: str, *arguments: str, before: str = "true") -> Terminal:
        program = shutil.which(name)
        assert program is not None
        opened.append(Terminal(list(arguments), {**here, "PS1": "$ "}, program=program))
        opened[-1].type(f"cd {tmp_path}; {before}; eval \"$(pasyans completion {name})\"; clear; echo rea''dy")
        # What is typed before the prompt is there is echoed twice, and the shell loses count of its columns.
        opened[-1].see_that(lambda screen: screen == "ready\n$", "the prompt")
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def completed(terminal: Terminal, typed: str) -> Callable[..., str]:
    """Type something and press the tab key; then wait for what the screen is to show, and start the line anew."""
    terminal.press(f"{typed}\t")

    def see(*texts: str) -> str:
        screen = terminal.see(*texts)
        terminal.press("\x15")
        terminal.see_that(lambda screen: screen.endswith("\n$"), "an empty line")
        return screen

    return see


def asked(words: str, place: int, env: dict[str, str]) -> list[str]:
    """What a shell is answered that asks for the word at a place."""
    done = subprocess.run(
        [PASYANS],
        env={**env, "COMP_WORDS": words, "COMP_CWORD": str(place), "_PASYANS_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_bash_completes_commands_options_and_variants(shell: Callable[..., Terminal]) -> None:
    bash = shell("bash", "--norc", "--noprofile", "-i")
    completed(bash, "pasyans leaderb")("$ pasyans leaderboard")
    completed(bash, "pasyans leaderboard vokzal-3")("$ pasyans leaderboard vokzal-36")
    completed(bash, "pasyans leaderboard court --neigh")("$ pasyans leaderboard court --neighbours")
    completed(bash, "pasyans leaderboard court --window mo")("--window month")
    completed(bash, "pasyans games --status aban")("--status abandoned")
    completed(bash, "pasyans token re")("$ pasyans token revoke")
    completed(bash, "pasyans --asc")("$ pasyans --ascii")
    completed(bash, "pasyans show la")("$ pasyans show last")
    completed(bash, "pasyans replay open")("$ pasyans replay opening.json")
    completed(bash, "pasyans play ")(*VARIANTS)
    completed(bash, "pasyans ")(*COMMANDS)


@needs_zsh
def test_zsh_completes_commands_options_and_variants(shell: Callable[..., Terminal], tmp_path: Path) -> None:
    zsh = shell("zsh", "-f", "-i", before=f"PS1='$ '; autoload -Uz compinit; compinit -u -d {tmp_path}/dump")
    completed(zsh, "pasyans leaderb")("$ pasyans leaderboard")
    completed(zsh, "pasyans leaderboard vokzal-3")("$ pasyans leaderboard vokzal-36")
    completed(zsh, "pasyans leaderboard court --neigh")("$ pasyans leaderboard court --neighbours")
    completed(zsh, "pasyans replay open")("$ pasyans replay opening.json")


@needs_fish
def test_fish_completes_commands_options_and_variants(here: dict[str, str], tmp_path: Path) -> None:
    def completions(typed: str) -> list[str]:
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"pasyans completion fish | source; complete --do-complete '{typed}'"],
            cwd=tmp_path,
            env=here,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return [line.split("\t")[0] for line in done.stdout.splitlines()]

    assert set(completions("pasyans ")) == set(COMMANDS)
    assert set(completions("pasyans leaderboard ")) == set(VARIANTS)
    assert completions("pasyans leaderboard court --neigh") == ["--neighbours"]
    assert completions("pasyans replay open") == ["opening.json"]


@pytest.mark.parametrize("name", SHELLS)
def test_the_script_is_what_click_gives(name: str, here: dict[str, str]) -> None:
    maker = get_completion_class(name)
    assert maker is not None
    script = maker(main, {}, "pasyans", "_PASYANS_COMPLETE").source()
    done = subprocess.run(
        [PASYANS, "completion", name], env=here, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{script}\n", "")
    as_json = subprocess.run(
        [PASYANS, "completion", name, "--json"], env=here, capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(as_json.stdout) == {"shell": name, "script": script}


def test_a_new_word_is_any_command_and_a_dash_any_option(here: dict[str, str]) -> None:
    assert asked("pasyans ", 1, here) == [f"plain,{name}" for name in COMMANDS]
    assert "plain,--server" in asked("pasyans --", 1, here)


def test_the_variants_that_are_completed_are_those_of_the_service(here: dict[str, str], service: Service) -> None:
    from pasyans_client import Client

    with Client(service.url) as client:
        there = {f"plain,{variant.id}" for variant in client.variants()}
    for words in ("pasyans play ", "pasyans leaderboard ", "pasyans rules ", "pasyans deal "):
        assert set(asked(words, 2, here)) == there
    assert set(asked("pasyans games --variant ", 3, here)) == there


def test_admins_have_the_words_of_their_filters_completed(here: dict[str, str]) -> None:
    assert "plain,--outcome" in asked("pasyans admin results --", 3, here)
    assert asked("pasyans admin results --outcome ", 4, here) == ["plain,won", "plain,lost", "plain,abandoned"]
    assert asked("pasyans admin void-results --outcome ", 4, here) == ["plain,won", "plain,lost"]


def test_commands_are_completed_without_loading_any() -> None:
    env = {**os.environ, "COMP_WORDS": "pasyans ", "COMP_CWORD": "1", "_PASYANS_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", PASYANS], env=env, capture_output=True, text=True, timeout=30, check=True
    )
    modules = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "click.shell_completion" in modules
    assert modules.isdisjoint(NOT_NEEDED)
    assert "plain,leaderboard" in done.stdout
