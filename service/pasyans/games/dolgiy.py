"""Dolgiy: four rows of fourteen cells with the aces out, filled from the ace to the king, in three attempts."""

from typing import Final

from pasyans.engine.variant import GridVariant, Text

GAME: Final = GridVariant(
    id="dolgiy",
    name=Text("Dolgiy", "Пасьянс Долгого"),
    summary=Text(
        "Four rows and four gaps: bring each row into order from its ace to its king, in three attempts.",
        "Четыре ряда и четыре пробела: собрать каждый ряд от туза до короля за три попытки.",
    ),
    pack="48",
    aces_out="SCDH",
)
