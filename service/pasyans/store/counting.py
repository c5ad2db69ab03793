"""The counts from which ranks are read: folding changes into them, and cutting their ranges anew.

Whoever does it holds one advisory lock, so it is done by one at a time; finishing games only adds changes and does not
wait for it. Each statement is one snapshot, in which rows = counts + changes holds for every range, and keeps that.
"""

from typing import Final

from pasyans.record.boards import RANKED
from pasyans.store.connection import Connection
from pasyans.store.database import Database

RANGE: Final = 256
"""Rows in a range when it is cut, but for those that share its last rank."""

_AT_ONCE: Final = 5_000
_PART: Final = 32  # ranges are cut anew when RANGE changes have come, and as many as this part of the rows

_WAITING: Final = "SELECT count(*) FROM (SELECT FROM board_changes LIMIT $1) AS waiting"

_LOCK: Final = 0x70617379616E62  # the advisory lock of those who count
_TRY: Final = "SELECT pg_try_advisory_xact_lock($1)"
_WAIT: Final = "SELECT pg_advisory_xact_lock($1)"

_FOLD: Final = """
WITH taken AS (
    DELETE FROM board_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM board_changes LIMIT $1))
    RETURNING board, place, n
),
ranges AS (
    SELECT t.board, t.n, COALESCE((
        SELECT c.place FROM board_counts c WHERE c.board = t.board AND c.place <= t.place ORDER BY c.place DESC LIMIT 1
    ), '') AS place
    FROM taken t
),
folded AS (
    INSERT INTO board_counts AS c (board, place, n, changes)
    SELECT board, place, sum(n), count(*) FROM ranges GROUP BY board, place
    ON CONFLICT (board, place) DO UPDATE SET n = c.n + excluded.n, changes = c.changes + excluded.changes
)
SELECT count(*), array_agg(DISTINCT board) FROM taken
"""

_CHANGED: Final = f"""
SELECT board FROM board_counts WHERE board = ANY ($1)
GROUP BY board HAVING sum(changes) > {RANGE} + sum(n) / {_PART}
"""  # noqa: S608 - made of constants

_CLEAR: Final = "DELETE FROM board_counts WHERE board = ANY ($1)"
_CLEAR_ALL: Final = "DELETE FROM board_counts"

# A range begins at the first place of each RANGE rows. One rank shared by many more is not cut, and what comes behind
# it must not count it: so a range begins right behind it, before every place that is worse.
_CUT_SOME: Final = f"""
INSERT INTO board_counts (board, place, n, changes)
WITH ranks AS (
    SELECT board, substring(place FROM 1 FOR {RANKED}) AS place, count(*) AS n
    FROM board_rows WHERE {{which}} GROUP BY 1, 2
),
above AS (
    SELECT board, place, n, div(sum(n) OVER (PARTITION BY board ORDER BY place) - n, {RANGE}) AS cut FROM ranks
),
starts AS (
    SELECT * FROM (SELECT DISTINCT ON (board, cut) board, place FROM above WHERE cut > 0 ORDER BY board, cut, place) c
    UNION SELECT board, place || '\\xff' FROM above WHERE n > {RANGE}
    UNION SELECT board, '' FROM ranks
    UNION SELECT board, '' FROM board_changes WHERE {{which}}
),
points AS (
    SELECT board, place, 0 AS n, 1 AS start FROM starts
    UNION ALL SELECT board, place, n, 0 FROM ranks
    UNION ALL SELECT board, place, -n, 0 FROM board_changes WHERE {{which}}
),
ranges AS (
    SELECT *, sum(start) OVER (PARTITION BY board ORDER BY place, start DESC ROWS UNBOUNDED PRECEDING) AS range
    FROM points
)
SELECT board, (array_agg(place) FILTER (WHERE start = 1))[1], sum(n), 0 FROM ranges GROUP BY board, range
"""  # noqa: S608 - made of constants

_CUT: Final = _CUT_SOME.format(which="board = ANY ($1)")
_CUT_ALL: Final = _CUT_SOME.format(which="true")


async def fold(connection: Connection) -> int:
    """Fold some changes into the counts, within a transaction; how many. 0 also when somebody else does it."""
    if not await connection.fetchval(_TRY, _LOCK):
        return 0
    taken, boards = await connection.fetchrow(_FOLD, _AT_ONCE)
    if boards:
        changed = [row[0] for row in await connection.fetch(_CHANGED, boards)]
        if changed:
            await connection.execute(_CLEAR, changed)
            await connection.execute(_CUT, changed)
    return int(taken)


async def waiting(database: Database, most: int) -> int:
    """See `Store.board_changes`."""
    (count,) = (await database.fetch(_WAITING, most))[0]
    return int(count)


async def recount(connection: Connection) -> None:
    """Make the counts of all boards from their rows, whatever they were, within a transaction."""
    await connection.execute(_WAIT, _LOCK)
    await connection.execute("SET LOCAL enable_seqscan = on")  # by index, every row would be looked up by itself
    await connection.execute(_CLEAR_ALL)
    await connection.execute(_CUT_ALL)
