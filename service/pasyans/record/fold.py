"""Folding: from the events of a log to the game, with its history.

Folding trusts nothing: a move that the rules refuse, or an event that can't follow, is a `CorruptLog`.
"""

from collections.abc import Iterable, Iterator

from pasyans.deals.seeds import is_seed
from pasyans.engine.errors import EngineError
from pasyans.engine.position import Position
from pasyans.games.catalogue import UnknownVariant
from pasyans.record.errors import CorruptLog
from pasyans.record.events import Event, Finished, Moved, Redone, Restored, Started, Undone, Voided
from pasyans.record.frames import Frame, Step
from pasyans.record.game import Game, open_game


class History:
    """A game with the way it came: the moves on the line, and those that could be made again."""

    def __init__(self, start: Started, at: int) -> None:
        self.game = open_game(start, at)
        self._opening = self.game.position
        self.line: list[Step] = []
        self.undone: list[str] = []

    def add(self, event: Event, at: int) -> Frame:
        """Add the next event, and return its frame.

        Raises:
            CorruptLog: ``event`` can't follow.
        """
        seq = self.game.version + 1
        is_after = isinstance(event, Voided | Restored)
        is_won = self.game.rules.is_won(self.game.position)
        if self.game.is_over is not is_after or isinstance(event, Started):
            raise CorruptLog(seq, f"{type(event).__name__} can't follow here.")
        if is_won and not (is_after or isinstance(event, Finished)):
            raise CorruptLog(seq, f"{type(event).__name__} comes after the win.")
        forward: list[Step] = []
        backward: list[Step] = []
        undos = 0
        outcome, is_void = self.game.outcome, self.game.is_void
        match event:
            case Moved(move):
                self.undone.clear()
                forward = self._play([move], seq)
            case Undone(count):
                undos = count
                backward = self._undo(count, seq)
            case Redone(count):
                self._check_count(count, len(self.undone), seq)
                forward = self._play([self.undone.pop() for _ in range(count)], seq)
            case Finished(outcome):
                if (outcome == "won") is not is_won:
                    raise CorruptLog(seq, f"the position does not agree with {outcome!r}.")
            case Voided() | Restored():
                if is_void is isinstance(event, Voided) or outcome == "abandoned":
                    raise CorruptLog(seq, f"{type(event).__name__} can't follow here.")
                is_void = not is_void
        game = self.game
        at = max(at, game.updated_at)  # time never runs backwards in a game
        self.game = Game(
            game.start,
            seq,
            self._position,
            len(self.line),
            game.undos + undos,
            len(self.undone),
            outcome,
            is_void,
            game.started_at,
            at,
            at if isinstance(event, Finished) else game.finished_at,
        )
        return Frame(seq, event, at, self.game, tuple(forward), tuple(backward))

    @property
    def _position(self) -> Position:
        return self.line[-1].after if self.line else self._opening

    def _play(self, moves: list[str], seq: int) -> list[Step]:
        rules, chance = self.game.rules, self.game.chance
        position = self._position
        steps: list[Step] = []
        for move in moves:
            try:
                after = rules.play(position, move, chance)
            except EngineError as error:
                raise CorruptLog(seq, str(error)) from error
            steps.append(Step(position, move, after))
            position = after
        self.line += steps
        return steps

    def _undo(self, count: int, seq: int) -> list[Step]:
        self._check_count(count, len(self.line), seq)
        steps = [self.line.pop() for _ in range(count)]
        self.undone += [step.move for step in steps]
        return steps

    @staticmethod
    def _check_count(count: int, available: int, seq: int) -> None:
        if not 1 <= count <= available:
            raise CorruptLog(seq, f"{count} moves of {available} can't be gone back or forth.")


def frames(events: Iterable[tuple[Event, int]]) -> Iterator[Frame]:
    """Yield a frame for each of ``events``, which come with their times, from the first of the log.

    Raises:
        CorruptLog: an event can't follow, or the first is not a start.
    """
    history: History | None = None
    for event, at in events:
        if history is None:
            history, first = begin(event, at)
            yield first
        else:
            yield history.add(event, at)


def fold(events: Iterable[tuple[Event, int]]) -> History:
    """Return the game that ``events``, with their times, lead to, and its history.

    Raises:
        CorruptLog: there is no event, an event can't follow, or the first is not a start.
    """
    history: History | None = None
    for event, at in events:
        if history is None:
            history, _ = begin(event, at)
        else:
            history.add(event, at)
    if history is None:
        raise CorruptLog(1, "there is no event.")
    return history


def begin(event: Event, at: int) -> tuple[History, Frame]:
    """Return the history that the first event of a log begins, and its frame.

    Raises:
        CorruptLog: ``event`` is no start, or one of a variant that there is not.
    """
    if not isinstance(event, Started):
        raise CorruptLog(1, "a game begins with its start.")
    if not is_seed(event.deal.seed):
        raise CorruptLog(1, f"{event.deal.seed!r} is no seed.")
    try:
        history = History(event, at)
    except UnknownVariant as error:
        raise CorruptLog(1, str(error)) from error
    return history, Frame(1, event, at, history.game)
