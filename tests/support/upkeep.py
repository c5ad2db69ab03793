"""A service with a PostgreSQL of its own, for what an operator does beside it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pasyans.server.embedded import url_elsewhere
from pasyans.server.postgres.cluster import SUPERUSER

from tests.support.api import Player
from tests.support.postgres import open_folder
from tests.support.service import Service, pasyansd, serving
from tests.support.sql import query


@dataclass
class Server:
    """A running service on an embedded PostgreSQL, and a way behind it."""

    service: Service
    settings: dict[str, str]
    url: str

    def sql(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        return query(self.url, statement, *values)

    def run(self, *command: str) -> tuple[int, str, str]:
        done = pasyansd(*command, **self.settings)
        return done.returncode, done.stdout, done.stderr


@contextmanager
def operated(cluster: Path, log_path: Path) -> Iterator[Server]:
    """Such a service, on a copy of a cluster, for as long as the block runs."""
    with open_folder() as folder:
        subprocess.run(["cp", "-a", cluster, folder / "postgres"], check=True)
        settings = {"PASYANS_DATA_DIR": str(folder)}
        with serving(log_path, settings) as service:
            url = url_elsewhere(folder / "postgres", SUPERUSER)
            assert url is not None
            yield Server(service, settings, url)


def lose(player: Player, seed: str, moves: int) -> dict[str, Any]:
    """Play some moves on a shared deal, take the last one back, and resign."""
    game = player.start("congress", seed)
    for _ in range(moves):
        game = player.play(game, game["legal_moves"][0])
    player.act(game, "undo", {})
    return dict(player.act(game, "resign", {}).json())
