"""Very many games, put into a database through the store, which is faster than through the service."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import cycle, islice
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

from pasyans.api.auth import random_token, token_hash
from pasyans.games.catalogue import VARIANTS
from pasyans.record import decide
from pasyans.record.events import Deal, Started
from pasyans.record.game import Game, open_game
from pasyans.record.lines import encode
from pasyans.record.result import result_of
from pasyans.record.snapshot import encode_snapshot
from pasyans.server.clock import new_id, random_bytes
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, NewGame, NewPlayer, NewToken

from tests.bench.scripts import Script, scripts

T = TypeVar("T")

_BEGAN: Final = 1_795_953_600_000  # 2026-11-29T12:00:00Z
_APART: Final = 1_500  # milliseconds between two moves
_AT_ONCE: Final = 256
_SCRIPTS: Final = 64
_EACH: Final = 2  # finished games of a player, on a deal each


class Seat(NamedTuple):
    """A player, and the token that the player has."""

    player_id: UUID
    token: str


class Begun(NamedTuple):
    """A game in which nothing was played yet, whose it is, and how it will go on."""

    id: UUID
    seat: Seat
    script: Script


def fill_finished(url: str, events: int) -> int:
    """Write games that are over, of so many events or a few more, to the database at ``url``; how many events.

    One move was played a request, and who did not win resigned.
    """
    known = cycle(scripts(_SCRIPTS))
    played: list[Script] = []
    while sum(map(_events, played)) < events:
        played.append(next(known))

    async def work() -> None:
        async with _store(url) as store:
            seats = [await _seat(store) for _ in range(0, len(played), _EACH)]
            await _all(lambda game: _whole(store, seats[game[0] // _EACH], game[1]), enumerate(played))

    asyncio.run(work())
    return sum(map(_events, played))


def fill_begun(url: str, count: int, players: int) -> list[Begun]:
    """Write so many games of so many players in turn to the database at ``url``."""

    async def work() -> list[Begun]:
        async with _store(url) as store:
            seats = [await _seat(store) for _ in range(players)]
            begun: list[Begun] = []

            async def begin(pair: tuple[Seat, Script]) -> None:
                game_id, _, _ = await _start(store, *pair)
                begun.append(Begun(game_id, *pair))

            await _all(begin, islice(zip(cycle(seats), cycle(scripts(_SCRIPTS)), strict=False), count))
            return begun

    return asyncio.run(work())


def _events(script: Script) -> int:
    """How many events a finished game has."""
    return script.version(len(script.moves)) + (not script.is_won)


@asynccontextmanager
async def _store(url: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def _all(work: Callable[[T], Awaitable[None]], items: Iterable[T]) -> None:
    """Do the work on each item, on many at once."""
    left = iter(items)

    async def some() -> None:
        for item in left:
            await work(item)

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(some())


async def _seat(store: PostgresStore) -> Seat:
    player_id, token = new_id(_BEGAN), random_token(random_bytes(32))
    name = f"p{player_id.hex[-20:]}"
    await store.create_player(
        NewPlayer(player_id, name, name, False, _BEGAN),
        NewToken(new_id(_BEGAN), player_id, token_hash(token), "first", _BEGAN),
    )
    return Seat(player_id, token)


async def _start(store: PostgresStore, seat: Seat, script: Script) -> tuple[UUID, Game, bytes]:
    """Start a game; its id, how it stands, and the first link of its log."""
    game_id, rules, deal = new_id(_BEGAN), VARIANTS[script.variant].rules, Deal("shared", script.seed)
    opened: list[Game] = []

    def build(attempt: int) -> tuple[str, bytes]:
        game = open_game(Started(script.variant, rules, deal, str(seat.player_id), attempt), _BEGAN)
        opened.append(game)
        return encode([game.start]), encode_snapshot(game)

    new = NewGame(game_id, seat.player_id, script.variant, rules, "shared", script.seed, None, _BEGAN, build)
    created = await store.create_game(new)
    return game_id, opened[-1], created.hash


async def _whole(store: PostgresStore, seat: Seat, script: Script) -> None:
    """Play a game to its end."""
    game_id, game, link = await _start(store, seat, script)
    for number in range(len(script.moves) + (not script.is_won)):
        at = game.updated_at + _APART
        if number < len(script.moves):
            decision = decide.play(game, [script.moves[number]], at, is_sealed=False)
        else:
            decision = decide.resign(game, at)
        after = decision.game
        append = Append(
            game_id=game_id,
            expected=game.version,
            previous=link,
            last_seq=after.version,
            events=encode(decision.events),
            at=at,
            status=after.status,
            finished_at=after.finished_at,
            snapshot=encode_snapshot(after),
            result=result_of(after),
        )
        game, link = after, (await store.append(append)).hash
    assert game.is_over
