"""Waiting for something that another process does."""

import os
import time
from collections.abc import Callable
from pathlib import Path


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
    return _state(pid) not in {"Z", ""}


def is_asleep(pid: int) -> bool:
    """Whether a process waits for something, or has ended."""
    return _state(pid) in {"S", "Z", ""}


def _state(pid: int) -> str:
    """The letter that Linux has for what a process does; nothing where it has gone, and `S` where no /proc tells."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except ProcessLookupError:  # it has gone since the file was opened
        return ""
    except FileNotFoundError:
        return "" if Path("/proc").is_dir() else "S"
