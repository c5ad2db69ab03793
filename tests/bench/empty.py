"""The yardstick of HTTP: a POST that does nothing, served as the service is: by the same server with the same settings.

Run as a program, this serves it until it is told to stop.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from litestar import Litestar, get, post
from litestar.params import FromPath
from pasyans.server import command

from tests.bench.load import Ask
from tests.bench.players import request
from tests.bench.stage import Stage
from tests.support.postgres import Postgres
from tests.support.service import Service

_GAME: Final = "01936f0e-0000-7000-8000-000000000000"


@post("/v1/games/{id:str}/moves", status_code=204)
async def nothing(id: FromPath[str]) -> None:  # noqa: A002 - the path's own name
    """Do nothing."""


@get("/readyz")
async def ready() -> None:
    """Say that requests are answered."""


def create_app() -> Litestar:
    """The application of a worker."""
    return Litestar([nothing, ready], logging_config=None, openapi_config=None)


def asks(count: int) -> list[Ask]:
    """Requests like those of moves."""
    token = "pasyans_" + "A" * 43
    path = f"/v1/games/{_GAME}/moves"
    return [
        Ask(request("POST", path, token, {"moves": ["draw"]}, key=f"{_GAME}-{n}"), status=204) for n in range(count)
    ]


@contextmanager
def empty(stage: Stage, database: Postgres) -> Iterator[Service]:
    """The application, served on a port of its own; the database is only there because a service has one."""
    with stage.service(database, [sys.executable, "-m", "tests.bench.empty"]) as service:
        yield service


if __name__ == "__main__":
    sys.exit(not command.serve_application("tests.bench.empty:create_app"))
