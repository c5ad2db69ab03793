"""Events as the log stores them: a line of text each.

A move is the move itself, since most events are moves and rows are to be small; the others are a word and what belongs
to it:

    started {"variant": …}    undone 2    redone 1    finished won    voided cheating    restored error
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from pasyans.record.errors import CorruptLog
from pasyans.record.events import Event, Finished, Moved, Redone, Restored, Started, Undone, Voided


def encode(events: Sequence[Event]) -> str:
    """Return ``events`` as the log stores them, a line each."""
    return "\n".join(_encode(event) for event in events)


def decode(text: str, first_seq: int = 1) -> list[Event]:
    """Return the events of a text that `encode` wrote.

    Raises:
        CorruptLog: a line is no event; counted from ``first_seq``.
    """
    if "\n" not in text:  # most rows are one move
        return [_decode(text, first_seq)]
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
    if line and " " not in line:
        return Moved(line)
    word, _, rest = line.partition(" ")
    try:
        if word == "started":
            return msgspec.json.decode(rest, type=Started)
        kind, field = _FIELDS[word]
        if field == "count" and _COUNT.fullmatch(rest) is None:
            raise ValueError(rest)
        return msgspec.convert({field: rest}, kind, strict=False)
    except (KeyError, ValueError, msgspec.MsgspecError) as error:
        raise CorruptLog(seq, f"{line[:80]!r} is no event.") from error
