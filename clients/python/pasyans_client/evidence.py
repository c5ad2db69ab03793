"""What is known of a game whose deal is to be checked: what it was said to be, and the cards that it showed.

It comes from a service, which then is taken at its word about the past, or from what was saved of the game's answers
while it went on: one JSON value after another, as `pasyans --json` prints them, or the text record.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec

from pasyans_client.client import Client
from pasyans_client.deals import is_seed
from pasyans_client.errors import BadEvidence
from pasyans_client.models import Event, Game, GameDeal

_TAG = re.compile(r'\[([A-Za-z]+) "([^"]*)"\]')


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """A game as far as it is known.

    `game` is its id, `None` in a record. `deals` is its deal as it was told at different times, each once; `boards`
    are states of the game and `events` what happened in between, both as far as they are known, in order.
    """

    game: str | None
    variant: str
    rules: int
    started_at: datetime | None
    deals: tuple[GameDeal, ...]
    boards: tuple[Game, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def deal(self) -> GameDeal:
        """The deal as it was told last, with its seed if it was ever told."""
        return next((deal for deal in reversed(self.deals) if deal.seed is not None), self.deals[-1])


class _Extra(msgspec.Struct, frozen=True):
    """What may come with a game: the events of a write, or the one of a frame."""

    events: tuple[Event, ...] = ()
    event: Event | None = None


def from_service(client: Client, game: str) -> Evidence:
    """Ask a service for the game as it stands, for its opening, and for everything that happened in between.

    Raises:
        PasyansError: as every method of the client does; `DealSealed` for another's game of a daily not yet over.
    """
    present = client.game(game)
    if present.deal.seed is None:
        return _gathered([present], [])
    events = [event for event in client.events(game) if event.seq <= present.version]
    return _gathered([client.game(game, at=1), present], events)


def from_text(text: str) -> Evidence:
    """Read what was saved: games as the API answers them (with their events, or as frames), or a text record.

    Raises:
        BadEvidence: it is neither, or the games are not all the same one.
    """
    text = text.removeprefix("\ufeff").strip()
    if text.startswith("["):
        return _record(text)
    boards: list[Game] = []
    events: list[Event] = []
    for value in _values(text):
        try:
            extra = msgspec.convert(value, _Extra)
            boards.append(msgspec.convert(value.get("game", value), Game))
        except msgspec.ValidationError as error:
            raise BadEvidence(f"That is no saved game: {error}.") from error
        events += extra.events if extra.event is None else (extra.event,)
    if len({board.id for board in boards}) != 1:
        raise BadEvidence("Games are mixed in what was saved." if boards else "Nothing was saved.")
    return _gathered(boards, events)


def _values(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while (at := _past_space(text, at)) < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise BadEvidence(f"That is neither a game in JSON nor a text record: {error}.") from error
        yield value


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _gathered(boards: Sequence[Game], events: Sequence[Event]) -> Evidence:
    boards = sorted(boards, key=lambda board: board.version)
    first = boards[0]
    return Evidence(
        game=first.id,
        variant=first.variant,
        rules=first.rules,
        started_at=first.started_at,
        deals=_deals([board.deal for board in boards]),
        boards=tuple(boards),
        events=tuple(sorted(events, key=lambda event: event.seq)),
    )


def _record(text: str) -> Evidence:
    tags: dict[str, str] = {}
    for line in text.splitlines():
        if match := _TAG.fullmatch(line.strip()):
            tags.setdefault(match[1], match[2])
    if next(iter(tags.items()), None) != ("Pasyans", "1"):
        raise BadEvidence('That is no record that this version reads: it does not begin with [Pasyans "1"].')
    missing = {"Variant", "Rules", "Deal"} - tags.keys()
    if missing:
        raise BadEvidence(f"The record lacks {' and '.join(sorted(missing))}.")
    try:
        rules = int(tags["Rules"])
        started_at = datetime.fromisoformat(tags["Started"]) if "Started" in tags else None
    except ValueError as error:
        raise BadEvidence(f"The record has a tag that cannot be read: {error}.") from error
    deal = GameDeal(tags["Deal"], tags.get("Seed"), tags.get("Commitment"), tags.get("Date"))
    return Evidence(game=None, variant=tags["Variant"], rules=rules, started_at=started_at, deals=_deals([deal]))


def _deals(deals: Sequence[GameDeal]) -> tuple[GameDeal, ...]:
    for deal in deals:
        if deal.kind == "shared" and deal.seed is None:
            raise BadEvidence("The seed of a shared deal is missing.")
        if deal.seed is not None and not is_seed(deal.seed):
            raise BadEvidence(f"{deal.seed[:80]!r} cannot be a seed.")
    return tuple(dict.fromkeys(deals))
