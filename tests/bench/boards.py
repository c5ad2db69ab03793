"""Reading leaderboards over HTTP: a page, and a player among neighbours, on few results and on many."""

import random
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final
from urllib.parse import urlencode

from pasyans.api import cursor, standings
from pasyans.record.boards import Board
from pasyans.store.boards import board_id

from tests.bench.harness import Line, Of, Plan, benchmark, percentile
from tests.bench.load import Ask, Connection, connected
from tests.bench.players import request
from tests.bench.stage import Stage
from tests.support import crowd
from tests.support.sql import query

_ROW: Final = """
SELECT place, game_id, name FROM board_rows JOIN players USING (player_id)
WHERE board = $1 ORDER BY place, game_id OFFSET $2 LIMIT 1
"""
_COUNT: Final = "SELECT count(*) FROM board_rows WHERE board = $1"
_READS: Final = ("a page", "around me")
_PARTS: Final = (0.01, 0.5, 0.95)
"""Where on a board is read: at the top, in the middle, near the end."""


@benchmark("boards", "a page of a leaderboard, and a player among neighbours: any filter, few results and many")
def boards(stage: Stage) -> Iterator[Plan]:
    """On one connection, so that nothing waits; every combination of filters, in any order."""
    sizes = stage.sizes
    many, few = stage.crowd(sizes.many), stage.crowd(sizes.few)
    asks = {name: _asks(stage.root(database)) for name, database in {"many": many, "few": few}.items()}
    with stage.service(many) as much, stage.service(few) as little:
        dice = random.Random(20261130)

        def measure() -> Mapping[str, float]:
            found: dict[str, float] = {}
            with connected(much.url, 1) as (large,), connected(little.url, 1) as (small,):
                for kind, read in enumerate(_READS):
                    of_many, of_few = _timed(large, asks["many"][kind], small, asks["few"][kind], dice)
                    for percent, (results, times) in product((50, 99), ((sizes.many, of_many), (sizes.few, of_few))):
                        found[_name(read, results, percent)] = percentile(times, percent) * 1000
            return found

        lines: list[Line] = []
        for read in _READS:
            middle, high = ((_name(read, sizes.many, percent), _name(read, sizes.few, percent)) for percent in (50, 99))
            lines.append(Line(middle[0], "ms", middle[1], less=True))
            lines.append(Line(high[0], "ms", must=10.0, aim=5.0, less=True))
            lines.append(Line(high[0], "ms", high[1], Of.RATIO, 1.5, 1.2, less=True))
        yield Plan(measure, lines)


def _name(read: str, results: int, percent: int) -> str:
    return f"{read}, {results:,} results, p{percent}"


def _timed(
    large: Connection, of_large: list[Ask], small: Connection, of_small: list[Ask], dice: random.Random
) -> tuple[list[float], list[float]]:
    """The times of reads on both sizes in turn, so that both meet the same machine."""
    rounds = 2 * max(len(of_large), len(of_small))
    pairs = [(dice.choice(of_large), dice.choice(of_small)) for _ in range(rounds)]
    times = [(large.asked(one), small.asked(other)) for one, other in pairs]
    return [one for one, _ in times], [other for _, other in times]


def _asks(root: str) -> tuple[list[Ask], list[Ask]]:
    """Requests for pages, and for players among neighbours, on every board of a crowd that has rows."""
    pages: list[Ask] = []
    around: list[Ask] = []
    for board in crowd.every_board():
        ((total,),) = query(root, _COUNT, board_id(board))
        assert isinstance(total, int)
        if not total:
            continue
        sign = b'"total":%d,' % total
        pages.append(_get("", _filters(board), sign))
        for part in _PARTS:
            ((place, game_id, name),) = query(root, _ROW, board_id(board), int(total * part))
            key = standings.Key(crowd.DAY, board_id(board), place, game_id)  # type: ignore[arg-type]
            after = cursor.encode("leaderboard", standings.encode_key(key))
            pages.append(_get("", {**_filters(board), "cursor": after}, sign))
            around.append(_get(f"/players/{name}", _filters(board), sign))
    assert around, "the crowd is on no board"
    return pages, around


def _get(path: str, filters: Mapping[str, str], sign: bytes) -> Ask:
    return Ask(request("GET", f"/v1/leaderboards/{crowd.VARIANT}{path}?{urlencode(filters)}"), sign)


def _filters(board: Board) -> dict[str, str]:
    scope = {"seed": {"seed": board.of}, "daily": {"daily": board.of}, "variant": {}}[board.scope]
    window = {"window": board.window, "at": crowd.DAY} if board.start else {}
    return {
        **scope,
        **window,
        "attempts": "first" if board.is_first else "best",
        "undo": "none" if board.is_clean else "any",
    }
