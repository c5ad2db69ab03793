"""The yardstick of HTTP: a POST that does nothing, served as the service is: by the same server with the same settings.

Run as a program, this serves it until it is told to stop.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from litestar import Litestar, get, post
from litestar.params import FromPath
from pasyans.server import address, serving, settings
from pasyans.server.command import FAILED, STOPPED

from tests.bench.load import Ask
from tests.bench.players import request
from tests.bench.stage import Stage
from tests.support.service import READY, Service
from tests.support.service import serving as started

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
def empty(stage: Stage) -> Iterator[Service]:
    """The application, served on a port of its own."""
    command = [sys.executable, "-m", "tests.bench.empty"]
    with (
        tempfile.TemporaryDirectory() as folder,
        started(Path(folder) / "log", stage.serving_settings, command) as service,
    ):
        yield service


def main() -> int:
    """Serve."""
    config = settings.load()
    with address.hold(config.host, config.port) as port:
        settings.hand_down(port=port, database_url="")
        stopped = serving.run(
            config,
            port,
            "tests.bench.empty:create_app",
            ready=lambda where: print(f"{READY}{where}", flush=True),
            lost=lambda: None,
        )
    return STOPPED if stopped else FAILED


if __name__ == "__main__":
    sys.exit(main())
