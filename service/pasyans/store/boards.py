"""Leaderboards in the database: how they are kept, and how they are read.

`results` has a row for each finished game, written by the statement that writes the game's last event. A result counts
on up to 16 boards (`record/boards.py` says on which, and where); `board_rows` has the player's best on each, a row a
player and board. A board's id is a hash of its name, so nothing has to be made before a board's first row.

**Order.** A place is 22 bytes that compare as the order is told, so one index (board, place, game) serves pages and
neighbours by keyset, forwards and backwards. Its first 16 bytes are the rank; the finish follows.

**Ranks.** Counting the rows above takes 1.5 ms for 27,000 of them where all was just vacuumed, and grows with the
board. So the places of a board are cut into ranges: `board_counts` has a row for each, from its place to the next, and
says how many rows there are. A rank is the sum of the ranges before the place's own, and the count of the rows in that
one before the place. Whoever changes a board adds to `board_changes` what came (1) and what went (-1), and a rank adds
those before the range too. Nothing but inserts, so concurrent finishes share no row that they could fight for. A chore
folds the changes into the counts (`counting.py`) and cuts ranges anew when many have come: at most 256 rows and those
that came since are counted one by one. The invariant, at every snapshot: in any range, rows = counts + changes. Ranks
are right however late the chore is.

Weighed against it: a histogram by bytes of the place, whose upper levels every finish on a board would update, and
whose lower ones multiply what is written by their number; counts sharded by writer, which still lock; a window function
or a count on reading, which grow with the board.

**Adding** (`appending.py`) only ever improves: a player's row is inserted, or replaced where the new place is better,
by `ON CONFLICT DO UPDATE … WHERE`, which looks at the row as it is, not as the statement's snapshot has it. The row
remembers what it replaced, which is how the statement learns it: the snapshot may not know. Rows are written in the
order of (player, board), after the heads and the players were locked, each in the order of ids: no circle of waits.

**Taking away** (`settling.py`: voiding, banning) must know all of the player's results. It locks the player's row FOR
UPDATE, and reads after that. Whoever adds holds the same row FOR KEY SHARE until it has committed, which hinders nobody
else; so what takes away sees all that was added before, and what adds waits and then finds the board as it was left.

Reads are one statement each, and so one snapshot: rows, ranks and total agree.

Measured on 2 busy cores, PostgreSQL 18, with 1,000,000 results of 100,000 players on one variant, which make 4,650,000
rows (1.3 GB with indexes): a page of 50 takes the server 0.6 to 0.8 ms and a player among neighbours 0.5 to 0.6, of
which the rank is 0.1 (391 ranges). The append that ends a game takes 1.1 to 1.6 ms more than another move, with 8 to 16
boards to look at; a fold of 2,000 to 3,000 changes 20 to 100 ms.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final
from uuid import UUID

from pasyans.record.boards import RANKED, Board
from pasyans.store.connection import Row
from pasyans.store.database import Database
from pasyans.store.values import BoardPage, BoardRow

BOARD: Final = 16
"""Bytes in a board's id."""

_NO_GAME: Final = UUID(int=0)

# $1 is the board, {0} the first bytes of a place, those of the rank; f is where its range begins.
_RANK: Final = """
(SELECT 1
    + COALESCE((SELECT sum(n) FROM board_counts WHERE board = $1 AND place < f.place), 0)
    + COALESCE((SELECT sum(n) FROM board_changes WHERE board = $1 AND place < f.place), 0)
    + (SELECT count(*) FROM board_rows WHERE board = $1 AND place >= f.place AND place < {0})
FROM (SELECT COALESCE((
    SELECT place FROM board_counts WHERE board = $1 AND place <= {0} ORDER BY place DESC LIMIT 1
), '') AS place OFFSET 0) f)::int8
"""

_TOTAL: Final = """
(COALESCE((SELECT sum(n) FROM board_counts WHERE board = $1), 0)
    + COALESCE((SELECT sum(n) FROM board_changes WHERE board = $1), 0))::int8
"""

