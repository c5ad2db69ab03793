"""What a player's games came to.

The heads and results of one player's games are read by the indexes that lead to them; the server sorts, so that many
games take time and no memory.
"""

from typing import Final
from uuid import UUID

from pasyans.record.result import Result
from pasyans.store.database import Database
from pasyans.store.results import COLUMNS
from pasyans.store.values import Tally

# A daily counts when it ends before its day does; a running one would end at the time that is given.
_COUNTS: Final = """
(g.kind = 'sealed' OR g.kind = 'daily' AND g.attempt = 1
    AND COALESCE(g.finished_at, {at}) < (g.date + 1)::timestamp AT TIME ZONE 'UTC')
"""

# Numbering the games that were not won from the newest on, `since` is 0 for the wins after the last of them, and the
# same for all the wins between two of them.
_TALLIES: Final = f"""
WITH counted AS (
    SELECT g.variant, g.game_id, g.status, g.finished_at - g.started_at AS elapsed
    FROM games g
    WHERE g.player_id = $1
        AND (g.status IN ('won', 'lost') OR g.status = 'playing' AND g.version > 1)
        AND {_COUNTS.format(at="$2")}
),
numbered AS (
    SELECT *, count(*) FILTER (WHERE status <> 'won') OVER (PARTITION BY variant ORDER BY game_id DESC) AS since
    FROM counted
),
runs AS (
    SELECT variant, since, count(*) FILTER (WHERE status = 'won') AS wins FROM numbered GROUP BY variant, since
),
streaks AS (
    SELECT variant, max(wins) FILTER (WHERE since = 0) AS streak, max(wins) AS best FROM runs GROUP BY variant
)
SELECT variant, count(*) FILTER (WHERE status <> 'playing'), count(*) FILTER (WHERE status = 'won'),
    COALESCE(min(streak), 0), min(best),
    floor(percentile_cont(0.5) WITHIN GROUP (ORDER BY (1000 * extract(epoch FROM elapsed))::float8))::int8
FROM counted JOIN streaks USING (variant)
GROUP BY variant ORDER BY variant
"""  # noqa: S608 - put together from constants

# A player's best of every variant and number of its rules: in the order of the boards.
_BEST: Final = f"""
SELECT DISTINCT ON (variant, rules) {COLUMNS} FROM results g
WHERE player_id = $1 AND outcome IN ('won', 'lost') AND NOT is_void AND {_COUNTS.format(at="NULL")}
ORDER BY variant, rules, outcome <> 'won', score DESC, redeals, moves, finished_at - started_at, finished_at, game_id
"""  # noqa: S608 - put together from constants


async def tallies(database: Database, player_id: UUID, at: int) -> list[Tally]:
    """See `Store.tallies`."""
    return [Tally(*row) for row in await database.fetch(_TALLIES, player_id, at)]


async def best(database: Database, player_id: UUID) -> list[tuple[UUID, Result]]:
    """See `Store.best_results`."""
    rows = await database.fetch(_BEST, player_id)
    return [(game_id, Result(*fields)) for game_id, *fields in rows]
