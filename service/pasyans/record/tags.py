"""What the tags of a text record say, and what is wrong with it."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, get_args

import msgspec

from pasyans.deals.days import is_day
from pasyans.deals.seeds import commitment, is_seed
from pasyans.games import catalogue
from pasyans.games.catalogue import UnknownVariant
from pasyans.record.errors import BadRecord, SealedRecord
from pasyans.record.events import Deal, DealKind, Started
from pasyans.record.game import Status
from pasyans.record.times import parse_time

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
_NEEDED: Final = ("Variant", "Rules", "Deal")
_SEALED: Final = "The deal of this record is sealed: it has no seed to replay."
_TIMES: Final = ("Started", "Finished")


class Tag(msgspec.Struct, frozen=True):
    """A tag's value and the line that it stands on, from 1."""

    value: str
    line: int


Tags = Mapping[str, Tag]


def faults(tags: Tags) -> Iterator[BadRecord]:
    """Everything that is wrong with what these tags say, in no order."""
    yield from _variant_faults(tags)
    yield from _deal_faults(tags)
    yield from _time_faults(tags)
    result = tags.get("Result")
    if result is not None and result.value not in get_args(Status):
        yield BadRecord(result.line, f"A result is {', '.join(get_args(Status))}, not {result.value!r}.")


def lacks(tags: Tags) -> Iterator[BadRecord]:
    """What these tags would need beside them for a game to be dealt."""
    for name in _NEEDED:
        if name not in tags:
            yield BadRecord(1, f"The tag {name} is missing.")
    kind, date = tags.get("Deal"), tags.get("Date")
    if kind is None:
        return
    if kind.value == "daily" and date is None:
        yield BadRecord(kind.line, "The tag Date is missing.")
    if "Seed" in tags:
        return
    if kind.value == "shared":
        yield BadRecord(kind.line, "The tag Seed is missing.")
    elif kind.value == "sealed":
        yield SealedRecord(kind.line, _SEALED, None)
    elif kind.value == "daily" and date is not None and is_day(date.value):
        yield SealedRecord(kind.line, _SEALED, date.value)


def read_start(tags: Tags) -> tuple[Started, int, int]:
    """The event that starts the game, and the times of its start and its end; of tags that have no faults and no lacks.

    Without one of the times the game has taken none.
    """
    kind = msgspec.convert(tags["Deal"].value, DealKind)
    deal = Deal(kind, tags["Seed"].value, tags["Date"].value if kind == "daily" else None)
    times = {name: parse_time(tags[name].value) for name in _TIMES if name in tags}
    started_at = times.get("Started", times.get("Finished", 0))
    finished_at = times.get("Finished", started_at)
    return Started(tags["Variant"].value, int(tags["Rules"].value), deal, "", 1), started_at, finished_at


def _variant_faults(tags: Tags) -> Iterator[BadRecord]:
    variant, rules = tags.get("Variant"), tags.get("Rules")
    known = False
    if variant is not None:
        try:
            catalogue.variant(variant.value)
            known = True
        except UnknownVariant as error:
            yield BadRecord(variant.line, str(error))
    if rules is None:
        return
    if _NUMBER.fullmatch(rules.value) is None:
        yield BadRecord(rules.line, f"A rules number is written like 1, not {rules.value[:40]!r}.")
    elif variant is not None and known:
        try:
            catalogue.variant(variant.value, int(rules.value))
        except UnknownVariant as error:
            yield BadRecord(rules.line, str(error))


def _deal_faults(tags: Tags) -> Iterator[BadRecord]:
    kind, date, seed, committed = (tags.get(name) for name in ("Deal", "Date", "Seed", "Commitment"))
    if kind is not None and kind.value not in get_args(DealKind):
        yield BadRecord(kind.line, f"A deal is {', '.join(get_args(DealKind))}, not {kind.value!r}.")
    if kind is not None and kind.value == "daily" and date is not None and not is_day(date.value):
        yield BadRecord(date.line, "A date is a day of the calendar, written like 2026-11-29.")
    if seed is None:
        return
    if not is_seed(seed.value):
        yield BadRecord(seed.line, "A seed is 1 to 64 letters, digits and . _ ~ -, but not . or ..")
    elif committed is not None and committed.value != commitment(seed.value):
        yield BadRecord(committed.line, "The commitment is not that of the seed: one of the two was changed.")


def _time_faults(tags: Tags) -> Iterator[BadRecord]:
    times: dict[str, int] = {}
    for name in _TIMES:
        if name not in tags:
            continue
        try:
            times[name] = parse_time(tags[name].value)
        except ValueError:
            yield BadRecord(tags[name].line, "A time is written like 2026-11-29T10:00:00.000Z.")
    if len(times) == len(_TIMES) and times["Finished"] < times["Started"]:
        yield BadRecord(tags["Finished"].line, "A game ends after it began.")
