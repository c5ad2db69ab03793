"""The portable text record: a game as a text that a person can read and any program can replay.

Tags come first, one a line, then an empty line, then the moves as words, as many to a line as fit; moves that were
undone are left out:

    [Pasyans "1"]
    [Variant "forty-thieves"]
    [Rules "1"]
    [Deal "shared"]
    [Seed "grandma"]
    [Player "anna"]
    [Result "won"]

    draw w-t3 t3-f1 …

``Pasyans`` is the number of this format and comes first. ``Variant``, ``Rules``, ``Deal`` and ``Seed`` say what was
dealt, and ``Date`` on which day, where it is a daily; without ``Seed`` the deal was still sealed, and ``Commitment`` is
what was known of it. ``Result`` is the status. A reader ignores tags that it does not know, and white space between
moves.
"""

import re
from collections.abc import Sequence
from textwrap import fill
from typing import Final, get_args

import msgspec

from pasyans.deals.days import is_day
from pasyans.deals.seeds import commitment, is_seed
from pasyans.engine.errors import EngineError
from pasyans.games import catalogue
from pasyans.games.catalogue import UnknownVariant
from pasyans.record.errors import BadRecord, SealedRecord
from pasyans.record.events import Deal, DealKind, Event, Finished, Moved, Started
from pasyans.record.fold import History
from pasyans.record.frames import Frame
from pasyans.record.game import Game, Status
from pasyans.record.times import format_time, parse_time

FORMAT: Final = "1"
_BEGINS: Final = f'A record begins with [Pasyans "{FORMAT}"].'
_WIDTH: Final = 80
_TAG: Final = re.compile(r'\[([A-Za-z]+) "([^"\\]*)"\]')
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
_TIMES: Final = ("Started", "Finished")


class Tag(msgspec.Struct, frozen=True):
    """A tag's value and the line that it stands on, from 1."""

    value: str
    line: int


class TextRecord(msgspec.Struct, frozen=True):
    """A text record as it was read: its tags by name, and its moves, each with its line."""

    tags: dict[str, Tag]
    moves: list[Tag]


class Replay(msgspec.Struct, frozen=True):
    """What a record is worth: its tags, the game that its moves lead to, and a frame for each event."""

    tags: dict[str, str]
    game: Game
    frames: list[Frame]


def write_record(game: Game, moves: Sequence[str], *, player: str, is_open: bool) -> str:
    """Return the record of ``game``, whose line is ``moves``.

    ``player`` is the player's name. Unless ``is_open``, the deal is still sealed and its seed is left out.
    """
    deal = game.start.deal
    tags = {"Pasyans": FORMAT, "Variant": game.start.variant, "Rules": str(game.start.rules), "Deal": deal.kind}
    if deal.date is not None:
        tags["Date"] = deal.date
    if is_open:
        tags["Seed"] = deal.seed
    if deal.kind != "shared":
        tags["Commitment"] = commitment(deal.seed)
    tags["Player"] = player
    tags["Started"] = format_time(game.started_at)
    if game.finished_at is not None:
        tags["Finished"] = format_time(game.finished_at)
    tags["Result"] = game.status
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    text = fill(" ".join(moves), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *([text, ""] if text else [])])


def read_record(text: str) -> TextRecord:
    """Read the tags and the moves of a text record, without judging what they say.

    Raises:
        BadRecord: a line is neither; a tag stands twice or after the moves; the first tag is not this format's.
    """
    tags: dict[str, Tag] = {}
    moves: list[Tag] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        stripped = line.strip()
        if not stripped.startswith("["):
            if stripped and not tags:
                raise BadRecord(number, _BEGINS)
            moves += [Tag(word, number) for word in stripped.split()]
            continue
        match = _TAG.fullmatch(stripped)
        if match is None:
            raise BadRecord(number, 'A tag is written [Name "value"].')
        name, value = match.groups()
        if moves:
            raise BadRecord(number, f"The tag {name} comes after the moves.")
        if name in tags:
            raise BadRecord(number, f"The tag {name} stands here for the second time.")
        if not tags and (name, value) != ("Pasyans", FORMAT):
            raise BadRecord(number, _BEGINS)
        tags[name] = Tag(value, number)
    if not tags:
        raise BadRecord(1, _BEGINS)
    return TextRecord(tags, moves)


def replay_record(text: str) -> Replay:
    """Read a text record and replay it on the engine.

    Raises:
        BadRecord, SealedRecord: as `read_record` and `replay`.
    """
    return replay(read_record(text))


