"""Vokzal with 36 cards: four columns in alternate colours, fed from a reserve of nine."""

from typing import Final

from pasyans.engine.variant import Build, EmptyColumn, Lift, PileVariant, Text

GAME: Final = PileVariant(
    id="vokzal-36",
    name=Text("Vokzal (36 cards)", "Вокзал (36 карт)"),
    summary=Text(
        "A pack of 36, four columns in alternate colours, a reserve of nine, three cards drawn at a time.",
        "Колода в 36 карт, четыре столбца с чередованием цветов, резерв из девяти карт, открывают по три.",
    ),
    pack="36",
    columns=4,
    column_cards=1,
    build=Build.DOWN_ALTERNATE,
    empty_column=EmptyColumn.RESERVE_THEN_WASTE_KING,
    lift=Lift.CARD_OR_WHOLE_COLUMN,
    passes=None,
    draw=3,
    reserve=9,
)
