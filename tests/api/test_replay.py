"""A game's course, frame by frame: in pages, and as a stream of lines."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.api import Player, code, connect, faults, least_ms, lines_of, new_player
from tests.support.postgres import Postgres
from tests.support.service import Service, serving
from tests.support.slow import Slow, busy, connections, resident
from tests.support.sql import query
from tests.support.waiting import until

NDJSON = {"Accept": "application/x-ndjson"}
LONG = 9_000
POOL = 8  # connections that a worker has for reading


def replay(game: dict[str, Any], rest: str = "") -> str:
    return f"/v1/games/{game['id']}/replay{rest}"


def lined(answer: httpx.Response) -> list[dict[str, Any]]:
    """The frames of a stream, which is whole lines of JSON."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert not answer.content or answer.content.endswith(b"\n")
    return [json.loads(line) for line in answer.content.split(b"\n")[:-1]]


@pytest.fixture
def game(player: Player) -> dict[str, Any]:
    """A game with one event of each kind that a player makes."""
    game = player.start("vokzal-36", "hello")
    player.play(game, "draw", "draw", "draw")
    for action, count in (("undo", 2), ("redo", 1)):
        assert player.act(game, action, {"count": count}).status_code == 200
    return dict(player.act(game, "resign", {}).json())


def test_a_frame_is_an_event_and_the_game_after_it(game: dict[str, Any], http: httpx.Client) -> None:
    page = http.get(replay(game))
    assert page.headers["content-type"] == "application/json"
    items = page.json()["items"]
    assert [frame["event"] for frame in items] == http.get(f"/v1/games/{game['id']}/events").json()["items"]
    assert [frame["event"]["type"] for frame in items] == [
        "started", "moved", "moved", "moved", "undone", "redone", "finished",
    ]  # fmt: skip
    assert [frame["game"] for frame in items] == [
        http.get(f"/v1/games/{game['id']}?at={version}").json() for version in range(1, 8)
    ]
    assert page.json()["next"] is None
    assert "link" not in page.headers
    assert set(page.json()) == {"items", "next"}


def test_pages_of_any_size_are_the_same_frames(game: dict[str, Any], http: httpx.Client) -> None:
    whole = http.get(replay(game, "?limit=200")).json()["items"]
    assert len(whole) == 7
    for limit in (1, 2, 3, 6, 7):
        found: list[dict[str, Any]] = []
        path = replay(game, f"?limit={limit}")
        while True:
            page = http.get(path)
            assert 1 <= len(page.json()["items"]) <= limit
            found += page.json()["items"]
            if page.json()["next"] is None:
                break
            assert page.json()["next"] == found[-1]["event"]["seq"]
            path = page.links["next"]["url"]
        assert found == whole


def test_a_page_has_fifty_frames_unless_told_and_a_stream_has_all(player: Player, http: httpx.Client) -> None:
    game = player.start("congress", "hello")
    player.play(game, *["draw"] * 70)
    page = http.get(replay(game)).json()
    assert (len(page["items"]), page["next"]) == (50, 50)
    stream = lined(http.get(replay(game), headers=NDJSON))
    assert [frame["event"]["seq"] for frame in stream] == list(range(1, 72))
    assert stream[:50] == page["items"]
    assert stream[50:] == http.get(replay(game, "?after=50")).json()["items"]


def test_a_stream_begins_and_ends_where_it_is_told(game: dict[str, Any], http: httpx.Client) -> None:
    whole = lined(http.get(replay(game), headers=NDJSON))
    assert whole == http.get(replay(game)).json()["items"]
    assert lined(http.get(replay(game, "?after=3"), headers=NDJSON)) == whole[3:]
    assert lined(http.get(replay(game, "?after=3&limit=2"), headers=NDJSON)) == whole[3:5]
    for beyond in (7, 8, 2**31 - 1):
        assert lined(http.get(replay(game, f"?after={beyond}"), headers=NDJSON)) == []
        assert http.get(replay(game, f"?after={beyond}")).json() == {"items": [], "next": None}


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("application/x-ndjson, application/json;q=0.9", "application/x-ndjson"),
        ("application/x-ndjson;q=0.5, application/json", "application/json"),
        ("application/json;q=0, */*", "application/x-ndjson"),
        ("text/html", None),
        ("application/x-ndjson;q=0, application/json;q=0", None),
    ],
)
def test_the_form_is_the_one_that_the_client_likes_best(
    game: dict[str, Any], service: Service, accept: str | None, form: str | None
) -> None:
    with connect(service.url) as http:
        del http.headers["Accept"]
        answer = http.get(replay(game), headers={} if accept is None else {"Accept": accept})
    if form is None:
        assert (answer.status_code, code(answer)) == (406, "not-acceptable")
    else:
        assert (answer.status_code, answer.headers["content-type"]) == (200, form)
        assert answer.headers["vary"] == "Accept, Authorization"


