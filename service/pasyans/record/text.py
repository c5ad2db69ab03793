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
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Final

import msgspec

from pasyans.deals.seeds import commitment
from pasyans.engine.errors import EngineError
from pasyans.engine.notation import DRAW, REDEAL, parse_transfer
from pasyans.record.errors import BadRecord
from pasyans.record.events import Event, Finished, Moved
from pasyans.record.fold import History
from pasyans.record.frames import Frame
from pasyans.record.game import Game
from pasyans.record.tags import Tag, faults, lacks, read_start
from pasyans.record.times import format_time

FORMAT: Final = "1"
_BEGINS: Final = f'A record begins with [Pasyans "{FORMAT}"].'
_WIDTH: Final = 80
_TAG: Final = re.compile(r'\[([A-Za-z]+) "([^"\\]*)"\]')


class TextRecord(msgspec.Struct, frozen=True):
    """A text record as it was read: its tags by name, and its moves, each with its line.

    ``fault`` is the first line that can be neither tag nor moves where it stands; nothing below it was read.
    """

    tags: dict[str, Tag]
    moves: list[Tag]
    fault: BadRecord | None


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

    It stops at a line that is neither, or a tag that stands twice or after the moves.

    Raises:
        BadRecord: it does not begin as a record of this format does.
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
            return TextRecord(tags, moves, BadRecord(number, 'A tag is written [Name "value"].'))
        name, value = match.groups()
        if moves:
            return TextRecord(tags, moves, BadRecord(number, f"The tag {name} comes after the moves."))
        if name in tags:
            return TextRecord(tags, moves, BadRecord(number, f"The tag {name} stands here for the second time."))
        if not tags and (name, value) != ("Pasyans", FORMAT):
            raise BadRecord(number, _BEGINS)
        tags[name] = Tag(value, number)
    if not tags:
        raise BadRecord(1, _BEGINS)
    return TextRecord(tags, moves, None)


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
    missing = list(lacks(record.tags))
    _raise_first([*faults(record.tags), *(missing if record.fault is None else ())])
    if record.fault is not None and missing:
        # It may stand below the fault. No move can be played without it, but words may not even be moves.
        _raise_first([*_unreadable(record.moves), record.fault])
    start, started_at, finished_at = read_start(record.tags)
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
    if record.fault is not None:
        raise record.fault
    end = _read_end(record, history.game)
    if end is not None:
        frames.append(history.add(end, finished_at))
    return Replay({name: tag.value for name, tag in record.tags.items()}, history.game, frames)


def _raise_first(found: Sequence[BadRecord]) -> None:
    """Raise the one that stands first in the text, if there is any."""
    if found:
        raise min(found, key=lambda fault: fault.line)


def _unreadable(words: Sequence[Tag]) -> Iterator[BadRecord]:
    for index, word in enumerate(words):
        if word.value not in (DRAW, REDEAL):
            try:
                parse_transfer(word.value)
            except EngineError as error:
                yield BadRecord(word.line, str(error), word.value, index)


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
