"""Everything that is kept of a player, as JSON in pieces. No HTTP here.

However much there is, a page of it is held at a time, and of a game the line of moves; no connection to the database
is kept between the pieces. Left out are the hashes of tokens, which are secrets, the counts of attempts, which the
games have and which would name seeds that are sealed, and of the audit who did it and the notes, which are admins' own.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from functools import partial
from typing import Final

import msgspec

from pasyans.api import views, visibility
from pasyans.api.play import game_of
from pasyans.api.schemas.export import ExportedEntry, ExportedKey, ExportedPlayer, ExportedToken
from pasyans.api.watching import Course, beside, stretches
from pasyans.record.text import write_record
from pasyans.record.times import format_time
from pasyans.store.admin_values import AuditEntry, AuditFilter
from pasyans.store.base import Store
from pasyans.store.values import GameFilter, Head, KeptKey, KeptToken, LogRow, Player

_PAGE: Final = 100
_JSON: Final = msgspec.json.Encoder()


async def export(store: Store, player: Player, at: int) -> AsyncGenerator[bytes]:
    """Yield the pieces of an `Export` of ``player``, made at the time ``at``.

    Raises:
        StoreError: the rest can't be read.
    """
    yield b'{"exported_at":' + _JSON.encode(format_time(at)) + b',"player":' + _JSON.encode(_player(player))
    for name, pieces in (
        ("tokens", _tokens(store, player)),
        ("idempotency_keys", _keys(store, player)),
        ("audit", _audit(store, player)),
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
        yield _joined([_JSON.encode(_token(token)) for token in found], last is None)
        last = found[-1].token_id


async def _keys(store: Store, player: Player) -> AsyncIterator[bytes]:
    last = None
    while found := await store.kept_keys(player.player_id, last, _PAGE):
        yield _joined([_JSON.encode(_key(key)) for key in found], last is None)
        last = found[-1].key


async def _audit(store: Store, player: Player) -> AsyncIterator[bytes]:
    which = AuditFilter(player_id=player.player_id)
    last = None
    while found := await store.audit(which, last, _PAGE):
        yield _joined([_JSON.encode(_entry(entry)) for entry in found], last is None)
        last = found[-1].entry_id


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
    course = Course()

    def events(rows: Sequence[LogRow]) -> bytes:
        return _joined([_JSON.encode(views.framed(frame)) for frame in course.fold(rows)], rows[0].first_seq == 1)

    async for rows in stretches(store, head.game_id, head.version):
        yield await beside(partial(events, rows))
    assert course.history is not None  # noqa: S101 - a game has a first event
    record = write_record(course.history.game, course.history.line, player=head.player, is_open=sight.is_open)
    yield b'],"record":' + _JSON.encode(record) + b"}"


def _joined(items: Sequence[bytes], is_first: bool) -> bytes:
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


def _entry(entry: AuditEntry) -> ExportedEntry:
    return ExportedEntry(format_time(entry.at), entry.action, entry.game_id, entry.reason)
