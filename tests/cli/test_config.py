"""Tokens are kept for each service apart, in a file that only its owner can read."""

import json
import stat
from pathlib import Path

import pytest
from pasyans_cli import config
from pasyans_cli.config import ADMINS, PLAYERS, AdminLogin, Login
from pasyans_cli.exits import Exit, Failed

HOME, AWAY = "http://127.0.0.1:8000", "https://cards.example"


@pytest.fixture(autouse=True)
def xdg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return tmp_path / "xdg"


def test_a_login_is_kept_and_forgotten_for_its_service_alone(xdg: Path) -> None:
    assert PLAYERS.load(HOME) is None
    PLAYERS.save(HOME, Login("anna", "secret-1"))
    PLAYERS.save(AWAY, Login("боря", "secret-2"))
    PLAYERS.save(HOME, Login("anna", "secret-3"))
    assert PLAYERS.path() == xdg / "pasyans" / "credentials.json"
    assert PLAYERS.load(HOME) == Login("anna", "secret-3")
    PLAYERS.forget(HOME)
    assert PLAYERS.load(HOME) is None
    assert PLAYERS.load(AWAY) == Login("боря", "secret-2")


def test_nobody_else_can_read_it(xdg: Path) -> None:
    PLAYERS.save(HOME, Login("anna", "secret"))
    file = xdg / "pasyans" / "credentials.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    file.chmod(0o644)
    PLAYERS.save(AWAY, Login("anna", "other"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["credentials.json"]


def test_an_admin_token_is_kept_beside_the_players_and_no_less_well(xdg: Path) -> None:
    PLAYERS.save(HOME, Login("anna", "secret-1"))
    ADMINS.save(HOME, AdminLogin("secret-2"))
    assert (PLAYERS.load(HOME), ADMINS.load(HOME)) == (Login("anna", "secret-1"), AdminLogin("secret-2"))
    assert stat.S_IMODE((xdg / "pasyans" / "admin.json").stat().st_mode) == 0o600
    ADMINS.forget(HOME)
    assert (PLAYERS.load(HOME), ADMINS.load(HOME)) == (Login("anna", "secret-1"), None)


@pytest.mark.parametrize("content", ["{", "[]", json.dumps({HOME: {"player": "anna"}}), json.dumps({HOME: "secret"})])
def test_a_damaged_file_is_named(xdg: Path, content: str) -> None:
    file = xdg / "pasyans" / "credentials.json"
    file.parent.mkdir(parents=True)
    file.write_text(content)
    with pytest.raises(Failed, match=r"credentials\.json is damaged") as raised:
        PLAYERS.load(HOME)
    assert raised.value.code == Exit.FAILURE
    assert file.read_text() == content


def test_a_place_where_nothing_can_be_kept_is_told_before_a_token_is_made(xdg: Path) -> None:
    xdg.write_text("in the way")
    with pytest.raises(OSError, match="xdg"):
        config.make_ready()
