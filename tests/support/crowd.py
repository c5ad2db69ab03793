"""A crowd: very many results, written past the service, to see what boards cost at size."""

import asyncio
import random
from collections.abc import Iterator
from datetime import date
from itertools import groupby, product
from typing import Any, Final
from uuid import UUID

from pasyans.deals.days import day_of, opens_at
from pasyans.record.boards import WINDOWS, Board, board
from pasyans.record.result import Result
from pasyans.server.clock import new_id
from pasyans.store.connection import Connection, connect, prepare
from pasyans.store.counting import recount
from pasyans.store.settling import best

VARIANT: Final = "congress"
SEED: Final = "r1-119"
"""A deal whose shared games are a fifth of the results; it can be won (`tests/vectors/wins.tsv`)."""
FIRST: Final = "2026-10-01"
DAYS: Final = 60
DAY: Final = "2026-10-07"
"""A date whose boards have a sixtieth of what there is on those of all time."""

_MS: Final = 86_400_000
_WITHIN: Final = 60.0
_RESULTS: Final = (
    "game_id", "player_id", "variant", "rules", "kind", "seed", "date", "attempt", "outcome", "is_void", "score",
    "redeals", "moves", "undos", "started_at", "finished_at",
)  # fmt: skip


def player(number: int) -> UUID:
    """The id of a player of the crowd."""
    return UUID(int=0x01936F0E_0000_7000_8000_000000000000 + number)


def name(number: int) -> str:
    """The name of a player of the crowd."""
    return f"crowd-{number}"


def results(count: int, players: int, dice: random.Random) -> Iterator[tuple[UUID, Result]]:
    """Results of all kinds on one variant; a third are won, and half of them are without undo."""
    attempts: dict[tuple[UUID, str], int] = {}
    for number in range(count):
        who = player(number % players)
        finished_at = opens_at(FIRST) + dice.randrange(DAYS * _MS)
        started_at = finished_at - dice.randrange(60_000, 900_000)
        day = day_of(finished_at)
        started_at = max(started_at, opens_at(day))
        kind = ("sealed", "sealed", "sealed", "daily", "shared")[dice.randrange(5)]
        seed = {"sealed": f"{number:032x}", "daily": f"{day}", "shared": SEED}[kind]
        attempt = attempts[who, seed] = attempts.get((who, seed), 0) + 1
        won = dice.random() < 1 / 3
        yield (
            new_id(started_at),
            Result(
                str(who), VARIANT, 1, kind, seed, day if kind == "daily" else None, attempt,  # type: ignore[arg-type]
                "won" if won else "lost", False, 104 if won else dice.randrange(104), dice.randrange(3),
                int(dice.gauss(200, 30)), dice.choice((0, 0, 1, 7)), started_at, finished_at,
            ),
        )  # fmt: skip


def every_board() -> list[Board]:
    """A board of the crowd for every combination of filters."""
    scopes: list[dict[str, Any]] = [{}, {"seed": SEED}, {"daily": DAY}]
    found = {
        named
        for scope, window, first, clean in product(scopes, WINDOWS, (False, True), (False, True))
        if (named := board(VARIANT, 1, window=window, day=DAY, is_first=first, is_clean=clean, **scope))
    }
    assert len(found) == 4 * 2 + 4 * 2 * 2 + 2 * 2
    return sorted(found, key=lambda named: named.name)


def fill(url: str, count: int, players: int) -> None:
    """Have a crowd settle down in the empty database at `url`, from outside an event loop."""

    async def work() -> None:
        connection = await connect(url, within=_WITHIN, settings={"enable_seqscan": "off", "jit": "off"})
        try:
            await prepare(connection, allow_data_loss=True)
            await settle_down(connection, count, players)
        finally:
            await connection.close()

    asyncio.run(work())


async def settle_down(connection: Connection, count: int, players: int) -> None:
    """Write a crowd of `players` with `count` results into an empty database, whose boards are then whole.

    `connection` is the owner's, prepared as the store's are.
    """
    dice = random.Random(20261129)
    await connection.copy_records_to_table(
        "players",
        columns=["player_id", "name", "name_key", "guest", "created_at"],
        records=[(player(n), name(n), name(n), False, opens_at(FIRST)) for n in range(players)],
    )
    # Player by player, so that the rows of one player at a time are in memory.
    found = sorted(results(count, players, dice), key=_player_of)
    records = (
        (
            game, UUID(r.player), r.variant, r.rules, r.kind, r.seed, r.date and date.fromisoformat(r.date), r.attempt,
            r.outcome, r.is_void, r.score, r.redeals, r.moves, r.undos, r.started_at, r.finished_at,
        )
        for game, r in found
    )  # fmt: skip
    await connection.copy_records_to_table("results", columns=_RESULTS, records=records)
    await connection.copy_records_to_table(
        "board_rows",
        columns=["player_id", "board", "place", "game_id"],
        records=((*spot, *one) for _, games in groupby(found, key=_player_of) for spot, one in best(games).items()),
    )
    async with connection.transaction():
        await recount(connection)


def _player_of(one: tuple[UUID, Result]) -> str:
    return one[1].player
