"""The boards of a database against the reference: every row of every board, and ranks and neighbours on some."""

import random
from collections import Counter
from uuid import UUID

from pasyans.record.boards import WINDOWS, Board
from pasyans.record.boards import board as named
from pasyans.record.events import Event
from pasyans.record.fold import fold
from pasyans.record.game import Game
from pasyans.record.lines import decode
from pasyans.store.boards import board_id
from pasyans.store.connection import Connection
from pasyans.store.postgres import PostgresStore

from tests.support.reference.boards import Filters, Row, board, finish

Games = dict[UUID, Game]


async def games_of(connection: Connection) -> tuple[dict[str, Games], set[UUID]]:
    """Fold the log as it is stored: of each variant the games that are over, and who is banned."""
    logs: dict[UUID, list[tuple[Event, int]]] = {}
    for game_id, first_seq, events, at in await connection.fetch(
        "SELECT game_id, first_seq, events, at FROM game_events ORDER BY game_id, first_seq"
    ):
        logs.setdefault(game_id, []).extend((event, at) for event in decode(events, first_seq))
    found: dict[str, Games] = {}
    for game_id, log in logs.items():
        game = fold(log).game
        if game.is_over:
            found.setdefault(game.start.variant, {})[game_id] = game
    banned = await connection.fetch("SELECT player_id FROM players WHERE banned_at IS NOT NULL")
    return found, {row[0] for row in banned}


def asked(variant: str, games: Games) -> list[Filters]:
    """Every leaderboard of a variant on which one of the games could be, and some on which none is."""
    found: dict[Filters, None] = {}
    for game in games.values():
        day, deal = finish(game).date(), game.start.deal
        scopes: list[dict[str, object]] = [{}]
        if deal.kind == "shared":
            scopes.append({"seed": deal.seed})
        elif deal.kind == "daily":
            scopes.append({"daily": day.fromisoformat(deal.date or "")})
        for scope in scopes:
            for window in WINDOWS:
                at = None if window == "all" else day
                for attempts in ("best", "first"):
                    for undo in ("any", "none"):
                        found[Filters(variant, window=window, at=at, attempts=attempts, undo=undo, **scope)] = None  # type: ignore[arg-type]
    return list(found)


def board_of(filters: Filters) -> Board | None:
    """The board that the store is asked for."""
    return named(
        filters.variant,
        filters.rules,
        seed=filters.seed,
        daily=filters.daily.isoformat() if filters.daily else None,
        window=filters.window,  # type: ignore[arg-type]
        day=filters.at.isoformat() if filters.at else "",
        is_first=filters.attempts == "first",
        is_clean=filters.undo == "none",
    )


async def stored_rows(connection: Connection) -> dict[bytes, list[tuple[UUID, UUID]]]:
    """Of every board its players and games, in order."""
    stored: dict[bytes, list[tuple[UUID, UUID]]] = {}
    for id_, player, game in await connection.fetch(
        "SELECT board, player_id, game_id FROM board_rows ORDER BY board, place, game_id"
    ):
        stored.setdefault(id_, []).append((player, game))
    return stored


async def assert_boards(
    connection: Connection, store: PostgresStore, dice: random.Random, seen: Counter[str], asked_at_most: int = 2
) -> int:
    """Every row of every board is what the reference says; ranks, totals and neighbours are, on some of each variant.

    Returns on how many variants there were rows; ``seen`` counts what was met.
    """
    found, banned = await games_of(connection)
    stored = await stored_rows(connection)
    names = dict(await connection.fetch("SELECT player_id, name FROM players"))
    ids: set[bytes] = set()
    compared = 0
    for variant, games in found.items():
        used: list[tuple[Board, list[Row]]] = []
        for filters in asked(variant, games):
            rows, on = board(games, banned, filters), board_of(filters)
            if on is None:
                assert rows == [], filters
                continue
            id_ = board_id(on)
            assert stored.get(id_, []) == [(row.player, row.game) for row in rows], filters
            if rows and id_ not in ids:
                ids.add(id_)
                used.append((on, rows))
                seen["rows"] += len(rows)
                seen["ties"] += len(rows) - len({row.rank for row in rows})
                seen["erased on boards"] += sum(names[row.player].startswith("deleted-") for row in rows)
        for on, rows in dice.sample(used, min(asked_at_most, len(used))):
            await _assert_read(store, on, rows, names, dice)
        compared += bool(used)
    assert stored.keys() <= ids
    return compared


async def _assert_read(
    store: PostgresStore, on: Board, rows: list[Row], names: dict[UUID, str], dice: random.Random
) -> None:
    page = await store.board(on, None, 200)
    assert page.total == len(rows), on
    assert [(row.rank, row.player_id, row.game_id, row.player) for row in page.rows] == [
        (row.rank, row.player, row.game, names[row.player]) for row in rows
    ], on
    at = dice.randrange(len(rows))
    near = await store.board_around(on, rows[at].player, 1)
    assert near is not None
    assert (near.rows, near.total) == (page.rows[max(0, at - 1) : at + 2], len(rows)), on
