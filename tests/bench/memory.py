"""The memory of a worker that has had to do with very many games."""

from collections.abc import Iterator, Mapping
from itertools import count

from tests.bench.filling import fill_begun
from tests.bench.harness import Line, Plan, benchmark
from tests.bench.load import closed_loop
from tests.bench.players import move
from tests.bench.processes import resident_mb, workers
from tests.bench.stage import Stage, settle


@benchmark("memory", "a worker after a move was played through it in each of very many games")
def memory(stage: Stage) -> Iterator[Plan]:
    """Each round is a service that has just started, and the next move of every game."""
    sizes = stage.sizes
    with stage.database("memory") as database:
        games = fill_begun(database.service_url, sizes.touched, sizes.connections)
        settle(stage.root(database))
        rounds = count(1)

        def measure() -> Mapping[str, float]:
            number = next(rounds)
            with stage.service(database) as service:
                asks = [
                    move(str(game.id), game.seat.token, [game.script.moves[number - 1]], game.script.version(number))
                    for game in games
                ]
                found = workers(service)
                before = max(map(resident_mb, found))
                closed_loop(service.url, [asks[lane :: sizes.connections] for lane in range(sizes.connections)])
                return {after_all: max(map(resident_mb, found)), "just started": before}

        after_all = f"after {sizes.touched:,} games"
        yield Plan(measure, [Line(after_all, "MB", "just started", must=200.0, aim=120.0, less=True)])
