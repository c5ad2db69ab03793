"""Starting a game: its attempt's number, its head and its first event, in one transaction."""

from datetime import date
from typing import Final

from pasyans.store import chain, keys
from pasyans.store.connection import Connection
from pasyans.store.errors import AlreadyPlaying, PlayerGone
from pasyans.store.values import Created, NewGame

# Both rows stay locked until the commit: two games at once get two numbers, and one that fails gives its number back;
# an erasure of the player that begins meanwhile waits and finds the game.
_ATTEMPT: Final = """
INSERT INTO attempts AS a (player_id, variant, seed, count)
SELECT player_id, $2, $3, 1 FROM players WHERE player_id = $1 AND erased_at IS NULL FOR SHARE
ON CONFLICT (player_id, variant, seed) DO UPDATE SET count = a.count + 1
RETURNING count
"""

_RUNNING: Final = """
SELECT game_id FROM games
WHERE kind = 'daily' AND player_id = $1 AND date = $2 AND variant = $3 AND status = 'playing'
"""

_START: Final = """
WITH started AS (
    INSERT INTO games (game_id, player_id, variant, rules, kind, seed, date, attempt, version, status,
        started_at, updated_at, snapshot, hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, 'playing', $9, $9, $10, $11)
    RETURNING game_id, started_at, hash
)
INSERT INTO game_events (game_id, first_seq, last_seq, events, at, hash)
SELECT game_id, 1, 1, $12, started_at, hash FROM started
"""


async def create(connection: Connection, new: NewGame) -> Created:
    """See `Store.create_game`; runs within a transaction."""
    await keys.use(connection, new.key, new.game_id, 1, new.at)
    day = None if new.date is None else date.fromisoformat(new.date)
    attempt = await connection.fetchval(_ATTEMPT, new.player_id, new.variant, new.seed)
    if attempt is None:
        raise PlayerGone("There is no such player any more.")
    if new.kind == "daily":
        # Whoever starts the same daily at the same time waits for the attempt's row, and then sees this game.
        running = await connection.fetchval(_RUNNING, new.player_id, day, new.variant)
        if running is not None:
            raise AlreadyPlaying(running)
    events, snapshot = new.build(attempt)
    link = chain.link(chain.GENESIS, new.game_id, 1, new.at, events)
    await connection.execute(
        _START,
        new.game_id,
        new.player_id,
        new.variant,
        new.rules,
        new.kind,
        new.seed,
        day,
        attempt,
        new.at,
        snapshot,
        link,
        events,
    )
    return Created(attempt, link)