_KEYS: Final = "SELECT player_id, game_id, place FROM board_rows WHERE board = $1 AND"

# Who shares a rank with the first row may stand before the page; from the next rank on, all is on it.
_READ: Final = f"""
WITH page AS MATERIALIZED ({{page}}),
first AS (SELECT substring(place FROM 1 FOR {RANKED}) AS place FROM page ORDER BY page.place LIMIT 1),
second AS (
    SELECT substring(page.place FROM 1 FOR {RANKED}) AS place FROM page, first
    WHERE substring(page.place FROM 1 FOR {RANKED}) > first.place ORDER BY page.place LIMIT 1
),
numbers AS (
    SELECT {_TOTAL} AS total,
        (SELECT {_RANK.format("first.place")} FROM first) AS first,
        (SELECT {_RANK.format("second.place")} FROM second) AS second
)
SELECT numbers.total, numbers.first, numbers.second, page.place, page.player_id, page.game_id, shown.*
FROM numbers LEFT JOIN page ON true LEFT JOIN LATERAL (
    SELECT p.name, r.outcome, r.score, r.redeals, r.moves, r.undos, r.attempt, r.started_at, r.finished_at
    FROM (SELECT * FROM results WHERE game_id = page.game_id OFFSET 0) r,
        (SELECT name FROM players WHERE player_id = page.player_id OFFSET 0) p
    OFFSET 0
) shown ON true
ORDER BY page.place, page.game_id
"""  # noqa: S608 - made of constants

_AFTER: Final = _READ.format(page=f"{_KEYS} (place, game_id) > ($2, $3) ORDER BY place, game_id LIMIT $4")

_AROUND: Final = _READ.format(
    page=f"""
    WITH me AS (SELECT player_id, game_id, place FROM board_rows WHERE player_id = $2 AND board = $1)
    (SELECT above.* FROM me, LATERAL (
        {_KEYS} (place, game_id) < (me.place, me.game_id) ORDER BY place DESC, game_id DESC LIMIT $3) above)
    UNION ALL SELECT * FROM me UNION ALL
    (SELECT below.* FROM me, LATERAL (
        {_KEYS} (place, game_id) > (me.place, me.game_id) ORDER BY place, game_id LIMIT $3) below)
    """  # noqa: S608 - made of constants
)

_DEAL: Final = """
SELECT count(*), count(*) FILTER (WHERE outcome = 'won') FROM results
WHERE kind = 'shared' AND NOT is_void AND outcome IN ('won', 'lost') AND seed = $1 AND variant = $2 AND rules = $3
"""


@lru_cache(4096)
def board_id(board: Board) -> bytes:
    """What names a board in the database."""
    return sha256(board.name.encode()).digest()[:BOARD]


async def page(database: Database, board: Board, after: tuple[bytes, UUID] | None, limit: int) -> BoardPage:
    """See `Store.board`."""
    place, game_id = after or (b"", _NO_GAME)
    return _paged(await database.fetch(_AFTER, board_id(board), place, game_id, limit))


async def around(database: Database, board: Board, player_id: UUID, count: int) -> BoardPage | None:
    """See `Store.board_around`."""
    found = _paged(await database.fetch(_AROUND, board_id(board), player_id, count))
    return found if found.rows else None


async def deal_games(database: Database, variant: str, rules: int, seed: str) -> tuple[int, int]:
    """See `Store.deal_games`."""
    games, wins = (await database.fetch(_DEAL, seed, variant, rules))[0]
    return games, wins


def _paged(found: Sequence[Row]) -> BoardPage:
    total, first, second = found[0][:3]
    rows: list[BoardRow] = []
    rank, shared, second_at = first, None, None
    for index, (_, _, _, place, *shown) in enumerate(found):
        if place is None:  # the page is empty, and this is the row of the numbers alone
            break
        if shared is not None and place[:RANKED] != shared:
            if second_at is None:
                second_at = index
            rank = second + index - second_at
        shared = place[:RANKED]
        rows.append(BoardRow(rank, place, *shown))
    return BoardPage(rows, total)
