"""`pasyansd`: what it shows, and how it says that something is wrong."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pasyans.server.settings import SETTINGS

from tests.support.postgres import Postgres
from tests.support.service import pasyansd
from tests.support.sql import query


def test_config_shows_every_setting_with_where_it_came_from() -> None:
    done = pasyansd("config", PASYANS_PORT="8123")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [re.split(r"  +", line) for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == [setting.name for setting in SETTINGS]
    assert ["PASYANS_PORT", "8123", "environment", "the port to listen on; 0 takes any free one"] in rows
    assert ["PASYANS_HOST", "127.0.0.1", "default", "the address to listen on"] in rows


def test_config_is_also_to_be_had_as_json() -> None:
    done = pasyansd("config", "--json", PASYANS_LOG_LEVEL="debug")
    shown = {row["name"]: row for row in json.loads(done.stdout)}
    assert list(shown) == [setting.name for setting in SETTINGS]
    assert shown["PASYANS_LOG_LEVEL"]["value"] == "debug"
    assert shown["PASYANS_LOG_LEVEL"]["origin"] == "environment"
    assert shown["DATABASE_URL"]["value"] == ""


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_config_masks_secrets(form: list[str]) -> None:
    done = pasyansd("config", *form, DATABASE_URL="postgresql://u:hidden@h/d", PASYANS_SECRET="hidden" * 6)
    assert done.returncode == 0
    assert "hidden" not in done.stdout
    assert "postgresql://u:***@h/d" in done.stdout


@pytest.mark.parametrize("command", ["serve", "migrate", "config"])
def test_every_wrong_setting_is_told_before_anything_is_done(command: str) -> None:
    done = pasyansd(command, PASYANS_PORT="x", PASYANS_WORKERS="none")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines() == [
        "pasyansd: PASYANS_PORT must be a whole number from 0 to 65535, not 'x'.",
        "pasyansd: PASYANS_WORKERS must be a whole number from 1 to 32, not 'none'.",
    ]


def test_migrate_makes_and_updates_the_database(used_dir: Path) -> None:
    for _ in range(2):
        done = pasyansd("migrate", PASYANS_DATA_DIR=str(used_dir.parent))
        assert (done.returncode, done.stdout) == (0, "The database is up to date.\n"), done.stderr


def test_migrate_works_on_a_database_that_it_is_told_of(postgres: Postgres) -> None:
    done = pasyansd(
        "migrate",
        DATABASE_URL=postgres.service_url,
        PASYANS_ADMIN_DATABASE_URL=postgres.admin_url,
        PASYANS_ALLOW_DATA_LOSS="yes",
    )
    assert (done.returncode, done.stdout) == (0, "The database is up to date.\n"), done.stderr
    assert query(postgres.service_url, "SELECT count(*) FROM games")[0][0] is not None


def test_wrong_usage_has_a_code_of_its_own() -> None:
    done = pasyansd("serve", "--port", "80")
    assert done.returncode == 2
    assert "No such option" in done.stderr


def test_the_help_has_the_exit_codes() -> None:
    commands = ("", "serve", "migrate", "rebuild", "verify", "player-token", "admin-token", "admin-token new")
    for command in commands:
        done = pasyansd(*command.split(), "--help")
        codes = [line.split()[0] for line in done.stdout.partition("Exit codes:\n")[2].splitlines()]
        assert codes == list("012345678"), command


def test_help_loads_nothing_that_serves() -> None:
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import pasyans.server.command"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert "click" in loaded
    assert not re.search(r"\b(litestar|sqlalchemy|asyncpg|granian|structlog|msgspec)\b", loaded)
