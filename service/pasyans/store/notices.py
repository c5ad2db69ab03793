"""Telling every process which games have moved, and hearing it from the others.

A notice holds ids alone; who is woken reads the game again. After a commit this process's own watches are woken at
once, and the ids are queued for the others: they go out by NOTIFY, all that are there together, in a transaction of its
own on a connection of its own, so that no append waits for it or fails with it. The same connection listens.

Notices may be lost: with a connection that breaks, or with a process that is killed between its commit and its notice.
So every watched game is looked at again whenever the connection is new, and every now and then: what is lost delays.

The same connection carries what processes tell each other beside that, on a channel of its own.
"""

import asyncio
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final
from uuid import UUID

import structlog

from pasyans.store.connection import Connection
from pasyans.store.database import GRACE, Database
from pasyans.store.errors import StoreError
from pasyans.store.trouble import TROUBLE
from pasyans.store.watches import Wake, Watch, Watches

CHANNEL: Final = "pasyans_moved"

TOLD: Final = "pasyans_told"

EVERYTHING: Final = ""
"""The payload of a notice that any game may have moved."""

_ID: Final = 16  # bytes
_BATCH: Final = 256  # games in one notice; its payload must stay below 8,000 bytes
_UNSENT_AT_MOST: Final = 10_000
_UNTOLD_AT_MOST: Final = 100  # messages; the oldest are lost
_LOOKED_AT_ONCE: Final = 1_000
_REST: Final = 0.004  # seconds until the next notice, for each game in the last one
_LONGEST_REST: Final = 0.02
_FIRST_WAIT: Final = 0.1  # seconds until the next attempt to connect; doubled with each failure that follows
_LONGEST_WAIT: Final = 1.0

_NOTIFY: Final = "SELECT pg_notify($1, $2)"
_VERSIONS: Final = "SELECT game_id, version FROM games WHERE game_id = ANY ($1::uuid[])"

_log = structlog.get_logger("pasyans.store")


class Notices:
    """The watches of one process, and its connection to the other processes; `every` is in seconds."""

    def __init__(self, database: Database, *, every: float) -> None:
        self._database = database
        self._every = every
        self._watches = Watches()
        self._unsent: dict[bytes, None] = {}
        self._too_many = False
        self._untold: deque[bytes] = deque(maxlen=_UNTOLD_AT_MOST)
        self._hear: Callable[[bytes], None] | None = None
        self._look = False
        self._stirred = asyncio.Event()
        self._closing = self._connected = False
        self._task: asyncio.Task[None] | None = None
        self._wait = _FIRST_WAIT

    def open(self) -> None:
        """Begin to connect, in the background."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Send what is still to be sent, if there is a connection to send it, and disconnect."""
        self._closing = True
        self._stirred.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=2 * GRACE if self._connected else 0)
            self._task.cancel()
            await asyncio.wait({self._task})

    def watch(self, game_id: UUID, wake: Wake) -> Watch:
        """See `Store.watch`."""
        return self._watches.add(game_id, wake)

    def moved(self, game_ids: Iterable[UUID]) -> None:
        """Tell that games have moved, or may have. Never waits and never fails, whatever those who are woken do."""
        games = [game_id.bytes for game_id in game_ids]
        asyncio.get_running_loop().call_soon(self._watches.moved, games)
        self._unsent.update(dict.fromkeys(games))
        if len(self._unsent) > _UNSENT_AT_MOST:
            self._unsent.clear()
            self._too_many = True
        self._stirred.set()

    def tell(self, message: bytes) -> None:
        """See `Store.tell`."""
        self._untold.append(message)
        self._stirred.set()

    def listen(self, hear: Callable[[bytes], None]) -> None:
        """See `Store.listen`."""
        self._hear = hear

    async def _run(self) -> None:
        was_lost = False
        while not self._closing:
            reason = "The server ended the connection."
            try:
                connection = await self._connect()
                if was_lost:
                    _log.info("notices.regained")
                was_lost = False
                await self._tend(connection)
            except (StoreError, *TROUBLE) as error:
                reason = str(error) or type(error).__name__
            if not self._closing:
                if not was_lost:
                    _log.warning("notices.lost", reason=reason)
                was_lost = True
                await asyncio.sleep(self._wait)
                self._wait = min(2 * self._wait, _LONGEST_WAIT)

    async def _connect(self) -> Connection:
        return await self._database.connect({}, patience=self._database.timeout + GRACE)

    async def _tend(self, connection: Connection) -> None:
        """Listen and send until the connection is lost, or the end."""
        clock = asyncio.get_running_loop().time
        try:
            self._connected = True
            connection.add_termination_listener(lambda _: self._stirred.set())
            await connection.add_listener(CHANNEL, self._heard)
            await connection.add_listener(TOLD, self._heard_told)
            next_look = clock()
            while not connection.is_closed():
                self._stirred.clear()
                if self._look or clock() >= next_look:
                    await self._look_again(connection)
                    next_look = clock() + self._every
                sent = await self._send(connection)
                if self._closing:
                    return
                self._wait = _FIRST_WAIT
                # The more there is to tell, the more of it goes into one notice.
                await asyncio.sleep(min(sent * _REST, _LONGEST_REST))
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(next_look):
                        await self._stirred.wait()
        finally:
            self._connected = False
            with suppress(*TROUBLE):
                await connection.close(timeout=GRACE)

    async def _send(self, connection: Connection) -> int:
        """Tell the others what there is to tell; of how many games."""
        unsent, self._unsent = self._unsent, {}
        too_many, self._too_many = self._too_many, False
        games = list(unsent)
        payloads = [EVERYTHING] if too_many else [_payload(games[n : n + _BATCH]) for n in range(0, len(games), _BATCH)]
        try:
            for payload in payloads:
                await connection.execute(_NOTIFY, CHANNEL, payload)
        except BaseException:
            self._unsent = unsent | self._unsent
            self._too_many |= too_many
            raise
        while self._untold:
            await connection.execute(_NOTIFY, TOLD, b64encode(self._untold.popleft()).decode("ascii"))
        return len(games)

    async def _look_again(self, connection: Connection) -> None:
        self._look = False
        games = self._watches.games
        for start in range(0, len(games), _LOOKED_AT_ONCE):
            some = [UUID(bytes=game) for game in games[start : start + _LOOKED_AT_ONCE]]
            self._watches.stand_at((row[0].bytes, row[1]) for row in await connection.fetch(_VERSIONS, some))

    def _heard(self, connection: Connection, pid: int, _channel: str, payload: str) -> None:
        if pid == connection.get_server_pid():
            return
        games = _games(payload)
        if games:
            self._watches.moved(games)
        else:
            self._look = True
            self._stirred.set()

    def _heard_told(self, connection: Connection, pid: int, _channel: str, payload: str) -> None:
        if pid == connection.get_server_pid() or self._hear is None:
            return
        try:
            message = b64decode(payload, validate=True)
        except ValueError:  # not ours
            return
        self._hear(message)


def _payload(games: list[bytes]) -> str:
    return b64encode(b"".join(games)).decode("ascii")


def _games(payload: str) -> list[bytes]:
    """The games in a notice; none where it means any, or can't be read and so may mean any."""
    try:
        ids = b64decode(payload, validate=True)
    except ValueError:
        return []
    return [ids[n : n + _ID] for n in range(0, len(ids), _ID)] if len(ids) % _ID == 0 else []
