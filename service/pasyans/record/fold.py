"""Folding: from the events of a log to the game, with its history.

Folding trusts nothing: a move that the rules refuse, or an event that can't follow, is a `CorruptLog`.
"""

from collections.abc import Iterable, Iterator

from pasyans.deals.seeds import is_seed
from pasyans.engine.errors import EngineError
from pasyans.engine.position import Position
from pasyans.games.catalogue import UnknownVariant
from pasyans.record.errors import CorruptLog
from pasyans.record.events import Event, Finished, Moved, Outcome, Redone, Restored, Started, Undone, Voided
from pasyans.record.frames import Frame, Step
from pasyans.record.game import Game, open_game


class History:
    """A game with the way it came: the moves on the line, and those that could be made again."""

    def __init__(self, start: Started, at: int) -> None:
        opened = open_game(start, at)
        self.line: list[str] = []
        self.undone: list[str] = []
        self._positions: list[Position] = [opened.position]  # the opening, and that after each move on the line
        self._start = start
        self._rules = opened.rules
        self._chance = opened.chance
        self._version = 1
        self._undos = 0
        self._is_won = self._rules.is_won(opened.position)
        self._outcome: Outcome | None = None
        self._is_void = False
        self._started_at = at
        self._updated_at = at
        self._finished_at: int | None = None
        self._game: Game | None = opened

    @property
    def game(self) -> Game:
        """The game as it stands; made when it is asked for, as most events of a log are only passed."""
        if self._game is None:
            self._game = Game(
                self._start,
                self._version,
                self._positions[-1],
                len(self.line),
                self._undos,
                len(self.undone),
                self._outcome,
                self._is_void,
                self._started_at,
                self._updated_at,
                self._finished_at,
            )
        return self._game

    def add(self, event: Event, at: int) -> Frame:
        """Add the next event, and return its frame.

        Raises:
            CorruptLog: ``event`` can't follow.
        """
        backward = self._last_steps(event.count)[::-1] if isinstance(event, Undone) else ()
        self.follow(event, at)
        moved = 1 if isinstance(event, Moved) else event.count if isinstance(event, Redone) else 0
        return Frame(self._version, event, self._updated_at, self.game, self._last_steps(moved), backward)

    def follow(self, event: Event, at: int) -> None:
        """Add the next event.

        Raises:
            CorruptLog: ``event`` can't follow. The history is of no use any more.
        """
        seq = self._version + 1
        is_after = isinstance(event, (Voided, Restored))
        if (self._outcome is None) is is_after or isinstance(event, Started):
            raise CorruptLog(seq, f"{type(event).__name__} can't follow here.")
        if self._is_won and not (is_after or isinstance(event, Finished)):
            raise CorruptLog(seq, f"{type(event).__name__} comes after the win.")
        at = max(at, self._updated_at)  # time never runs backwards in a game
        if isinstance(event, Moved):
            self.undone.clear()
            self._play(event.move, seq)
        elif isinstance(event, Undone):
            self._check_count(event.count, len(self.line), seq)
            self._undos += event.count
            for _ in range(event.count):
                self.undone.append(self.line.pop())
                self._positions.pop()
        elif isinstance(event, Redone):
            self._check_count(event.count, len(self.undone), seq)
            for _ in range(event.count):
                self._play(self.undone.pop(), seq)
        elif isinstance(event, Finished):
            if (event.outcome == "won") is not self._is_won:
                raise CorruptLog(seq, f"the position does not agree with {event.outcome!r}.")
            self._outcome = event.outcome
            self._finished_at = at
        else:
            if self._is_void is isinstance(event, Voided) or self._outcome == "abandoned":
                raise CorruptLog(seq, f"{type(event).__name__} can't follow here.")
            self._is_void = not self._is_void
        self._version = seq
        self._updated_at = at
        self._game = None

    def _play(self, move: str, seq: int) -> None:
        try:
            after = self._rules.play(self._positions[-1], move, self._chance)
        except EngineError as error:
            raise CorruptLog(seq, str(error)) from error
        self.line.append(move)
        self._positions.append(after)
        self._is_won = self._rules.is_won(after)

    def _last_steps(self, count: int) -> tuple[Step, ...]:
        """The last moves on the line, as many as it has at most, with the positions around them."""
        first = max(0, len(self.line) - count)
        return tuple(
            Step(self._positions[index], self.line[index], self._positions[index + 1])
            for index in range(first, len(self.line))
        )

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
            history.follow(event, at)
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
