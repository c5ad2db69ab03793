"""A game told as it goes on."""

from contextlib import ExitStack
from itertools import islice
from typing import Any

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS

from tests.support.api import Player, code, connect, faults, lines_of
from tests.support.games import choose
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.streams import ENDLESS, Message, endless, streaming, whole
from tests.support.vectors import wins
from tests.support.waiting import until


def path(game: dict[str, Any]) -> str:
    return f"/v1/games/{game['id']}"


def told(messages: list[Message]) -> list[dict[str, Any]]:
    """All events of some messages, in the order in which they were told."""
    return [event for message in messages for event in message.data["events"]]


def events(http: httpx.Client, game: dict[str, Any], after: int = 0) -> list[dict[str, Any]]:
    """A game's events, as the list of them has them."""
    found: list[dict[str, Any]] = []
    following: int | None = after
    while following is not None:
        page = http.get(f"{path(game)}/events?after={following}&limit=200").json()
        found += page["items"]
        following = page["next"]
    return found


@pytest.fixture
def played(player: Player) -> dict[str, Any]:
    """A game with moves alone and together, taken back, made again, and resigned: ten events."""
    game = player.start("congress", "hello")
    player.play(game, "draw")
    player.play(game, "draw", "draw", "draw")
    player.act(game, "undo", {"count": 2})
    player.act(game, "redo", {"count": 1})
    player.play(game, "draw")
    player.act(game, "undo", {"count": 1})
    over = player.act(game, "resign", {}).json()
    assert (over["version"], over["status"]) == (10, "lost")
    del over["events"]
    return dict(over)


def test_a_stream_begins_with_the_present_game_and_tells_each_write(player: Player, service: Service) -> None:
    game = player.start("congress", "hello")
    with streaming(service.url, game["id"]) as reader:
        assert reader.next() == Message(1, "game", {"events": [], "game": game})
        assert reader.parser.retry is not None
        assert 500 <= reader.parser.retry <= 10_000
        writes: list[tuple[str, object]] = [
            ("moves", {"moves": ["draw"]}),
            ("moves", {"moves": ["draw", "draw"]}),
            ("undo", {"count": 2}),
            ("redo", {"count": 1}),
            ("moves", {"moves": ["draw"]}),
            ("resign", {}),
        ]
        for action, body in writes:
            answer = player.act(game, action, body).json()
            added = answer.pop("events")
            assert reader.next() == Message(answer["version"], "game", {"events": added, "game": answer})
        assert list(reader) == [Message(None, "end", {})]


def test_it_ends_with_the_game_that_is_won(player: Player, service: Service) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    game = player.start(win.variant, win.seed)
    player.play(game, *win.moves[:-1])
    with streaming(service.url, game["id"], len(win.moves)) as reader:
        over = player.play(game, win.moves[-1])
        assert over["status"] == "won"
        message, end = reader
    assert message.id == over["version"] == len(win.moves) + 2
    assert [event["type"] for event in message.data["events"]] == ["moved", "finished"]
    assert message.game["deal"]["seed"] == win.seed
    assert end.event == "end"


def test_what_follows_any_version_is_told_once(http: httpx.Client, service: Service, played: dict[str, Any]) -> None:
    for last in range(10):
        messages = whole(service.url, str(played["id"]), last)
        assert told(messages) == events(http, played, last)
        assert messages[-1].game == played
        for message in messages:
            assert message.id == message.seqs[-1]
    assert http.get(f"{path(played)}/stream", headers={"Last-Event-ID": "10"}).status_code == 204


def test_what_follows_is_told_while_the_game_goes_on(player: Player, http: httpx.Client, service: Service) -> None:
    game = player.start("congress", "hello")
    player.play(game, "draw", "draw")
    player.act(game, "undo", {"count": 1})
    for last in range(4):
        with streaming(service.url, game["id"], last) as reader:
            assert told([reader.next()]) == events(http, game, last)
    with streaming(service.url, game["id"], 4) as reader:
        player.play(game, "draw")
        assert reader.next().seqs == [5]


def test_a_stream_of_a_game_that_is_over(http: httpx.Client, service: Service, played: dict[str, Any]) -> None:
    assert whole(service.url, str(played["id"])) == [Message(10, "game", {"events": [], "game": played})]
    nothing = http.get(f"{path(played)}/stream", headers={"Last-Event-ID": "10"})
    assert (nothing.status_code, nothing.content) == (204, b"")
    assert "content-type" not in nothing.headers


def test_a_long_absence_is_told_in_parts(player: Player, http: httpx.Client, service: Service) -> None:
    game = player.start(ENDLESS, "hello")
    moves = endless("hello")
    for _ in range(3):
        player.play(game, *islice(moves, 400))
    player.act(game, "undo", {"count": 7})
    over = player.act(game, "resign", {}).json()
    messages = whole(service.url, game["id"], 0)
    assert len(messages) > 1
    assert all(len(message.seqs) <= 500 for message in messages)
    assert told(messages) == events(http, game)
    for message in messages[:-1]:
        past = http.get(f"{path(game)}?at={message.id}").json()
        assert message.game == past
    assert messages[-1].game == http.get(path(game)).json()
    assert messages[-1].id == over["version"]


@pytest.mark.parametrize(
    "last", ["x", "-1", "1.0", "1e0", "", "17r", '"1"', "0x1", "٣", "1, 2", "99999999999999999999", "2", "2147483647"]
)
def test_a_last_event_id_that_cannot_be(player: Player, last: str) -> None:
    game = player.start("congress", "hello")
    refused = player.http.get(f"{path(game)}/stream", headers=[(b"Last-Event-ID", last.encode())])
    assert list(faults(refused)) == ["header.Last-Event-ID"]


