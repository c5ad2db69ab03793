"""Streams seen from inside the process: what is left of them, what they read, and what they do about slow readers."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest
from litestar.types import ASGIApp
from pasyans.api.app import Dependencies, create_app
from pasyans.api.feeds import Feed, Seen
from pasyans.api.streams import Streams
from pasyans.server import clock
from pasyans.store.errors import Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Head, LogRow

from tests.support.postgres import Postgres

PATIENCE = 10.0
"""Seconds after which something that must come counts as lost."""

HOUR = 3600.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class CountingStore(PostgresStore):
    """The store, which counts what is read of games, and fails when it is told to."""

    heads = 0
    rows = 0
    is_away = False
    held: "Held | None" = None
    held_log: "Held | None" = None

    async def head(self, game_id: UUID) -> Head | None:
        self.heads += 1
        if self.is_away:
            raise Unavailable("away", written=False)
        found = await super().head(game_id)
        if self.held is not None:
            self.held.read.release()
            await self.held.released.wait()
        return found

    async def log(self, game_id: UUID, after: int = 0, upto: int | None = None) -> list[LogRow]:
        found = await super().log(game_id, after, upto)
        self.rows += len(found)
        if self.held_log is not None:
            self.held_log.read.release()
            await self.held_log.released.wait()
        return found


class Held:
    """Holds back heads or rows that have been read: `read` counts how often, `released` gives them all."""

    def __init__(self) -> None:
        self.read = asyncio.Semaphore(0)
        self.released = asyncio.Event()


class Process:
    """The application as a worker has it, without a server around it."""

    def __init__(self, store: CountingStore, comment_s: float) -> None:
        self.store = store
        self.streams = Streams(store, clock.Clock().now, comment_s=comment_s)
        self.app: ASGIApp = create_app(
            Dependencies(
                store=store,
                streams=self.streams,
                clock=clock.Clock().now,
                new_id=clock.new_id,
                random_bytes=clock.random_bytes,
            )
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of any stream."""
        return len(self.streams) == 0 and len(self.store._notices._watches) == 0

    async def ask(self, method: str, path: str, body: object = None, token: str | None = None) -> Any:
        """An ordinary request and the JSON of its answer."""
        client = Client(self.app, method, path, token=token, body=body)
        await client.task
        return json.loads(b"".join(client.chunks))


class Client:
    """One request; its answer is taken as it comes, unless `is_slow`."""

    def __init__(
        self, app: ASGIApp, method: str, path: str, *, token: str | None = None, body: object = None, **headers: str
    ) -> None:
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        data = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            raw += [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
        if token is not None:
            raw.append((b"authorization", f"Bearer {token}".encode()))
        self.status: int | None = None
        self.chunks: list[bytes] = []
        self.is_complete = False
        self.takes = asyncio.Event()
        self.takes.set()
        self._changed = asyncio.Event()
        self._gone = asyncio.Event()
        self._requests = [{"type": "http.request", "body": data, "more_body": False}]
        scope: Any = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": raw,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
        }
        answering: Any = app(scope, self._receive, self._send)
        self.task: asyncio.Task[None] = asyncio.create_task(answering)

    async def _receive(self) -> Any:
        if self._requests:
            return self._requests.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self.takes.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.chunks.append(message["body"])
            self.is_complete = not message["more_body"]
        self._changed.set()

    def go(self) -> None:
        """Close the connection."""
        self._gone.set()

    @property
    def seqs(self) -> list[list[int]]:
        """The numbers of the events in each message so far."""
        return [[event["seq"] for event in json.loads(data)["events"]] for data in self.data]

    @property
    def data(self) -> list[str]:
        """The data of each message so far, but the end's."""
        blocks = b"".join(self.chunks).decode().split("\n\n")
        return [line[6:] for block in blocks for line in block.split("\n") if line.startswith('data: {"')]

    @property
    def comments(self) -> int:
        return b"".join(self.chunks).count(b":\n\n")

    async def until(self, condition: Callable[["Client"], object]) -> None:
        """Wait until what has come is as it should be."""
        async with asyncio.timeout(PATIENCE):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()

    async def hears(self, seq: int) -> None:
        """Wait until the last message is of this event alone."""
        await self.until(lambda it: it.seqs[-1] == [seq])


@asynccontextmanager
async def process(postgres: Postgres, comment_s: float = HOUR) -> AsyncIterator[Process]:
    store = CountingStore(postgres.service_url, allow_data_loss=True)
    await store.open()
    try:
        yield Process(store, comment_s)
    finally:
        await store.close()


