"""The service with a clock and a chance that tests set: the same requests at the same times are answered alike.

All of it is real but the time, which stands still until it is told not to, and chance, which the time decides.

Run as a program, this is `pasyansd serve` on such a clock.
"""

import os
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from tests.support.clocked import Clock
from tests.support.service import Service, serving

_ROOT = Path(__file__).parents[2]
_FILE = "CLOCK_FILE"


class Chance:
    """Bytes and ids that follow from the time, and from how often it was asked for them at that time."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._asked: dict[tuple[str, int], int] = {}

    def random_bytes(self, count: int) -> bytes:
        """So many bytes, 32 at most."""
        return self._bytes(f"{count} bytes", self._now(), count)

    def new_id(self, at: int) -> uuid.UUID:
        """A UUIDv7 of a time."""
        chance = int.from_bytes(self._bytes("id", at, 10), "big")
        version, variant = 7 << 76, 0b10 << 62
        return uuid.UUID(int=at << 80 | version | (chance >> 68) << 64 | variant | chance & (1 << 62) - 1)

    def _bytes(self, what: str, at: int, count: int) -> bytes:
        assert count <= 32
        number = self._asked[what, at] = self._asked.get((what, at), 0) + 1
        return sha256(f"{what} {number} {at}".encode()).digest()[:count]


@contextmanager
def foretold(log_path: Path, clock: Clock, settings: Mapping[str, str]) -> Iterator[Service]:
    """Start the service on a clock and its chance, with these settings; it ends with the block."""
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    own = {_FILE: str(clock.path), "PYTHONPATH": path}
    with serving(log_path, own | dict(settings), [sys.executable, "-m", "tests.support.chance"]) as service:
        yield service


def create_app() -> object:
    """The application of a worker on the clock that the environment names."""
    # Most tests that import this module do not serve.
    from pasyans.server import asgi, clock

    now = Clock(Path(os.environ[_FILE])).now
    chance = Chance(now)
    clock.random_bytes, clock.new_id = chance.random_bytes, chance.new_id
    return asgi.build(now)


if __name__ == "__main__":
    from pasyans.server import command

    sys.exit(not command.serve_application("tests.support.chance:create_app"))
