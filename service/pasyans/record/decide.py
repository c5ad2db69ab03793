"""Deciding: from a command to the events that it adds, or a refusal. Nothing here changes anything.

A move needs the game alone; undo and redo need its history.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from pasyans.engine.changes import changes
from pasyans.engine.errors import IllegalMove, UnreadableMove
from pasyans.engine.view import Change
from pasyans.record.errors import (
    GameOver,
    MoveRefused,
    NotFinished,
    NothingToRedo,
    NothingToUndo,
    NotVoid,
    TurnsUpEarly,
)
from pasyans.record.events import Event, Finished, Moved, Redone, Restored, Undone, Voided, VoidReason
from pasyans.record.fold import History
from pasyans.record.game import Game


class Decision(msgspec.Struct, frozen=True):
    """The events that a command adds, the changes of each, and the game after them."""

    events: list[Event]
    changes: list[list[Change]]
    game: Game


def play(game: Game, moves: Sequence[str], at: int, *, is_sealed: bool) -> Decision:
    """Decide ``moves``, all or none; short forms are rewritten in full.

    ``is_sealed`` tells that the deal is: then a move that may turn up unseen cards has to be the last, so that a
    refused batch tells nothing.

    Raises:
        GameOver: the game is over, or a move of the batch before the last one wins it.
        TurnsUpEarly: a move that may turn up unseen cards is followed by another.
        MoveRefused: a move is unreadable or illegal.
    """
    if game.is_over:
        raise GameOver(0)
    rules, chance = game.rules, game.chance
    if is_sealed:
        for index, move in enumerate(moves[:-1]):
            if rules.may_turn_up(move):
                raise TurnsUpEarly(move, index)
    position = game.position
    events: list[Event] = []
    all_changes: list[list[Change]] = []
    is_won = False
    for index, move in enumerate(moves):
        if is_won:
            raise GameOver(index)
        try:
            full = rules.expand(position, move)
            after = rules.play(position, full, chance)
        except (IllegalMove, UnreadableMove) as error:
            raise MoveRefused(move, index, error, rules.legal_moves(position)) from error
        events.append(Moved(full))
        all_changes.append(changes(rules, position, rules.transfers(position, full, after), after))
        position = after
        is_won = rules.is_won(position)
    if is_won:
        events.append(Finished("won"))
        all_changes.append([])
    at = max(at, game.updated_at)
    decided = replace(
        game,
        version=game.version + len(events),
        position=position,
        moves=game.moves + len(moves),
        undone=0,
        outcome="won" if is_won else None,
        updated_at=at,
        finished_at=at if is_won else None,
    )
    return Decision(events, all_changes, decided)


def undo(history: History, count: int, at: int) -> Decision:
    """Decide to take back ``count`` moves. ``history`` is used up.

    Raises:
        GameOver, NothingToUndo: the game is over, or has fewer moves.
    """
    if history.game.is_over:
        raise GameOver
    if count > history.game.undo_available:
        raise NothingToUndo(history.game.undo_available)
    return _add(history, Undone(count), at)


def redo(history: History, count: int, at: int) -> Decision:
    """Decide to make ``count`` undone moves again; they have the same cards. ``history`` is used up.

    Raises:
        GameOver, NothingToRedo: the game is over, or has fewer moves undone.
    """
    if history.game.is_over:
        raise GameOver
    if count > history.game.redo_available:
        raise NothingToRedo(history.game.redo_available)
    return _add(history, Redone(count), at)


def resign(game: Game, at: int) -> Decision:
    """Decide to give up: the game is lost, or abandoned if it is untouched.

    Raises:
        GameOver: the game is over.
    """
    return _end(game, Finished("abandoned" if game.is_untouched else "lost"), at)


def abandon(game: Game, at: int) -> Decision:
    """Decide that the game ends without a result, whatever was played.

    Raises:
        GameOver: the game is over.
    """
    return _end(game, Finished("abandoned"), at)


def void(game: Game, reason: VoidReason, at: int) -> Decision:
    """Decide that a game counts no longer. Its outcome and the time of its end stay what they are.

    Raises:
        NotFinished: it was neither won nor lost, or is void already.
    """
    if game.status not in ("won", "lost"):
        raise NotFinished
    return _judge(game, Voided(reason), at)


def restore(game: Game, reason: VoidReason, at: int) -> Decision:
    """Decide that a void game counts again, as what it was before.

    Raises:
        NotVoid: it is not void.
    """
    if not game.is_void:
        raise NotVoid
    return _judge(game, Restored(reason), at)


def _judge(game: Game, event: Voided | Restored, at: int) -> Decision:
    judged = replace(
        game, version=game.version + 1, is_void=isinstance(event, Voided), updated_at=max(at, game.updated_at)
    )
    return Decision([event], [[]], judged)


def _end(game: Game, event: Finished, at: int) -> Decision:
    if game.is_over:
        raise GameOver
    at = max(at, game.updated_at)
    over = replace(game, version=game.version + 1, outcome=event.outcome, updated_at=at, finished_at=at)
    return Decision([event], [[]], over)


def _add(history: History, event: Event, at: int) -> Decision:
    frame = history.add(event, at)
    return Decision([event], [frame.changes], frame.game)
