"""Streams that cannot write everything, or that are closed."""

import subprocess
from collections.abc import Callable

import pytest
from pasyans_cli.exits import Exit

from tests.cli.conftest import Cli
from tests.cli.terminal import PASYANS, Terminal


@pytest.mark.parametrize(
    ("option", "encoding"), [("--ascii", "utf-8"), ("--lang=en", "latin-1"), ("--lang=en", "ascii")]
)
def test_a_page_of_rules_on_a_terminal_that_cannot_show_all_of_it(
    terminal: Callable[..., Terminal], option: str, encoding: str
) -> None:
    page = terminal("rules", "court", option, lines=200, PYTHONIOENCODING=encoding)
    assert page.end() == 0
    assert page.screen.isascii()
    assert "\n * " in page.screen


def test_nothing_is_outside_ascii_where_that_is_asked_for(cli: Cli) -> None:
    done = cli("rules", "court", "--lang", "ru", "--ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# \\u0421\\u0443\\u0434\n")
    wrong = cli("show", "–ё", "--ascii")
    assert (wrong.returncode, wrong.stdout) == (Exit.NOT_FOUND, "")
    assert wrong.stderr.startswith("Error: '-\\u0451' is no game")


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("variants >&-", Exit.FAILURE, "Error: There is no stdout to print to: it is closed.\n"),
        ("deal congress hello >/dev/null <&-", Exit.OK, ""),
        ("rules bridge 2>&-", Exit.NOT_FOUND, ""),
        ("login --token-stdin <&-", Exit.USAGE, "There is no token on stdin."),
    ],
)
def test_a_stream_that_is_closed(env: dict[str, str], command: str, code: Exit, said: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{PASYANS} {command}"], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
