"""Memory that the processes of a server share, and who has which part of it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from pasyans.server.shared import REGION, Shared, made

_WORKER = """
import sys
from pasyans.server.shared import Shared
shared = Shared(sys.argv[1], int(sys.argv[2]))
try:
    column = shared.claim()
except RuntimeError as error:
    sys.exit(str(error))
shared.region(column)[:1] = b"w"
print(column, shared.leads(), flush=True)
for line in sys.stdin:
    print(shared.leads(), flush=True)
"""


class Worker:
    """A process that has claimed a column."""

    def __init__(self, path: str, workers: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WORKER, path, str(workers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        column, leads = self._hear().split()
        self.column, self.leads = int(column), leads == "True"

    def _hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def asks_to_lead(self) -> bool:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self._hear() == "True\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def path() -> Iterator[str]:
    with made(2) as path:
        yield path


@contextmanager
def worker(path: str, workers: int = 2) -> Iterator[Worker]:
    one = Worker(path, workers)
    try:
        yield one
    finally:
        one.kill()


def test_each_worker_has_a_column_of_its_own_and_leaves_it_to_the_next(path: str) -> None:
    with ExitStack() as stack:
        first, second, spare = (stack.enter_context(worker(path)) for _ in range(3))
        assert [each.column for each in (first, second, spare)] == [0, 1, 2]
        refused = subprocess.run(
            [sys.executable, "-c", _WORKER, path, "2"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert refused.returncode == 1
        assert refused.stderr == "There are more workers than the server was started with.\n"
        second.kill()
        assert stack.enter_context(worker(path)).column == 1


def test_one_worker_leads_until_it_ends(path: str) -> None:
    with worker(path) as first, worker(path) as second:
        assert (first.leads, second.leads) == (True, False)
        assert (first.asks_to_lead(), second.asks_to_lead()) == (True, False)
        first.kill()
        assert second.asks_to_lead()


def test_all_see_what_each_writes_and_no_part_lies_on_another(path: str) -> None:
    shared = Shared(path, 2)
    with worker(path) as one, worker(path):
        assert [bytes(shared.region(column)[:2]) for column in range(3)] == [b"w\0", b"w\0", b"\0\0"]
        one.kill()
    assert bytes(shared.region(0)[:2]) == b"w\0"
    other = Shared(path, 2)
    server_id = other.server_id
    assert len(server_id) == 8
    other.windows[:] = b"t" * len(other.windows)
    other.region(2)[:] = b"r" * REGION
    assert (shared.server_id, bytes(shared.region(0)[:1]), bytes(shared.region(1)[:1])) == (server_id, b"w", b"w")
    assert bytes(shared.windows[-1:]) == b"t"
    assert bytes(shared.region(2)[-1:]) == b"r"


def test_servers_have_ids_of_their_own_and_leave_nothing() -> None:
    with made(1) as one, made(32) as other:
        assert Shared(one, 1).server_id != Shared(other, 32).server_id
    assert not os.path.exists(one)  # noqa: PTH110 - nothing to open
    assert not os.path.exists(other)  # noqa: PTH110
