"""Fixtures for all tests: a real PostgreSQL, and the real service on top of it."""

import signal
import subprocess
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import settings
from pasyans.engine import piles
from pasyans.server.embedded import EmbeddedPostgres

from tests.support.clocked import Clock, clocked
from tests.support.postgres import Postgres, apart, memory, open_folder, running
from tests.support.service import Service, serving

# A shell that runs the tests in the background has SIGINT ignored, and `nohup` SIGHUP; what they start would inherit
# that: then nothing would come of a Ctrl-C or a closed terminal. What is caught here is not ignored there.
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)

# `--hypothesis-profile=full` looks ten times as long.
settings.register_profile("plain", deadline=None, max_examples=20)
settings.register_profile("full", deadline=None, max_examples=200)
settings.load_profile("plain")

_LOG: pytest.StashKey[Path] = pytest.StashKey()
_SHOWN = 4000  # characters from the end of the log


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--compiled", action="store_true", help="refuse to run on an engine that is not compiled")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--compiled") and piles.__file__.endswith(".py"):
        raise pytest.UsageError(f"The engine is not compiled: it is imported from {piles.__file__}.")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A migrated database that all tests share."""
    with running() as database:
        yield database


@pytest.fixture(scope="session")
def service(
    postgres: Postgres, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[Service]:
    """A running service that all tests share, without a rate limit."""
    log_path = tmp_path_factory.mktemp("service") / "log"
    pytestconfig.stash[_LOG] = log_path
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    with serving(log_path, settings) as process:
        yield process


@pytest.fixture(scope="session")
def clocked_postgres() -> Iterator[Postgres]:
    """A migrated database for services on the clock: what is old there is not old to the others."""
    with apart() as database:
        yield database


@pytest.fixture(scope="session")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Clock:
    """The time of `east` and `west`, which stands still; each test sets it to a day of its own."""
    made = Clock(tmp_path_factory.mktemp("clock") / "now")
    made.set("2024-01-01T12:00:00Z")
    return made


def _on_clock(
    postgres: Postgres, clock: Clock, tmp_path_factory: pytest.TempPathFactory, zone: str
) -> AbstractContextManager[Service]:
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    return clocked(tmp_path_factory.mktemp("clocked") / "log", clock, settings, zone)


@pytest.fixture(scope="session")
def east(clocked_postgres: Postgres, clock: Clock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on the clock where the day begins first, 14 hours before UTC."""
    with _on_clock(clocked_postgres, clock, tmp_path_factory, "Pacific/Kiritimati") as process:
        yield process


@pytest.fixture(scope="session")
def west(clocked_postgres: Postgres, clock: Clock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Another on the same clock and database, 8 hours after UTC."""
    with _on_clock(clocked_postgres, clock, tmp_path_factory, "America/Los_Angeles") as process:
        yield process


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """An empty folder for an embedded PostgreSQL of the test's own."""
    with open_folder(memory()) as folder:
        yield folder


@pytest.fixture(scope="session")
def _new_cluster() -> Iterator[Path]:
    with open_folder(memory()) as folder:
        with EmbeddedPostgres(folder, durable=False):
            pass
        yield folder


@pytest.fixture
def used_dir(data_dir: Path, _new_cluster: Path) -> Path:
    """The folder of an embedded PostgreSQL that was started and stopped before; a copy, since making one is slow.

    For the service it is its parent that is the data folder.
    """
    folder = data_dir / "postgres"
    subprocess.run(["cp", "-a", _new_cluster, folder], check=True)
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what the service logged, with a test that failed on it."""
    report = yield
    if report.failed and _LOG in item.config.stash and "service" in getattr(item, "fixturenames", ()):
        report.sections.append(("Log of the service", item.config.stash[_LOG].read_text()[-_SHOWN:]))
    return report
