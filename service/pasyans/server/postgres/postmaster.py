"""The running server: started, waited for, stopped; and what earlier ones left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from pasyans.server.death import watch
from pasyans.server.postgres.account import Account
from pasyans.server.postgres.binaries import Binaries
from pasyans.server.postgres.errors import DataDirInUseError, StartError

HOST = "127.0.0.1"

_POLL = 0.01
_READY_WITHIN = 300.0  # replaying the log after a crash takes time
_PREDECESSOR_GONE_WITHIN = 30.0
_RETRY_FOR = 15.0
# Another program took the port, or the children of a killed server are not yet gone: both pass.
_PASSING = ("could not bind", "could not create any TCP/IP sockets", "pre-existing shared memory block")
_STOP_STEPS = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))
_LOG_LIMIT = 8 << 20


@dataclass
class Postmaster:
    """A server that accepts connections on `HOST` and `port`."""

    process: subprocess.Popen[bytes]
    port: int
    watchdog: subprocess.Popen[bytes] | None

    def stop(self) -> None:
        """End it: sessions are cut, the data are written, and the process is gone on return."""
        for step, patience in _STOP_STEPS:
            if self.process.poll() is not None:
                break
            self.process.send_signal(step)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        if self.watchdog is not None:
            self.watchdog.kill()
            self.watchdog.communicate()
            self.watchdog = None


def launch(data: Path, log: Path, binaries: Binaries, account: Account, *, durable: bool) -> Postmaster:
    """Start the server and return it when it is ready.

    Raises `StartError`, and `DataDirInUseError` when a server that is not ours runs on these data and does
    not end.
    """
    _await_predecessor(data)
    if log.exists() and log.stat().st_size > _LOG_LIMIT:
        log.replace(log.with_name(f"{log.name}.old"))
    give_up = time.monotonic() + _RETRY_FOR
    while True:
        port = _free_port()
        start = log.stat().st_size if log.exists() else 0
        process = _spawn(data, log, port, binaries, account, durable=durable)
        try:
            if _becomes_ready(process, data):
                return Postmaster(process, port, None if sys.platform == "linux" else watch(process.pid))
        except BaseException:
            Postmaster(process, port, None).stop()
            raise
        said = log.read_bytes()[start:].decode(errors="replace").strip()
        if time.monotonic() > give_up or not any(reason in said for reason in _PASSING):
            raise StartError(f"PostgreSQL did not start on {data}. Its log ({log}) ends with:\n{said[-2000:]}")
        time.sleep(_POLL * 10)


def running_port(data: Path) -> int | None:
    """The port of the server that another process runs on these data; `None` when none does, or it is not ready."""
    lines = _pid_file(data)
    if len(lines) < 8 or lines[7].strip() != "ready" or not _is_postgres(int(lines[0])):
        return None
    return int(lines[3])


def _spawn(
    data: Path, log: Path, port: int, binaries: Binaries, account: Account, *, durable: bool
) -> subprocess.Popen[bytes]:
    settings = {"listen_addresses": HOST, "port": str(port), "unix_socket_directories": ""}
    if not durable:
        settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    with open(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as output:  # noqa: PTH123
        return subprocess.Popen(
            [binaries.folder / "postgres", "-D", data, *options],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C in a terminal must reach the service first
            **account.spawn_options(),
        )


def _becomes_ready(process: subprocess.Popen[bytes], data: Path) -> bool:
    """Wait until the server accepts connections; false when it ended instead."""
    give_up = time.monotonic() + _READY_WITHIN
    while process.poll() is None:
        lines = _pid_file(data)
        # The pid tells this server's file from one that a killed server left, which may say "ready" as well.
        if len(lines) > 7 and lines[7].strip() == "ready" and lines[0] == str(process.pid):
            return True
        if time.monotonic() > give_up:
            raise StartError(f"PostgreSQL was not ready on {data} within {_READY_WITHIN:.0f} s.")
        time.sleep(_POLL)
    return False


def _await_predecessor(data: Path) -> None:
    """Let the server of a killed service finish its shutdown, and clear away a pid file that means nobody."""
    give_up = time.monotonic() + _PREDECESSOR_GONE_WITHIN
    while lines := _pid_file(data):
        try:
            pid = abs(int(lines[0]))  # negative in single-user mode
        except ValueError:
            pid = 0
        if not pid or not _is_postgres(pid):
            (data / "postmaster.pid").unlink(missing_ok=True)
            return
        if time.monotonic() > give_up:
            raise DataDirInUseError(data, pid, None)
        time.sleep(_POLL)


def _is_postgres(pid: int) -> bool:
    """Whether the process is alive and a PostgreSQL; after the machine restarted, a pid may be anybody's."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    if sys.platform == "linux":
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
        except OSError:
            return False
    else:
        shown = subprocess.run(["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, check=False)
        command = shown.stdout.decode(errors="replace").partition(" ")[0]
    return Path(command).name.startswith(("postgres", "postmaster"))


def _pid_file(data: Path) -> list[str]:
    try:
        # The folder is named in it, in whatever bytes its name has.
        return (data / "postmaster.pid").read_text("ascii", "surrogateescape").splitlines()
    except FileNotFoundError:
        return []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
