"""Events: what happened in a game, one after the other. Everything else is computed from them.

In the log an event is a line of text. A move is the move itself, since most events are moves and rows are to be
small; the others are a word and what belongs to it:

    started {"variant": …}    undone 2    redone 1    finished won    voided cheating    restored error
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from pasyans.record.errors import CorruptLog

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


def encode(events: Sequence[Event]) -> str:
    """Return ``events`` as the log stores them, a line each."""
    return "\n".join(_encode(event) for event in events)


def decode(text: str, first_seq: int = 1) -> list[Event]:
    """Return the events of a text that `encode` wrote.

    Raises:
        CorruptLog: a line is no event; counted from ``first_seq``.
    """
    return [_decode(line, seq) for seq, line in enumerate(text.split("\n"), first_seq)]


def _encode(event: Event) -> str:
    match event:
        case Moved(move):
            return move
        case Undone(count):
            return f"undone {count}"
        case Redone(count):
            return f"redone {count}"
        case Finished(outcome):
            return f"finished {outcome}"
        case Voided(reason):
            return f"voided {reason}"
        case Restored(reason):
            return f"restored {reason}"
        case Started():
            return f"started {msgspec.json.encode(event).decode()}"


_COUNT: Final = re.compile(r"[1-9][0-9]{0,8}")
_FIELDS: Final[dict[str, tuple[type[Event], str]]] = {
    "undone": (Undone, "count"),
    "redone": (Redone, "count"),
    "finished": (Finished, "outcome"),
    "voided": (Voided, "reason"),
    "restored": (Restored, "reason"),
}


def _decode(line: str, seq: int) -> Event:
    word, space, rest = line.partition(" ")
    try:
        if word and not space:
            return Moved(word)
        if word == "started":
            return msgspec.json.decode(rest, type=Started)
        kind, field = _FIELDS[word]
        if field == "count" and _COUNT.fullmatch(rest) is None:
            raise ValueError(rest)
        return msgspec.convert({field: rest}, kind, strict=False)
    except (KeyError, ValueError, msgspec.MsgspecError) as error:
        raise CorruptLog(seq, f"{line[:80]!r} is no event.") from error
