"""Replays: a game seen after each of its events."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pasyans.api.schemas.events import Event
from pasyans.api.schemas.games import Game


class ReplayFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event, and the game after it, as `?at=` shows it."""

    event: Annotated[Event, Meta(description="What happened.")]
    game: Annotated[Game, Meta(description="The game after it.")]


class ReplayPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of frames, in order."""

    items: Annotated[list[ReplayFrame], Meta(description="The frames of this page, in order.")]
    next: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="The `after` of the next page; null: this is the last."),
    ]
