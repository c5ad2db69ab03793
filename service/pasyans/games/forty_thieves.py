"""Forty Thieves: two packs, ten columns of four, built down in suit, one card at a time, and no redeal."""

from typing import Final

from pasyans.engine.variant import Build, PileVariant, Text

GAME: Final = PileVariant(
    id="forty-thieves",
    name=Text("Forty Thieves", "Сорок разбойников"),
    summary=Text(
        "Two packs, ten columns of four built down in suit, one pass through the stock.",
        "Две колоды, десять столбцов по четыре карты по убыванию в масть, один проход колоды.",
    ),
    pack="104",
    columns=10,
    column_cards=4,
    build=Build.DOWN_SAME_SUIT,
    passes=1,
)
