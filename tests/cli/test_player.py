"""What a player does about themselves: a name, statistics, tokens, everything to take along, and the end."""

import json
import re
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client, NotFound, Unauthenticated

from tests.cli.conftest import Cli, elapsed
from tests.cli.terminal import Terminal
from tests.support.service import Service


def a_name() -> str:
    return f"p{uuid.uuid4().hex[:16]}"


def test_a_guest_takes_a_name_and_stays_logged_in(cli: Cli, guest: Client, service: Service) -> None:
    name = a_name()
    done = cli("name", name)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"You are called {name} at {service.url}.\n"
    assert cli("whoami").stdout == f"{name}\n"
    assert guest.me().name == name
    assert cli("logout").stderr.count(name) == 1
    again = cli("name", a_name())
    assert (again.returncode, again.stdout) == (Exit.CONFLICT, "")
    assert "a name is taken once" in again.stderr
    assert json.loads(cli("name", name, "--json").stdout) == json.loads(cli("whoami", "--json").stdout)


def test_a_name_that_cannot_be(cli: Cli, guest: Client) -> None:
    wrong = cli("name", "a b")
    assert wrong.returncode == Exit.INVALID
    assert "NAME should be 3 to 24 letters" in wrong.stderr
    taken = a_name()
    with Client(guest.base_url) as anyone:
        anyone.create_player(taken)
    refused = cli("name", taken.upper())
    assert refused.returncode == Exit.CONFLICT
    assert "choose another name" in refused.stderr
    assert guest.me().guest


def test_a_guest_who_wants_to_log_in_by_a_name_is_told_how(cli: Cli, guest: Client) -> None:
    done = cli("login", a_name())
    assert done.returncode == Exit.CONFLICT
    assert "pasyans name NAME" in done.stderr
    assert guest.me().guest


def test_statistics(cli: Cli, guest: Client) -> None:
    me = guest.me().name
    nothing = cli("stats")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert nothing.stderr == f"{me} has finished no game that counts.\n"
    game = guest.start_game("court")
    lost = guest.resign(guest.move(game.id, game.legal_moves[:1]).id)
    shown = cli("stats")
    assert re.split(r"  +", shown.stdout.strip()) == [
        "court", "1", "0", "0", "0", str(lost.score), "1", elapsed(lost), elapsed(lost),
    ]  # fmt: skip
    assert cli("logout", "--yes").returncode == 0
    assert cli("stats", me).stdout == shown.stdout
    assert json.loads(cli("stats", me, "--json").stdout)["player"] == me
    assert cli("stats").returncode == Exit.UNAUTHENTICATED
    assert cli("stats", a_name()).returncode == Exit.NOT_FOUND


def test_tokens(cli: Cli, guest: Client, service: Service) -> None:
    made = cli("token", "new", "телефон")
    assert made.returncode == 0
    assert re.fullmatch(r"pasyans_[A-Za-z0-9_-]{43}\n", made.stdout)
    assert made.stdout.strip() not in made.stderr
    listed = [re.split(r"  +", line) for line in cli("token", "list").stdout.splitlines()]
    assert [row[-1] for row in listed] == ["first", "телефон"]
    ids = [row[0] for row in listed]
    assert ids == [token.id for token in guest.tokens()]
    assert [token["id"] for token in json.loads(cli("token", "list", "--json").stdout)["items"]] == ids
    with Client(service.url, made.stdout.strip()) as phone:
        assert phone.me() == guest.me()
        revoked = cli("token", "revoke", ids[1])
        assert (revoked.returncode, revoked.stdout, revoked.stderr) == (0, "", "Revoked 'телефон'.\n")
        with pytest.raises(Unauthenticated):
            phone.me()
    assert cli("token", "revoke", ids[1]).returncode == Exit.NOT_FOUND
    assert cli("token", "revoke", "").returncode == Exit.NOT_FOUND
    assert json.loads(cli("--json", "token", "new", "tablet").stdout)["label"] == "tablet"
    assert cli("token").returncode == Exit.USAGE


def test_a_token_is_named_by_the_beginning_of_its_id(cli: Cli, guest: Client) -> None:
    only, second = guest.tokens().__next__(), guest.create_token("second")
    common = next(length for length in range(36) if only.id[length] != second.id[length])
    assert cli("token", "revoke", second.id[:common]).returncode == Exit.NOT_FOUND
    assert cli("token", "revoke", second.id[: common + 1].upper()).returncode == 0
    assert [token.id for token in guest.tokens()] == [only.id]


def test_revoking_the_token_that_is_kept_here_logs_out(cli: Cli, guest: Client) -> None:
    (only,) = guest.tokens()
    done = cli("token", "revoke", only.id)
    assert done.returncode == 0
    assert "you are logged out" in done.stderr
    assert "Not logged in" in cli("whoami").stderr


def test_everything_is_printed_as_it_comes(cli: Cli, guest: Client) -> None:
    game = guest.start_game("court")
    done = cli("export")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["player"]["name"] == guest.me().name
    assert [each["id"] for each in found["games"]] == [game.id]


def test_erasing_has_to_be_meant(cli: Cli, guest: Client, env: dict[str, str]) -> None:
    name = guest.me().name
    asked = cli("erase")
    assert asked.returncode == Exit.USAGE
    assert f"--yes {name}" in asked.stderr
    wrong = cli("erase", "--yes", name.upper())
    assert wrong.returncode == Exit.CONFLICT
    assert "nothing was erased" in wrong.stderr
    assert guest.me().name == name
    done = cli("erase", "--yes", name)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"Erased {name}" in done.stderr
    assert name not in (Path(env["XDG_CONFIG_HOME"]) / "pasyans" / "credentials.json").read_text()
    with pytest.raises(Unauthenticated):
        guest.me()
    with pytest.raises(NotFound), Client(guest.base_url) as anyone:
        anyone.player(name)
    for command in ("erase", "export", "whoami"):
        assert cli(command).returncode == Exit.UNAUTHENTICATED


def test_a_person_types_the_name_to_be_erased(guest: Client, terminal: Callable[..., Terminal]) -> None:
    name = guest.me().name
    first = terminal("erase")
    first.see(f"This erases {name}", "Type the name to go on:")
    first.type("y")
    first.see("nothing was erased")
    assert first.end() == Exit.CONFLICT
    assert guest.me().name == name
    second = terminal("erase")
    second.see("Type the name to go on:")
    second.type(name)
    second.see(f"Erased {name}")
    assert second.end() == 0
    with pytest.raises(Unauthenticated):
        guest.me()
