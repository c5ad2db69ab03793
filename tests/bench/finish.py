"""What the last move of a game costs beside another one, where very many results are on the boards."""

import statistics
from collections.abc import Iterator, Mapping

from tests.bench.harness import Line, Of, Plan, benchmark
from tests.bench.load import Ask, answers, connected
from tests.bench.players import Players, move
from tests.bench.scripts import won
from tests.bench.stage import Stage
from tests.support import crowd


@benchmark("finish", "the move that ends a game, against the one before it, beside very many results")
def finish(stage: Stage) -> Iterator[Plan]:
    """A player's first game on the crowd's deal, won without undo: it comes on as many boards as a game can."""
    script = won(crowd.VARIANT, crowd.SEED)
    last = len(script.moves)
    games = max(2, stage.sizes.moves // 2)
    with stage.service(stage.crowd(stage.sizes.many)) as service:

        def measure() -> Mapping[str, float]:
            players = Players(service.url, games)
            ids = players.start(range(games), [(script.variant, script.seed)] * games)

            def ask(player: int, begin: int, end: int) -> Ask:
                return move(ids[player], players.tokens[player], script.moves[begin:end], script.version(end))

            answers(service.url, [ask(player, 0, last - 2) for player in range(games)])
            others, lasts = list[float](), list[float]()
            with connected(service.url, 1) as (connection,):
                for player in range(games):
                    others.append(connection.asked(ask(player, last - 2, last - 1)))
                    lasts.append(connection.asked(ask(player, last - 1, last)))
                    assert b'"status":"won"' in connection.answer
            return {
                "the last move, p50": statistics.median(lasts) * 1000,
                "the move before it, p50": statistics.median(others) * 1000,
            }

        yield Plan(
            measure,
            [Line("the last move, p50", "ms", "the move before it, p50", Of.DIFFERENCE, 2.0, 1.0, less=True)],
        )
