"""Requests leave nothing that the garbage collector has to find: it would stop every answer while it looks."""

import asyncio
import gc
import json
from itertools import islice
from typing import Any

import pytest
from litestar.types import ASGIApp
from pasyans.api.app import Dependencies, create_app
from pasyans.api.recent import Recent
from pasyans.api.streams import Streams
from pasyans.server import clock
from pasyans.store.postgres import PostgresStore

from tests.support.postgres import Postgres
from tests.support.streams import ENDLESS, endless

MOVES = 50


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def ask(app: ASGIApp, method: str, path: str, body: object, token: str | None = None) -> Any:
    """Make a request within the process; the JSON of its answer."""
    data = json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    if token is not None:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope: Any = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
    }  # fmt: skip
    answered: list[bytes] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": data, "more_body": False}

    async def send(message: Any) -> None:
        answered.append(message.get("body", b""))

    await app(scope, receive, send)
    return json.loads(b"".join(answered))


@pytest.mark.anyio
async def test_moves_leave_no_garbage(postgres: Postgres) -> None:
    store = PostgresStore(postgres.service_url, allow_data_loss=True)
    now = clock.Clock().now
    app: Any = create_app(
        Dependencies(
            store=store,
            streams=Streams(store, now),
            clock=now,
            new_id=clock.new_id,
            random_bytes=clock.random_bytes,
            recent=Recent(10),
        )
    )
    await store.open()
    try:
        token = (await ask(app, "POST", "/v1/players", {}))["token"]
        deal = {"kind": "shared", "seed": "hello"}
        game = await ask(app, "POST", "/v1/games", {"variant": ENDLESS, "deal": deal}, token)
        moves = endless("hello")
        path = f"/v1/games/{game['id']}/moves"

        async def play(count: int) -> int:
            version = 0
            for move in islice(moves, count):
                version = (await ask(app, "POST", path, {"moves": [move]}, token))["version"]
            await asyncio.sleep(0)
            return version

        await play(3)  # what is made once is made by then
        gc.collect()
        gc.disable()
        try:
            assert await play(MOVES) == 4 + MOVES
            assert gc.collect() < MOVES
        finally:
            gc.enable()
    finally:
        await store.close()
