"""Clients of the running service."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.admins import Admin, new_admin
from tests.support.api import Player, connect, new_player
from tests.support.postgres import Postgres
from tests.support.service import Service


@pytest.fixture(scope="session")
def http(service: Service) -> Iterator[httpx.Client]:
    """A client without a token."""
    with connect(service.url) as client:
        yield client


@pytest.fixture
def player(service: Service) -> Iterator[Player]:
    """A new player."""
    someone = new_player(service.url)
    with someone.http:
        yield someone


@pytest.fixture
def other(service: Service) -> Iterator[Player]:
    """Another new player."""
    someone = new_player(service.url)
    with someone.http:
        yield someone


@pytest.fixture(scope="session")
def admin(service: Service, postgres: Postgres) -> Iterator[Admin]:
    """An admin."""
    someone = new_admin(service.url, postgres)
    with someone.http:
        yield someone
