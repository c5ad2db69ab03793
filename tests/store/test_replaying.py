"""Replaying more than is read at once: every game comes, with its whole log, and a reader may stop early."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from uuid import UUID

import pytest
from pasyans.record.events import Deal, Event, Finished, Moved, Started, Undone
from pasyans.record.fold import History
from pasyans.server.clock import new_id
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import chain, replaying
from pasyans.store.connection import Connection

from tests.store.making import NOON, a_player
from tests.store.servers import Urls, bare_database, opened, owning
from tests.support.writing import appended, begun, new_game

pytestmark = pytest.mark.anyio

_GAMES, _EVENTS = 7, 9_000  # more than is read at once, several times


@pytest.fixture(scope="module")
def urls(bare_server: EmbeddedPostgres) -> Iterator[Urls]:
    with bare_database(bare_server.superuser_url, "replaying") as urls:
        yield urls


@asynccontextmanager
async def _long_games(urls: Urls) -> AsyncIterator[tuple[Connection, UUID, dict[UUID, list[int]]]]:
    """A player with long games: a connection in one snapshot, the player, and the last event of each row by game."""
    logs: dict[UUID, list[int]] = {}
    async with opened(urls.service, allow_data_loss=True) as store:
        player = await a_player(store)
        for number in range(1, _GAMES + 1):
            game_id, start = new_id(NOON), Started("vokzal-36", 1, Deal("shared", "long"), str(player), number)
            standing = begun(game_id, start, NOON)
            await store.create_game(new_game(game_id, standing))
            history, logs[game_id] = History(start, NOON), [1]
            for events in _halves():
                for event in events:
                    history.follow(event, NOON)
                append = appended(game_id, standing, events, history.game)
                await store.append(append)
                logs[game_id].append(append.last_seq)
    async with owning(urls.root) as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        yield connection, player, logs


def _halves() -> tuple[list[Event], list[Event]]:
    there_and_back: list[Event] = [Moved("draw"), Undone(1)]
    return there_and_back * (_EVENTS // 4), [*there_and_back * (_EVENTS // 4), Finished("lost")]


async def test_every_game_comes_once_with_its_log(urls: Urls) -> None:
    async with _long_games(urls) as (connection, player, logs):
        found = [game async for game in replaying.games(connection, [player], playing=False)]
    assert {game.head.game_id: [row.last_seq for row in game.rows] for game in found} == logs
    assert len(found) == _GAMES
    for game in found:
        head = game.head
        assert chain.first_broken(head.game_id, game.rows, head.version, head.hash) is None
        assert not isinstance(game.outcome, Exception)
        assert (game.outcome.version, game.outcome.status) == (head.version, "lost")


async def test_who_stops_early_has_the_connection_back(urls: Urls) -> None:
    async with _long_games(urls) as (connection, player, logs):
        async with aclosing(replaying.games(connection, [player], playing=False)) as games:
            first = await anext(games)
        assert first.head.game_id in logs
        assert await connection.fetchval("SELECT count(*) FROM games WHERE player_id = $1", player) == _GAMES
