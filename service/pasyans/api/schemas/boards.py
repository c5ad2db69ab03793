"""Leaderboards' rows, and what a deal's games came to."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Next, Time
from pasyans.api.schemas.games import Score


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a finished game came to.

    Of two games the better one is won, has more score, fewer redeals, fewer moves and, but on the board of a seed,
    less elapsed time, in this order.
    """

    game: Annotated[UUID, Meta(description="The id of the game.")]
    won: Annotated[bool, Meta(description="Whether the game was won.")]
    score: Score
    redeals: Annotated[int, Meta(ge=0, description="The redeals on the line as it stood at the end.")]
    moves: Annotated[int, Meta(ge=0, description="The moves on the line as it stood at the end.")]
    undos: Annotated[int, Meta(ge=0, description="The moves ever undone.")]
    elapsed_ms: Annotated[int, Meta(ge=0, description="From the first event to the last, in milliseconds.")]
    attempt: Annotated[int, Meta(ge=1, description="Which game of this player on this deal it is.")]
    finished_at: Annotated[Time, Meta(description="When the game ended.")]


class BoardRow(Result, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player's best game on a board. Equal in all that the order goes by share a rank."""

    rank: Annotated[int, Meta(ge=1, description="The place, from 1; after two that share 1 comes 3.")]
    player: Annotated[str, Meta(description="The player's name.", examples=["anna"])]


Total = Annotated[int, Meta(ge=0, description="How many rows the board has.")]
ResetsAt = Annotated[Time | None, Meta(description="When the window ends, in which games count; null: never.")]


class Leaderboard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of a leaderboard, the best first."""

    items: Annotated[list[BoardRow], Meta(description="The rows of this page, the best first.")]
    next: Next
    total: Total
    resets_at: ResetsAt


class Neighbourhood(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's row on a leaderboard, and `items`: the same row among its neighbours."""

    row: Annotated[BoardRow, Meta(description="The player's own row.")]
    items: Annotated[list[BoardRow], Meta(description="The rows just above it, the row itself, those just below.")]
    total: Total
    resets_at: ResetsAt


class DealStats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the shared games on a deal came to that were won or lost."""

    games: Annotated[int, Meta(ge=0, description="How many there are.")]
    wins: Annotated[int, Meta(ge=0, description="How many of them were won.")]
    best: Annotated[BoardRow | None, Meta(description="The top row of the deal's board; null: there is no game.")]
