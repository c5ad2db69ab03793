"""Replays, pictures and a deal's statistics: at the real service, and over a connection that breaks."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from pasyans_client import NEVER, BadAnswer, Client, ConnectionFailed, DealSealed, NotFound, Retry, Unavailable, Wait
from pasyans_client.models import Game

from tests.client.conftest import Stub, answer, problem
from tests.support.service import Service

Start = Callable[..., Stub]
QUICK = Retry(first_wait=0.01)


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with Client(service.url) as anyone:
        token = anyone.create_player().token
    with Client(service.url, token) as mine:
        yield mine


@pytest.fixture
def game(client: Client) -> Game:
    """A game of 73 events."""
    game = client.start_game("congress", seed="hello")
    client.move(game.id, ["draw"] * 70)
    client.undo(game.id, 3)
    return client.resign(game.id)


def test_a_replay_is_every_event_with_the_game_after_it(client: Client, game: Game) -> None:
    frames = list(client.replay(game.id))
    assert [frame.event for frame in frames] == list(client.events(game.id))
    assert [frame.game.version for frame in frames] == list(range(1, 74))
    for place in (0, 40, 72):
        assert frames[place].game == client.game(game.id, at=place + 1)
    assert list(client.replay(game.id, after=70)) == frames[70:]
    assert list(client.replay(game.id, after=73)) == []
    lines = [json.loads(line) for line in client.replay_lines(game.id)]
    assert [line["game"]["version"] for line in lines] == list(range(1, 74))
    assert client.frames(game.id) == frames[:50]
    assert client.frames(game.id, after=50, limit=2) == frames[50:52]
    assert client.frames(game.id, after=70) == frames[70:]


def test_a_replay_that_is_left_lets_the_client_go_on(client: Client, game: Game) -> None:
    replay = client.replay(game.id)
    assert next(replay).event.type == "started"
    assert client.game(game.id) == client.game(game.id, at=73)
    assert next(replay).event.move == "draw"
    del replay
    assert len(client.frames(game.id)) == 50


def test_a_picture(client: Client, game: Game) -> None:
    present, opening = client.board_svg(game.id), client.board_svg(game.id, at=1)
    assert present.startswith("<svg ")
    assert present.endswith("</svg>\n")
    assert present != opening
    with pytest.raises(NotFound):
        client.board_svg(game.id, at=74)


def test_what_a_deals_games_came_to(client: Client) -> None:
    seed = client.me().name
    assert client.deal_stats("congress", seed).best is None
    game = client.resign(client.move(client.start_game("congress", seed=seed).id, ["draw"]).id)
    found = client.deal_stats("congress", seed, rules=1)
    assert (found.games, found.wins) == (1, 0)
    assert found.best is not None
    assert client.last_answer is not None
    assert msgspec.to_builtins(found)["best"].keys() == json.loads(client.last_answer.body)["best"].keys()
    assert (found.best.rank, found.best.game, found.best.player, found.best.won) == (1, game.id, game.player, False)
    assert found.best.finished_at == game.finished_at
    with pytest.raises(NotFound):
        client.deal_stats("klondike", seed)


def test_a_game_that_is_not_there(client: Client) -> None:
    unknown = "01936f0e-7c1a-7b3e-9d55-0123456789ab"
    with pytest.raises(NotFound):
        next(client.replay(unknown))
    with pytest.raises(NotFound):
        client.frames(unknown)


# ---- over a connection that breaks


@pytest.fixture
def lines(client: Client, game: Game) -> list[bytes]:
    return [line + b"\n" for line in client.replay_lines(game.id)]


def broken(body: bytes) -> bytes:
    """An answer of which more was promised."""
    return answer(200, body).replace(b"Content-Length: ", b"Content-Length: 1")


def test_a_replay_goes_on_after_the_last_frame_that_came_whole(stub: Start, lines: list[bytes]) -> None:
    waits: list[Wait] = []
    server = stub(
        broken(b"".join(lines[:5]) + lines[5][:-9]),
        problem(503, "unavailable", written=False, retry_after=0),
        broken(b""),
        broken(b"".join(lines[5:60])),
        answer(200, b"".join(lines[60:])),
    )
    frames = list(Client(server.url, retry=QUICK, on_wait=waits.append).replay("g"))
    assert [frame.event.seq for frame in frames] == list(range(1, 74))
    assert [seen.target for seen in server.seen] == [f"/v1/games/g/replay?after={after}" for after in (0, 5, 5, 5, 60)]
    assert {seen.headers["accept"] for seen in server.seen} == {"application/x-ndjson"}
    # A frame that came begins the count anew.
    assert [wait.attempt for wait in waits] == [1, 2, 3, 1]
    assert [type(wait.failure) for wait in waits] == [ConnectionFailed, Unavailable, ConnectionFailed, ConnectionFailed]


def test_it_gives_up_where_nothing_comes_any_more(stub: Start, lines: list[bytes]) -> None:
    server = stub(broken(lines[0]), *[broken(b"")] * 4)
    replay = Client(server.url, retry=QUICK).replay("g")
    assert next(replay).event.seq == 1
    with pytest.raises(ConnectionFailed, match="broke before the answer was whole"):
        next(replay)
    assert len(server.seen) == 5
    assert len(list(replay)) == 0
    never = stub(broken(lines[0]))
    with pytest.raises(ConnectionFailed):
        list(Client(never.url, retry=NEVER).replay("g"))


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (lambda lines: lines[0] + lines[1][:-9], "ends in the midst of a line"),
        (lambda lines: lines[0] + b"{}\n", "missing required field"),
        (lambda lines: lines[0] + b"\n", "truncated"),
    ],
)
def test_what_breaks_the_contract_is_named(
    stub: Start, lines: list[bytes], body: Callable[[list[bytes]], bytes], complaint: str
) -> None:
    replay = Client(stub(answer(200, body(lines))).url).replay("g")
    assert next(replay).event.seq == 1
    with pytest.raises(BadAnswer, match=complaint):
        next(replay)


def test_a_refusal_is_of_its_family(stub: Start) -> None:
    until: Any = "2026-11-30T00:00:00.000Z"
    with pytest.raises(DealSealed) as sealed:
        next(Client(stub(problem(403, "deal-sealed", until=until)).url).replay("g"))
    assert sealed.value.until == until