def test_a_last_event_id_above_the_version_says_where_the_game_is(player: Player) -> None:
    game = player.start("congress", "hello")
    for number in (2, 3):
        refused = player.http.get(f"{path(game)}/stream", headers={"Last-Event-ID": str(number)})
        assert faults(refused) == {"header.Last-Event-ID": "is above the game's version, 1"}
    over = player.act(game, "resign", {}).json()
    refused = player.http.get(f"{path(game)}/stream", headers={"Last-Event-ID": str(over["version"] + 1)})
    assert faults(refused) == {"header.Last-Event-ID": "is above the game's version, 2"}


def test_what_else_is_refused(player: Player, http: httpx.Client) -> None:
    game = player.start("congress", "hello")
    assert code(http.get("/v1/games/01936f0e-0000-7000-8000-000000000000/stream")) == "not-found"
    assert list(faults(http.get("/v1/games/x/stream"))) == ["path.id"]
    assert list(faults(http.get(f"{path(game)}/stream?token={player.token}"))) == ["query.token"]
    assert code(http.post(f"{path(game)}/stream")) == "method-not-allowed"
    for accept in ("application/json", "text/html", "text/event-stream;q=0"):
        assert code(http.get(f"{path(game)}/stream", headers={"Accept": accept})) == "not-acceptable"
    wrong = {"Authorization": "Bearer pasyans_" + "x" * 43}
    assert code(http.get(f"{path(game)}/stream", headers=wrong)) == "unauthenticated"


@pytest.mark.parametrize("accept", ["*/*", "text/*", "text/event-stream", "text/html, text/event-stream;q=0.1"])
def test_who_takes_a_stream_gets_one(service: Service, played: dict[str, Any], accept: str) -> None:
    answer = httpx.get(f"{service.url}{path(played)}/stream", headers={"Accept": accept})
    assert answer.headers["content-type"] == "text/event-stream"


def test_its_headers(service: Service, played: dict[str, Any]) -> None:
    url = f"{service.url}{path(played)}/stream"
    got = httpx.get(url, headers={"Origin": "https://play.example.org"})
    assert got.headers["content-type"] == "text/event-stream"
    assert got.headers["cache-control"] == "no-cache"
    assert got.headers["vary"] == "Authorization"
    assert got.headers["x-accel-buffering"] == "no"
    assert got.headers["access-control-allow-origin"] == "*"
    assert got.headers["x-request-id"]
    assert "content-length" not in got.headers
    assert "etag" not in got.headers


def test_head_is_answered_at_once(player: Player, http: httpx.Client) -> None:
    game = player.start("congress", "hello")
    answer = http.head(f"{path(game)}/stream")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")
    assert http.get(path(game)).status_code == 200


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_sealed_game_shows_its_seed_when_it_is_over(
    player: Player, postgres: Postgres, service: Service, variant: str
) -> None:
    game = player.start(variant)
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    with streaming(service.url, game["id"]) as reader:
        heard = [reader.next()]
        for number in range(10):
            if not game["legal_moves"]:
                break
            game = player.play(game, choose(game["legal_moves"], f"{variant} {number}"))
            heard.append(reader.next())
        player.act(game, "undo", {"count": 1})
        heard.append(reader.next())
        assert [message.game["deal"]["seed"] for message in heard] == [None] * len(heard)
        assert str(seed) not in str(heard)
        player.act(game, "resign", {})
        assert reader.next().game["deal"]["seed"] == seed


def test_a_reader_that_goes_is_in_the_log_once(player: Player, service: Service) -> None:
    game = player.start("congress", "hello")
    request_id = f"stream-{game['id']}"
    with httpx.stream(
        "GET", f"{service.url}{path(game)}/stream", headers={"X-Request-Id": request_id}, timeout=20
    ) as response:
        assert next(response.iter_lines()) == "retry: 2000"
    (line,) = lines_of(service, request_id, 1)
    assert (line["route"], line["status"]) == ("/v1/games/{id}/stream", 200)


def test_many_readers_of_one_game_all_hear_everything(player: Player, service: Service) -> None:
    game = player.start("congress", "hello")
    with ExitStack() as stack:
        readers = [stack.enter_context(streaming(service.url, game["id"], 1)) for _ in range(40)]
        for _ in range(10):
            player.play(game, "draw")
        player.act(game, "undo", {"count": 3})
        over = player.act(game, "resign", {}).json()
        for reader in readers:
            *messages, end = reader
            assert end.event == "end"
            assert [seq for message in messages for seq in message.seqs] == list(range(2, over["version"] + 1))


def test_a_preflight_lets_last_event_id_through(http: httpx.Client, played: dict[str, Any]) -> None:
    asked = {
        "Origin": "https://play.example.org",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization, last-event-id",
    }
    answer = http.options(f"{path(played)}/stream", headers=asked)
    assert "last-event-id" in answer.headers["access-control-allow-headers"].lower()


def test_other_requests_go_on_while_streams_are_open(player: Player, http: httpx.Client, service: Service) -> None:
    game = player.start("congress", "hello")
    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(streaming(service.url, game["id"])).next()
        for _ in range(20):
            assert http.get(path(game)).status_code == 200
        with connect(service.url) as another:
            assert another.get("/readyz").status_code == 200
    until(lambda: http.get("/readyz").status_code == 200, "ready")
