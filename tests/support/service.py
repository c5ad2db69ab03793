"""The service as its users have it: a process of its own, on a real socket."""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pasyans.server.death import interrupt_with_parent

PASYANSD = Path(sys.executable).with_name("pasyansd")
READY = "Pasyans is ready at "
_READY_WITHIN = 60.0
_STOP_WITHIN = 15.0


def environment(**settings: str) -> dict[str, str]:
    """This process's environment with these settings of the service, and no others."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PASYANS_", "DATABASE_URL"))}
    return own | settings


def pasyansd(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `pasyansd` to its end."""
    return subprocess.run(
        [PASYANSD, *arguments],
        env=environment(**settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_READY_WITHIN,
        check=False,
    )


@dataclass
class Service:
    """A running `pasyansd serve`."""

    process: subprocess.Popen[str]
    url: str
    log_path: Path

    @property
    def log(self) -> str:
        """What it has written to stderr."""
        return self.log_path.read_text()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop and return its exit code."""
        self.process.send_signal(number)
        try:
            return self.process.wait(_STOP_WITHIN)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it as `kill -9` does; nothing happens when it has ended."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def serving(
    log_path: Path, settings: Mapping[str, str], command: Sequence[str | Path] = (PASYANSD, "serve")
) -> Iterator[Service]:
    """Start the service on a free port with these settings, and end it with the block, if it still runs then.

    `command` is what starts it.
    """
    given = {
        "PASYANS_PORT": "0",
        "PASYANS_RATE_LIMIT": "off",
        "PASYANS_LOG_FORMAT": "json",
        "PASYANS_METRICS_BIND": "127.0.0.1:0",
    } | dict(settings)
    with log_path.open("a") as log:
        process = subprocess.Popen(
            command,
            env=environment(**given),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            process_group=0,  # as a shell does, so that a test can send what Ctrl-C sends
            preexec_fn=interrupt_with_parent(),
        )
    service = Service(process, "", log_path)
    try:
        service.url = _address(process, log_path)
        yield service
        if process.poll() is None:
            service.stop()
    finally:
        service.kill()


def _address(process: subprocess.Popen[str], log_path: Path) -> str:
    """Wait for the line that says where the service answers."""
    assert process.stdout is not None
    give_up = time.monotonic() + _READY_WITHIN
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, give_up - time.monotonic())):
            line = process.stdout.readline()
            if line.startswith(READY):
                return line.removeprefix(READY).strip()
            if not line:
                raise AssertionError(
                    f"The service ended with {process.wait()} before it was ready:\n{log_path.read_text()}"
                )
    raise AssertionError(f"The service was not ready within {_READY_WITHIN} s:\n{log_path.read_text()}")
