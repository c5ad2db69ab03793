"""A client that goes away, at each point of a request: nothing is half done, and nobody else notices."""

import json
import socket
import struct
from collections.abc import Callable

import httpx
import pytest

from tests.support.api import Player
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.waiting import until

ROUNDS = 20


def request(player: Player, game: dict[str, object], key: str) -> bytes:
    """A whole request for one draw."""
    body = json.dumps({"moves": ["draw"]}).encode()
    head = (
        f"POST /v1/games/{game['id']}/moves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player.token}\r\n"
        f"Content-Type: application/json\r\nIdempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def chunked(player: Player, game: dict[str, object], key: str) -> bytes:
    """The same request in chunks, without the last ones."""
    head, body = request(player, game, key).split(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"Content-Length")]
    return b"\r\n".join([*lines, b"Transfer-Encoding: chunked", b"", b"%x" % len(body), body, b""])


def cut(service: Service, sent: bytes, read: int, *, hard: bool) -> None:
    """Send some bytes, read some of the answer, and go: by the book, or as if the cable were cut."""
    url = httpx.URL(service.url)
    end = socket.create_connection((url.host, url.port or 80), timeout=10)
    try:
        end.sendall(sent)
        if read:
            assert end.recv(read)
        if hard:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    finally:
        end.close()


Part = Callable[[bytes], bytes]

POINTS: dict[str, tuple[Part, int]] = {
    "connected": (lambda _: b"", 0),
    "in the first line": (lambda whole: whole[:20], 0),
    "in the headers": (lambda whole: whole[:120], 0),
    "before the body": (lambda whole: whole[: whole.index(b"\r\n\r\n") + 4], 0),
    "in the body": (lambda whole: whole[:-5], 0),
    "before the answer": (lambda whole: whole, 0),
    "in the answer": (lambda whole: whole, 10),
}


def settled(postgres: Postgres) -> bool:
    """Whether no session of the service is within a transaction."""
    ((busy,),) = query(
        postgres.admin_url,
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND (xact_start IS NOT NULL OR state <> 'idle')
        """,
    )
    return busy == 0


@pytest.mark.parametrize("hard", [False, True], ids=["closed", "cut"])
@pytest.mark.parametrize("point", POINTS)
def test_gone(player: Player, service: Service, postgres: Postgres, point: str, hard: bool) -> None:
    part, read = POINTS[point]
    is_whole = point in ("before the answer", "in the answer")
    game = player.start("congress", "hello")
    for number in range(ROUNDS):
        cut(service, part(request(player, game, f"k{number}")), read, hard=hard)
    until(lambda: settled(postgres), "no session is within a transaction")
    version = player.http.get(f"/v1/games/{game['id']}").json()["version"]
    assert version == 1 if not is_whole else 1 <= version <= ROUNDS + 1
    if point == "in the answer":
        assert version == ROUNDS + 1
    # Whoever repeats a request with its key gets it done, once.
    for number in range(ROUNDS):
        player.play(game, "draw", Idempotency_Key=f"k{number}")
    assert player.play(game, "draw")["version"] == ROUNDS + 2
    rows = query(
        postgres.admin_url,
        "SELECT first_seq, last_seq FROM game_events WHERE game_id = $1 ORDER BY first_seq",
        game["id"],
    )
    assert rows == [(number, number) for number in range(1, ROUNDS + 3)]
    assert player.http.get("/readyz").status_code == 200


def test_gone_in_the_midst_of_chunks(player: Player, service: Service, postgres: Postgres) -> None:
    game = player.start("congress", "hello")
    for number in range(ROUNDS):
        cut(service, chunked(player, game, f"k{number}"), 0, hard=number % 2 == 0)
    until(lambda: settled(postgres), "no session is within a transaction")
    assert player.play(game, "draw")["version"] == 2


def test_no_connection_of_the_pool_is_lost(player: Player, service: Service, postgres: Postgres) -> None:
    """More clients go than the pool has connections, and as many are answered at once as before."""
    game = player.start("congress", "hello")
    for number in range(60):
        cut(service, request(player, game, f"k{number}"), 0, hard=True)
        listing = f"GET /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player.token}\r\n\r\n"
        cut(service, listing.encode(), 0, hard=True)
    until(lambda: settled(postgres), "no session is within a transaction")
    for _ in range(20):
        assert player.http.get("/v1/games").status_code == 200
    # Those who went away may still be racing for the game, and a move that loses too often is put off.
    until(lambda: player.act(game, "moves", {"moves": ["draw"]}).status_code == 200, "a move is played")


def test_what_was_gone_is_in_the_log_as_such(player: Player, service: Service) -> None:
    game = player.start("congress", "hello")
    whole = request(player, game, "k").replace(b"Host: x", b"Host: x\r\nX-Request-Id: gone-" + str(game["id"]).encode())
    cut(service, whole[:-5], 0, hard=True)

    def lines() -> list[str]:
        return [line for line in service.log.splitlines() if f"gone-{game['id']}" in line]

    until(lines, "a line of log")
    (line,) = map(json.loads, lines())
    assert (line["event"], line["status"], line["gone"]) == ("request", None, True)
