"""Two servers: one as it is in use, and a bare one that may lose data and knows no service."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pasyans.server.embedded import EmbeddedPostgres

from tests.store.servers import execute
from tests.support.postgres import open_folder

_PROGRAMS = Path(os.environ["PASYANS_PG_BIN"]) if os.environ.get("PASYANS_PG_BIN") else None


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedPostgres]:
    """A durable server with the roles of the owner and of the service."""
    with open_folder() as folder, EmbeddedPostgres(folder, bin_dir=_PROGRAMS) as running:
        yield running


@pytest.fixture(scope="session")
def bare_server() -> Iterator[EmbeddedPostgres]:
    """A server with fsync off and no role for the service; only its superuser's URL is of use."""
    with open_folder() as folder, EmbeddedPostgres(folder, durable=False, bin_dir=_PROGRAMS) as running:
        execute(running.superuser_url, "DROP DATABASE pasyans", "DROP ROLE pasyans_service")
        yield running
