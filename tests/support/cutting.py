"""A way to PostgreSQL that breaks at one of the statements that go through it."""

import asyncio
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_STATEMENTS = b"QE"  # messages of a client by which something is run: Query and Execute
_READY = b"Z"  # the server's word that it has done what it was told, and committed what was to be


@dataclass
class Cutter:
    """Connects to the database at `url` by way of a proxy."""

    url: str
    _left: int = 0
    _answered: bool = False
    _act: Callable[[], None] | None = None
    is_cut: bool = False
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def arm(self, number: int, *, answered: bool, act: Callable[[], None] | None = None) -> None:
        """Break the connection that sends the statement of that number, from 1 on, counting from now.

        The server never gets the statement; or, if it is to be `answered`, runs it, and its answer is lost. `act` is
        called just before.
        """
        self._answered, self._act, self.is_cut = answered, act, False
        self._left = number

    def disarm(self) -> None:
        """Break nothing any more."""
        self._left = 0

    def _counts_down(self) -> bool:
        if self._left == 0:
            return False
        self._left -= 1
        return self._left == 0


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
        for task in cutter._tasks:
            task.cancel()
        await asyncio.gather(*cutter._tasks, return_exceptions=True)

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
        self._cutter._tasks.add(task)
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
            self._cutter._tasks.discard(task)

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
        self._cutter.is_cut = True


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readexactly(5)
    return head[:1], head + await reader.readexactly(struct.unpack("!i", head[1:])[0] - 4)