def test_a_stream_has_the_games_tag_and_a_page_as_a_list_has_none(player: Player, http: httpx.Client) -> None:
    game = player.play(player.start("congress", "hello"), "draw")
    assert "etag" not in http.get(replay(game)).headers
    assert http.get(replay(game), headers={"If-None-Match": '"2"'}).status_code == 200
    full = http.get(replay(game), headers=NDJSON)
    assert full.headers["etag"] == '"2"'
    for tag in ('"2"', 'W/"2"', '"1", W/"2"', "*"):
        unmodified = http.get(replay(game), headers={**NDJSON, "If-None-Match": tag})
        assert (unmodified.status_code, unmodified.content) == (304, b"")
        for name in ("etag", "cache-control", "vary"):
            assert unmodified.headers[name] == full.headers[name]
    player.play(game, "draw")
    assert len(lined(http.get(replay(game), headers={**NDJSON, "If-None-Match": '"2"'}))) == 3


def test_head_is_get_without_the_body(long: dict[str, Any], http: httpx.Client, service: Service) -> None:
    for headers in ({}, NDJSON):
        got, headed = http.get(replay(long), headers=headers), http.head(replay(long), headers=headers)
        assert (headed.status_code, headed.content) == (200, b"")
        own = {"date", "x-request-id", "transfer-encoding"}
        assert {name: value for name, value in headed.headers.items() if name not in own} == {
            name: value for name, value in got.headers.items() if name not in own
        }
    # Nothing is made that goes nowhere.
    heads = [http.head(replay(long), headers=NDJSON) for _ in range(5)]
    assert least_ms(service, heads) < least_ms(service, [got]) / 10


@pytest.mark.parametrize("headers", [{}, NDJSON], ids=["page", "stream"])
def test_wrong_requests(game: dict[str, Any], http: httpx.Client, headers: dict[str, str]) -> None:
    unknown = http.get("/v1/games/01936f0e-7c1a-7b3e-9d55-0123456789ab/replay", headers=headers)
    assert (unknown.status_code, code(unknown)) == (404, "not-found")
    wrong = http.get("/v1/games/x/replay?after=-1&limit=0&at=1", headers=headers)
    assert set(faults(wrong)) == {"path.id", "query.after", "query.limit", "query.at"}
    for query_ in ("limit=201", "limit=x", "limit=", f"after={2**31}", "after=1.0", "after=1&after=2", "cursor=x"):
        assert len(faults(http.get(replay(game, f"?{query_}"), headers=headers))) == 1
    refused = http.post(replay(game), headers=headers)
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    tag = http.get(replay(game), headers={**headers, "If-None-Match": "2"})
    assert list(faults(tag)) == ["header.If-None-Match"]
    token = http.get(replay(game), headers={**headers, "Authorization": "Bearer x"})
    assert code(token) == "unauthenticated"


def test_a_running_sealed_game_is_seen_by_all_without_its_seed(player: Player, http: httpx.Client) -> None:
    game = player.start("congress")
    player.play(game, "draw")
    for headers in ({}, NDJSON):
        seen = http.get(replay(game), headers=headers)
        assert seen.content == player.http.get(replay(game), headers=headers).content
        assert b'"seed":null' in seen.content
        assert seen.content.count(b'"seed"') == seen.content.count(b'"seed":null') == 2
    seed = player.act(game, "resign", {}).json()["deal"]["seed"]
    assert [frame["game"]["deal"]["seed"] for frame in lined(http.get(replay(game), headers=NDJSON))] == [seed] * 3


# ---- long games


@pytest.fixture(scope="module")
def long(service: Service) -> dict[str, Any]:
    """A game of many events: a stream of it is far more than what lies between two ends of a connection."""
    someone = new_player(service.url)
    with someone.http:
        game = someone.start("vokzal-36", "hello")
        moves = (["draw"] * 8 + ["redeal"]) * 25
        while game["version"] < LONG:
            someone.play(game, *moves, *moves)
            game = someone.act(game, "undo", {"count": 2 * len(moves)}).json()
    return game


