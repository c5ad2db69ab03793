"""The engine on one core: replaying checked moves, and finding every legal move of a position."""

from collections.abc import Iterator
from typing import Final

from pasyans.deals.deal import chance, deal
from pasyans.engine import grids, piles
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Rules
from pasyans.games.catalogue import VARIANTS

from tests.bench.harness import Line, Plan, benchmark, fixed_work, rate
from tests.bench.scripts import won
from tests.bench.stage import Stage

_TWO_DECKS: Final = 104
_COMPILED: Final = not any(str(module.__file__).endswith(".py") for module in (grids, piles))
_HOW: Final = f"The engine is {'compiled' if _COMPILED else 'plain Python'}."
_WORK: Final = "moves of bare lists"


@benchmark("engine", "checked moves in a replay, for each game")
def engine(_stage: Stage) -> Iterator[Plan]:
    """Along a known win of each variant."""
    must, aim = (1_000_000.0, 3_000_000.0) if _COMPILED else (200_000.0, 400_000.0)
    games = {id_: _Game(id_) for id_ in VARIANTS}
    yield Plan(
        lambda: {_WORK: rate(fixed_work)} | {id_: rate(game.replay) for id_, game in games.items()},
        [Line(id_, "moves/s", _WORK, must=must, aim=aim) for id_ in games],
        notes=[_HOW],
    )


@benchmark("legal", "positions with all their legal moves, for each game of two decks")
def legal(_stage: Stage) -> Iterator[Plan]:
    """Of every position along a known win."""
    must, aim = (100_000.0, 250_000.0) if _COMPILED else (20_000.0, 40_000.0)
    games = {id_: _Game(id_) for id_ in VARIANTS if VARIANTS[id_].cards == _TWO_DECKS}
    yield Plan(
        lambda: {_WORK: rate(fixed_work)} | {id_: rate(game.generate) for id_, game in games.items()},
        [Line(id_, "positions/s", _WORK, must=must, aim=aim) for id_ in games],
        notes=[_HOW],
    )


class _Game:
    """A game that is won, and what is measured along it."""

    def __init__(self, id_: str) -> None:
        script = won(id_)
        self._rules: Rules = rules_of(VARIANTS[id_])
        self._chance = chance(VARIANTS[id_], script.seed)
        self._moves = script.moves
        self._positions: list[Position] = [deal(VARIANTS[id_], script.seed)]
        for move in self._moves:
            self._positions.append(self._rules.play(self._positions[-1], move, self._chance))
        assert self._rules.is_won(self._positions[-1])

    def replay(self) -> int:
        position = self._positions[0]
        for move in self._moves:
            position = self._rules.play(position, move, self._chance)
        return len(self._moves)

    def generate(self) -> int:
        for position in self._positions:
            self._rules.legal_moves(position)
        return len(self._positions)
