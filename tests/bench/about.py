"""What a run was on: how noisy the machine was, and that the database was durable."""

import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tests.bench.harness import Series
from tests.bench.stage import Stage
from tests.bench.table import number

_QUIET: Final = 0.1


@dataclass(frozen=True)
class About:
    """What the figures were taken on.

    ``workers`` is what PASYANS_WORKERS was set to, None where it was not. ``fixed_work`` is how fast the same little
    piece of work ran before each round, in moves of bare lists a second; ``fixed_work_spread`` how far that lies apart,
    as a part of the median. ``load`` is of the last five minutes.
    """

    rounds: int
    python: str
    system: str
    cores: int
    load: float
    database: str | None
    workers: int | None
    fixed_work: float
    fixed_work_spread: float
    fixed_work_rounds: Sequence[float]

    def sentences(self) -> Iterator[str]:
        """The same for people."""
        yield (
            f"Medians of {self.rounds} round{'s' if self.rounds > 1 else ''}. A spread is from the least to the most, "
            "as a part of the median; ratios are of what was measured in the same round."
        )
        yield f"Python {self.python}, {self.system}, {self.cores} cores, load {self.load:.1f}."
        if self.database is not None:
            yield f"PostgreSQL: {self.database}."
        if self.workers is not None:
            yield f"PASYANS_WORKERS was {self.workers}."
        is_quiet = self.fixed_work_spread <= _QUIET and self.load <= self.cores
        yield (
            f"The machine was {'quiet' if is_quiet else 'NOISY'}: before each round a fixed piece of work ran at "
            f"{number(self.fixed_work)} steps a second, spread {self.fixed_work_spread:.0%}."
            + ("" if is_quiet else " Trust ratios more than figures, and neither far.")
        )


def about(stage: Stage, rounds: int, machine: Sequence[float]) -> About:
    """What a run was on, ``machine`` being its readings of the fixed work."""
    fixed = Series(machine or (0.0,))
    return About(
        rounds=rounds,
        python=platform.python_version(),
        system=platform.platform(),
        cores=os.cpu_count() or 1,
        load=os.getloadavg()[1],
        database=stage.durability,
        workers=stage.workers,
        fixed_work=fixed.median,
        fixed_work_spread=fixed.spread,
        fixed_work_rounds=list(machine),
    )
