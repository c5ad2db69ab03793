"""Two at once: on one game, and with one key, through one server and through two."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from uuid import uuid4

import httpx
import pytest

from tests.support.api import Player, code, connect
from tests.support.postgres import Postgres
from tests.support.service import Service, serving
from tests.support.sql import query

ROUNDS = 15


@pytest.fixture(scope="module")
def second(postgres: Postgres, service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Another server on the same database."""
    assert service.url
    settings = {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    with serving(tmp_path_factory.mktemp("second") / "log", settings) as process:
        yield process


class Doors:
    """The servers that the clients of a race go to, in turn."""

    def __init__(self, urls: list[str], stack: ExitStack) -> None:
        self._urls = urls
        self._stack = stack

    def clients(self, count: int = 2, token: str | None = None) -> list[httpx.Client]:
        """Clients with a connection each."""
        urls = (self._urls[number % len(self._urls)] for number in range(count))
        return [self._stack.enter_context(connect(url, token)) for url in urls]


@pytest.fixture(params=["one server", "two servers"])
def doors(request: pytest.FixtureRequest, service: Service) -> Iterator[Doors]:
    """One server, or two on the same database."""
    urls = [service.url]
    if request.param == "two servers":
        second: Service = request.getfixturevalue("second")
        urls.append(second.url)
    with ExitStack() as stack:
        yield Doors(urls, stack)


def together(
    ends: list[httpx.Client], path: str, *bodies: object, headers: dict[str, str] | None = None
) -> list[httpx.Response]:
    """Post from every client at the same time: the one body, or each its own."""
    start = Barrier(len(ends))

    def post(number: int) -> httpx.Response:
        start.wait()
        return ends[number].post(path, json=bodies[number % len(bodies)], headers=headers)

    with ThreadPoolExecutor(len(ends)) as pool:
        return list(pool.map(post, range(len(ends))))


def test_two_writers_without_a_condition_are_both_judged_where_the_game_stands(player: Player, doors: Doors) -> None:
    game = player.start("congress", "hello")
    path = f"/v1/games/{game['id']}/moves"
    ends = doors.clients(4, player.token)
    for number in range(ROUNDS):
        answers = together(ends, path, {"moves": ["draw"]})
        assert sorted(answer.json()["version"] for answer in answers) == [4 * number + 2 + i for i in range(4)]
    shown = player.http.get(f"/v1/games/{game['id']}").json()
    assert (shown["version"], shown["moves"]) == (4 * ROUNDS + 1, 4 * ROUNDS)


def test_of_two_writers_with_a_condition_one_is_told_that_it_is_stale(player: Player, doors: Doors) -> None:
    game = player.start("congress", "hello")
    path = f"/v1/games/{game['id']}/moves"
    ends = doors.clients(token=player.token)
    for number in range(ROUNDS):
        tag = {"If-Match": f'"{number + 1}"'}
        answers = together(ends, path, {"moves": ["draw"]}, headers=tag)
        assert sorted(answer.status_code for answer in answers) == [200, 412]
        stale = next(answer for answer in answers if answer.is_error)
        assert (code(stale), stale.json()["version"]) == ("stale-version", number + 2)


def test_a_move_and_its_rival_are_judged_one_after_the_other(player: Player, doors: Doors) -> None:
    """Of two that cannot both be legal, one is played and one refused by the rules."""
    ends = doors.clients(token=player.token)
    for _ in range(ROUNDS):
        game = player.play(player.start("congress", "hello"), "draw")
        path = f"/v1/games/{game['id']}/undo"
        answers = together(ends, path, {"count": 1})
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert code(next(answer for answer in answers if answer.is_error)) == "nothing-to-undo"


@pytest.mark.parametrize("action", ["moves", "undo", "resign"])
def test_the_same_request_twice_at_once_is_done_once(player: Player, doors: Doors, action: str) -> None:
    ends = doors.clients(4, player.token)
    body = {"moves": ["draw"]} if action == "moves" else {}
    for number in range(ROUNDS):
        game = player.play(player.start("congress", "hello"), "draw")
        path = f"/v1/games/{game['id']}/{action}"
        key = {"Idempotency-Key": f"{action} {number}"}
        answers = together(ends, path, body, headers=key)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
        assert player.http.get(f"/v1/games/{game['id']}").json()["version"] == 3


def test_a_game_asked_for_twice_at_once_is_started_once(player: Player, doors: Doors) -> None:
    ends = doors.clients(token=player.token)
    body = {"variant": "congress", "deal": {"kind": "sealed"}}
    for number in range(ROUNDS):
        key = {"Idempotency-Key": f"start {number}"}
        answers = together(ends, "/v1/games", body, headers=key)
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1
    found = player.http.get(f"/v1/games?player={player.name}&limit=200").json()["items"]
    assert len(found) == ROUNDS
    assert {game["attempt"] for game in found} == {1}


def test_a_player_asked_for_twice_at_once_is_made_once(doors: Doors, postgres: Postgres) -> None:
    ends = doors.clients()
    for _ in range(ROUNDS):
        body = {"name": f"p{uuid4().hex[:20]}"}
        key = {"Idempotency-Key": str(uuid4())}
        answers = together(ends, "/v1/players", body, headers=key)
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1
        count = query(postgres.admin_url, "SELECT count(*) FROM players WHERE name = $1", body["name"])
        assert count == [(1,)]


def test_of_two_who_want_a_name_one_gets_it(doors: Doors) -> None:
    ends = doors.clients()
    for _ in range(ROUNDS):
        body = {"name": f"p{uuid4().hex[:20]}"}
        answers = together(ends, "/v1/players", body)
        assert sorted(answer.status_code for answer in answers) == [201, 409]


def test_one_key_for_two_requests_at_once_serves_one_of_them(player: Player, doors: Doors) -> None:
    ends = doors.clients(token=player.token)
    for number in range(ROUNDS):
        game = player.start("congress", "hello")
        path = f"/v1/games/{game['id']}/moves"
        key = {"Idempotency-Key": f"two {number}"}
        answers = together(ends, path, {"moves": ["draw"]}, {"moves": ["draw", "draw"]}, headers=key)
        assert sorted(answer.status_code for answer in answers) == [200, 422]
        assert code(next(answer for answer in answers if answer.is_error)) == "idempotency-mismatch"


def test_attempts_that_start_at_once_are_numbered_apart(player: Player, doors: Doors) -> None:
    ends = doors.clients(6, player.token)
    body = {"variant": "congress", "deal": {"kind": "shared", "seed": "hello"}}
    answers = together(ends, "/v1/games", body)
    assert sorted(answer.json()["attempt"] for answer in answers) == [1, 2, 3, 4, 5, 6]


def test_the_log_of_each_race_is_whole(postgres: Postgres) -> None:
    """Whatever was raced for above: no game has a gap or a number twice."""
    gaps = query(
        postgres.admin_url,
        """
        SELECT game_id FROM (
            SELECT game_id, first_seq, lag(last_seq, 1, 0) OVER (PARTITION BY game_id ORDER BY first_seq) AS before
            FROM game_events
        ) e WHERE first_seq <> before + 1
        """,
    )
    assert gaps == []
