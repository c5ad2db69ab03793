"""What admins do on the command line: who they are, judging games and players, the audit."""

import json
import stat
import subprocess
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client

from tests.cli.conftest import Cli
from tests.cli.terminal import PASYANS, Terminal
from tests.support.admins import Admin, new_admin, revoke
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query


@pytest.fixture
def seed() -> str:
    return uuid.uuid4().hex


def lose(client: Client, seed: str, moves: int = 1) -> str:
    game = client.start_game("congress", seed=seed)
    if moves:
        client.move(game.id, ["draw"] * moves)
    client.resign(game.id)
    return game.id


def kept(env: dict[str, str]) -> Path:
    return Path(env["XDG_CONFIG_HOME"]) / "pasyans" / "admin.json"


def test_a_token_from_stdin_is_tried_and_kept_for_its_service(
    cli: Cli, env: dict[str, str], service: Service, admin: Admin
) -> None:
    nobody = cli("admin", "audit")
    assert (nobody.returncode, nobody.stdout) == (Exit.UNAUTHENTICATED, "")
    assert "pasyans admin login" in nobody.stderr
    done = cli("admin", "login", stdin=f"{admin.token}\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"Kept the admin token for {service.url}.\n")
    assert stat.S_IMODE(kept(env).stat().st_mode) == 0o600
    assert json.loads(kept(env).read_text()) == {service.url: {"token": admin.token}}
    assert cli("admin", "audit", "--actor", admin.name).returncode == 0
    elsewhere = service.url.replace("127.0.0.1", "localhost")
    assert cli("admin", "audit", "--server", elsewhere).returncode == Exit.UNAUTHENTICATED
    again = cli("admin", "login", stdin=f"{admin.token}\n")
    assert again.returncode == Exit.CONFLICT
    assert "pasyans admin logout" in again.stderr
    assert cli("admin", "logout").stderr == f"Forgot the admin token for {service.url}.\n"
    assert json.loads(kept(env).read_text()) == {}
    assert cli("admin", "logout").returncode == cli("admin", "audit").returncode == Exit.UNAUTHENTICATED


def test_what_is_no_admin_token_is_not_kept(cli: Cli, env: dict[str, str], guest: Client) -> None:
    mine = cli("whoami", "--token").stdout
    for wrong, code in (
        (mine, Exit.FORBIDDEN),
        ("nonsense", Exit.UNAUTHENTICATED),
        ("zwei Wörter", Exit.UNAUTHENTICATED),
    ):
        done = cli("admin", "login", stdin=wrong)
        assert (done.returncode, done.stdout) == (code, "")
        assert wrong.strip() not in done.stderr
        assert not kept(env).exists()
    assert cli("admin", "login").returncode == Exit.USAGE
    assert cli("whoami").stdout.strip() == guest.me().name


def test_a_token_in_the_environment_goes_before_the_one_that_is_kept(
    env: dict[str, str], cli: Cli, admin: Admin, service: Service, postgres: Postgres
) -> None:
    other = new_admin(service.url, postgres)
    other.http.close()
    assert cli("admin", "login", stdin=other.token).returncode == 0
    revoke(other, postgres)
    revoked = cli("admin", "players")
    assert revoked.returncode == Exit.UNAUTHENTICATED
    assert "pasyans admin logout; pasyans admin login" in revoked.stderr

    def with_variable(token: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PASYANS, "admin", "players", "--limit", "1"],
            env={**env, "PASYANS_ADMIN_TOKEN": token},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert with_variable(admin.token).returncode == 0
    wrong = with_variable(other.token)
    assert wrong.returncode == Exit.UNAUTHENTICATED
    assert "It is the admin token in PASYANS_ADMIN_TOKEN." in wrong.stderr
    assert other.token not in wrong.stderr


def test_a_person_types_the_token_unseen(
    terminal: Callable[..., Terminal], env: dict[str, str], admin: Admin, service: Service
) -> None:
    login = terminal("admin", "login")
    login.see("Admin token (not shown):")
    login.type(admin.token)
    login.see(f"Kept the admin token for {service.url}.")
    assert login.end() == 0
    assert admin.token not in login.raw
    assert json.loads(kept(env).read_text())[service.url]["token"] == admin.token


def test_a_game_is_voided_and_restored(cli: Cli, as_admin: Cli, guest: Client, seed: str) -> None:
    game, me = lose(guest, seed), guest.me().name
    void = as_admin("admin", "void", game, "--reason", "cheating", "--note", "too quick")
    assert (void.returncode, void.stdout, void.stderr) == (0, "", f"Void: {me}'s game {game}.\n")
    assert cli("leaderboard", "congress", "--seed", seed).stdout == ""
    assert "voided: cheating" in cli("replay", game).stdout
    assert "too quick" not in cli("replay", game, "--json").stdout
    again = as_admin("admin", "void", game.upper(), "--reason", "cheating")
    assert again.returncode == Exit.CONFLICT
    stale = as_admin("admin", "restore", game, "--reason", "error", "--if-version", "3")
    assert stale.returncode == Exit.CONFLICT
    restored = as_admin("admin", "restore", game, "--reason", "error")
    assert (restored.returncode, restored.stdout) == (0, "")
    assert restored.stderr == f"Restored as lost: {me}'s game {game}.\n"
    assert cli("leaderboard", "congress", "--seed", seed).stdout.split()[-1] == game
    answer = json.loads(as_admin("admin", "void", game, "--reason", "test", "--json").stdout)
    assert (answer["id"], answer["status"]) == (game, "void")
    for wrong in ("last", game[:8], "0"):
        done = as_admin("admin", "void", wrong, "--reason", "test")
        assert (done.returncode, done.stdout) == (Exit.NOT_FOUND, "")
        assert "pasyans admin results" in done.stderr
    assert as_admin("admin", "void", str(uuid.uuid4()), "--reason", "test").returncode == Exit.NOT_FOUND
    for arguments in (["void", game], ["ban", me], ["void", game, "--reason", "spite"]):
        done = as_admin("admin", *arguments)
        assert (done.returncode, done.stdout) == (Exit.USAGE, "")
        assert "'--reason'" in done.stderr


def test_a_player_is_banned_and_let_back(cli: Cli, as_admin: Cli, guest: Client, seed: str) -> None:
    lose(guest, seed)
    me = guest.me().name
    banned = as_admin("admin", "ban", me.upper(), "--reason", "cheating")
    assert (banned.returncode, banned.stdout) == (0, "")
    assert banned.stderr.startswith(f"{me} is banned, since 20")
    assert cli("leaderboard", "congress", "--seed", seed).stdout == ""
    row = as_admin("admin", "players", me, "--banned").stdout.split()
    assert row[:4] == [me, "1", "0", "1"]
    assert f"since {row[4]} {row[5]} UTC" in banned.stderr
    assert as_admin("admin", "ban", me, "--reason", "cheating").stderr == banned.stderr
    assert as_admin("admin", "players", me, "--not-banned").stderr == "No players.\n"
    answer = json.loads(as_admin("admin", "unban", me, "--reason", "error", "--json").stdout)
    assert (answer["name"], answer["banned_at"]) == (me, None)
    assert cli("leaderboard", "congress", "--seed", seed).stdout.split()[1] == me
    assert as_admin("admin", "unban", me, "--reason", "error").stderr == f"{me} is not banned.\n"
    assert as_admin("admin", "ban", "nobody-at-all", "--reason", "test").returncode == Exit.NOT_FOUND


def test_a_game_is_verified_and_a_difference_ends_with_a_code_of_its_own(
    as_admin: Cli, guest: Client, seed: str, postgres: Postgres
) -> None:
    game = lose(guest, seed)
    good = as_admin("admin", "verify", game)
    assert (good.returncode, good.stdout) == (0, "")
    assert good.stderr == f"The game {game} is what its log says, up to version 3.\n"
    assert query(postgres.admin_url, "UPDATE results SET moves = moves + 1 WHERE game_id = $1 RETURNING 1", game)
    try:
        bad = as_admin("admin", "verify", game, "--json")
        assert bad.returncode == Exit.UNFAIR
        answer = json.loads(bad.stdout)
        assert (answer["ok"], answer["game"]) == (False, game)
        assert bad.stderr == f"Error: The game {game} is not what its log says. {answer['difference']}\n"
    finally:
        query(postgres.admin_url, "UPDATE results SET moves = moves - 1 WHERE game_id = $1", game)
    assert as_admin("admin", "verify", game).returncode == 0


def test_the_audit(as_admin: Cli, admin: Admin, guest: Client, seed: str) -> None:
    game, me = lose(guest, seed), guest.me().name
    as_admin("admin", "void", game, "--reason", "cheating", "--note", "too quick")
    as_admin("admin", "restore", game, "--reason", "error")
    as_admin("admin", "ban", me, "--reason", "other")
    as_admin("admin", "void-results", "--player", me, "--kind", "shared", "--reason", "test", "--yes")
    done = as_admin("admin", "audit", "--player", me)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[2:6] for line in lines] == [  # after the date and the time
        [admin.name, "results-voided", me, "test"],
        [admin.name, "voided", me, "test"],
        [admin.name, "banned", me, "other"],
        [admin.name, "restored", me, "error"],
        [admin.name, "voided", me, "cheating"],
    ]
    assert f"1 of 1: kind=shared player={me}" in lines[0] or f"1 of 1: player={me} kind=shared" in lines[0]
    assert "too quick" in lines[4]
    assert [game in line for line in lines] == [False, True, False, True, True]
    ids = [line.split()[-1] for line in lines]
    entries = json.loads(as_admin("admin", "audit", "--player", me, "--json").stdout)["items"]
    assert [entry["id"] for entry in entries] == ids

    def shown(*arguments: str) -> list[str]:
        return [line.split()[-1] for line in as_admin("admin", "audit", *arguments).stdout.splitlines()]

    assert shown("--game", game, "--action", "voided") == [ids[1], ids[4]]
    assert shown("--player", me, "--actor", admin.name, "--limit", "2") == ids[:2]
    assert shown("--player", me, "--since", entries[2]["at"]) == ids[:3]
    assert shown("--player", me, "--before", entries[2]["at"]) == ids[3:]
    assert as_admin("admin", "audit", "--player", me, "--before", "2024-02-29").stderr == "No entries.\n"
    wrong = as_admin("admin", "audit", "--since", "tomorrow")
    assert wrong.returncode == Exit.USAGE
    assert "'tomorrow' is no time such as 2026-11-29" in wrong.stderr


def test_tables_of_admins_fit_a_terminal(
    terminal: Callable[..., Terminal], as_admin: Cli, admin: Admin, guest: Client, seed: str
) -> None:
    game, me = lose(guest, seed), guest.me().name
    as_admin("admin", "void", game, "--reason", "cheating", "--note", "a note that is longer than there is room for it")
    for arguments, title in (
        (("results", "--player", me), "game"),
        (("players", me), "player"),
        (("audit", "--player", me), "at (UTC)"),
    ):
        shown = terminal("admin", *arguments, PASYANS_ADMIN_TOKEN=admin.token)
        assert shown.end() == 0
        header, *rows = shown.screen.splitlines()
        assert header.startswith(title)
        assert len(rows) == 1
    assert rows[0].endswith("…")
