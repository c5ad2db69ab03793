"""What a benchmark is, and how its figures are taken.

A module of this folder registers a benchmark with `@benchmark`; `python -m tests.bench` finds it by that.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final

WARM_UP: Final = 1


@dataclass(frozen=True)
class Figure:
    """One number to find out.

    ``measure`` takes it once, in ``unit``. ``yardstick`` takes a known number of the same unit on the same machine,
    right before, so that the ratio of the two says something about other machines. ``target`` is what the figure must
    reach, or where ``less`` is better must not exceed.
    """

    name: str
    unit: str
    measure: Callable[[], float]
    yardstick: Callable[[], float] | None = None
    target: float | None = None
    less: bool = False


@dataclass(frozen=True)
class Result:
    """The values of one figure and its yardstick, one a round."""

    figure: Figure
    values: list[float]
    yardsticks: list[float]

    @property
    def median(self) -> float:
        """The middle of the values."""
        return statistics.median(self.values)

    @property
    def spread(self) -> float:
        """How far the values lie apart, from the least to the most, as a part of their median."""
        return (max(self.values) - min(self.values)) / self.median

    @property
    def yardstick(self) -> float | None:
        """The middle of the yardstick's values."""
        return statistics.median(self.yardsticks) if self.yardsticks else None

    @property
    def ratio(self) -> float | None:
        """The median of the figure, by that of its yardstick."""
        return self.median / self.yardstick if self.yardstick else None

    @property
    def met(self) -> bool | None:
        """Whether the median meets the target; None without one."""
        target = self.figure.target
        if target is None:
            return None
        return self.median <= target if self.figure.less else self.median >= target


Figures = Callable[[], AbstractContextManager[Sequence[Figure]]]


@dataclass(frozen=True)
class Benchmark:
    """A name, a sentence, and what gives the figures for as long as what they need is set up."""

    name: str
    summary: str
    figures: Figures


REGISTRY: Final[dict[str, Benchmark]] = {}


def benchmark(name: str, summary: str) -> Callable[[Callable[[], Iterator[Sequence[Figure]]]], Figures]:
    """Register a generator that sets up what is needed, yields the figures once, and clears up."""

    def register(generator: Callable[[], Iterator[Sequence[Figure]]]) -> Figures:
        figures = contextmanager(generator)
        REGISTRY[name] = Benchmark(name, summary, figures)
        return figures

    return register


def run(wanted: Benchmark, rounds: int) -> list[Result]:
    """Take every figure ``rounds`` times in turn, so that a slow minute of the machine touches them all alike."""
    with wanted.figures() as figures:
        results = [Result(figure, [], []) for figure in figures]
        for number in range(WARM_UP + rounds):
            for result in results:
                yardstick = result.figure.yardstick
                reference = [] if yardstick is None else [yardstick()]
                value = result.figure.measure()
                if number >= WARM_UP:
                    result.values.append(value)
                    result.yardsticks.extend(reference)
        return results


def rate(work: Callable[[], int], seconds: float = 0.3) -> float:
    """Repeat ``work``, which returns how much it did, for at least ``seconds``; how much was done in one second."""
    done = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        done += work()
    return done / elapsed