class Game:
    """A game of a new player's, in one process."""

    def __init__(self, within: Process, token: str, game: dict[str, Any]) -> None:
        self.path = f"/v1/games/{game['id']}"
        self._within = within
        self._token = token

    def at(self, within: Process) -> "Game":
        """The same game, played in another process."""
        return Game(within, self._token, {"id": self.path.rpartition("/")[2]})

    async def play(self, *moves: str) -> None:
        answer = await self._within.ask("POST", f"{self.path}/moves", {"moves": moves}, self._token)
        assert "version" in answer, answer

    async def act(self, action: str, body: object) -> None:
        answer = await self._within.ask("POST", f"{self.path}/{action}", body, self._token)
        assert "version" in answer, answer

    def listen(self, **headers: str) -> Client:
        return Client(self._within.app, "GET", f"{self.path}/stream", **headers)


async def a_game(within: Process) -> Game:
    token = (await within.ask("POST", "/v1/players", {}))["token"]
    deal = {"kind": "shared", "seed": "hello"}
    return Game(within, token, await within.ask("POST", "/v1/games", {"variant": "congress", "deal": deal}, token))


@pytest.mark.anyio
async def test_nothing_is_left_of_streams_whose_clients_go(postgres: Postgres) -> None:
    async with process(postgres) as within:
        games = [await a_game(within) for _ in range(3)]
        clients = [game.listen() for game in games for _ in range(4)]
        for client in clients:
            await client.until(lambda it: it.seqs == [[]])
        assert len(within.streams) == 12
        for number, client in enumerate(clients):
            client.go()
            await client.task
            assert len(within.streams) == 11 - number
        assert within.is_empty


@pytest.mark.anyio
async def test_nothing_is_left_of_a_client_that_goes_before_the_first_message(postgres: Postgres) -> None:
    async with process(postgres) as within:
        game = await a_game(within)
        for patience in range(8):
            client = game.listen()
            for _ in range(patience):
                await asyncio.sleep(0)
            client.go()
            await client.task
            assert within.is_empty


@pytest.mark.anyio
async def test_nothing_is_left_of_a_stream_that_is_cancelled(postgres: Postgres) -> None:
    async with process(postgres) as within:
        game = await a_game(within)
        for is_taking in (True, False):
            client = game.listen()
            await client.until(lambda it: it.seqs == [[]])
            if not is_taking:
                client.takes.clear()
                await game.play("draw")
            client.task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await client.task
            assert within.is_empty


@pytest.mark.anyio
async def test_nothing_is_left_of_streams_that_end_or_fail(postgres: Postgres) -> None:
    async with process(postgres) as within:
        game = await a_game(within)
        client = game.listen()
        await client.until(lambda it: it.seqs == [[]])
        await game.act("resign", {})
        await client.task
        assert (client.seqs, client.is_complete) == ([[], [2]], True)
        assert within.is_empty
        within.store.is_away = True
        refused = game.listen()
        await refused.task
        assert refused.status == 503
        assert within.is_empty


@pytest.mark.anyio
async def test_a_slow_reader_gets_everything_in_few_messages(postgres: Postgres) -> None:
    async with process(postgres) as within:
        game = await a_game(within)
        slow, quick = game.listen(), game.listen()
        for client in (slow, quick):
            await client.until(lambda it: it.seqs == [[]])
        slow.takes.clear()
        for now in range(2, 62):
            await game.play("draw")
            await quick.hears(now)
        assert slow.seqs == [[]]
        slow.takes.set()
        await slow.until(lambda it: sum(map(len, it.seqs)) == 60)
        assert slow.seqs == [[], [2], list(range(3, 62))]
        assert len(quick.seqs) > 30
        for client in (slow, quick):
            assert [seq for seqs in client.seqs for seq in seqs] == list(range(2, 62))
            client.go()
            await client.task


@pytest.mark.anyio
async def test_all_who_listen_to_a_game_are_told_by_one_look_at_the_database(postgres: Postgres) -> None:
    async with process(postgres) as within:
        game = await a_game(within)
        await game.play(*["draw"] * 50)
        clients = [game.listen() for _ in range(50)]
        for client in clients:
            await client.until(lambda it: it.seqs == [[]])
        for now in range(52, 57):
            heads, rows = within.store.heads, within.store.rows
            await game.play("draw")
            for client in clients:
                await client.hears(now)
            # The move itself reads the head as well. A move costs its listeners the same however long the game is.
            assert within.store.heads - heads <= 4
            assert within.store.rows - rows <= 2
        for client in clients:
            client.go()
            await client.task


@pytest.mark.anyio
async def test_who_asks_after_a_move_is_not_told_what_was_read_before_it(postgres: Postgres) -> None:
    async with process(postgres) as within, process(postgres) as elsewhere:
        game = await a_game(elsewhere)
        feed = Feed(within.store, clock.Clock().now, UUID(game.path.rpartition("/")[2]))
        held = within.store.held = Held()
        seen = Seen(1, has_opened=False)
        async with asyncio.timeout(PATIENCE):
            before = [asyncio.create_task(feed.after(seen)) for _ in range(2)]
            await held.read.acquire()
            await game.play("draw")
            feed.wake()
            after = asyncio.create_task(feed.after(seen))
            await held.read.acquire()
            held.released.set()
            update = await after
            assert update is not None
            assert update.seen.version == 2
            assert [await task for task in before] == [None, None]
        assert within.store.heads == 2


