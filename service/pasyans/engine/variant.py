"""The vocabulary in which a game is stated.

A variant is data: a frozen struct made of the words below. A family's engine (`piles`, `grids`) knows what each word
means; a new word is engine code, a new game of a known family is not.
"""

from enum import StrEnum

import msgspec

from pasyans.engine.cards import CARD_CODES, PACKS


class Text(msgspec.Struct, frozen=True):
    """A text in the languages of the service."""

    en: str
    ru: str


class Build(StrEnum):
    """How cards are built on the tableau."""

    DOWN_ANY_SUIT = "down-any-suit"
    DOWN_SAME_SUIT = "down-same-suit"
    DOWN_ALTERNATE = "down-alternate"


class EmptyColumn(StrEnum):
    """What an empty tableau pile takes."""

    ANY_CARD = "any-card"
    RESERVE_THEN_WASTE_KING = "reserve-then-waste-king"
    """The top of the reserve; when the reserve is empty, a king from the top of the waste, and nothing else."""


class Lift(StrEnum):
    """How many cards of a tableau pile move at once."""

    ONE_CARD = "one-card"
    CARD_OR_WHOLE_COLUMN = "card-or-whole-column"
    """The top card alone, or the column as a whole onto another column that is not empty."""


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """What every game states.

    ``rules`` rises when play changes; a game that was started under a number replays under it for ever.
    ``pack`` names one of `pasyans.engine.cards.PACKS`, and is part of the deal's stream.
    """

    id: str
    name: Text
    summary: Text
    pack: str
    rules: int = 1

    @property
    def deck(self) -> bytes:
        """The cards in play, sorted."""
        return bytes(sorted(PACKS[self.pack]))

    @property
    def cards(self) -> int:
        """How many cards are in play."""
        return len(self.deck)

    @property
    def redeals(self) -> int | None:
        """How many redeals a game allows; ``None`` is as many as the player likes."""
        raise NotImplementedError


class PileVariant(Variant, frozen=True, kw_only=True):
    """A game of piles: stock, waste, perhaps a reserve, foundations built up by suit, a tableau built down."""

    columns: int
    column_cards: int
    build: Build
    empty_column: EmptyColumn = EmptyColumn.ANY_CARD
    lift: Lift = Lift.ONE_CARD
    passes: int | None = 1
    draw: int = 1
    reserve: int = 0

    @property
    def redeals(self) -> int | None:
        return None if self.passes is None else self.passes - 1

    @property
    def foundations(self) -> int:
        """One foundation for each suit of each pack of 52 or fewer cards."""
        return 8 if self.pack == "104" else 4


class GridVariant(Variant, frozen=True, kw_only=True):
    """A game on a grid of rows with gaps, each row to be filled with one suit from the ace to the king.

    ``aces_out`` names the suits of the aces that stand in the first column from the start, a letter a row; the gaps
    are then the second column. When it is empty, the aces are dealt with the rest and the gaps are the first column.
    """

    aces_out: str = ""
    attempts: int = 3

    @property
    def deck(self) -> bytes:
        return bytes(sorted(PACKS[self.pack] + bytes(CARD_CODES["A" + suit] for suit in self.aces_out)))

    @property
    def redeals(self) -> int | None:
        return self.attempts - 1
