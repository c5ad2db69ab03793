"""The interface of a family of games: everything that can be asked of one variant's rules.

Chance enters as an argument, never from inside: the shuffled pack when a game is dealt, and a `Chance` for the
redeals that shuffle.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from pasyans.engine.layout import Layout
from pasyans.engine.position import Position
from pasyans.engine.variant import Variant
from pasyans.engine.view import PileView

Chance = Callable[[int, bytes], bytes]
"""``(round, cards) -> the cards shuffled``: the order of the first, second… redeal that shuffles (round 1, 2…)."""

Place = tuple[int, int]
"""A place that a card can have: the index of a pile, and the height in it, from 0 at the bottom."""

Transfers = dict[Place, Place]
"""Where the cards that a move touches lay before it, and where they lie after it."""


class Rules(ABC):
    """The rules of one variant. Positions passed in must be positions of that variant.

    Only the first ``coverable`` piles can hold cards that lie face down.
    """

    def __init__(self, variant: Variant, pile_ids: tuple[str, ...], layout: Layout, coverable: int) -> None:
        self.variant = variant
        self.pile_ids = pile_ids
        self.layout = layout
        self.coverable = coverable
        self.redeals = variant.redeals
        self.deck = variant.deck

    @abstractmethod
    def deal(self, pack: bytes) -> Position:
        """Deal the shuffled ``pack``, whose first card is dealt first."""

    @abstractmethod
    def legal_moves(self, position: Position) -> list[str]:
        """Return every legal move in its full form, sorted as plain strings."""

    @abstractmethod
    def play(self, position: Position, move: str, chance: Chance) -> Position:
        """Return the position after ``move``.

        Raises:
            UnreadableMove: ``move`` is not in the notation.
            IllegalMove: the rules refuse it; nothing that `legal_moves` lists is refused.
        """

    @abstractmethod
    def transfers(self, before: Position, move: str, after: Position) -> Transfers:
        """Return which cards ``move``, legal in ``before`` and leading to ``after``, carried from where to where."""

    @abstractmethod
    def expand(self, position: Position, move: str) -> str:
        """Rewrite a short form such as ``w-f`` in full; anything else is returned as it is.

        Where no foundation takes the card, the foundation that comes closest to taking it is named.
        """

    @abstractmethod
    def may_turn_up(self, move: str) -> bool:
        """Tell whether ``move`` is of a kind that can show the player a card not seen before."""

    @abstractmethod
    def is_won(self, position: Position) -> bool:
        """Tell whether the game is won."""

    @abstractmethod
    def is_stuck(self, position: Position) -> bool:
        """Tell whether the game is not won and can't go on, other than by undo."""

    @abstractmethod
    def score(self, position: Position) -> int:
        """Return the score: how many cards are where they belong at the end."""

    @abstractmethod
    def finish(self, position: Position) -> list[str] | None:
        """Return the moves to the foundations that alone win the game.

        ``None`` while a card is face down, when there is no such line, or when nothing is left to move.
        """

    @abstractmethod
    def face_down(self, position: Position, pile: int) -> int:
        """Return how many cards of a pile, from the bottom, lie face down."""

    @abstractmethod
    def view(self, position: Position) -> list[PileView]:
        """Return what a player may see, pile by pile."""

    @abstractmethod
    def place_name(self, place: Place) -> tuple[str, int]:
        """Return a place as the viewer knows it: the id of a pile of the view, and the index in it."""

    def is_position(self, position: Position) -> bool:
        """Tell whether ``position`` can be one of this variant: it has its piles, its cards and no redeal too many."""
        return (
            len(position.piles) == len(self.pile_ids)
            and bytes(sorted(b"".join(position.piles))) == self.deck
            and (self.redeals is None or position.redeals <= self.redeals)
        )

    def redeals_left(self, position: Position) -> int | None:
        """Return how many redeals are left; ``None`` where they are unlimited."""
        return None if self.redeals is None else self.redeals - position.redeals
