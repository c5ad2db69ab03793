"""What a move takes on disk, in games that were played one move a request."""

from collections.abc import Iterator, Mapping
from typing import Final

from tests.bench.harness import Line, Plan, benchmark
from tests.bench.load import closed_loop
from tests.bench.players import Players
from tests.bench.scripts import Script, scripts
from tests.bench.stage import Stage
from tests.support.sql import query

# With the maps of free space and of what is visible, and what is stored out of line.
_SIZES: Final = """
SELECT pg_table_size('game_events'), pg_indexes_size('game_events'), pg_table_size('games'), pg_indexes_size('games'),
    pg_total_relation_size('idempotency')
"""
_PARTS: Final = ("rows of the log", "indexes of the log", "heads", "indexes of the heads", "idempotency keys")


@benchmark("storage", "bytes that a move takes on disk, in the log and the heads")
def storage(stage: Stage) -> Iterator[Plan]:
    """Whole games of many players at once, as they stand right after; each round adds as many.

    Idempotency keys are forgotten after a day, so they are told of apart.
    """
    with stage.database("storage") as database, stage.service(database) as service:
        root = stage.root(database)
        players = Players(service.url, min(stage.sizes.connections, stage.sizes.stored))

        def measure() -> Mapping[str, float]:
            before = _sizes(root)
            lanes = players.play(_dealt(players, stage.sizes.stored))
            moves = len(closed_loop(service.url, lanes).times)
            taken = {name: (size - before[name]) / moves for name, size in _sizes(root).items()}
            kept = sum(size for name, size in taken.items() if name != _PARTS[-1])
            return taken | {"log and heads, while running": kept}

        yield Plan(
            measure,
            [
                Line("log and heads, while running", "bytes", must=160.0, aim=125.0, less=True),
                *(Line(part, "bytes", less=True) for part in _PARTS),
            ],
            # The place for what the same games take once they are packed: at most 8, and better 5 bytes a move.
            notes=["Games that are over are not packed yet, so there is no figure of packed ones."],
        )


def _dealt(players: Players, games: int) -> list[list[Script]]:
    """So many games, dealt out to the players."""
    known = scripts(games)
    return [known[number :: len(players.tokens)] for number in range(len(players.tokens))]


def _sizes(root: str) -> dict[str, float]:
    (row,) = query(root, _SIZES)
    return {name: float(size) for name, size in zip(_PARTS, row, strict=True)}  # type: ignore[arg-type]
