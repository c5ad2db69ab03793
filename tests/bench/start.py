"""How long it takes to start: the client, and everything."""

import selectors
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.bench.harness import Line, Plan, benchmark
from tests.bench.stage import Stage
from tests.support.postgres import open_folder
from tests.support.service import READY, environment

_ROOT: Final = Path(__file__).parents[2]
_PASYANS: Final = Path(sys.executable).with_name("pasyans")
_WITHIN: Final = 120.0


@benchmark("start", "`pasyans --help`, and `./dev up` until it is ready, where it has run before")
def start(stage: Stage) -> Iterator[Plan]:
    """The client beside a Python that does nothing."""
    times = min(10, stage.sizes.moves)
    with open_folder() as folder:
        environ = environment(
            PASYANS_DATA_DIR=str(folder / "data"), PASYANS_PORT="0", PASYANS_METRICS_BIND="127.0.0.1:0"
        )
        log = folder / "log"
        _up(environ, log)  # makes the database

        def measure() -> Mapping[str, float]:
            return {
                "python -c pass": _median_ms(times, lambda: _run([sys.executable, "-c", "pass"])),
                "pasyans --help": _median_ms(times, lambda: _run([_PASYANS, "--help"])),
                "./dev up, until it is ready": _up(environ, log),
            }

        yield Plan(
            measure,
            [
                Line("pasyans --help", "ms", "python -c pass", must=120.0, aim=80.0, less=True),
                Line("./dev up, until it is ready", "s", must=3.0, aim=2.0, less=True),
            ],
        )


def _median_ms(times: int, work: Callable[[], float]) -> float:
    """The median of some times, in milliseconds."""
    return statistics.median(work() for _ in range(times)) * 1000


def _run(command: Sequence[str | Path]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def _up(environ: Mapping[str, str], log: Path) -> float:
    """The seconds from `./dev up` to the line that says that requests are answered; it is stopped then."""
    begun = time.perf_counter()
    with (
        log.open("a") as errors,
        subprocess.Popen(
            [_ROOT / "dev", "up"],
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
        selectors.DefaultSelector() as selector,
    ):
        assert process.stdout is not None
        selector.register(process.stdout, selectors.EVENT_READ)
        try:
            assert selector.select(_WITHIN), f"./dev up was not ready within {_WITHIN:.0f} s"
            line = process.stdout.readline()
            assert line.startswith(READY), f"./dev up said {line!r}, and:\n{log.read_text()}"
            return time.perf_counter() - begun
        finally:
            process.send_signal(signal.SIGTERM)
