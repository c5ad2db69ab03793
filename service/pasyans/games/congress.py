"""Congress: two packs, eight piles of one card, built down whatever the suit, and no redeal."""

from typing import Final

from pasyans.engine.variant import Build, PileVariant, Text

GAME: Final = PileVariant(
    id="congress",
    name=Text("Congress", "Конгресс"),
    summary=Text(
        "Two packs, eight piles built down in any suit, one pass through the stock.",
        "Две колоды, восемь стопок по убыванию в любой масти, один проход колоды.",
    ),
    pack="104",
    columns=8,
    column_cards=1,
    build=Build.DOWN_ANY_SUIT,
    passes=1,
)
