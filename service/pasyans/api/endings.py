"""Games that end without their players: those that were left, and those of players who are erased. No HTTP here.

An end is an append like any other, by compare-and-set: of all who would end a game at once, one writes the event, and
a player who moves meanwhile was first.
"""

from collections.abc import Callable
from typing import Final
from uuid import UUID

import structlog

from pasyans.api.deps import Dependencies
from pasyans.api.play import append_of, game_of
from pasyans.engine.errors import BadSnapshot
from pasyans.record import decide
from pasyans.record.decide import Decision
from pasyans.record.game import Game
from pasyans.store.errors import Conflict

IDLE_MS: Final = 30 * 24 * 3_600_000
"""Milliseconds after its last event when a game counts as left."""

_PAGE: Final = 1000
_FIRST: Final = UUID(int=0)
_TIME_SHIFT: Final = 80  # a UUIDv7 begins with its milliseconds, above so many bits

_log = structlog.get_logger("pasyans.chores")


class Unreadable(Exception):
    """Games could not be ended because what is stored of them can't be read: `games`."""

    def __init__(self, games: list[UUID]) -> None:
        super().__init__(f"{len(games)} idle games can't be read, and so were not ended; the log names each.")
        self.games = games


class IdleSweep:
    """Ends the games in which nothing has happened for 30 days: as `abandoned` where untouched, else as `lost`.

    No index tells when a game last moved, since each move would have to write it. But a game that has been idle for so
    long was started before that, and ids begin with the time of the start: so a pass reads the heads below the id of
    that time, by the primary key, a page at a time. What is over stays over: the next pass begins at the oldest game
    that this one left running, and mostly reads what has come of age since. Only the first pass of a process reads
    all.
    """

    def __init__(self, deps: Dependencies, page: int = _PAGE) -> None:
        self._deps = deps
        self._page = page
        self._over = _FIRST

    async def run(self) -> int:
        """Make one pass; how many games it ended. Several processes may do so at once.

        Raises:
            StoreError: the database is away. What was ended by then is ended.
            Unreadable: some could not be ended, and all the others have been.
        """
        left_at = self._deps.clock() - IDLE_MS
        too_young = UUID(int=left_at + 1 << _TIME_SHIFT)
        oldest: UUID | None = None
        seen = self._over
        ended = 0
        unreadable: list[UUID] = []
        while (page := await self._deps.store.running(seen, too_young, self._page)).last is not None:
            for game in page.games:
                if game.updated_at <= left_at and await self._ends(game.game_id, unreadable):
                    ended += 1
                else:
                    oldest = oldest or game.game_id
            seen = page.last
        self._over = seen if oldest is None else UUID(int=oldest.int - 1)
        if unreadable:
            raise Unreadable(unreadable)
        return ended

    async def _ends(self, game_id: UUID, unreadable: list[UUID]) -> bool:
        """End a game; one that can't be read is noted, and keeps no other waiting."""
        ended = await end_or_note(self._deps, game_id, _leave)
        if ended is None:
            unreadable.append(game_id)
        return bool(ended)


def _leave(game: Game, at: int) -> Decision | None:
    return decide.resign(game, at) if at - game.updated_at >= IDLE_MS else None


async def end_or_note(
    deps: Dependencies, game_id: UUID, decide_end: Callable[[Game, int], Decision | None]
) -> bool | None:
    """End a game as `end` does; ``None`` where what is stored of it can't be read, which is logged.

    Raises:
        StoreError: it could not be written.
    """
    try:
        return await end(deps, game_id, decide_end)
    except BadSnapshot as error:
        _log.error("game.unreadable", game=str(game_id), error=str(error))
        return None


async def end(deps: Dependencies, game_id: UUID, decide_end: Callable[[Game, int], Decision | None]) -> bool:
    """End a game as ``decide_end`` says of it and the time; whether this call did.

    It did not where the game is over by now, or where ``decide_end`` gives nothing.

    Raises:
        StoreError: it could not be written.
    """
    while True:
        head = await deps.store.head(game_id)
        if head is None or head.status != "playing":
            return False
        decision = decide_end(game_of(head), deps.clock())
        if decision is None:
            return False
        try:
            await deps.store.append(append_of(head, decision))
        except Conflict:
            continue
        return True