@pytest.mark.anyio
async def test_who_asks_meanwhile_takes_no_event_from_another(postgres: Postgres) -> None:
    """A listener that comes back is told what it has missed, while one that comes first reads the present game."""
    async with process(postgres) as within, process(postgres) as elsewhere:
        game = await a_game(elsewhere)
        feed = Feed(within.store, clock.Clock().now, UUID(game.path.rpartition("/")[2]))
        async with asyncio.timeout(PATIENCE):
            assert await feed.after(None) is not None
            await game.play("draw")
            held = within.store.held_log = Held()
            following = asyncio.create_task(feed.after(Seen(1, has_opened=False)))
            await held.read.acquire()
            await game.play("draw")
            feed.wake()
            present = await feed.after(None)
            held.released.set()
            update = await following
        assert present is not None
        assert present.seen.version == 3
        assert update is not None
        assert update.seen.version == 2
        assert [event["seq"] for event in json.loads(update.message.partition(b"data: ")[2])["events"]] == [2]


@pytest.mark.anyio
async def test_an_idle_stream_reads_nothing(postgres: Postgres) -> None:
    async with process(postgres, comment_s=0.01) as within:
        game = await a_game(within)
        client = game.listen()
        await client.until(lambda it: it.comments >= 1)
        heads = within.store.heads
        await client.until(lambda it: it.comments >= 20)
        assert within.store.heads == heads
        client.go()
        await client.task


@pytest.mark.anyio
async def test_comments_come_by_the_clock_whatever_is_told_between_them(postgres: Postgres) -> None:
    async with process(postgres, comment_s=0.2) as within:
        game = await a_game(within)
        loop = asyncio.get_running_loop()
        start, moves = loop.time(), 0
        client = game.listen()
        await client.until(lambda it: it.seqs == [[]])
        while client.comments < 5 or moves < 6:
            await game.act("undo" if moves % 2 else "moves", {"count": 1} if moves % 2 else {"moves": ["draw"]})
            moves += 1
            assert loop.time() - start < PATIENCE
        assert loop.time() - start >= 5 * 0.2
        await client.until(lambda it: sum(map(len, it.seqs)) == moves)
        client.go()
        await client.task


@pytest.mark.anyio
async def test_a_stream_outlives_the_store_and_catches_up(postgres: Postgres) -> None:
    async with process(postgres, comment_s=0.05) as within:
        game = await a_game(within)
        client = game.listen()
        await client.until(lambda it: it.seqs == [[]])
        within.store.is_away = True
        within.store._notices.moved([UUID(game.path.rpartition("/")[2])])  # something moved, and can't be read
        await client.until(lambda it: it.comments >= 10)
        within.store.is_away = False
        await game.play("draw")
        await client.until(lambda it: it.seqs == [[], [2]])
        client.go()
        await client.task


@pytest.mark.anyio
async def test_what_could_not_be_read_is_read_again_without_a_notice(postgres: Postgres) -> None:
    async with process(postgres, comment_s=0.05) as within, process(postgres) as elsewhere:
        game = await a_game(within)
        client = game.listen()
        await client.until(lambda it: it.seqs == [[]])
        wake = within.store._notices._watches._wakes
        await game.play("draw", "draw")
        await client.until(lambda it: it.seqs == [[], [2, 3]])
        (feed,) = (feed for feed, _ in within.streams._feeds.values())
        within.store.is_away = True
        feed.wake()
        await client.until(lambda it: it.comments >= 4)
        assert len(wake) == 1
        wakes = dict(wake)
        wake.clear()  # no notice arrives from now on
        await game.at(elsewhere).play("draw")  # it is written before this process can read again
        within.store.is_away = False
        await client.until(lambda it: it.seqs == [[], [2, 3], [4]])
        wake.update(wakes)
        client.go()
        await client.task


@pytest.mark.anyio
async def test_closing_ends_every_stream_and_those_that_come_later(postgres: Postgres) -> None:
    async with process(postgres) as within:
        games = [await a_game(within) for _ in range(3)]
        clients = [game.listen() for game in games for _ in range(5)]
        for client in clients:
            await client.until(lambda it: it.seqs == [[]])
        within.streams.close()
        async with asyncio.timeout(PATIENCE):
            for client in clients:
                await client.task
                assert client.is_complete
                assert b"event: end" not in b"".join(client.chunks)
            late = games[0].listen()
            await late.task
        assert (late.seqs, late.is_complete) == ([[]], True)
        assert within.is_empty
