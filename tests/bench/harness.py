"""What a benchmark is, and how its figures are taken.

A module of this folder registers a benchmark with `@benchmark`. It sets up what it needs, then gives a `Plan`: what to
do in a round, and the lines that are made of what the rounds gave.
"""

import math
import statistics
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tests.bench.stage import Stage


class NotMeasured(Exception):
    """Something that a benchmark needs is not here; the message says what, and how to get it."""


class Of(Enum):
    """What of a line is held to its targets: the figure itself, or the figure compared with the yardstick."""

    FIGURE = ""
    RATIO = " ×"
    DIFFERENCE = " more"


@dataclass(frozen=True)
class Line:
    """One line of the table: a quantity that each round measures, in ``unit``, and what it is held to.

    ``figure`` and ``yardstick`` name quantities. The yardstick is a known quantity of the same unit, taken in the same
    round on the same machine, so that comparing the two says something about other machines. ``must`` is what has to
    be reached, or where ``less`` is better not exceeded, by what ``of`` says; ``aim`` is where we want to get.
    """

    figure: str
    unit: str
    yardstick: str | None = None
    of: Of = Of.FIGURE
    must: float | None = None
    aim: float | None = None
    less: bool = False


Round = Callable[[], Mapping[str, float]]


@dataclass(frozen=True)
class Plan:
    """How to measure: ``round`` takes every quantity once, by name. ``notes`` say what the lines can't."""

    round: Round
    lines: Sequence[Line]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Series:
    """The values of one quantity, one a round."""

    values: Sequence[float]

    @property
    def median(self) -> float:
        """The middle of the values."""
        return statistics.median(self.values)

    @property
    def spread(self) -> float:
        """How far the values lie apart, from the least to the most, as a part of their median."""
        apart = max(self.values) - min(self.values)
        return apart / abs(self.median) if self.median else math.inf if apart else 0.0


@dataclass(frozen=True)
class Result:
    """A line, and the values that the rounds gave."""

    line: Line
    figure: Series
    yardstick: Series | None

    @property
    def ratio(self) -> Series | None:
        """The figure by its yardstick, round by round: what slows the machine down in a round slows down both."""
        return self._compared(lambda one, other: one / other if other else math.inf)

    @property
    def judged(self) -> Series:
        """What is held to the targets."""
        if self.line.of is Of.FIGURE:
            return self.figure
        compared = self.ratio if self.line.of is Of.RATIO else self._compared(lambda one, other: one - other)
        assert compared is not None, f"{self.line.figure} has no yardstick to be compared with"
        return compared

    def met(self, target: float | None) -> bool | None:
        """Whether the median meets a target; None without one."""
        if target is None:
            return None
        return self.judged.median <= target if self.line.less else self.judged.median >= target

    def _compared(self, compare: Callable[[float, float], float]) -> Series | None:
        if self.yardstick is None:
            return None
        return Series([compare(*pair) for pair in zip(self.figure.values, self.yardstick.values, strict=True)])


@dataclass(frozen=True)
class Outcome:
    """What came of a benchmark: its results and notes, or why it could not be run."""

    results: Sequence[Result] = ()
    notes: Sequence[str] = ()
    missing: str | None = None
    machine: Sequence[float] = ()


Plans = Callable[[Stage], AbstractContextManager[Plan]]


@dataclass(frozen=True)
class Benchmark:
    """A name, a sentence, and what gives the plan for as long as what it needs is set up."""

    name: str
    summary: str
    plan: Plans


REGISTRY: Final[dict[str, Benchmark]] = {}


def benchmark(name: str, summary: str) -> Callable[[Callable[[Stage], Iterator[Plan]]], Plans]:
    """Register a generator that sets up what is needed, yields the plan once, and clears up."""

    def register(generator: Callable[[Stage], Iterator[Plan]]) -> Plans:
        plan = contextmanager(generator)
        REGISTRY[name] = Benchmark(name, summary, plan)
        return plan

    return register


def run(wanted: Benchmark, stage: Stage, rounds: int, tell: Callable[[str], None]) -> Outcome:
    """Take every quantity ``rounds`` times in turn, so that a slow minute of the machine touches them all alike.

    ``tell`` is told how far it is. Before each round a fixed piece of work shows how fast the machine is just then.
    """
    tell(f"{wanted.name}: setting up")
    machine: list[float] = []
    try:
        with wanted.plan(stage) as plan:
            taken: list[Mapping[str, float]] = []
            for number in range(1 - stage.sizes.warm_up, rounds + 1):
                tell(f"{wanted.name}: " + (f"round {number} of {rounds}" if number > 0 else "warming up"))
                machine.append(rate(fixed_work, 0.1, time.perf_counter))
                values = plan.round()
                if number > 0:
                    taken.append(values)
    except NotMeasured as error:
        return Outcome(missing=str(error), machine=machine)
    except Exception as error:  # noqa: BLE001 - whatever it is, what the others measured is not to be lost
        tell(traceback.format_exc())
        return Outcome(missing=f"It failed: {type(error).__name__}, as the traceback says.", machine=machine)

    def series(name: str) -> Series:
        return Series([values[name] for values in taken])

    results = [
        Result(line, series(line.figure), None if line.yardstick is None else series(line.yardstick))
        for line in plan.lines
    ]
    return Outcome(results, plan.notes, machine=machine)


def rate(work: Callable[[], int], seconds: float = 0.3, clock: Callable[[], float] = time.process_time) -> float:
    """Repeat ``work``, which returns how much it did, for at least ``seconds``; how much was done in one second.

    Unless told otherwise these are seconds of a core, whoever else has it meanwhile.
    """
    done = 0
    start = clock()
    while (elapsed := clock() - start) < seconds:
        done += work()
    return done / elapsed


def fixed_work() -> int:
    """Bare list operations, one card taken and put a move, unchecked; how many moves these were."""
    columns = [list(range(10)) for _ in range(10)]
    for step in range(1000):
        columns[(step + 1) % 10].append(columns[step % 10].pop())
    return 1000


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that ``percent`` of 100 lie at or below; with few values the highest that is sure."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
