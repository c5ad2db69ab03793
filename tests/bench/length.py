"""What a move costs late in a long game, against one at its beginning."""

import statistics
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from tests.bench.harness import Line, Of, Plan, benchmark
from tests.bench.load import Ask, Connection, connected
from tests.bench.players import Players, move
from tests.bench.stage import Stage
from tests.support.streams import ENDLESS, endless

_SEED: Final = "hello"
_EARLY: Final = 20  # events
_LATE: Final = 2_000
_EACH: Final = 20  # moves of one game that are measured
_BATCH: Final = 500


@benchmark("length", "a move at event 2,000 of a game, against one at event 20")
def length(stage: Stage) -> Iterator[Plan]:
    """Games that go round: the stock is gone through again and again, so the late moves are the early ones."""
    moves = list(islice(endless(_SEED), _LATE + 2 * _EACH))
    turn = moves.index("redeal") + 1
    late = _EARLY + (_LATE - _EARLY + turn - 1) // turn * turn
    with stage.database("length") as database, stage.service(database) as service:
        players = Players(service.url, 1)
        games = max(1, stage.sizes.moves // _EACH)

        def measure() -> Mapping[str, float]:
            with connected(service.url, 1) as (connection,):
                pairs = [(_game(players, connection, moves, _EARLY), _game(players, connection, moves, late))
                         for _ in range(games)]  # fmt: skip
                early_times, late_times = list[float](), list[float]()
                for early_game, late_game in pairs:
                    for number in range(_EACH):
                        early_times.append(connection.asked(_move(players, early_game, moves, _EARLY + number)))
                        late_times.append(connection.asked(_move(players, late_game, moves, late + number)))
            return {
                "a move at event 2,000, p50": statistics.median(late_times) * 1000,
                "a move at event 20, p50": statistics.median(early_times) * 1000,
            }

        yield Plan(
            measure,
            [Line("a move at event 2,000, p50", "ms", "a move at event 20, p50", Of.RATIO, 1.1, 1.0, less=True)],
        )


def _game(players: Players, connection: Connection, moves: list[str], version: int) -> str:
    """A game that stands at a version."""
    (game,) = players.start([0], [(ENDLESS, _SEED)])
    for begin in range(0, version - 1, _BATCH):
        end = min(begin + _BATCH, version - 1)
        connection.asked(move(game, players.tokens[0], moves[begin:end], end + 1))
    return game


def _move(players: Players, game: str, moves: list[str], version: int) -> Ask:
    """The next move of a game that stands at a version."""
    return move(game, players.tokens[0], [moves[version - 1]], version + 1)
