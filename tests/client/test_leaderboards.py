"""Leaderboards through the client, at the real service."""

import json
import uuid
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from pasyans_client import Client, InvalidRequest, NotFound

from tests.client.plain import got, sent
from tests.support.service import Service

VARIANT = "congress"


@pytest.fixture
def anyone(service: Service) -> Iterator[Client]:
    with Client(service.url) as client:
        yield client


@pytest.fixture
def players(service: Service, anyone: Client) -> Iterator[list[Client]]:
    """Five players."""
    clients = [Client(service.url, anyone.create_player().token) for _ in range(5)]
    yield clients
    for client in clients:
        client.close()


@pytest.fixture
def seed() -> str:
    return uuid.uuid4().hex


def lose(client: Client, seed: str, moves: int, *, undo: int = 0) -> str:
    """Draw so many times, take some back, and give up; the fewer moves, the better."""
    game = client.start_game(VARIANT, seed=seed)
    client.move(game.id, ["draw"] * (moves + undo))
    if undo:
        client.undo(game.id, undo)
    client.resign(game.id)
    return game.id


def test_the_top_the_pages_and_the_neighbours(anyone: Client, players: list[Client], seed: str) -> None:
    names = [player.me().name for player in players]
    games = [lose(player, seed, place) for place, player in enumerate(players, 1)]
    top = anyone.leaderboard(VARIANT, seed=seed)
    assert got(top) == sent(anyone)
    assert [(row.rank, row.player, row.game, row.moves, row.won) for row in top.items] == [
        (rank, names[rank - 1], games[rank - 1], rank, False) for rank in range(1, 6)
    ]
    assert (top.total, top.resets_at, top.next) == (5, None, None)
    assert [row.player for row in anyone.leaderboard(VARIANT, seed=seed, limit=2).items] == names[:2]

    pages = list(anyone.leaderboard_pages(VARIANT, seed=seed, limit=2))
    assert [[row.player for row in page.items] for page in pages] == [names[:2], names[2:4], names[4:]]
    assert {page.total for page in pages} == {5}

    around = anyone.leaderboard_around(VARIANT, names[2].upper(), seed=seed, around=1)
    assert got(around) == sent(anyone)
    assert (around.row, around.items) == (top.items[2], top.items[1:4])
    assert anyone.leaderboard_around(VARIANT, names[4], seed=seed).items == top.items


@pytest.mark.parametrize(
    ("most", "sizes"), [(1, [1]), (2, [2]), (3, [2, 1]), (4, [2, 2]), (5, [2, 2, 1]), (9, [2, 2, 1])]
)
def test_no_more_rows_come_than_are_wanted(
    anyone: Client, players: list[Client], seed: str, most: int, sizes: list[int]
) -> None:
    for place, player in enumerate(players, 1):
        lose(player, seed, place)
    pages = anyone.leaderboard_pages(VARIANT, seed=seed, limit=2, most=most)
    assert [len(page.items) for page in pages] == sizes


def test_every_filter_reaches_the_service(anyone: Client, players: list[Client], seed: str) -> None:
    one, other, *_ = players
    names = [one.me().name, other.me().name]
    lose(one, seed, 3)
    better = lose(one, seed, 2)
    lose(other, seed, 1, undo=1)

    def shown(**filters: Any) -> list[tuple[str, int]]:
        return [(row.player, row.moves) for row in anyone.leaderboard(VARIANT, seed=seed, **filters).items]

    assert shown() == [(names[1], 1), (names[0], 2)]
    assert shown(attempts="first") == [(names[1], 1), (names[0], 3)]
    assert shown(attempts="best", undo="none") == [(names[0], 2)]
    assert shown(rules=1) == shown()
    with pytest.raises(NotFound):
        shown(rules=999)
    day = one.game(better).finished_at
    assert day is not None
    assert shown(window="day", at=day.date()) == shown(window="month", at=str(day.date())) == shown()
    assert shown(window="week", at=date(2020, 2, 29)) == []
    assert anyone.leaderboard(VARIANT, window="day", at=date(2020, 2, 29)).resets_at is not None
    game = one.start_game(VARIANT, daily=True)
    one.move(game.id, ["draw"])
    one.resign(game.id)
    assert game.deal.date is not None
    for on in (game.deal.date, date.fromisoformat(game.deal.date)):
        assert anyone.leaderboard_around(VARIANT, names[0], daily=on, around=0).row.game == game.id


def test_what_is_not_there_and_what_cannot_be_asked(anyone: Client, players: list[Client], seed: str) -> None:
    name = players[0].me().name
    empty = anyone.leaderboard(VARIANT, seed=seed)
    assert (empty.items, empty.total) == ((), 0)
    for variant, player in ((VARIANT, name), (VARIANT, "nobody-at-all"), ("bridge", name)):
        with pytest.raises(NotFound):
            anyone.leaderboard_around(variant, player, seed=seed)
    with pytest.raises(NotFound):
        anyone.leaderboard("bridge")
    with pytest.raises(InvalidRequest) as wrong:
        anyone.leaderboard(VARIANT, seed=seed, daily="2026-11-29")
    assert [path for path, _ in wrong.value.errors] == ["query.daily"]
    assert anyone.last_answer is not None
    assert json.loads(anyone.last_answer.body)["total"] == 0
