"""Who may see what of a deal. Whatever shows a seed or an event goes through here.

Face-down cards are never in a view. What is left to hide is the seed, from which every card follows: of a sealed deal
it is shown once its game is over. A shared one was never hidden.
"""

from pasyans.api.schemas.games import GameDeal
from pasyans.deals.seeds import commitment
from pasyans.record.game import Game


def is_sealed(game: Game) -> bool:
    """Tell whether the deal is sealed while ``game`` stands where it does."""
    return game.start.deal.kind != "shared" and not game.is_over


def deal_seen(game: Game, *, is_open: bool) -> GameDeal:
    """Return a game's deal as anybody may see it; ``is_open`` tells that its seed may be shown."""
    deal = game.start.deal
    return GameDeal(
        kind=deal.kind,
        seed=deal.seed if is_open else None,
        commitment=None if deal.kind == "shared" else commitment(deal.seed),
        date=deal.date,
    )
