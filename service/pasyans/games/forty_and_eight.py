"""Forty and Eight: two packs, eight columns of five, built down in suit, and one redeal."""

from typing import Final

from pasyans.engine.variant import Build, PileVariant, Text

GAME: Final = PileVariant(
    id="forty-and-eight",
    name=Text("Forty and Eight", "Сорок и восемь"),
    summary=Text(
        "Two packs, eight columns of five built down in suit, two passes through the stock.",
        "Две колоды, восемь столбцов по пять карт по убыванию в масть, два прохода колоды.",
    ),
    pack="104",
    columns=8,
    column_cards=5,
    build=Build.DOWN_SAME_SUIT,
    passes=2,
)
