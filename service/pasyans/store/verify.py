"""Verifying what is stored, while the service runs: the first difference between the log and anything else.

What is said of a game tells neither the seed of its deal nor a card, since it may be running; only who verifies
everything, the operator, is also told why a log can't be replayed.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from pasyans.engine.errors import BadSnapshot
from pasyans.record.boards import boards_of
from pasyans.record.errors import CorruptLog
from pasyans.record.events import Deal, Started
from pasyans.record.game import Game
from pasyans.record.result import Result, result_of
from pasyans.record.snapshot import decode_snapshot
from pasyans.store import chain, log, replaying, results, settling
from pasyans.store.admin_values import VerifiedGame
from pasyans.store.boards import board_id
from pasyans.store.connection import Connection
from pasyans.store.replaying import Replayed
from pasyans.store.settling import Best, Spot
from pasyans.store.surveys import Surveys
from pasyans.store.values import Head, LogRow

_BANNED: Final = "SELECT player_id FROM players WHERE player_id = ANY ($1) AND banned_at IS NOT NULL"

_STRAYS: Final = {
    "result of game": "SELECT game_id FROM results r WHERE NOT EXISTS "
    "(SELECT FROM players p WHERE p.player_id = r.player_id) LIMIT 1",
    "board row of game": "SELECT game_id FROM board_rows b WHERE NOT EXISTS "
    "(SELECT FROM players p WHERE p.player_id = b.player_id) LIMIT 1",
    "log of game": "SELECT game_id FROM game_events e WHERE first_seq = 1 AND NOT EXISTS "
    "(SELECT FROM games g WHERE g.game_id = e.game_id) LIMIT 1",
    "game": "SELECT game_id FROM games g WHERE NOT EXISTS "
    "(SELECT FROM players p WHERE p.player_id = g.player_id) LIMIT 1",
}

# Of every range of every board: the rows there are, and those that are counted.
_COUNTS: Final = """
WITH starts AS (
    SELECT board, place FROM board_counts UNION SELECT DISTINCT board, ''::bytea FROM board_rows
    UNION SELECT DISTINCT board, ''::bytea FROM board_changes
),
ranges AS (
    SELECT board, place, lead(place) OVER (PARTITION BY board ORDER BY place) AS next FROM starts
),
counted AS (
    SELECT r.board, r.place,
        (SELECT count(*) FROM board_rows b
            WHERE b.board = r.board AND b.place >= r.place AND (r.next IS NULL OR b.place < r.next)) AS rows,
        COALESCE((SELECT sum(c.n) FROM board_counts c WHERE c.board = r.board AND c.place = r.place), 0)
        + COALESCE((SELECT sum(c.n) FROM board_changes c
            WHERE c.board = r.board AND c.place >= r.place AND (r.next IS NULL OR c.place < r.next)), 0) AS counted
    FROM ranges r
)
SELECT board, rows, counted FROM counted WHERE rows <> counted LIMIT 1
"""


class Verified(Struct):
    """What was verified, and the first difference that was found, if there is one."""

    games: int = 0
    events: int = 0
    rows: int = 0
    difference: str | None = None


async def verify(connection: Connection, tell: Callable[[int, int], None]) -> Verified:
    """Replay everything; ``tell`` is called with the events replayed so far and those there are.

    ``connection`` is one of its own, prepared to serve, without a limit of time.
    """
    done = Verified()
    try:
        await _verify(connection, done, tell)
    except _Difference as difference:
        done.difference = str(difference)
    return done


class _Difference(Exception):
    """The first one; the sentence names it."""


async def verify_game(surveys: Surveys, game_id: UUID) -> VerifiedGame | None:
    """See `AdminStore.verify_game`."""
    stored = await surveys.read(lambda connection: _stored(connection, game_id))
    if stored is None:
        return None
    # Beside the event loop, since it takes as long as the game is.
    return VerifiedGame(stored.head.version, await asyncio.to_thread(_stored_fault, stored))


class _Stored(Struct, frozen=True):
    """All that is kept of a game, with the results and rows of its player."""

    head: Head
    log: list[LogRow]
    results: dict[UUID, Result]
    rows: dict[Spot, Best]
    banned: set[UUID]


async def _stored(connection: Connection, game_id: UUID) -> _Stored | None:
    head = await replaying.head(connection, game_id)
    if head is None:
        return None
    players = [head.player_id]
    return _Stored(
        head,
        (await log.whole(connection, [game_id]))[game_id],
        dict(await results.of_players(connection, players)),
        await settling.rows_of(connection, players),
        {row[0] for row in await connection.fetch(_BANNED, players)},
    )


def _stored_fault(stored: _Stored) -> str | None:
    game = replaying.replay(stored.head, stored.log)
    fault = game_fault(game, stored.results.get(stored.head.game_id))
    return fault or _rows_fault(stored.rows, stored.banned, stored.results)


async def _verify(connection: Connection, done: Verified, tell: Callable[[int, int], None]) -> None:
    total = await replaying.events_in_all(connection, playing=True)
    async for players in replaying.players(connection):
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            stored = dict(await results.of_players(connection, players))
            true: dict[UUID, Result] = {}
            async with aclosing(replaying.games(connection, players, playing=True)) as games:
                async for game in games:
                    done.games += 1
                    done.events += game.head.version
                    tell(done.events, max(total, done.events))
                    if (fault := game_fault(game, stored.pop(game.head.game_id, None))) is not None:
                        reason = f" {game.outcome}" if isinstance(game.outcome, CorruptLog) else ""
                        raise _Difference(f"{fault}{reason}")
                    if isinstance(game.outcome, Game) and (result := result_of(game.outcome)) is not None:
                        true[game.head.game_id] = result
            for game_id in sorted(stored):
                raise _Difference(f"Game {game_id}: there is a result, and no such game of this player.")
            await _verify_rows(connection, players, true, done)
    for what, statement in _STRAYS.items():
        if (game_id := await connection.fetchval(statement)) is not None:
            raise _Difference(f"There is a {what} {game_id}, which belongs to nothing.")
    if (wrong := await connection.fetchrow(_COUNTS)) is not None:
        board, rows, counted = wrong
        raise _Difference(f"Board {board.hex()}: of {rows} rows in a range {counted} are counted.")


async def _verify_rows(
    connection: Connection, players: Sequence[UUID], true: dict[UUID, Result], done: Verified
) -> None:
    banned = {row[0] for row in await connection.fetch(_BANNED, players)}
    rows = await settling.rows_of(connection, players)
    done.rows += len(rows)
    if (fault := _rows_fault(rows, banned, true)) is not None:
        raise _Difference(fault)


def _rows_fault(rows: dict[Spot, Best], banned: set[UUID], true: dict[UUID, Result]) -> str | None:
    """What is wrong with the rows of players who have these results."""
    found = [(game_id, result) for game_id, result in true.items() if UUID(result.player) not in banned]
    wanted = settling.best(found)
    for spot in sorted(rows.keys() | wanted.keys()):
        has, should = rows.get(spot), wanted.get(spot)
        if has != should:
            return (
                f"Board {_named(spot, found)}: the row of player {spot[0]} "
                f"{'is missing' if has is None else f'has game {has[1]}'}"
                f"{', and there should be none' if should is None else f', and game {should[1]} should be there'}."
            )
    return None


def _named(spot: Spot, found: list[tuple[UUID, Result]]) -> str:
    player_id, id_ = spot
    boards = (board for _, result in found if result.player == str(player_id) for board, _ in boards_of(result))
    return next((board.name for board in boards if board_id(board) == id_), id_.hex())


def game_fault(game: Replayed, stored: Result | None) -> str | None:
    """What is wrong with a game, as a sentence that begins with its name."""
    head, folded = game.head, game.outcome
    name = f"Game {head.game_id}"
    broken = chain.first_broken(head.game_id, game.rows, head.version, head.hash)
    if broken is not None:
        return f"{name}, event {broken}: the chain of hashes is broken."
    if isinstance(folded, CorruptLog):
        return f"{name}, event {folded.seq}: the log can't be replayed."
    fault = _first("head", _pairs(head, folded)) or _snapshot_fault(head, folded) or _result_fault(stored, folded)
    return None if fault is None else f"{name}: {fault}"


def _first(what: str, pairs: Iterable[tuple[str, Any, Any]]) -> str | None:
    """The first of some values of the head, or of another row, that is not what the log says."""
    for name, has, should in pairs:
        if has != should:
            if name == "seed":
                return f"the {what} has another seed than the log."
            return f"the {what} has {name} {has!r}, and the log says {should!r}."
    return None


def _result_fault(stored: Result | None, game: Game) -> str | None:
    result = result_of(game)
    if stored is None or result is None:
        if stored == result:
            return None
        return "the result is missing." if stored is None else "there is a result, and the log has no end."
    return _first("result", ((name, getattr(stored, name), getattr(result, name)) for name in Result.__struct_fields__))


def _pairs(head: Head, game: Game) -> list[tuple[str, Any, Any]]:
    start, deal = game.start, game.start.deal
    return [
        ("player", str(head.player_id), start.player),
        ("variant", head.variant, start.variant),
        ("rules", head.rules, start.rules),
        ("kind", head.kind, deal.kind),
        ("seed", head.seed, deal.seed),
        ("date", head.date, deal.date),
        ("attempt", head.attempt, start.attempt),
        ("version", head.version, game.version),
        ("status", head.status, game.status),
        ("started_at", head.started_at, game.started_at),
        ("updated_at", head.updated_at, game.updated_at),
        ("finished_at", head.finished_at, game.finished_at),
    ]


def _snapshot_fault(head: Head, game: Game) -> str | None:
    if not head.snapshot:
        return None
    start = Started(head.variant, head.rules, Deal(head.kind, head.seed, head.date), str(head.player_id), head.attempt)
    try:
        kept = decode_snapshot(
            head.snapshot,
            start=start,
            version=head.version,
            started_at=head.started_at,
            updated_at=head.updated_at,
            finished_at=head.finished_at,
        )
    except BadSnapshot as error:
        return f"the snapshot can't be read. {error}"
    return None if kept == game else "the snapshot is not what the log comes to."
