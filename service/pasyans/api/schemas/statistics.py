"""What a player's games came to."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pasyans.api.schemas.boards import Result
from pasyans.api.schemas.common import VariantId


class VariantStats(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a player's games of one variant came to.

    Finished sealed games count, and first attempts at dailies that ended before the day did; void and abandoned ones
    do not.
    """

    variant: VariantId
    played: Annotated[int, Meta(ge=0, description="How many games count.")]
    won: Annotated[int, Meta(ge=0, description="How many of them were won.")]
    streak: Annotated[
        int,
        Meta(
            ge=0,
            description="How many of the latest were won without a break, by the time of the start. A lost game breaks "
            "a streak, and so does a running one that has moves.",
        ),
    ]
    best_streak: Annotated[int, Meta(ge=0, description="The longest streak there ever was.")]
    best: Annotated[
        Result | None, Meta(description="The best game under the present number of the rules; null: there is none.")
    ]
    median_elapsed_ms: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="The median of the time from the first event to the last, in milliseconds; null: no game."),
    ]


class PlayerStats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player's games came to, for every variant there is."""

    player: Annotated[str, Meta(description="The player's name.", examples=["anna"])]
    variants: Annotated[list[VariantStats], Meta(description="One entry a variant, by id.")]
