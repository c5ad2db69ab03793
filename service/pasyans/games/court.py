"""Court: two packs, twelve piles of one card, built down in suit, and three passes."""

from typing import Final

from pasyans.engine.variant import Build, PileVariant, Text

GAME: Final = PileVariant(
    id="court",
    name=Text("Court", "Суд"),
    summary=Text(
        "Two packs, twelve piles built down in suit, three passes through the stock.",
        "Две колоды, двенадцать стопок по убыванию в масть, три прохода колоды.",
    ),
    pack="104",
    columns=12,
    column_cards=1,
    build=Build.DOWN_SAME_SUIT,
    passes=3,
)
