"""What can go wrong with a record.

RecordError
├── Refusal                 a command that the game, as it stands, refuses; nothing happened
│   ├── GameOver            it has ended
│   ├── NothingToUndo       fewer moves to undo than asked for
│   ├── NothingToRedo       fewer moves to redo than asked for
│   ├── TurnsUpEarly        a move that may turn up unseen cards, before the end of its batch
│   ├── MoveRefused         a move that is unreadable or illegal; `cause` says why
│   ├── NotFinished         only a finished game can be voided
│   └── NotVoid             only a void game can be restored
├── CorruptLog              events that can't follow one another: a fault of storage
└── BadRecord               a text record that can't be: where it is wrong first, and why
    └── SealedRecord        … because its deal was sealed when it was written
"""

from pasyans.engine.errors import IllegalMove, UnreadableMove


class RecordError(Exception):
    """The root of the record's errors; its text is a sentence for a person."""


class Refusal(RecordError):
    """A command that the game refuses as it stands."""


class GameOver(Refusal):
    """The game has ended. ``index`` is the move of the batch that came too late, where there is a batch."""

    def __init__(self, index: int | None = None) -> None:
        super().__init__("The game is over.")
        self.index = index


class NothingToUndo(Refusal):
    """Fewer moves to undo than asked for; ``available`` is how many there are."""

    def __init__(self, available: int) -> None:
        super().__init__(f"There {_count(available)} to undo.")
        self.available = available


class NothingToRedo(Refusal):
    """Fewer moves to redo than asked for; ``available`` is how many there are."""

    def __init__(self, available: int) -> None:
        super().__init__(f"There {_count(available)} to redo.")
        self.available = available


class TurnsUpEarly(Refusal):
    """A move that may turn up unseen cards and is not the last of its batch."""

    def __init__(self, move: str, index: int) -> None:
        super().__init__(f"{move} may turn up a card not seen before, so it can only be the last move of its batch.")
        self.move = move
        self.index = index


class MoveRefused(Refusal):
    """A move of a batch that is unreadable or illegal; none of the batch was played."""

    def __init__(self, move: str, index: int, cause: IllegalMove | UnreadableMove, legal_moves: list[str]) -> None:
        super().__init__(str(cause))
        self.move = move
        self.index = index
        self.cause = cause
        self.legal_moves = legal_moves


class NotFinished(Refusal):
    """Only a game that was won or lost can be voided."""

    def __init__(self) -> None:
        super().__init__("Only a game that was won or lost can be voided.")


class NotVoid(Refusal):
    """Only a void game can be restored."""

    def __init__(self) -> None:
        super().__init__("Only a void game can be restored.")


class CorruptLog(RecordError):
    """Stored events that can't follow one another; ``seq`` is the first that is wrong."""

    def __init__(self, seq: int, sentence: str) -> None:
        super().__init__(f"Event {seq} is wrong: {sentence}")
        self.seq = seq


class BadRecord(RecordError):
    """A text record that can't be.

    ``line`` counts from 1; ``move`` and ``index`` (from 0) name the first wrong move, where it is a move.
    """

    def __init__(self, line: int, sentence: str, move: str | None = None, index: int | None = None) -> None:
        super().__init__(sentence)
        self.line = line
        self.move = move
        self.index = index


class SealedRecord(BadRecord):
    """A record without the seed of its deal, which was sealed when it was written; ``day`` is that of a daily."""

    def __init__(self, line: int, sentence: str, day: str | None) -> None:
        super().__init__(line, sentence)
        self.day = day


def _count(available: int) -> str:
    if available == 0:
        return "is nothing"
    return "is one move" if available == 1 else f"are only {available} moves"
