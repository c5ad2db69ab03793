"""The service with a clock that tests set: all of it is real but the time, which stands still until it is told not to.

Run as a program, this is `pasyansd serve` on such a clock.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pasyans.record.times import format_time, parse_time

from tests.support.service import Service, serving

_ROOT = Path(__file__).parents[2]
_FILE = "CLOCK_FILE"


class Clock:
    """A time in a file, in milliseconds since the Unix epoch, for any number of processes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def now(self) -> int:
        """The time."""
        return int(self.path.read_text())

    def set(self, at: int | str) -> None:
        """Make it the time `at`, which may be written like `2024-02-29T23:59:59.999Z`."""
        new = self.path.with_suffix(".new")
        new.write_text(str(parse_time(at) if isinstance(at, str) else at))
        new.replace(self.path)

    def advance(self, milliseconds: int) -> None:
        """Let so much time go by."""
        self.set(self.now() + milliseconds)

    def __str__(self) -> str:
        """The time as the API writes it."""
        return format_time(self.now())


@contextmanager
def clocked(log_path: Path, clock: Clock, settings: Mapping[str, str], zone: str = "UTC") -> Iterator[Service]:
    """Start the service on a clock, with these settings, in a time zone; it ends with the block."""
    own = {
        _FILE: str(clock.path),
        "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "TZ": zone,
    }
    with serving(log_path, own | dict(settings), [sys.executable, "-m", "tests.support.clocked"]) as service:
        yield service


def create_app() -> object:
    """The application of a worker on the clock that the environment names."""
    # Most tests that import this module do not serve.
    from pasyans.server import asgi

    return asgi.build(Clock(Path(os.environ[_FILE])).now)


if __name__ == "__main__":
    from pasyans.server import command

    sys.exit(not command.serve_application("tests.support.clocked:create_app"))