def replay(record: TextRecord) -> Replay:
    """Replay a record on the engine.

    Raises:
        BadRecord: with the first line or move that can't be, and why.
        SealedRecord: the seed is left out, as it was sealed.
    """
    start, started_at, finished_at = _read_start(record)
    history = History(start, started_at)
    frames = [Frame(1, start, started_at, history.game)]
    for index, word in enumerate(record.moves):
        rules, position = history.game.rules, history.game.position
        if rules.is_won(position):
            raise BadRecord(word.line, f"{word.value[:40]} comes after the win.", word.value, index)
        try:
            move = rules.expand(position, word.value)
            rules.play(position, move, history.game.chance)
        except EngineError as error:
            raise BadRecord(word.line, str(error), word.value, index) from error
        frames.append(history.add(Moved(move), started_at))
    end = _read_end(record, history.game)
    if end is not None:
        frames.append(history.add(end, finished_at))
    return Replay({name: tag.value for name, tag in record.tags.items()}, history.game, frames)


def _read_start(record: TextRecord) -> tuple[Started, int, int]:
    variant = _need(record, "Variant")
    rules = _need(record, "Rules")
    kind = _need(record, "Deal")
    try:
        catalogue.variant(variant.value)
    except UnknownVariant as error:
        raise BadRecord(variant.line, str(error)) from error
    if _NUMBER.fullmatch(rules.value) is None:
        raise BadRecord(rules.line, f"A rules number is written like 1, not {rules.value[:40]!r}.")
    try:
        catalogue.variant(variant.value, int(rules.value))
    except UnknownVariant as error:
        raise BadRecord(rules.line, str(error)) from error
    if kind.value not in get_args(DealKind):
        raise BadRecord(kind.line, f"A deal is {', '.join(get_args(DealKind))}, not {kind.value!r}.")
    day = _read_day(record) if kind.value == "daily" else None
    deal = Deal(msgspec.convert(kind.value, DealKind), _read_seed(record, kind, day), day)
    times = {name: _read_time(record.tags[name]) for name in _TIMES if name in record.tags}
    started_at = times.get("Started", 0)
    finished_at = times.get("Finished", started_at)
    if finished_at < started_at:
        raise BadRecord(record.tags["Finished"].line, "A game ends after it began.")
    result = record.tags.get("Result")
    if result is not None and result.value not in get_args(Status):
        raise BadRecord(result.line, f"A result is {', '.join(get_args(Status))}, not {result.value!r}.")
    return Started(variant.value, int(rules.value), deal, "", 1), started_at, finished_at


def _read_day(record: TextRecord) -> str:
    day = _need(record, "Date")
    if not is_day(day.value):
        raise BadRecord(day.line, "A date is a day of the calendar, written like 2026-11-29.")
    return day.value


def _read_seed(record: TextRecord, kind: Tag, day: str | None) -> str:
    if "Seed" not in record.tags:
        if kind.value == "shared":
            raise BadRecord(kind.line, "The tag Seed is missing.")
        raise SealedRecord(kind.line, "The deal of this record is sealed: it has no seed to replay.", day)
    seed = record.tags["Seed"]
    if not is_seed(seed.value):
        raise BadRecord(seed.line, "A seed is 1 to 64 letters, digits and . _ ~ -, but not . or ..")
    committed = record.tags.get("Commitment")
    if committed is not None and committed.value != commitment(seed.value):
        raise BadRecord(committed.line, "The commitment is not that of the seed: one of the two was changed.")
    return seed.value


def _read_end(record: TextRecord, game: Game) -> Event | None:
    """Return the event that ends the game, if one does; the result must agree with the position."""
    is_won = game.rules.is_won(game.position)
    result = record.tags.get("Result")
    if result is None:
        return Finished("won") if is_won else None
    if result.value != "void" and (result.value == "won") is not is_won:
        raise BadRecord(
            result.line, f"The result is {result.value}, but the moves {'win' if is_won else 'do not win'}."
        )
    if is_won:
        return Finished("won")
    return {"lost": Finished("lost"), "abandoned": Finished("abandoned")}.get(result.value)


def _read_time(tag: Tag) -> int:
    try:
        return parse_time(tag.value)
    except ValueError as error:
        raise BadRecord(tag.line, "A time is written like 2026-11-29T10:00:00.000Z.") from error


def _need(record: TextRecord, name: str) -> Tag:
    if name not in record.tags:
        raise BadRecord(1, f"The tag {name} is missing.")
    return record.tags[name]
