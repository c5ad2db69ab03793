"""The embedded PostgreSQL when processes are killed: nothing is left running, and every row is there."""

import json
import multiprocessing
import os
import pwd
import signal
import subprocess
import sys
import traceback
from contextlib import suppress
from pathlib import Path

import pytest
from pasyans.server.death import watch
from pasyans.server.embedded import EmbeddedPostgres

from tests.support.sql import query
from tests.support.waiting import alive, until

_HOLD = """
import json, sys
from pathlib import Path
from pasyans.server.embedded import EmbeddedPostgres
embedded = EmbeddedPostgres(Path(sys.argv[1])).start()
print(json.dumps({"pid": embedded.pid, "admin": embedded.admin_url}), flush=True)
sys.stdin.read()
"""


def hold(data_dir: Path) -> tuple[subprocess.Popen[str], int, str]:
    """A process that runs the server: itself, the server's pid and its owner's URL."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, data_dir], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    return process, told["pid"], told["admin"]


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_killing_its_parent_ends_it_and_loses_nothing(used_dir: Path) -> None:
    process, pid, url = hold(used_dir)
    query(url, "CREATE TABLE kept AS SELECT 7 AS n")
    kill(process)
    with EmbeddedPostgres(used_dir) as embedded:  # at once: it waits for the other to end
        assert not alive(pid)
        assert query(embedded.admin_url, "SELECT n FROM kept") == [(7,)]


@pytest.mark.skipif(sys.platform != "linux", reason="finds the children through /proc")
def test_killing_everything_loses_nothing(used_dir: Path) -> None:
    process, pid, url = hold(used_dir)
    query(url, "CREATE TABLE kept AS SELECT 7 AS n")
    for victim in [process.pid, pid, *children(pid)]:
        with suppress(ProcessLookupError):  # a child may have ended by itself
            os.kill(victim, signal.SIGKILL)
    kill(process)
    with EmbeddedPostgres(used_dir) as embedded:
        assert query(embedded.admin_url, "SELECT n FROM kept") == [(7,)]


def test_killing_only_the_server_is_seen_and_it_starts_again(used_dir: Path) -> None:
    embedded = EmbeddedPostgres(used_dir)
    with embedded:
        query(embedded.admin_url, "CREATE TABLE kept AS SELECT 7 AS n")
        assert embedded.returncode is None
        os.kill(embedded.pid, signal.SIGKILL)
        until(lambda: embedded.returncode is not None, "the end is seen")
    with embedded:
        assert query(embedded.admin_url, "SELECT n FROM kept") == [(7,)]


def test_where_the_kernel_does_not_tell_a_watchdog_does() -> None:
    """The way of systems other than Linux, which works on it too."""
    sleeper = subprocess.Popen([sys.executable, "-c", "import time\ntime.sleep(600)"], stderr=subprocess.DEVNULL)
    script = (
        f"from pasyans.server.death import watch\nimport sys\nwatch({sleeper.pid})\nprint(flush=True)\nsys.stdin.read()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert parent.stdout is not None
        parent.stdout.readline()
        assert sleeper.poll() is None
        kill(parent)
        assert sleeper.wait(20) in {-signal.SIGINT, 1, 130}
    finally:
        sleeper.kill()
        sleeper.wait()


def test_a_watchdog_that_is_ended_first_harms_nobody() -> None:
    sleeper = subprocess.Popen([sys.executable, "-c", "import time\ntime.sleep(600)"])
    try:
        watchdog = watch(sleeper.pid)
        watchdog.kill()
        watchdog.communicate()
        assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()


def _as_nobody(data_dir: Path, results: "multiprocessing.Queue[object]") -> None:
    account = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    try:
        with EmbeddedPostgres(data_dir, durable=False) as embedded:
            owner = Path(f"/proc/{embedded.pid}").stat().st_uid
            results.put((owner == account.pw_uid, query(embedded.service_url, "SELECT current_user::text")))
    except Exception as error:  # noqa: BLE001 - told to the test, which fails on it
        results.put("".join(traceback.format_exception(error)))


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user is what all the other tests run as")
def test_an_ordinary_user_runs_it_as_well(data_dir: Path) -> None:
    """Forked, not started anew: the interpreter itself may lie where the user cannot get."""
    data_dir.chmod(0o1777)
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[object] = context.Queue()
    child = context.Process(target=_as_nobody, args=(data_dir / "own", results))
    child.start()
    try:
        assert results.get(timeout=60) == (True, [("pasyans_service",)])
    finally:
        child.join(20)
    assert child.exitcode == 0
