"""What a player's games came to, worked out from the heads.

The heads of one player's games are read by the index that leads to them; the server sorts, and pages come back, so that
many games take time and no memory. A table with a row for each game that counts, written with its last event and keyed
by player, variant and start, would take the place of both questions.
"""

from typing import Final
from uuid import UUID

from pasyans.store.database import Database
from pasyans.store.heads import SELECT
from pasyans.store.values import Head, Tally

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

_COUNTED: Final = f"""
{SELECT}
WHERE g.player_id = $1 AND g.status IN ('won', 'lost') AND {_COUNTS.format(at="NULL")} AND g.game_id < $2
ORDER BY g.game_id DESC LIMIT $3
"""

_AFTER_ALL: Final = UUID(int=(1 << 128) - 1)


async def tallies(database: Database, player_id: UUID, at: int) -> list[Tally]:
    """See `Store.tallies`."""
    return [Tally(*row) for row in await database.fetch(_TALLIES, player_id, at)]


async def counted(database: Database, player_id: UUID, before: UUID | None, limit: int) -> list[Head]:
    """See `Store.counted`."""
    rows = await database.fetch(_COUNTED, player_id, before or _AFTER_ALL, limit)
    return [Head(*row) for row in rows]
