"""Waiting for something that another process does."""

import os
import time
from collections.abc import Callable


def until(condition: Callable[[], object], what: str, seconds: float = 20.0) -> None:
    """Return once `condition` holds; an AssertionError that names `what` when it does not within `seconds`."""
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, f"{what}: not within {seconds} s"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether there is such a process, one that has ended but was not yet waited for left out."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:  # it has gone since the file was opened
        return False
    except FileNotFoundError:
        return os.path.isdir("/proc") is False  # noqa: PTH112
