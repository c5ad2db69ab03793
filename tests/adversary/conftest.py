"""Who attacks, who is attacked, and the service with and without its guards."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.api import Player, connect, new_player
from tests.support.clocked import Clock
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.unguarded import Unguarded, unguarded


@pytest.fixture(scope="session")
def open_service(
    clocked_postgres: Postgres, clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Unguarded]:
    """A service on the clock and database of `east` and `west` whose guards can be taken out."""
    settings = {
        "DATABASE_URL": clocked_postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": clocked_postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    with unguarded(tmp_path_factory.mktemp("unguarded") / "log", clock, settings) as running:
        yield running


@pytest.fixture
def player(east: Service) -> Iterator[Player]:
    """Who plays."""
    someone = new_player(east.url)
    with someone.http:
        yield someone


@pytest.fixture
def other(east: Service) -> Iterator[Player]:
    """Who wants to know more than the rules let anybody know."""
    someone = new_player(east.url)
    with someone.http:
        yield someone


@pytest.fixture
def anyone(east: Service) -> Iterator[httpx.Client]:
    """Somebody without a token."""
    with connect(east.url) as client:
        yield client
