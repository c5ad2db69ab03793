"""The store where one user, no superuser, both owns the database and serves by taking on the service's role."""

import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store.migrate import upgrade

from tests.store.servers import Urls, at_database, execute
from tests.store.suite import StoreSuite


@pytest.fixture(scope="module")
def urls(server: EmbeddedPostgres) -> Urls:
    root = server.superuser_url
    execute(
        root,
        "CREATE ROLE single LOGIN PASSWORD 'secret'",
        "GRANT pasyans_service TO single",
        "CREATE DATABASE single OWNER single",
    )
    url = at_database(root, "single", user="single")
    upgrade(url)
    return Urls(url, url, at_database(root, "single"))


class TestOneUrl(StoreSuite):
    """With SET ROLE on every connection."""
