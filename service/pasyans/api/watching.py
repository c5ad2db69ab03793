"""Watching: how a game went, frame by frame, however long it is. No HTTP here.

A log is read in stretches, and no connection to the database is held between them; frames are made beside the event
loop, some at a time, and only as fast as they are taken. What is kept meanwhile is the line of moves, which undo needs.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

import msgspec

from pasyans.api import play, views, visibility
from pasyans.api.deps import Dependencies
from pasyans.api.problems import NotFound
from pasyans.api.schemas.replays import ReplayFrame
from pasyans.record.errors import CorruptLog
from pasyans.record.fold import History, begin
from pasyans.record.frames import Frame
from pasyans.record.game import Game
from pasyans.record.lines import decode
from pasyans.store.base import Store
from pasyans.store.values import Head, LogRow

T = TypeVar("T")

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
    projector = _Projector(game, after, upto)
    async for rows in stretches(store, game.head.game_id, upto if after < upto else 0):
        parts = projector.show(rows)
        while (part := await beside(partial(next, parts, None))) is not None:
            yield part


async def stretches(store: Store, game_id: UUID, upto: int) -> AsyncIterator[list[LogRow]]:
    """Yield the log of a game up to a version, in stretches.

    Raises:
        CorruptLog: it ends before that.
    """
    seen = 0
    while seen < upto:
        rows = await store.log(game_id, seen, min(seen + _STRETCH, upto))
        if not rows:
            raise CorruptLog(seen + 1, "the log ends before the game does.")
        yield rows
        seen = rows[-1].last_seq


async def beside(work: Callable[[], T]) -> T:
    """Do some work beside the event loop, when those who came before have had theirs done."""
    return await asyncio.get_running_loop().run_in_executor(_BESIDE, work)


class Course:
    """How a game went, from the rows of its log, which it is shown in order; ``history`` is of what it has seen."""

    history: History | None = None

    def fold(self, rows: Sequence[LogRow]) -> Iterator[Frame]:
        """Yield a frame for each event of ``rows``."""
        for row in rows:
            for event in decode(row.events, row.first_seq):
                if self.history is None:
                    self.history, frame = begin(event, row.at)
                else:
                    frame = self.history.add(event, row.at)
                yield frame


class _Projector:
    """Makes frames of a game from the rows of its log, which it is shown in order."""

    def __init__(self, game: Watched, after: int, upto: int) -> None:
        self._head = game.head
        self._sight = game.sight
        self._after = after
        self._upto = upto
        self._course = Course()

    def show(self, rows: Sequence[LogRow]) -> Iterator[list[ReplayFrame]]:
        """Yield the frames of ``rows``, some at a time."""
        part: list[ReplayFrame] = []
        for frame in self._course.fold(rows):
            if self._after < frame.seq <= self._upto:
                part.append(ReplayFrame(views.framed(frame), views.full(self._head, frame.game, self._sight)))
            if len(part) == _FRAMES:
                yield part
                part = []
        if part:
            yield part
