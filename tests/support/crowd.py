"""A crowd: very many results, written past the service, to see what boards cost at size."""

import random
from collections.abc import Iterator
from datetime import date
from typing import Final
from uuid import UUID

from pasyans.deals.days import day_of, opens_at
from pasyans.record.result import Result
from pasyans.server.clock import new_id
from pasyans.store.connection import Connection
from pasyans.store.counting import recount
from pasyans.store.settling import best

VARIANT: Final = "congress"
SEED: Final = "everybody"
FIRST: Final = "2026-10-01"
DAYS: Final = 60

_MS: Final = 86_400_000
_RESULTS: Final = (
    "game_id", "player_id", "variant", "rules", "kind", "seed", "date", "attempt", "outcome", "is_void", "score",
    "redeals", "moves", "undos", "started_at", "finished_at",
)  # fmt: skip


def player(number: int) -> UUID:
    """The id of a player of the crowd."""
    return UUID(int=0x01936F0E_0000_7000_8000_000000000000 + number)


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


async def settle_down(connection: Connection, count: int, players: int) -> None:
    """Write a crowd of `players` with `count` results into an empty database, whose boards are then whole.

    `connection` is the owner's, prepared as the store's are.
    """
    dice = random.Random(20261129)
    await connection.copy_records_to_table(
        "players",
        columns=["player_id", "name", "name_key", "guest", "created_at"],
        records=[(player(n), f"p{n}", f"p{n}", False, opens_at(FIRST)) for n in range(players)],
    )
    found = list(results(count, players, dice))
    records = (
        (
            game, UUID(r.player), r.variant, r.rules, r.kind, r.seed, r.date and date.fromisoformat(r.date), r.attempt,
            r.outcome, r.is_void, r.score, r.redeals, r.moves, r.undos, r.started_at, r.finished_at,
        )
        for game, r in found
    )  # fmt: skip
    await connection.copy_records_to_table("results", columns=_RESULTS, records=records)
    rows = best(found)
    await connection.copy_records_to_table(
        "board_rows",
        columns=["player_id", "board", "place", "game_id"],
        records=((*spot, *one) for spot, one in rows.items()),
    )
    async with connection.transaction():
        await recount(connection)
