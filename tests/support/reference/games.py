"""The table of games, as the rules print it, and how to read a game that is not in it off its data."""

from pasyans.engine.variant import Build, EmptyColumn, GridVariant, Lift, PileVariant, Variant

from tests.support.reference.grids import GridGame
from tests.support.reference.piles import PileGame

Game = PileGame | GridGame

GAMES: dict[str, Game] = {
    "congress": PileGame("104", 8, 1, "any", False, False, 1, 1, 0),
    "court": PileGame("104", 12, 1, "suit", False, False, 3, 1, 0),
    "forty-thieves": PileGame("104", 10, 4, "suit", False, False, 1, 1, 0),
    "forty-and-eight": PileGame("104", 8, 5, "suit", False, False, 2, 1, 0),
    "vokzal-36": PileGame("36", 4, 1, "colour", True, True, None, 3, 9),
    "vokzal-52": PileGame("52", 4, 1, "colour", True, True, None, 3, 13),
    "dolgiy": GridGame("48", "SCDH", 2),
    "dolgiy-open": GridGame("52", "", 2),
}

_BUILDS = {Build.DOWN_ANY_SUIT: "any", Build.DOWN_SAME_SUIT: "suit", Build.DOWN_ALTERNATE: "colour"}


def read(variant: Variant) -> Game:
    """What the data of ``variant`` says, in the reference's words."""
    if isinstance(variant, PileVariant):
        return PileGame(
            variant.pack,
            variant.columns,
            variant.column_cards,
            _BUILDS[variant.build],
            {Lift.ONE_CARD: False, Lift.CARD_OR_WHOLE_COLUMN: True}[variant.lift],
            {EmptyColumn.ANY_CARD: False, EmptyColumn.RESERVE_THEN_WASTE_KING: True}[variant.empty_column],
            variant.passes,
            variant.draw,
            variant.reserve,
        )
    assert isinstance(variant, GridVariant)
    return GridGame(variant.pack, variant.aces_out, variant.attempts - 1)


def game(variant: Variant) -> Game:
    """The reference's game: its line in the table, or else what the data says."""
    return GAMES.get(variant.id) or read(variant)
