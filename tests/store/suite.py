"""What every store must do, whatever it is set up with.

A test module makes a subclass named `Test…` for each configuration, with a fixture `urls` that gives a migrated
database; the laws themselves are in `laws/`.
"""

from collections.abc import AsyncIterator

import pytest
from pasyans.store.postgres import PostgresStore

from tests.store.laws.administering import Administering
from tests.store.laws.appending import Appending
from tests.store.laws.auditing import Auditing
from tests.store.laws.authoring import Authoring
from tests.store.laws.boarding import Boarding
from tests.store.laws.cancelling import Cancelling
from tests.store.laws.dailies import Dailies
from tests.store.laws.erasing import Erasing
from tests.store.laws.finding import Finding
from tests.store.laws.guarding import Guarding
from tests.store.laws.judging import Judging
from tests.store.laws.keys import Keys
from tests.store.laws.losing import Losing
from tests.store.laws.playing import Playing
from tests.store.laws.racing import Racing
from tests.store.laws.reading import Reading
from tests.store.laws.starting import Starting
from tests.store.laws.surveying import Surveying
from tests.store.laws.sweeping import Sweeping
from tests.store.laws.tallying import Tallying
from tests.store.laws.telling import Telling
from tests.store.laws.verifying import Verifying
from tests.store.laws.watching import Watching
from tests.store.servers import Urls, opened


@pytest.mark.anyio
class StoreSuite(
    Administering,
    Appending,
    Authoring,
    Auditing,
    Boarding,
    Cancelling,
    Dailies,
    Erasing,
    Finding,
    Guarding,
    Judging,
    Keys,
    Losing,
    Playing,
    Racing,
    Reading,
    Starting,
    Surveying,
    Sweeping,
    Tallying,
    Telling,
    Verifying,
    Watching,
):
    """All the laws, on the database that `urls` gives."""

    @pytest.fixture
    async def store(self, urls: Urls) -> AsyncIterator[PostgresStore]:
        async with opened(urls.service) as store:
            yield store

    @pytest.fixture
    async def other(self, urls: Urls) -> AsyncIterator[PostgresStore]:
        """A second server process on the same database, as far as the database can tell."""
        async with opened(urls.service) as store:
            yield store
