"""The store where the owner and the service are two users, each with a URL of its own."""

import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store.migrate import upgrade

from tests.store.servers import Urls, at_database
from tests.store.suite import StoreSuite


@pytest.fixture(scope="module")
def urls(server: EmbeddedPostgres) -> Urls:
    upgrade(server.admin_url)
    return Urls(server.admin_url, server.service_url, at_database(server.superuser_url, "pasyans"))


class TestTwoRoles(StoreSuite):
    """With the roles that the embedded server is made with."""
