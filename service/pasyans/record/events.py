"""Events: what happened in a game, one after the other. Everything else is computed from them."""

from typing import Final, Literal

import msgspec

DealKind = Literal["sealed", "shared", "daily"]
Outcome = Literal["won", "lost", "abandoned"]
VoidReason = Literal["cheating", "error", "test", "other"]

OUTCOMES: Final[tuple[Outcome, ...]] = ("won", "lost", "abandoned")
VOID_REASONS: Final[tuple[VoidReason, ...]] = ("cheating", "error", "test", "other")


class Deal(msgspec.Struct, frozen=True, gc=False):
    """Which deal is played. ``date`` is the UTC date of a daily, as ``2026-11-29``."""

    kind: DealKind
    seed: str
    date: str | None = None


class Started(msgspec.Struct, frozen=True, gc=False):
    """The first event. ``player`` is the player's id, never a name; ``attempt`` counts from 1."""

    variant: str
    rules: int
    deal: Deal
    player: str
    attempt: int


class Moved(msgspec.Struct, frozen=True):
    """A move, in its full form."""

    move: str


class Undone(msgspec.Struct, frozen=True):
    """``count`` moves taken back."""

    count: int


class Redone(msgspec.Struct, frozen=True):
    """``count`` moves that were taken back, made again."""

    count: int


class Finished(msgspec.Struct, frozen=True):
    """The end of the game."""

    outcome: Outcome


class Voided(msgspec.Struct, frozen=True):
    """A finished game that counts no longer."""

    reason: VoidReason


class Restored(msgspec.Struct, frozen=True):
    """A void game that counts again."""

    reason: VoidReason


Event = Started | Moved | Undone | Redone | Finished | Voided | Restored