@contextmanager
def slow_clients(service: Service, game: dict[str, Any], word: str) -> Iterator[list[Slow]]:
    """More clients who take nothing than there are connections to the database; when they go, their requests end."""
    names = [f"{word}-{number}-{os.urandom(4).hex()}" for number in range(3 * POOL)]
    clients = [Slow(service.url, replay(game), name, **NDJSON) for name in names]
    try:
        yield clients
    finally:
        for client in clients:
            client.go()
    for name in names:
        (line,) = lines_of(service, name, 1)
        assert line["route"] == "/v1/games/{id}/replay"


def test_a_long_game_is_streamed_whole(long: dict[str, Any], http: httpx.Client) -> None:
    seqs = []
    with http.stream("GET", replay(long), headers=NDJSON) as answer:
        for line in answer.iter_lines():
            frame = json.loads(line)
            seqs.append(frame["event"]["seq"])
            assert frame["game"]["version"] == seqs[-1]
    assert seqs == list(range(1, long["version"] + 1))
    assert frame["game"] == http.get(f"/v1/games/{long['id']}").json()
    middle = long["version"] // 2
    page = http.get(replay(long, f"?after={middle}&limit=200")).json()
    assert [frame["event"]["seq"] for frame in page["items"]] == list(range(middle + 1, middle + 201))
    assert page["items"][-1]["game"] == http.get(f"/v1/games/{long['id']}?at={middle + 200}").json()


def test_slow_clients_hold_no_connection_and_little_memory(
    long: dict[str, Any], player: Player, service: Service, postgres: Postgres
) -> None:
    before = resident(service)
    with slow_clients(service, long, "slow") as clients:
        until(lambda: busy(postgres) == 0, "no session is at work")
        game = player.start("congress", "hello")
        assert player.play(game, "draw")["version"] == 2
        assert player.http.get(replay(game)).status_code == 200
        for client in clients[:3]:
            body = client.rest()
            assert body.endswith(b"\r\n0\r\n\r\n"), "it is whole"
            assert body.count(b'{"event"') == long["version"]
            assert len(body) > 12 * 2**20
        assert resident(service) - before < 48 * 2**20


def test_clients_that_go_midway_leave_nothing_behind(
    long: dict[str, Any], player: Player, service: Service, postgres: Postgres
) -> None:
    assert player.http.get("/readyz").status_code == 200
    before = connections(service)
    with slow_clients(service, long, "gone"):
        assert connections(service) >= 3 * POOL
    until(lambda: busy(postgres) == 0, "no session is at work")
    until(lambda: connections(service) <= before, "their connections are closed")
    assert player.http.get("/readyz").status_code == 200


def test_a_client_that_takes_nothing_does_not_keep_the_service_from_stopping(
    long: dict[str, Any], postgres: Postgres, tmp_path: Path
) -> None:
    settings = {"DATABASE_URL": postgres.service_url, "PASYANS_ALLOW_DATA_LOSS": "yes"}
    with serving(tmp_path / "log", settings) as another:
        client = Slow(another.url, replay(long), "slow", **NDJSON)
        assert another.stop() == 0
        client.go()


def test_a_stream_that_cannot_go_on_is_seen_to_be_broken(player: Player, postgres: Postgres, service: Service) -> None:
    """The log, of all things, has lost its end."""
    game = player.start("vokzal-36", "hello")
    moves = (["draw"] * 8 + ["redeal"]) * 25
    for _ in range(5):
        player.play(game, *moves, *moves)
        game = player.act(game, "undo", {"count": 2 * len(moves)}).json()
    query(postgres.admin_url, "DELETE FROM game_events WHERE game_id = $1 AND first_seq > 1000", game["id"])
    seen: list[str] = []
    with (
        httpx.stream("GET", f"{service.url}{replay(game)}", headers=NDJSON) as answer,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        seen.extend(answer.iter_lines())
    assert [json.loads(line)["event"]["seq"] for line in seen[:-1]] == list(range(1, len(seen)))
    told = lines_of(service, answer.headers["x-request-id"], 2)
    assert [(line["event"], line.get("status"), line.get("code")) for line in told] == [
        ("internal", None, None),
        ("request", 200, "internal"),
    ]
    assert "the log ends before the game does" in told[0]["exception"]
    assert player.http.get(replay(game, "?limit=1&after=1500")).status_code == 500
    for table in ("game_events", "games"):
        query(postgres.admin_url, f"DELETE FROM {table} WHERE game_id = $1", game["id"])
