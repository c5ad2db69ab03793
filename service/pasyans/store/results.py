"""Results as rows."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID

from pasyans.record.result import Result
from pasyans.store.connection import Connection

# After the game's id the columns are those of `Result`, in order.
COLUMNS: Final = """
game_id, player_id::text, variant, rules, kind, seed, to_char(date, 'YYYY-MM-DD'), attempt, outcome, is_void, score,
    redeals, moves, undos, started_at, finished_at
"""

_OF_PLAYERS: Final = f"SELECT {COLUMNS} FROM results WHERE player_id = ANY ($1)"  # noqa: S608 - made of constants

_OF_GAMES: Final = f"SELECT {COLUMNS} FROM results WHERE game_id = ANY ($1)"  # noqa: S608 - made of constants

_PUT: Final = """
INSERT INTO results (game_id, player_id, variant, rules, kind, seed, date, attempt, outcome, is_void, score, redeals,
    moves, undos, started_at, finished_at)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int4[], $5::text[], $6::text[], $7::date[], $8::int4[],
    $9::text[], $10::bool[], $11::int4[], $12::int4[], $13::int4[], $14::int4[], $15::timestamptz[], $16::timestamptz[])
"""

_REMOVE: Final = "DELETE FROM results WHERE game_id = ANY ($1)"


async def of_players(connection: Connection, players: Sequence[UUID]) -> list[tuple[UUID, Result]]:
    """Every result of these players, each with its game's id."""
    rows = await connection.fetch(_OF_PLAYERS, players)
    return [(game_id, Result(*fields)) for game_id, *fields in rows]


async def of_games(connection: Connection, games: Sequence[UUID]) -> list[tuple[UUID, Result]]:
    """The results of these games, each with its game's id; none of a game that is being played."""
    rows = await connection.fetch(_OF_GAMES, games)
    return [(game_id, Result(*fields)) for game_id, *fields in rows]


async def replace(connection: Connection, gone: Sequence[UUID], come: Sequence[tuple[UUID, Result]]) -> None:
    """Remove the results of the games `gone`, then put others, within a transaction."""
    if gone:
        await connection.execute(_REMOVE, gone)
    if come:
        await connection.execute(_PUT, *zip(*(_row(game_id, result) for game_id, result in come), strict=True))


def _row(game_id: UUID, result: Result) -> tuple[Any, ...]:
    day = None if result.date is None else date.fromisoformat(result.date)
    return (
        game_id,
        UUID(result.player),
        result.variant,
        result.rules,
        result.kind,
        result.seed,
        day,
        result.attempt,
        result.outcome,
        result.is_void,
        result.score,
        result.redeals,
        result.moves,
        result.undos,
        result.started_at,
        result.finished_at,
    )
