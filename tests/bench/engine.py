"""The engine on one core: replaying checked moves, and finding every legal move of a position."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pasyans.deals.deal import chance, deal
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.games.catalogue import VARIANTS

from tests.bench.harness import Figure, benchmark, rate

_WINS: Final = Path(__file__).parent.parent / "vectors" / "wins.tsv"
_LONGEST: Final = 300
_TARGETS: Final = {"forty-thieves": (100_000.0, 10_000.0)}


@benchmark("engine", "checked moves in a replay, and positions with their legal moves")
def engine() -> Iterator[Sequence[Figure]]:
    """Two figures a variant, along its longest known win, else along a line of its own."""
    yield [figure for id_ in VARIANTS for figure in _figures(id_)]


def _figures(id_: str) -> list[Figure]:
    seed, moves = _line(id_)
    rules, shuffle = rules_of(VARIANTS[id_]), chance(VARIANTS[id_], seed)
    opening = deal(VARIANTS[id_], seed)
    positions = [opening]
    for move in moves:
        positions.append(rules.play(positions[-1], move, shuffle))

    def replay() -> int:
        position = opening
        for move in moves:
            position = rules.play(position, move, shuffle)
        return len(moves)

    def generate() -> int:
        for position in positions:
            rules.legal_moves(position)
        return len(positions)

    moves_target, positions_target = _TARGETS.get(id_, (None, None))
    return [
        Figure(f"{id_}: checked moves", "moves/s", lambda: rate(replay), _card_moves, moves_target),
        Figure(f"{id_}: all legal moves", "positions/s", lambda: rate(generate), _card_moves, positions_target),
    ]


def _line(id_: str) -> tuple[str, list[str]]:
    """A seed and the moves of a game on it."""
    wins = [line.split("\t") for line in _WINS.read_text().splitlines()]
    known = [(seed, line.split()) for variant, seed, line, *_ in wins if variant == id_]
    return max(known, key=lambda win: len(win[1])) if known else ("1", _walk(id_, "1"))


def _walk(id_: str, seed: str) -> list[str]:
    """A long game that wins nothing: of the legal moves, another one at each step."""
    rules, shuffle = rules_of(VARIANTS[id_]), chance(VARIANTS[id_], seed)
    position, moves, seen = deal(VARIANTS[id_], seed), list[str](), set[Position]()
    while len(moves) < _LONGEST and position not in seen and (legal := rules.legal_moves(position)):
        seen.add(position)
        moves.append(legal[len(moves) * 7 % len(legal)])
        position = rules.play(position, moves[-1], shuffle)
    return moves


def _card_moves() -> float:
    """The yardstick: bare list operations, one card taken and put a move, unchecked."""
    columns = [list(range(10)) for _ in range(10)]

    def shift() -> int:
        for step in range(1000):
            columns[(step + 1) % 10].append(columns[step % 10].pop())
        return 1000

    return rate(shift, seconds=0.05)
