"""Vokzal with 52 cards: four columns in alternate colours, fed from a reserve of thirteen."""

from typing import Final

from pasyans.engine.variant import Build, EmptyColumn, Lift, PileVariant, Text

GAME: Final = PileVariant(
    id="vokzal-52",
    name=Text("Vokzal (52 cards)", "Вокзал (52 карты)"),
    summary=Text(
        "A pack of 52, four columns in alternate colours, a reserve of thirteen, three cards drawn at a time.",
        "Колода в 52 карты, четыре столбца с чередованием цветов, резерв из тринадцати карт, открывают по три.",
    ),
    pack="52",
    columns=4,
    column_cards=1,
    build=Build.DOWN_ALTERNATE,
    empty_column=EmptyColumn.RESERVE_THEN_WASTE_KING,
    lift=Lift.CARD_OR_WHOLE_COLUMN,
    passes=None,
    draw=3,
    reserve=13,
)
