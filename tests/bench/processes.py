"""What processes take, as Linux tells it in /proc."""

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.harness import NotMeasured
from tests.support.service import Service

_LINUX: Final = "What processes take is measured on Linux only, by /proc."
_LOOK_EVERY: Final = 0.02  # seconds
# A process may end before its file is opened, and before it is read.
_GONE: Final = (FileNotFoundError, ProcessLookupError)


class Ended(NamedTuple):
    """A process that has ended: what it said, the seconds that it took, those of a core, and the most memory it had."""

    returncode: int
    out: str
    err: str
    seconds: float
    core_seconds: float
    peak_mb: float


def run(command: Sequence[str | Path], environ: Mapping[str, str]) -> Ended:
    """Run a program to its end.

    What `wait4` calls the peak would be that of this process, if that is larger, so the program's own is looked at.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start, had = time.perf_counter(), _of_children()
        process = subprocess.Popen(command, env=environ, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        peak, code = 0.0, None
        while code is None:
            peak = max(peak, _megabytes(process.pid, "VmHWM:"))
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(_LOOK_EVERY)
        seconds = time.perf_counter() - start
        out.seek(0)
        err.seek(0)
        return Ended(code, out.read(), err.read(), seconds, _of_children() - had, peak)


def _of_children() -> float:
    """The seconds of a core that children have had which were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def core_seconds(pid: int) -> float:
    """The seconds of a core that a process has had, and those below it, ended or not. Raises `NotMeasured`."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except _GONE as error:
        if Path("/proc/self/stat").exists():
            return 0.0  # it has ended since it was found
        raise NotMeasured(_LINUX) from error
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(core_seconds(int(child)) for child in children)


def workers(service: Service) -> list[int]:
    """The process ids of a service's workers. Raises `NotMeasured` where there is no /proc."""
    pid = service.process.pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        found = [int(child) for child in children if "pasyansd" in Path(f"/proc/{child}/cmdline").read_text()]
    except FileNotFoundError as error:
        raise NotMeasured(_LINUX) from error
    assert found, "the service has no worker"
    return found


def private_kb(pid: int) -> int:
    """The kilobytes that a process has for itself."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean:", "Private_Dirty:")))


def resident_mb(pid: int) -> float:
    """The megabytes of a process that are in memory, those that it shares with others included."""
    return _megabytes(pid, "VmRSS:")


def _megabytes(pid: int, name: str) -> float:
    """What the status of a process says; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except _GONE as error:
        if Path("/proc/self/stat").exists():
            return 0.0
        raise NotMeasured(_LINUX) from error
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))
