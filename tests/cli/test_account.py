"""Logging in and out; the token is kept, and shown only to who asks for it."""

import json
import stat
import subprocess
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client, NotFound

from tests.cli.conftest import Cli
from tests.cli.terminal import PASYANS, Terminal
from tests.support.service import Service


def a_name() -> str:
    return f"p{uuid.uuid4().hex[:16]}"


def kept(env: dict[str, str]) -> Path:
    return Path(env["XDG_CONFIG_HOME"]) / "pasyans" / "credentials.json"


def test_login_makes_a_player_and_keeps_the_token(cli: Cli, env: dict[str, str], service: Service) -> None:
    name = a_name()
    done = cli("login", name)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"Logged in as {name} at {service.url}.\n"
    assert stat.S_IMODE(kept(env).stat().st_mode) == 0o600
    token = json.loads(kept(env).read_text())[service.url]["token"]
    assert token not in done.stderr
    assert cli("whoami").stdout == f"{name}\n"
    assert cli("whoami", "--token").stdout == f"{token}\n"
    with Client(service.url, token) as client:
        assert client.me().name == name


def test_the_token_is_on_stdout_only_when_asked_for(cli: Cli, env: dict[str, str], service: Service) -> None:
    done = cli("login", "--guest", "--print-token")
    token = json.loads(kept(env).read_text())[service.url]["token"]
    assert done.stdout == f"{token}\n"


def test_json_shows_the_player_without_the_token(cli: Cli) -> None:
    answer = json.loads(cli("--json", "login", "--guest").stdout)
    assert answer.keys() == {"name", "guest", "created_at"}
    assert json.loads(cli("whoami", "--json").stdout) == answer


def test_json_with_the_token_is_the_answer_that_made_it(cli: Cli) -> None:
    answer = json.loads(cli("login", "--guest", "--json", "--print-token").stdout)
    assert answer["token"] == cli("whoami", "--token").stdout.strip()


def test_a_token_from_stdin_is_tried_and_kept(cli: Cli, service: Service) -> None:
    with Client(service.url) as anyone:
        made = anyone.create_player()
    done = cli("login", "--token-stdin", stdin=f"{made.token}\n")
    assert (done.returncode, done.stdout) == (0, "")
    assert made.token not in done.stderr
    assert cli("whoami").stdout == f"{made.name}\n"


def test_a_wrong_token_is_not_kept(cli: Cli, env: dict[str, str]) -> None:
    for wrong in ("nonsense", "zwei Wörter"):
        done = cli("login", "--token-stdin", stdin=wrong)
        assert done.returncode == Exit.UNAUTHENTICATED
        assert wrong not in done.stderr
        assert not kept(env).exists()
    assert cli("login", "--token-stdin").returncode == Exit.USAGE


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8:strict"}])
@pytest.mark.parametrize("command", ["login --token-stdin", "admin login"])
def test_a_token_that_is_no_text(env: dict[str, str], command: str, locale: dict[str, str]) -> None:
    done = subprocess.run(
        [PASYANS, *command.split()], env={**env, **locale}, input=b"a\xff\n", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (Exit.UNAUTHENTICATED, b"")
    assert done.stderr.decode() == "Error: That is no token: a token is printable ASCII without spaces.\n"


@pytest.mark.parametrize(
    ("command", "asked", "code", "told"),
    [
        ("admin login", "Admin token (not shown):", Exit.UNAUTHENTICATED, "That is no token"),
        ("login", "Name (empty for a guest):", Exit.INVALID, "NAME should be 3 to 24 letters"),
    ],
)
def test_what_is_typed_and_is_no_text(
    terminal: Callable[..., Terminal], command: str, asked: str, code: Exit, told: str
) -> None:
    ascii_alone = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    screen = terminal(*command.split(), **ascii_alone)
    screen.see(asked)
    screen.type("имя")
    assert screen.end() == code
    assert told in screen.screen


def test_who_is_logged_in_is_not_replaced_unawares(cli: Cli) -> None:
    cli("login", "--guest")
    first = cli("whoami").stdout
    done = cli("login", a_name())
    assert done.returncode == Exit.CONFLICT
    assert "log out first" in done.stderr
    assert cli("whoami").stdout == first


def test_logout_forgets_the_token_when_it_is_meant(cli: Cli, env: dict[str, str]) -> None:
    cli("login", "--guest")
    asked = cli("logout")
    assert asked.returncode == Exit.USAGE
    assert "Say --yes" in asked.stderr
    assert cli("logout", "--yes").returncode == 0
    assert json.loads(kept(env).read_text()) == {}
    for command in ("whoami", "logout", "play"):
        assert cli(command).returncode == Exit.UNAUTHENTICATED


def test_a_revoked_token_is_told(cli: Cli, guest: Client) -> None:
    (only,) = guest.tokens()
    guest.revoke_token(only.id)
    done = cli("whoami")
    assert done.returncode == Exit.UNAUTHENTICATED
    assert "pasyans login" in done.stderr


def test_names_that_cannot_be(cli: Cli) -> None:
    name = a_name()
    assert cli("login", name).returncode == 0
    cli("logout", "--yes")
    taken = cli("login", name.upper())
    assert taken.returncode == Exit.CONFLICT
    wrong = cli("login", "a b")
    assert wrong.returncode == Exit.INVALID
    assert "NAME should be 3 to 24 letters" in wrong.stderr
    token = cli("login", "--token-stdin", stdin="wrong\n")
    assert (token.returncode, token.stdout) == (Exit.UNAUTHENTICATED, "")
    assert token.stderr == "Error: The token is wrong, or no longer valid. Log in with: pasyans login\n"
    assert cli("login", name, "--guest").returncode == Exit.USAGE
    assert cli("login").returncode == Exit.USAGE


def test_no_player_is_made_whose_token_could_not_be_kept(cli: Cli, env: dict[str, str], service: Service) -> None:
    Path(env["XDG_CONFIG_HOME"]).write_text("in the way")
    name = a_name()
    done = cli("login", name)
    assert (done.returncode, done.stdout) == (Exit.FAILURE, "")
    assert "Traceback" not in done.stderr
    with Client(service.url) as anyone, pytest.raises(NotFound):
        anyone.player(name)


def test_a_person_is_asked_for_a_name_and_before_logging_out(terminal: Callable[..., Terminal]) -> None:
    name = a_name()
    login = terminal("login")
    login.see("Name (empty for a guest)")
    login.type(name)
    login.see(f"Logged in as {name}")
    assert login.end() == 0
    logout = terminal("logout")
    logout.see(f"Without its token {name} is lost", "Log out? [y/N]")
    logout.type("n")
    assert logout.end() == Exit.INTERRUPTED
    again = terminal("logout")
    again.see("Log out? [y/N]")
    again.type("y")
    again.see(f"Logged out {name}")
    assert again.end() == 0
