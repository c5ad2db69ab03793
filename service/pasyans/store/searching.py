"""Looking for players."""

from typing import Any, Final
from uuid import UUID

from pasyans.store.admin_values import PlayerFilter, PlayerRow
from pasyans.store.surveys import Surveys

# The columns are those of `PlayerRow`, in order. Games are counted for the players of the page alone.
_ROWS: Final = """
SELECT player_id, name, guest, created_at, banned_at, erased_at, games, running, games - running
FROM (
    SELECT player_id, name, name_key, guest, created_at, banned_at, erased_at FROM players
    WHERE {conditions} ORDER BY name_key LIMIT $1
) AS page, LATERAL (
    SELECT count(*) AS games, count(*) FILTER (WHERE status = 'playing') AS running
    FROM games g WHERE g.player_id = page.player_id
) AS counts
ORDER BY name_key
"""


async def search(surveys: Surveys, which: PlayerFilter, after: str | None, limit: int) -> list[PlayerRow]:
    """See `AdminStore.search_players`."""
    values: list[Any] = [limit]
    conditions = ["true"]

    def where(condition: str, value: object) -> None:
        if value is not None:
            values.append(value)
            conditions.append(condition.format(f"${len(values)}"))

    where("strpos(name_key, {}) > 0", which.search)
    where("(banned_at IS NOT NULL) = {}", which.banned)
    where("name_key > {}", after)
    return await _rows(surveys, " AND ".join(conditions), values)


async def row(surveys: Surveys, player_id: UUID) -> PlayerRow | None:
    """See `AdminStore.player_row`."""
    rows = await _rows(surveys, "player_id = $2", [1, player_id])
    return rows[0] if rows else None


async def _rows(surveys: Surveys, conditions: str, values: list[Any]) -> list[PlayerRow]:
    return [PlayerRow(*row) for row in await surveys.fetch(_ROWS.format(conditions=conditions), *values)]
