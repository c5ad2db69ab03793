"""The processes of a running service; only where there is /proc."""

from pathlib import Path

from tests.support.service import Service


def family(pid: int) -> dict[int, str]:
    """The process and all that descend from it, with their command lines."""
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        try:
            found[one] = _line(one)
            waiting += _children(one)
        except (FileNotFoundError, ProcessLookupError):  # it has gone since its parent was looked at
            found.pop(one, None)
    return found


def workers(service: Service) -> list[int]:
    """The ids of the processes that serve."""
    own = service.process.pid
    name = family(own)[own]
    return [pid for pid, line in family(own).items() if line == name and pid != own]


def postmaster(service: Service) -> int:
    """The id of the PostgreSQL that it has started.

    It is the service's own child: its children have its command line as well until they have said what they are.
    """
    (found,) = (pid for pid in _children(service.process.pid) if "postgres -D" in _line(pid))
    return found


def _line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
