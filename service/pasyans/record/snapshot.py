"""Snapshots: what the head of a log keeps, so that a move costs the same however long the game is.

A snapshot holds no history: to undo, the log is read.
"""

from typing import Annotated, Final

import msgspec

from pasyans.engine.errors import BadSnapshot
from pasyans.engine.position import decode_position, encode_position
from pasyans.record.events import Outcome, Started
from pasyans.record.game import Game

_FORMAT: Final = 1

_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Snapshot(msgspec.Struct, frozen=True, array_like=True):
    format: int
    moves: _Count
    undos: _Count
    undone: _Count
    outcome: Outcome | None
    is_void: bool
    position: bytes


_decoder: Final = msgspec.msgpack.Decoder(_Snapshot)


def encode_snapshot(game: Game) -> bytes:
    """Return what can't be read off the other columns of the head row."""
    return msgspec.msgpack.encode(
        _Snapshot(
            _FORMAT,
            game.moves,
            game.undos,
            game.undone,
            game.outcome,
            game.is_void,
            encode_position(game.position),
        )
    )


def decode_snapshot(
    data: bytes, *, start: Started, version: int, started_at: int, updated_at: int, finished_at: int | None
) -> Game:
    """Return the game that `encode_snapshot` was given.

    Raises:
        BadSnapshot: ``data`` is no snapshot of a game of that variant.
    """
    try:
        snapshot = _decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise BadSnapshot("A stored snapshot is unreadable.") from error
    if snapshot.format != _FORMAT:
        raise BadSnapshot(f"A stored snapshot has the unknown format {snapshot.format}.")
    game = Game(
        start,
        version,
        decode_position(snapshot.position),
        snapshot.moves,
        snapshot.undos,
        snapshot.undone,
        snapshot.outcome,
        snapshot.is_void,
        started_at,
        updated_at,
        finished_at,
    )
    if not game.rules.is_position(game.position):
        raise BadSnapshot(f"A stored snapshot is not of {start.variant}.")
    return game
