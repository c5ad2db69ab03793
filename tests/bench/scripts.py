"""Whole games that are known in advance, so that a load can play them without thinking."""

from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from typing import Final, NamedTuple

from pasyans.deals.deal import chance, deal
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.games.catalogue import VARIANTS

from tests.support import vectors
from tests.support.games import pick

PLAYED: Final = ("forty-thieves", "vokzal-36", "forty-thieves", "vokzal-52")
_PATIENT: Final = 60  # moves without a card to a foundation before the player gives up


class Script(NamedTuple):
    """A game on a shared deal: its moves, until it is won or nothing is left that a player would try."""

    variant: str
    seed: str
    moves: list[str]
    is_won: bool

    def version(self, played: int) -> int:
        """The game's version when so many moves have been played."""
        return 1 + played + (self.is_won and played == len(self.moves))


def scripts(number: int) -> list[Script]:
    """So many games of Forty Thieves and of both Vokzals, each on a deal of its own."""
    return list(islice(_all(), number))


def won(variant: str, seed: str | None = None) -> Script:
    """A game that is won, on a deal of the vectors or the longest that they have."""
    wins = [win for win in vectors.wins() if win.variant == variant and seed in (None, win.seed)]
    longest = max(wins, key=lambda win: len(win.moves))
    return Script(variant, longest.seed, longest.moves, is_won=True)


def _all() -> Iterator[Script]:
    wins = (won(variant) for variant in dict.fromkeys(PLAYED))
    yield from wins
    for number in count():
        yield _played(PLAYED[number % len(PLAYED)], f"bench-{number}")


@cache
def _played(variant: str, seed: str) -> Script:
    """A game as a hasty player has it: to a foundation if possible, else somewhere else, else a card from the stock.

    No position comes twice, and who gets nowhere gives up.
    """
    rules, shuffle = rules_of(VARIANTS[variant]), chance(VARIANTS[variant], seed)
    position = deal(VARIANTS[variant], seed)
    moves: list[str] = []
    seen: set[Position] = {position}
    score, scored = rules.score(position), 0
    while len(moves) - scored < _PATIENT and not rules.is_won(position):
        legal = sorted(rules.legal_moves(position), key=lambda move: _eagerness(move, f"{seed}/{len(moves)}"))
        after = ((move, rules.play(position, move, shuffle)) for move in legal)
        found = next(((move, then) for move, then in after if then not in seen), None)
        if found is None:
            break
        move, position = found
        moves.append(move)
        seen.add(position)
        if rules.score(position) > score:
            score, scored = rules.score(position), len(moves)
    return Script(variant, seed, moves, rules.is_won(position))


def _eagerness(move: str, key: str) -> tuple[int, int]:
    """What comes first; of moves within the tableau only some are tried before a card is turned."""
    source, _, target = move.partition("-")
    dice = pick(f"{key}/{move}", 100)
    if target.startswith("f"):
        return 0, dice
    if source == "w" or (target and dice < 40):
        return 1, dice
    return (2, dice) if move == "draw" else (3, dice)
