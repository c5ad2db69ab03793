"""Everything that is kept of a player, as JSON in pieces. No HTTP here.

However much there is, a page of it is held at a time, and of a game the line of moves; no connection to the database
is kept between the pieces. Left out are the hashes of tokens, which are secrets, and the counts of attempts, which the
games have and which would name seeds that are sealed.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final

import msgspec

from pasyans.api import views, visibility
from pasyans.api.play import game_of
from pasyans.api.schemas.events import Event
from pasyans.api.schemas.export import ExportedKey, ExportedPlayer, ExportedToken
from pasyans.record.events import decode
from pasyans.record.fold import History, begin
from pasyans.record.text import write_record
from pasyans.record.times import format_time
from pasyans.store.base import Store
from pasyans.store.values import GameFilter, Head, KeptKey, KeptToken, LogRow, Player

_PAGE: Final = 100
_STRETCH: Final = 500
_JSON: Final = msgspec.json.Encoder()


async def export(store: Store, player: Player, at: int) -> AsyncIterator[bytes]:
    """Yield the pieces of an `Export` of ``player``, made at the time ``at``.

    Raises:
        StoreError: the rest can't be read.
    """
    yield b'{"exported_at":' + _JSON.encode(format_time(at)) + b',"player":' + _JSON.encode(_player(player))
    for name, pieces in (
        ("tokens", _tokens(store, player)),
        ("idempotency_keys", _keys(store, player)),
        ("games", _games(store, player, at)),
    ):
        yield f',"{name}":['.encode()
        async for piece in pieces:
            yield piece
        yield b"]"
    yield b"}\n"


async def _tokens(store: Store, player: Player) -> AsyncIterator[bytes]:
    last = None
    while found := await store.kept_tokens(player.player_id, last, _PAGE):
        yield _joined([_JSON.encode(_token(token)) for token in found], is_first=last is None)
        last = found[-1].token_id


async def _keys(store: Store, player: Player) -> AsyncIterator[bytes]:
    last = None
    while found := await store.kept_keys(player.player_id, last, _PAGE):
        yield _joined([_JSON.encode(_key(key)) for key in found], is_first=last is None)
        last = found[-1].key


async def _games(store: Store, player: Player, at: int) -> AsyncIterator[bytes]:
    viewer = player.player_id
    which = visibility.listed(GameFilter(player_id=viewer), viewer, at)
    last = None
    while found := await store.games(which, last, _PAGE):
        for head in found:
            yield b"" if last is None else b","
            async for piece in _game(store, head, visibility.look(head, viewer, at)):
                yield piece
            last = head.game_id


async def _game(store: Store, head: Head, sight: visibility.Sight) -> AsyncIterator[bytes]:
    """Yield a game: its summary, left open, then its events and its record."""
    yield _JSON.encode(views.summary(head, game_of(head), sight))[:-1] + b',"events":['
    course = _Course()
    seen = 0
    while seen < head.version:
        rows = await store.log(head.game_id, seen, min(seen + _STRETCH, head.version))
        events = await asyncio.to_thread(course.add, rows)
        yield _joined([_JSON.encode(event) for event in events], is_first=seen == 0)
        seen = rows[-1].last_seq
    yield b'],"record":' + _JSON.encode(course.record(head.player, sight)) + b"}"


class _Course:
    """How a game went, from the rows of its log in order."""

    def __init__(self) -> None:
        self._history: History | None = None

    def add(self, rows: Sequence[LogRow]) -> list[Event]:
        events: list[Event] = []
        for row in rows:
            for event in decode(row.events, row.first_seq):
                if self._history is None:
                    self._history, frame = begin(event, row.at)
                else:
                    frame = self._history.add(event, row.at)
                events.append(views.framed(frame))
        return events

    def record(self, player: str, sight: visibility.Sight) -> str:
        assert self._history is not None  # noqa: S101 - a game has a first event
        moves = [step.move for step in self._history.line]
        return write_record(self._history.game, moves, player=player, is_open=sight.is_open)


def _joined(items: Sequence[bytes], *, is_first: bool) -> bytes:
    return (b"" if is_first else b",") + b",".join(items)


def _player(player: Player) -> ExportedPlayer:
    return ExportedPlayer(
        player.player_id, player.name, player.guest, player.name_changes, format_time(player.created_at)
    )


def _token(token: KeptToken) -> ExportedToken:
    used, revoked = (None if at is None else format_time(at) for at in (token.last_used_at, token.revoked_at))
    return ExportedToken(token.token_id, token.label, format_time(token.created_at), used, revoked)


def _key(key: KeptKey) -> ExportedKey:
    return ExportedKey(key.key.hex(), key.request.hex(), key.subject, key.version, format_time(key.at))
