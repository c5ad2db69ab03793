"""What a move takes on disk, in games that were played one move a request."""

from collections.abc import Iterator, Mapping
from typing import Final

from tests.bench.harness import Line, Plan, benchmark
from tests.bench.load import Ask, answers, closed_loop
from tests.bench.players import Players, request
from tests.bench.processes import run
from tests.bench.scripts import Script, scripts
from tests.bench.stage import Stage
from tests.support.postgres import Postgres
from tests.support.service import PASYANSD, environment
from tests.support.sql import query

# With the maps of free space and of what is visible, and what is stored out of line.
_SIZES: Final = """
SELECT pg_table_size('game_events'), pg_indexes_size('game_events'), pg_table_size('games'), pg_indexes_size('games'),
    pg_total_relation_size('idempotency')
"""
_LOG: Final = ("rows of the log", "indexes of the log")
_HEADS: Final = ("heads", "indexes of the heads")
_KEYS: Final = "idempotency keys"
_PARTS: Final = (*_LOG, *_HEADS, _KEYS)


@benchmark("storage", "bytes that a move takes on disk, in the log and the heads")
def storage(stage: Stage) -> Iterator[Plan]:
    """Whole games of many players at once, as they stand right after and once they are packed; each round adds as many.

    Idempotency keys are forgotten after a day, so they are told of apart. The rows that packing removes leave their
    room to rows to come, so the log grows no more than what is played before it is packed. A packed log is in its head.
    """
    with stage.database("storage") as database, stage.service(database) as service:
        root = stage.root(database)
        players = Players(service.url, min(stage.sizes.connections, stage.sizes.stored))

        def measure() -> Mapping[str, float]:
            query(root, "TRUNCATE game_events")  # its rows are all packed: so those to come take new room
            before = _sizes(root)
            lanes = players.play(_dealt(players, stage.sizes.stored))
            moves = len(closed_loop(service.url, lanes).times) + _give_up(players, lanes, root)
            running = _sizes(root)
            _pack(database)
            rows = query(root, "SELECT count(*) FROM game_events")
            assert rows == [(0,)], f"{rows} rows of the log were not packed."
            packed = _sizes(root)
            taken = {name: (running[name] - before[name]) / moves for name in _PARTS}
            left = {f"{name}, once packed": (packed[name] - before[name]) / moves for name in _HEADS}
            return {
                "log and heads, while running": sum(taken[name] for name in (*_LOG, *_HEADS)),
                "log and heads, once packed": sum(left.values()),
                **taken,
                **left,
            }

        yield Plan(
            measure,
            [
                Line("log and heads, while running", "bytes", must=160.0, aim=125.0, less=True),
                Line("log and heads, once packed", "bytes", must=8.0, aim=5.0, less=True),
                *(Line(part, "bytes", less=True) for part in _PARTS),
                *(Line(f"{part}, once packed", "bytes", less=True) for part in _HEADS),
            ],
        )


def _give_up(players: Players, lanes: list[list[Ask]], root: str) -> int:
    """End the games that are not won, as a player does who gets no further; how many there were."""
    running = {str(game_id) for (game_id,) in query(root, "SELECT game_id FROM games WHERE status = 'playing'")}
    asks = [
        Ask(request("POST", f"/v1/games/{game}/resign", token), b'"status":"lost"')
        for token, lane in zip(players.tokens, lanes, strict=True)
        for game in dict.fromkeys(ask.request.split(b"/", 4)[3].decode() for ask in lane)
        if game in running
    ]
    answers(players.url, asks)
    return len(asks)


def _pack(database: Postgres) -> None:
    """Pack every game that is over."""
    settings = {"DATABASE_URL": database.service_url, "PASYANS_ADMIN_DATABASE_URL": database.admin_url}
    done = run([PASYANSD, "pack", "--older-than", "0"], environment(**settings))
    assert done.returncode == 0, done.err


def _dealt(players: Players, games: int) -> list[list[Script]]:
    """So many games, dealt out to the players."""
    known = scripts(games)
    return [known[number :: len(players.tokens)] for number in range(len(players.tokens))]


def _sizes(root: str) -> dict[str, float]:
    (row,) = query(root, _SIZES)
    return {name: float(size) for name, size in zip(_PARTS, row, strict=True)}  # type: ignore[arg-type]
