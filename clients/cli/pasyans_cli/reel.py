"""Frames of a game, one after each of its events, by place from 0."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from pasyans_client.models import Event, Game, RecordedGame, Variant

from pasyans_cli.exits import Exit, Failed
from pasyans_cli.session import Session


class Frame(NamedTuple):
    """An event, and the game after it."""

    event: Event
    game: Game | RecordedGame


class Reel(ABC):
    """Frames in order; there is at least one."""

    variant: Variant

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, place: int) -> Frame: ...

    @abstractmethod
    def answers(self) -> Iterator[bytes]:
        """What the API answers for it, as it is."""


class GameReel(Reel):
    """A game of the service; each frame is asked for when it is looked at first."""

    def __init__(self, session: Session, game_id: str) -> None:
        self._session = session
        self._id = game_id
        self._events = list(session.client.events(game_id))
        self._frames: dict[int, Frame] = {}
        self.variant = session.variant(self[0].game.variant)

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, place: int) -> Frame:
        if place not in self._frames:
            event = self._events[place]
            self._frames[place] = Frame(event, self._session.client.game(self._id, at=event.seq))
        return self._frames[place]

    def answers(self) -> Iterator[bytes]:
        for event in self._events:
            self._session.client.game(self._id, at=event.seq)
            yield self._session.body()


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
        self._frames = [Frame(frame.event, frame.game) for frame in found.frames]
        self.variant = session.variant(self[0].game.variant)

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, place: int) -> Frame:
        return self._frames[place]

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
