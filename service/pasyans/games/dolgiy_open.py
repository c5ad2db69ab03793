"""Dolgiy with the aces dealt among the other cards: the harder game."""

from typing import Final

from pasyans.engine.variant import GridVariant, Text

GAME: Final = GridVariant(
    id="dolgiy-open",
    name=Text("Dolgiy, open", "Пасьянс Долгого, открытый"),
    summary=Text(
        "Dolgiy with the aces dealt among the other cards, and the first column left open for them.",
        "Пасьянс Долгого, в котором тузы розданы вместе со всеми картами, а первый столбец для них пуст.",
    ),
    pack="52",
)
