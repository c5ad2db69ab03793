"""Feeds: games that go on while somebody in this process listens, each read once for all who listen. No HTTP here.

Nothing is queued for a listener. Each knows what it has seen, is roused when there may be more, and asks for what
follows; the answer is read from the log. So one that is slow gets more events in fewer messages, and costs no memory.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol
from uuid import UUID

import msgspec

from pasyans.api import play, views, visibility
from pasyans.api.schemas.events import Event
from pasyans.api.schemas.streams import StreamMessage
from pasyans.record import events as record
from pasyans.record.following import changes_after
from pasyans.record.game import Game
from pasyans.record.lines import decode
from pasyans.store.base import Store
from pasyans.store.values import Head, LogRow

EVENTS_AT_MOST: Final = 500
"""The most events in one update."""

_MANY: Final = 50  # events that take so long to show that it is done beside the event loop


class Seen(NamedTuple):
    """What somebody has seen of a game: how many of its events, and whether the deal of its day had opened."""

    version: int
    has_opened: bool


class Update(msgspec.Struct, frozen=True):
    """What follows what somebody has seen: a message, and what is seen with it.

    ``is_whole`` tells that nothing follows yet; ``is_last`` that nothing will, as the game is over. ``is_private`` and
    ``opens_at`` are as in `visibility.Sight`.
    """

    seen: Seen
    message: bytes
    is_whole: bool
    is_last: bool
    is_private: bool
    opens_at: int | None


class Listener(Protocol):
    """Who is to be roused when there may be more; it must be quick, and ask later."""

    def rouse(self) -> None:
        """Take note."""


class Feed:
    """One game. ``wake`` is for the store to call, whenever the game may have moved."""

    __slots__ = ("_base", "_clock", "_game_id", "_moves", "_reading", "_store", "listeners")

    def __init__(self, store: Store, clock: Callable[[], int], game_id: UUID) -> None:
        self.listeners: set[Listener] = set()
        self._store = store
        self._clock = clock
        self._game_id = game_id
        self._moves = 0
        self._reading: tuple[Seen | None, int, asyncio.Task[Update | None]] | None = None
        # The version that was last shown to most, and its snapshot: what follows it can be told without the whole log.
        self._base: tuple[int, bytes] | None = None

    def wake(self) -> None:
        """Rouse whoever listens."""
        self._moves += 1
        for listener in self.listeners:
            listener.rouse()

    async def after(self, seen: Seen | None) -> Update | None:
        """Return what follows ``seen``, or the present game where that is ``None``; ``None`` where nothing follows.

        All who ask at the same time for the same are answered by one look at the database.

        Raises:
            NotFound, StoreError: as the modules say.
        """
        if self._reading is None or self._reading[:2] != (seen, self._moves):
            task = asyncio.create_task(self._read(seen))
            task.add_done_callback(self._forget)
            self._reading = seen, self._moves, task
        # Whoever goes away meanwhile does not take the answer from the others.
        return await asyncio.shield(self._reading[2])

    def _forget(self, task: asyncio.Task[Update | None]) -> None:
        if self._reading is not None and self._reading[2] is task:
            self._reading = None
        if not task.cancelled():
            task.exception()

    async def _read(self, seen: Seen | None) -> Update | None:
        head = await play.head_of(self._store, self._game_id)
        game = play.game_of(head)
        sight = visibility.own(game, self._clock())
        events: list[Event] = []
        if seen is not None:
            if seen.version >= head.version and seen.has_opened == sight.has_opened:
                return None
            game, events = await self._follow(head, game, seen.version)
        is_whole = game.version == head.version
        if is_whole:
            self._base = head.version, head.snapshot
        now_seen = Seen(game.version, sight.has_opened)
        data = msgspec.json.encode(StreamMessage(events, views.full(head, game, sight)))
        return Update(
            now_seen,
            b"id: %d\nevent: game\ndata: %b\n\n" % (now_seen.version, data),
            is_whole=is_whole,
            is_last=is_whole and game.is_over,
            is_private=sight.is_private,
            opens_at=sight.opens_at,
        )

    async def _follow(self, head: Head, game: Game, after: int) -> tuple[Game, list[Event]]:
        """Return the events after a version, no more than fit in one update, and the game as it stands after them."""
        base = self._base  # another who asks meanwhile may set a later one
        if base is not None and base[0] == after < head.version <= after + EVENTS_AT_MOST:
            rows = await self._store.log(self._game_id, after, head.version)
            found = _shown(_at(head, *base), rows, head.version)
            if found is not None:
                return game, found
        upto = min(after + EVENTS_AT_MOST, head.version)
        if after >= upto:
            return game, []
        frames = await play.frames_of(self._store, self._game_id, after, upto)
        if len(frames) > _MANY:
            return frames[-1].game, await asyncio.to_thread(lambda: [views.framed(frame) for frame in frames])
        return frames[-1].game, [views.framed(frame) for frame in frames]


def _at(head: Head, version: int, snapshot: bytes) -> Game:
    """The game as it stood at a version of which there is a snapshot."""
    return play.game_of(msgspec.structs.replace(head, version=version, snapshot=snapshot))


def _shown(game: Game, rows: list[LogRow], upto: int) -> list[Event] | None:
    """The events that follow ``game`` up to a version, as they are shown; ``None`` where the whole log is needed."""
    following: list[tuple[int, record.Event, int]] = [
        (seq, event, row.at)
        for row in rows
        for seq, event in enumerate(decode(row.events, row.first_seq), row.first_seq)
        if game.version < seq <= upto
    ]
    changes = changes_after(game, [event for _, event, _ in following])
    if changes is None:
        return None
    return [views.event(seq, event, at, change) for (seq, event, at), change in zip(following, changes, strict=True)]
