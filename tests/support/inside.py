"""The parts of the service put together in a test's own process, with a time of its own, on the same database."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import msgspec
from pasyans.api.deps import Dependencies
from pasyans.api.play import append_of, game_of, head_of
from pasyans.api.streams import Streams
from pasyans.record import decide
from pasyans.record.events import Deal, Started
from pasyans.record.game import open_game
from pasyans.record.lines import encode
from pasyans.record.snapshot import encode_snapshot
from pasyans.server import clock
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import NewGame


class Time:
    """A clock that stands until it is set."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


@asynccontextmanager
async def inside(url: str, at: int | None = None) -> AsyncIterator[tuple[Dependencies, Time]]:
    """The API's dependencies on the database at `url`, and their clock, which stands at `at`, or at the present."""
    store = PostgresStore(url, allow_data_loss=True)
    await store.open()
    time = Time(clock.Clock().now() if at is None else at)
    try:
        dependencies = Dependencies(
            store=store,
            clock=time,
            new_id=clock.new_id,
            random_bytes=clock.random_bytes,
            streams=Streams(store, time),
        )
        yield dependencies, time
    finally:
        await store.close()


async def start(deps: Dependencies, player_id: UUID, variant: str, deal: Deal) -> UUID:
    """Start a game on a deal that is known, whatever its kind; its id."""
    at = deps.clock()
    opened = open_game(Started(variant, 1, deal, str(player_id), 1), at)

    def build(attempt: int) -> tuple[str, bytes]:
        return encode([msgspec.structs.replace(opened.start, attempt=attempt)]), encode_snapshot(opened)

    game_id = deps.new_id(at)
    await deps.store.create_game(NewGame(game_id, player_id, variant, 1, deal.kind, deal.seed, deal.date, at, build))
    return game_id


async def play(deps: Dependencies, game_id: UUID, moves: Sequence[str]) -> None:
    """Play moves in one batch, hidden cards or not."""
    head = await head_of(deps.store, game_id)
    await deps.store.append(append_of(head, decide.play(game_of(head), moves, deps.clock(), is_sealed=False)))


async def resign(deps: Dependencies, game_id: UUID) -> None:
    """Give a game up."""
    head = await head_of(deps.store, game_id)
    await deps.store.append(append_of(head, decide.resign(game_of(head), deps.clock())))
