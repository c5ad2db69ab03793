"""Results: what is left of a finished game for boards and statistics."""

import msgspec

from pasyans.record.events import DealKind, Outcome
from pasyans.record.game import Game


class Result(msgspec.Struct, frozen=True):
    """What a finished game came to. ``player`` is an id, never a name; ``outcome`` outlives a voiding."""

    player: str
    variant: str
    rules: int
    kind: DealKind
    seed: str
    date: str | None
    attempt: int
    outcome: Outcome
    is_void: bool
    score: int
    redeals: int
    moves: int
    undos: int
    started_at: int
    finished_at: int

    @property
    def elapsed_ms(self) -> int:
        """From the first event to the last one of play."""
        return self.finished_at - self.started_at

    @property
    def counts(self) -> bool:
        """Whether it counts for anything: it was won or lost, and stands."""
        return self.outcome != "abandoned" and not self.is_void


def result_of(game: Game) -> Result | None:
    """Return what a game came to, ``None`` while it is on."""
    if game.outcome is None or game.finished_at is None:
        return None
    start, deal = game.start, game.start.deal
    return Result(
        start.player,
        start.variant,
        start.rules,
        deal.kind,
        deal.seed,
        deal.date,
        start.attempt,
        game.outcome,
        game.is_void,
        game.score,
        game.redeals,
        game.moves,
        game.undos,
        game.started_at,
        game.finished_at,
    )
