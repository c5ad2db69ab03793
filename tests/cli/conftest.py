"""`pasyans` as its users have it: a process of its own, at a real service, in a home of its own."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from pasyans_client import Client
from pasyans_client.models import Game

from tests.cli.proxy import Line, line_to
from tests.cli.terminal import PASYANS, Terminal
from tests.support.admins import Admin, new_admin
from tests.support.postgres import Postgres
from tests.support.service import Service

Done = subprocess.CompletedProcess[str]


class Cli(Protocol):
    """Runs `pasyans` to its end, its output in pipes."""

    def __call__(self, *arguments: str, stdin: str = "") -> Done: ...


def elapsed(game: Game) -> str:
    """The minutes and seconds of a game that is over, as they are shown."""
    return f"{game.elapsed_ms // 60_000}:{game.elapsed_ms // 1000 % 60:02}"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who was never here; `PASYANS_URL` is still to be set."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return {
        "LANG": "C.UTF-8",
        **kept,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "xdg"),
        "TERM": "xterm-256color",
    }


@pytest.fixture
def env(home: dict[str, str], service: Service) -> dict[str, str]:
    """That environment, with the service."""
    return {**home, "PASYANS_URL": service.url}


def _cli(env: dict[str, str]) -> Cli:
    def run(*arguments: str, stdin: str = "") -> Done:
        return subprocess.run(
            [PASYANS, *arguments], env=env, input=stdin, capture_output=True, text=True, timeout=60, check=False
        )

    return run


@pytest.fixture
def cli(env: dict[str, str]) -> Cli:
    return _cli(env)


@pytest.fixture
def guest(cli: Cli, service: Service) -> Iterator[Client]:
    """A guest who is logged in on the command line, as a client of the same player."""
    assert cli("login", "--guest").returncode == 0
    with Client(service.url, cli("whoami", "--token").stdout.strip()) as client:
        yield client


@pytest.fixture(scope="session")
def admin(service: Service, postgres: Postgres) -> Iterator[Admin]:
    """An admin of the service."""
    made = new_admin(service.url, postgres)
    with made.http:
        yield made


@pytest.fixture
def as_admin(env: dict[str, str], admin: Admin) -> Cli:
    """`pasyans` with the token of that admin in its environment."""
    return _cli({**env, "PASYANS_ADMIN_TOKEN": admin.token})


@pytest.fixture
def terminal(env: dict[str, str]) -> Iterator[Callable[..., Terminal]]:
    """Open terminals with a command in them."""
    opened: list[Terminal] = []

    def spawn(*arguments: str, lines: int = 40, columns: int = 80, **settings: str) -> Terminal:
        opened.append(Terminal(list(arguments), {**env, **settings}, lines=lines, columns=columns))
        return opened[-1]

    yield spawn
    for each in opened:
        each.close()


@pytest.fixture
def line(service: Service) -> Iterator[Line]:
    """A line to the service that can be cut."""
    with line_to(service.url) as opened:
        yield opened


__all__ = ["Cli", "Done", "elapsed"]
