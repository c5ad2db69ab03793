"""How much a benchmark does: as much as its targets are about, or just enough to see that it works."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Sizes:
    """The sizes of all benchmarks. Times are in seconds.

    ``warm_up`` is how many rounds come before those that count; ``seconds`` is how long a load goes on; ``many`` and
    ``few`` are results on the boards that are compared, with a tenth as many players; ``moves`` are samples of one
    latency in a round; ``logged`` events are in the log that is rebuilt from, beside a quarter of them; ``stored``
    games are played whole to see what they take; ``touched`` games are played on by one worker.
    """

    warm_up: int
    seconds: float
    connections: int
    many: int
    few: int
    moves: int
    logged: int
    stored: int
    listeners: int
    touched: int


FULL: Final = Sizes(
    warm_up=1,
    seconds=4.0,
    connections=64,
    many=1_000_000,
    few=10_000,
    moves=200,
    logged=200_000,
    stored=128,
    listeners=2_000,
    touched=100_000,
)

TINY: Final = Sizes(
    warm_up=0,
    seconds=0.3,
    connections=8,
    many=1_000,
    few=200,
    moves=10,
    logged=4_000,
    stored=4,
    listeners=40,
    touched=100,
)
