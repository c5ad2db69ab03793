"""A game at one version: a value, computed from its events.

Times are integer milliseconds since the Unix epoch, UTC.
"""

from functools import cache
from typing import Literal

import msgspec

from pasyans.deals.deal import chance, deal
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Chance, Rules
from pasyans.engine.variant import Variant
from pasyans.engine.view import PileView
from pasyans.games import catalogue
from pasyans.record.events import Outcome, Started

Status = Literal["playing", "won", "lost", "abandoned", "void"]


class Game(msgspec.Struct, frozen=True, gc=False):
    """One player's play of one deal, as it stands after ``version`` events.

    ``moves`` counts the moves on the line as it stands, ``undos`` the moves ever taken back, ``undone`` the moves
    that could be made again. ``outcome`` is ``None`` while the game is on, and outlives a voiding.
    """

    start: Started
    version: int
    position: Position
    moves: int
    undos: int
    undone: int
    outcome: Outcome | None
    is_void: bool
    started_at: int
    updated_at: int
    finished_at: int | None

    @property
    def variant(self) -> Variant:
        """The variant under the rules number that the game was started with."""
        return catalogue.variant(self.start.variant, self.start.rules)

    @property
    def rules(self) -> Rules:
        """The engine of the variant."""
        return _rules(self.start.variant, self.start.rules)

    @property
    def chance(self) -> Chance:
        """The order of the deal's redeals."""
        return chance(self.variant, self.start.deal.seed)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def is_untouched(self) -> bool:
        """Whether nothing but the start has happened."""
        return self.version == 1

    @property
    def status(self) -> Status:
        """Where the game stands."""
        return "void" if self.is_void else self.outcome or "playing"

    @property
    def stuck(self) -> bool:
        """Whether the position is not won and leads nowhere but by undo."""
        return self.rules.is_stuck(self.position)

    @property
    def score(self) -> int:
        """The score of the position."""
        return self.rules.score(self.position)

    @property
    def redeals(self) -> int:
        """The redeals on the line as it stands."""
        return self.position.redeals

    @property
    def redeals_left(self) -> int | None:
        """The redeals left, ``None`` where they are unlimited."""
        return self.rules.redeals_left(self.position)

    @property
    def undo_available(self) -> int:
        """How many moves can be taken back."""
        return 0 if self.is_over else self.moves

    @property
    def redo_available(self) -> int:
        """How many moves can be made again."""
        return 0 if self.is_over else self.undone

    @property
    def elapsed_ms(self) -> int:
        """From the first event to the last one of play."""
        return (self.updated_at if self.finished_at is None else self.finished_at) - self.started_at

    @property
    def legal_moves(self) -> list[str]:
        """Every legal move, sorted; none once the game is over."""
        return [] if self.is_over else self.rules.legal_moves(self.position)

    @property
    def finish(self) -> list[str] | None:
        """The moves to the foundations that alone would win, or ``None``."""
        return None if self.is_over else self.rules.finish(self.position)

    @property
    def piles(self) -> list[PileView]:
        """What a player may see."""
        return self.rules.view(self.position)


@cache
def _rules(variant: str, rules: int) -> Rules:
    return rules_of(catalogue.variant(variant, rules))


def open_game(start: Started, at: int) -> Game:
    """Return the game that ``start`` opens.

    Raises:
        UnknownVariant: there is no such variant, or none under that rules number.
    """
    position = deal(catalogue.variant(start.variant, start.rules), start.deal.seed)
    return Game(start, 1, position, 0, 0, 0, None, is_void=False, started_at=at, updated_at=at, finished_at=None)
