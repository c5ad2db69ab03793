"""Real games, each played once for all tests, to be written down with any player and at any time."""

from functools import cache
from typing import NamedTuple

from msgspec.structs import replace
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS
from pasyans.record import decide
from pasyans.record.events import Deal, Event, Started
from pasyans.record.fold import History
from pasyans.record.game import Game, open_game

from tests.support import vectors

_SHORT = 3  # moves of a line that leads nowhere

WINS = {(win.variant, win.seed): win.moves for win in vectors.wins()}
"""Lines that win."""

_REDEALS = {(redeal.variant, redeal.seed): redeal.moves for redeal in vectors.redeals()}


class Played(NamedTuple):
    """The events after the start, and the game at their end; player and times are nobody's."""

    events: list[Event]
    game: Game

    def by(self, start: Started, started_at: int, finished_at: int) -> Game:
        """The game as if it had been started so, and ended then."""
        return replace(self.game, start=start, started_at=started_at, updated_at=finished_at, finished_at=finished_at)


@cache
def opened(variant: str, seed: str) -> Played:
    """A game that has just been started."""
    game = open_game(Started(variant, 1, Deal("shared", seed), "", 1), 0)
    return Played([], game)


@cache
def line(variant: str, seed: str) -> list[str]:
    """Moves from the start: to a win or to a redeal where such a line is known, else a few."""
    known = WINS.get((variant, seed)) or _REDEALS.get((variant, seed))
    if known is not None:
        return known
    rules = rules_of(VARIANTS[variant])
    game = opened(variant, seed).game
    moves, position = [], game.position
    for _ in range(_SHORT):
        moves.append(rules.legal_moves(position)[-1])
        position = rules.play(position, moves[-1], game.chance)
    return moves


@cache
def played(variant: str, seed: str, moves: int, *, undo: bool = False) -> Played:
    """A game of so many moves of its line: won there, else resigned. With `undo` a move was taken back and made again.

    Without moves it is abandoned.
    """
    history = History(opened(variant, seed).game.start, 0)
    events: list[Event] = []

    def add(decision: decide.Decision) -> None:
        events.extend(decision.events)
        for event in decision.events:
            if history.game.version < decision.game.version:
                history.add(event, 0)

    moved = line(variant, seed)[:moves]
    if undo and moved:
        add(decide.play(history.game, moved[:1], 0, is_sealed=False))
        add(decide.undo(history, 1, 0))
        add(decide.redo(history, 1, 0))
        moved = moved[1:]
    if moved:
        add(decide.play(history.game, moved, 0, is_sealed=False))
    if not history.game.is_over:
        add(decide.resign(history.game, 0))
    return Played(events, history.game)
