"""Who in this process wants to know when a game has moved."""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self
from uuid import UUID

Wake = Callable[[], None]
"""Called in the event loop; must be quick, and neither wait nor raise."""


class Watches:
    """The watches of one process: one dictionary, and for each watched game a list of whom to wake.

    Games are known here by the 16 bytes of their ids.
    """

    def __init__(self) -> None:
        self._wakes: dict[bytes, list[Wake]] = {}
        self._versions: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._wakes)

    @property
    def games(self) -> list[bytes]:
        """The games that are watched."""
        return list(self._wakes)

    def add(self, game_id: UUID, wake: Wake) -> "Watch":
        """Begin a watch."""
        game = game_id.bytes
        self._wakes.setdefault(game, []).append(wake)
        return Watch(self, game, wake)

    def remove(self, game: bytes, wake: Wake) -> None:
        """End a watch."""
        wakes = self._wakes[game]
        wakes.remove(wake)
        if not wakes:
            del self._wakes[game]
            self._versions.pop(game, None)

    def moved(self, games: Iterable[bytes]) -> None:
        """Wake whoever watches one of these games."""
        for game in games:
            for wake in tuple(self._wakes.get(game, ())):
                wake()

    def stand_at(self, versions: Iterable[tuple[bytes, int]]) -> None:
        """Wake whoever may not know that a game stands where it does: it stood elsewhere when last looked at.

        Who began a watch has read the game after that, so a game that stands where it did is known to all.
        """
        for game, version in versions:
            if game in self._wakes and self._versions.get(game) != version:
                self._versions[game] = version
                self.moved([game])


class Watch:
    """One watch, as a context manager that ends it."""

    __slots__ = ("_game", "_wake", "_watches")

    def __init__(self, watches: Watches, game: bytes, wake: Wake) -> None:
        self._watches = watches
        self._game = game
        self._wake = wake

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the watch; it must not have ended before."""
        self._watches.remove(self._game, self._wake)
