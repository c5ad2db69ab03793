"""Faults of a request, told in the words of the command line and not in those of the API."""

import re
from typing import NamedTuple

from pasyans_client import InvalidRequest


class _Place(NamedTuple):
    """A place of a request: what the command line calls it, and what should be there.

    `names` tells that it names a variant or a player: whatever cannot be such a name is one that there is not.
    """

    title: str
    wanted: str | None = None
    names: bool = False


_VARIANT = _Place("VARIANT", "should be one of those that `pasyans variants` lists", names=True)
_PLAYER = _Place("PLAYER", "should be the name of a player", names=True)
_SEED = _Place("SEED", "should be 1 to 64 of A-Z a-z 0-9 . _ ~ -, but not . or .. alone")
_NAME = _Place(
    "NAME", "should be 3 to 24 letters, digits, _ and -, a letter first; Latin or Cyrillic letters, not both"
)
_DATE = "should be a date such as 2026-11-29"

_PLACES = {
    "path.variant": _VARIANT,
    "query.variant": _VARIANT,
    "body.variant": _VARIANT,
    "body.filter.variant": _VARIANT,
    "path.name": _PLAYER,
    "query.player": _PLAYER,
    "body.filter.player": _PLAYER,
    "path.seed": _SEED,
    "query.seed": _SEED,
    "body.deal.seed": _SEED,
    "body.filter.seed": _SEED,
    "body.name": _NAME,
    "body.label": _Place("LABEL"),
    "body.count": _Place("COUNT"),
    "body.record": _Place("The record"),
    "body.note": _Place("--note"),
    "query.date": _Place("--date", _DATE),
    "query.daily": _Place("--daily", _DATE),
    "query.at": _Place("--at", _DATE),
    "query.rules": _Place("--rules"),
    "body.filter.rules": _Place("--rules"),
    "query.before": _Place("--before"),
    "body.filter.before": _Place("--before"),
    "query.sort": _Place("--sort"),
    "query.search": _Place("TEXT"),
    "query.actor": _Place("--actor"),
    "header.If-Match": _Place("--if-version"),
}
_MOVE = re.compile(r"body\.moves\[([0-9]+)\]")
_OF_FORM = ("does not fit ", "has ")
"""How the API begins to tell that a text does not have the form, or the length, that it should have."""


def sentences(error: InvalidRequest) -> list[str]:
    """What is wrong with a request, fault by fault; empty where the service lists none."""
    return [_sentence(place, message) for place, message in error.errors]


def is_of_no_such_thing(error: InvalidRequest) -> bool:
    """Whether nothing is wrong but that there can be no such variant or player."""
    places = [_PLACES.get(place) for place, _ in error.errors]
    return bool(places) and all(place is not None and place.names for place in places)


def _sentence(place: str, message: str) -> str:
    if move := _MOVE.fullmatch(place):
        return f"Move {int(move[1]) + 1} {message}"
    known = _PLACES.get(place, _Place(place))
    return f"{known.title} {known.wanted if known.wanted and message.startswith(_OF_FORM) else message}"
