"""Daily deals: drawn once for each date and variant, and never changed."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from pasyans.store.connection import Connection
from pasyans.store.database import Database
from pasyans.store.values import Daily

# Whoever comes first draws.
_DRAW: Final = """
INSERT INTO dailies (variant, date, seed, drawn_at)
SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::timestamptz[])
ON CONFLICT (date, variant) DO NOTHING
"""

# The columns are those of `Daily`, in order.
_LIST: Final = """
SELECT variant, to_char(date, 'YYYY-MM-DD'), seed, drawn_at FROM dailies
WHERE date BETWEEN $1 AND $2 ORDER BY date, variant
"""


async def draw(connection: Connection, drawn: Sequence[Daily]) -> None:
    """See `Store.draw_dailies`; runs within a transaction."""
    # In one order, so that two who draw at once can't wait for one another.
    ordered = sorted(drawn, key=lambda daily: (daily.date, daily.variant))
    await connection.execute(
        _DRAW,
        [daily.variant for daily in ordered],
        [date.fromisoformat(daily.date) for daily in ordered],
        [daily.seed for daily in ordered],
        [daily.drawn_at for daily in ordered],
    )


async def listed(database: Database, first: str, last: str) -> list[Daily]:
    """See `Store.dailies`."""
    rows = await database.fetch(_LIST, date.fromisoformat(first), date.fromisoformat(last))
    return [Daily(*row) for row in rows]
