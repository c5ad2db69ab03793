"""The processes of a running service; only where there is /proc."""

from pathlib import Path

from tests.support.service import Service


def family(pid: int) -> dict[int, str]:
    """The process and all that descend from it, with their command lines."""
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        folder = Path(f"/proc/{one}")
        try:
            found[one] = (folder / "cmdline").read_text().replace("\0", " ")
            waiting += [int(child) for child in (folder / "task" / str(one) / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):  # it has gone since its parent was looked at
            found.pop(one, None)
    return found


def workers(service: Service) -> list[int]:
    """The ids of the processes that serve."""
    own = service.process.pid
    name = family(own)[own]
    return [pid for pid, line in family(own).items() if line == name and pid != own]
