"""What can go wrong in the engine.

EngineError
├── UnreadableMove      the text is not in the notation at all
├── IllegalMove         readable, but the rules refuse it; `reason` says which rule
└── BadSnapshot         stored bytes that are no position
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a move is refused: a closed list, in the order in which the reasons are looked for.

    Where several apply, the first is given.
    """

    NO_SUCH_PILE = "no-such-pile"
    EMPTY_SOURCE = "empty-source"
    NOT_AVAILABLE = "not-available"
    TAKES_NO_CARDS = "takes-no-cards"
    POINTLESS = "pointless"
    STOCK_EMPTY = "stock-empty"
    STOCK_NOT_EMPTY = "stock-not-empty"
    WASTE_EMPTY = "waste-empty"
    NO_REDEAL_LEFT = "no-redeal-left"
    FIXED_ACE = "fixed-ace"
    NOT_A_GAP = "not-a-gap"
    DEAD_GAP = "dead-gap"
    ONE_CARD_ONLY = "one-card-only"
    WHOLE_COLUMN_ONLY = "whole-column-only"
    NEEDS_ACE = "needs-ace"
    ONLY_RESERVE = "only-reserve"
    ONLY_WASTE = "only-waste"
    ONLY_KINGS = "only-kings"
    WRONG_SUIT = "wrong-suit"
    WRONG_COLOUR = "wrong-colour"
    NOT_NEXT_RANK = "not-next-rank"
    NOT_ADJACENT = "not-adjacent"
    UNTIDY_ROWS = "untidy-rows"
    OTHER_ROW_FIRST = "other-row-first"


REASON_ORDER = tuple(Reason)


class EngineError(Exception):
    """The root of the engine's errors; its text is a sentence for a person."""


class UnreadableMove(EngineError):
    """A text that is not in the move notation."""

    def __init__(self, move: str) -> None:
        super().__init__(
            f"{_quoted(move)} is not a move: write draw, redeal, SOURCE-TARGET such as w-t3, "
            "or SOURCE-TARGET*N for two or more cards, such as t4-t1*3."
        )
        self.move = move


class IllegalMove(EngineError):
    """A readable move that the rules refuse in this position."""

    def __init__(self, move: str, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.move = move
        self.reason = reason


class BadSnapshot(EngineError):
    """Stored bytes that are no position."""


def _quoted(text: str, limit: int = 40) -> str:
    return repr(text if len(text) <= limit else text[:limit] + "…")
