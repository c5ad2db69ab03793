"""Watching: how a game went, frame by frame, however long it is. No HTTP here.

A log is read in stretches, and no connection to the database is held between them; frames are made beside the event
loop, some at a time, and only as fast as they are taken. What is kept meanwhile is the line of moves, which undo needs.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from uuid import UUID

import msgspec

from pasyans.api import play, views, visibility
from pasyans.api.deps import Dependencies
from pasyans.api.problems import NotFound
from pasyans.api.schemas.replays import ReplayFrame
from pasyans.record.errors import CorruptLog
from pasyans.record.events import decode
from pasyans.record.fold import Frame, History, begin
from pasyans.record.game import Game
from pasyans.store.base import Store
from pasyans.store.values import Head, LogRow

_STRETCH: Final = 500
_FRAMES: Final = 50
# A single thread, for which the watchers queue: each one more would delay everybody who plays.
_BESIDE: Final = ThreadPoolExecutor(1, thread_name_prefix="watching")


class Watched(msgspec.Struct, frozen=True):
    """A game that is looked at: its head row, and what shows of it."""

    head: Head
    sight: visibility.Sight


async def watched(deps: Dependencies, game_id: UUID, viewer: UUID | None) -> Watched:
    """Return a game that is to be shown to ``viewer``, who may be nobody known. Whatever shows a game begins here.

    Raises:
        NotFound: there is no such game.
        DealSealed: it is not to be shown to this viewer yet.
    """
    head = await play.head_of(deps.store, game_id)
    return Watched(head, visibility.look(head, viewer, deps.clock()))


async def game_at(store: Store, head: Head, at: int | None) -> Game:
    """Return a game as it stood at a version that it has, or as it stands."""
    if at is None:
        return play.game_of(head)
    return (await play.frames_of(store, head.game_id, at - 1, at))[-1].game


def check_version(head: Head, at: int | None) -> None:
    """Raise `NotFound` where a game has no version ``at``."""
    if at is not None and not 1 <= at <= head.version:
        raise NotFound(f"The game has no version {at}: it has 1 to {head.version}.")


async def reel(store: Store, game: Watched, after: int, upto: int) -> AsyncIterator[list[ReplayFrame]]:
    """Yield, some at a time, a frame for each event of a game with ``after < seq <= upto``."""
    loop = asyncio.get_running_loop()
    projector = _Projector(game, after, upto)
    head = game.head
    seen = 0
    while after < upto and seen < upto:
        rows = await store.log(head.game_id, seen, min(seen + _STRETCH, upto))
        if not rows:
            raise CorruptLog(seen + 1, "the log ends before the game does.")
        parts = projector.show(rows)
        while (part := await loop.run_in_executor(_BESIDE, next, parts, None)) is not None:
            yield part
        seen = rows[-1].last_seq


class _Projector:
    """Makes frames of a game from the rows of its log, which it is shown in order."""

    def __init__(self, game: Watched, after: int, upto: int) -> None:
        self._head = game.head
        self._sight = game.sight
        self._after = after
        self._upto = upto
        self._history: History | None = None

    def show(self, rows: Sequence[LogRow]) -> Iterator[list[ReplayFrame]]:
        """Yield the frames of ``rows``, some at a time."""
        part: list[ReplayFrame] = []
        for frame in self._fold(rows):
            if self._after < frame.seq <= self._upto:
                part.append(ReplayFrame(views.framed(frame), views.full(self._head, frame.game, self._sight)))
            if len(part) == _FRAMES:
                yield part
                part = []
        if part:
            yield part

    def _fold(self, rows: Sequence[LogRow]) -> Iterator[Frame]:
        for row in rows:
            for event in decode(row.events, row.first_seq):
                if self._history is None:
                    self._history, frame = begin(event, row.at)
                else:
                    frame = self._history.add(event, row.at)
                yield frame
