"""Recent games: those that this process has dealt with last, each as it stood then.

What is here may be old: another process may have moved the game since. So it is something to begin with, and what
comes of it counts only where the store confirms it: an append that went through, or a head row that is the same.
"""

from uuid import UUID

import msgspec

from pasyans.record.game import Game
from pasyans.store.values import Head


class Standing(msgspec.Struct, frozen=True, gc=False):
    """A game as it stood at one moment: its head row, and the game that this is of."""

    head: Head
    game: Game


class Recent:
    """At most ``size`` games, those used last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._standings: dict[UUID, Standing] = {}

    def get(self, game_id: UUID) -> Standing | None:
        """Return a game as it stood when it was last seen here, if it was, and lately."""
        standing = self._standings.pop(game_id, None)
        if standing is not None:
            self._standings[game_id] = standing
        return standing

    def put(self, standing: Standing) -> None:
        """Keep a game as it stood when it was read or written; one that is known to have gone on stays as it is."""
        game_id = standing.head.game_id
        known = self._standings.pop(game_id, None)
        is_older = known is not None and known.head.version > standing.head.version
        self._standings[game_id] = known if is_older and known is not None else standing
        if len(self._standings) > self._size:
            del self._standings[next(iter(self._standings))]

    def drop(self, game_id: UUID) -> None:
        """Forget a game, which may have gone on."""
        self._standings.pop(game_id, None)
