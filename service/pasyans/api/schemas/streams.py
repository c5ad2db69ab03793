"""What a stream tells of a game."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pasyans.api.schemas.events import Event
from pasyans.api.schemas.games import Game


class StreamMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened since the message before, and the game after it."""

    events: Annotated[
        list[Event],
        Meta(
            description="The events since the message before, in order; none in the first message without "
            "Last-Event-ID, and where the seed of a daily opens."
        ),
    ]
    game: Annotated[Game, Meta(description="The game as it stands after them.")]
