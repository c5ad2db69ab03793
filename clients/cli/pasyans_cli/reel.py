"""Frames of a game, one after each of its events, by place from 0."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import msgspec
from pasyans_client.models import Event, Frame, RecordFrame, Variant

from pasyans_cli.exits import Exit, Failed
from pasyans_cli.session import Session

PAGE = 50
KEPT = 8
"""How many pages of frames are kept to go back to."""


class Reel(ABC):
    """Frames in order; there is at least one. From the first to the last they come by iteration, any by its place."""

    variant: Variant

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, place: int) -> Frame | RecordFrame: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Frame | RecordFrame]: ...

    @abstractmethod
    def answers(self) -> Iterator[bytes]:
        """What the API answers for it, as it is."""


class GameReel(Reel):
    """A game of the service, up to where it stood at first: a stream from end to end, and pages for a look around."""

    def __init__(self, session: Session, game_id: str) -> None:
        self._client = session.client
        self._id = game_id
        game = self._client.game(game_id)
        self._length = game.version
        self._page = lru_cache(KEPT)(lambda after: self._client.frames(game_id, after=after, limit=PAGE))
        self.variant = session.variant(game.variant)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> Frame:
        return self._page(place // PAGE * PAGE)[place % PAGE]

    def __iter__(self) -> Iterator[Frame]:
        return islice(self._client.replay(self._id), self._length)

    def answers(self) -> Iterator[bytes]:
        for line in islice(self._client.replay_lines(self._id), self._length):
            yield bytes(msgspec.json.decode(line, type=_RawFrame).game)


class _RawFrame(msgspec.Struct):
    """A frame whose game is as the API wrote it."""

    game: msgspec.Raw


class RecordReel(Reel):
    """A text record, replayed by the service. Raises `Failed` where the record cannot be."""

    def __init__(self, session: Session, text: str) -> None:
        found = session.client.verify(text, frames=True)
        self._answer = session.body()
        if not found.valid or not found.frames:
            if session.out.json:
                session.out.answer(self._answer)
            place = f"line {found.line}" + (f", {found.move}" if found.move else "")
            raise Failed(f"The record cannot be. {place}: {found.detail}", Exit.INVALID)
        self._frames = found.frames
        self.variant = session.variant(self[0].game.variant)

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, place: int) -> RecordFrame:
        return self._frames[place]

    def __iter__(self) -> Iterator[RecordFrame]:
        return iter(self._frames)

    def answers(self) -> Iterator[bytes]:
        yield self._answer


def caption(event: Event) -> str:
    """What happened, in a word or two."""
    match event.type:
        case "moved":
            return event.move or ""
        case "undone" | "redone":
            return f"{event.type} {event.count}"
        case "finished":
            return f"finished: {event.outcome}"
        case "voided" | "restored":
            return f"{event.type}: {event.reason}"
        case kind:
            return kind
