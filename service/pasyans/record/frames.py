"""Frames: an event, the game after it, and what it changed."""

from collections.abc import Iterable

import msgspec

from pasyans.engine.changes import changes, compose, inverse
from pasyans.engine.position import Position
from pasyans.engine.rules import Transfers
from pasyans.engine.view import Change
from pasyans.record.events import Event
from pasyans.record.game import Game


class Step(msgspec.Struct, frozen=True):
    """A move on the line, with the positions around it."""

    before: Position
    move: str
    after: Position


class Frame(msgspec.Struct, frozen=True):
    """An event, its number in the log, and the game after it."""

    seq: int
    event: Event
    at: int
    game: Game
    forward: tuple[Step, ...] = ()
    backward: tuple[Step, ...] = ()

    @property
    def changes(self) -> list[Change]:
        """The event's net effect, for animation."""
        rules = self.game.rules
        if self.forward:
            steps: Iterable[Transfers] = (_transfers(self.game, step) for step in self.forward)
            return changes(rules, self.forward[0].before, compose(steps), self.game.position)
        if self.backward:
            steps = (inverse(_transfers(self.game, step)) for step in self.backward)
            return changes(rules, self.backward[0].after, compose(steps), self.game.position)
        return []


def _transfers(game: Game, step: Step) -> Transfers:
    return game.rules.transfers(step.before, step.move, step.after)
