"""What problems say beside the members that all have, each as the OpenAPI document describes it."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.engine.errors import Reason


class Members(msgspec.Struct, frozen=True):
    """What a problem says beside the members that all have: nothing, unless its class says otherwise."""


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is wrong with a request."""

    path: Annotated[
        str,
        Meta(
            description="Where it is: `body`, `path`, `query` or `header`, then the way to the value.",
            examples=["body.moves[3]", "query.limit"],
        ),
    ]
    message: Annotated[str, Meta(description="What is wrong, and what the value should be.")]


class Faults(Members, frozen=True):
    """Every fault of the request."""

    errors: Annotated[list[Fault], Meta(description="Everything that is wrong with the request.")]


class Until(Members, frozen=True):
    """When the deal opens."""

    until: Annotated[str | None, Meta(description="The time at which the deal opens; null: when its game ends.")]


class OverIndex(Members, frozen=True):
    """Which move came after the end."""

    index: Annotated[
        int | None,
        Meta(description="The first move of the batch that comes after the end; null without a batch of moves."),
    ]


class Available(Members, frozen=True):
    """How many moves there are."""

    available: Annotated[int, Meta(description="How many moves can be undone or redone.", ge=0)]


class Running(Members, frozen=True):
    """The game that runs."""

    game: Annotated[UUID, Meta(description="The id of the game that is running.")]


class Current(Members, frozen=True):
    """Where the game stands."""

    version: Annotated[int, Meta(description="The version that the game has now.", ge=1)]


class Refused(Members, frozen=True):
    """Which move is refused, and what would be legal in its place."""

    move: Annotated[str, Meta(description="The move as it was sent.")]
    index: Annotated[int, Meta(description="Its index in the batch, from 0.", ge=0)]
    reason: Annotated[
        Reason | None,
        Meta(description="The first reason that applies; null for a text that is no move at all."),
    ]
    legal_moves: Annotated[list[str], Meta(description="The legal moves at that point of the batch.")]


class Written(Members, frozen=True):
    """Whether anything was written."""

    written: Annotated[
        Literal[False] | None,
        Meta(
            description="False: nothing was written. Null: the connection broke during the commit, so it is not "
            "known; repeat the request with the same Idempotency-Key."
        ),
    ]
