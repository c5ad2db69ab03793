"""Following a game that goes on, without the way that it came."""

from collections.abc import Iterable

from pasyans.engine.changes import changes
from pasyans.engine.errors import EngineError
from pasyans.engine.view import Change
from pasyans.record.errors import CorruptLog
from pasyans.record.events import Event, Moved, Redone, Undone
from pasyans.record.game import Game


def changes_after(game: Game, events: Iterable[Event]) -> list[list[Change]] | None:
    """Return the net effect of each of ``events``, which follow ``game``; the cost is theirs alone.

    ``None`` where one of them goes back or forth on a way that only the whole log knows: fold that instead.

    Raises:
        CorruptLog: a move can't follow.
    """
    rules, chance, position = game.rules, game.chance, game.position
    found: list[list[Change]] = []
    for seq, event in enumerate(events, game.version + 1):
        match event:
            case Undone() | Redone():
                return None
            case Moved(move):
                try:
                    after = rules.play(position, move, chance)
                except EngineError as error:
                    raise CorruptLog(seq, str(error)) from error
                found.append(changes(rules, position, rules.transfers(position, move, after), after))
                position = after
            case _:
                found.append([])
    return found
