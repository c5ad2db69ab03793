"""A way to PostgreSQL that breaks at one of the statements that go through it."""

import asyncio
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_PATIENCE = 60.0
_STATEMENTS = b"QE"  # messages of a client by which something is run: Query and Execute
_READY = b"Z"  # the server's word that it has done what it was told, and committed what was to be


@dataclass
class Cutter:
    """Connects to the database at `url` by way of a proxy."""

    url: str
    _left: int = 0
    _answered: bool = False
    _act: Callable[[], None] | None = None
    _is_coming: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _cut: threading.Event = field(default_factory=threading.Event)
    _links: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)

    def arm(self, number: int, *, answered: bool, act: Callable[[], None] | None = None) -> None:
        """Break the connection that sends the statement of that number, from 1 on, counting from now.

        The server never gets the statement; or, if it is to be `answered`, runs it, and its answer is lost. `act` is
        called just before.
        """
        self._answered, self._act = answered, act
        self._cut.clear()
        with self._lock:
            self._left, self._is_coming = number, False

    def disarm(self) -> bool:
        """Break nothing any more; whether a connection was broken."""
        with self._lock:
            is_coming, self._left = self._is_coming, 0
        if is_coming:
            assert self._cut.wait(_PATIENCE)
        return is_coming

    def _counts_down(self) -> bool:
        with self._lock:
            if self._left == 0:
                return False
            self._left -= 1
            self._is_coming = self._left == 0
            return self._is_coming


@contextmanager
def cutting(url: str) -> Iterator[Cutter]:
    """Such a way, for as long as the block runs."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    host, port = parts.hostname, parts.port or 5432
    cutter = Cutter("")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def serve() -> asyncio.Server:
        return await asyncio.start_server(
            lambda reader, writer: _Link(cutter, reader, writer).run(host, port), "127.0.0.1", 0
        )

    async def stop(server: asyncio.Server) -> None:
        server.close()
        for client in cutter._links.values():
            client.transport.abort()
        await asyncio.gather(*cutter._links)

    server = asyncio.run_coroutine_threadsafe(serve(), loop).result()
    own = server.sockets[0].getsockname()[1]
    netloc = f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{own}"
    cutter.url = parts._replace(netloc=netloc, query="sslmode=disable").geturl()
    try:
        yield cutter
    finally:
        asyncio.run_coroutine_threadsafe(stop(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Link:
    """One connection: the client's end, and the server's."""

    def __init__(self, cutter: Cutter, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._cutter = cutter
        self._client = reader, writer
        self._is_last = False  # what the server says now is not passed on

    async def run(self, host: str, port: int) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._cutter._links[task] = self._client[1]
        reader, writer = await asyncio.open_connection(host, port)
        try:
            await asyncio.wait(
                [
                    asyncio.create_task(self._up(self._client[0], writer)),
                    asyncio.create_task(self._down(reader, self._client[1])),
                ],
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            for end in (writer, self._client[1]):
                end.transport.abort()
            del self._cutter._links[task]

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(EOFError, OSError):
            length = await reader.readexactly(4)  # the first message has no kind
            writer.write(length + await reader.readexactly(struct.unpack("!i", length)[0] - 4))
            while True:
                kind, message = await _message(reader)
                if kind in _STATEMENTS and self._cutter._counts_down():
                    if not self._cutter._answered:
                        self._cut()
                        return
                    self._is_last = True
                writer.write(message)

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(EOFError, OSError):
            while True:
                kind, message = await _message(reader)
                if not self._is_last:
                    writer.write(message)
                elif kind == _READY:
                    self._cut()
                    return

    def _cut(self) -> None:
        if self._cutter._act is not None:
            self._cutter._act()
        self._cutter._cut.set()


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readexactly(5)
    return head[:1], head + await reader.readexactly(struct.unpack("!i", head[1:])[0] - 4)
