"""Whether the board that a game showed can come from its deal."""

from collections import Counter
from collections.abc import Sequence

from pasyans_client.deals import Piles
from pasyans_client.models import Game, Pile


def difference(piles: Piles, shown: Sequence[Pile]) -> str | None:
    """The first thing in which a board is not what lies there, as a sentence; `None` where it is the same."""
    if {pile.id for pile in shown} != piles.keys():
        return "The piles are not those of the game."
    for pile in shown:
        lies = piles[pile.id]
        if pile.hidden + len(pile.cards) != len(lies) or pile.hidden < 0:
            return f"{pile.id} holds {pile.hidden + len(pile.cards)} cards where the seed deals {len(lies)}."
        for card, true in zip(pile.cards, lies[pile.hidden :], strict=True):
            if card != true:
                return f"{pile.id} shows {card} where the seed deals {true}."
    return None


def impossibility(dealt: Piles, board: Game) -> str | None:
    """Why a board of a game of piles cannot come from a deal, whatever was played; `None` where it can.

    The stock is turned up in its order and comes back in it, and of the reserve the last cards leave first. So as long
    as nothing was redealt, the face-down cards, and with them all others, are known from their number alone.
    """
    piles = {pile.id: pile for pile in board.piles}
    if piles.keys() != dealt.keys():
        return "The piles are not those of the game."
    every = Counter(card for pile in dealt.values() for card in pile)
    hidden = {pile.id: pile.hidden for pile in board.piles}
    if min(hidden.values()) < 0 or sum(hidden.values()) + sum(map(len, _cards(board))) != every.total():
        return "Its cards are not as many as the game has."
    order = dealt["s"][::-1]
    met = order[: max(0, len(order) - hidden["s"])] if board.redeals == 0 else order
    every -= Counter(order[len(met) :]) + Counter(dealt.get("r", ())[: hidden.get("r", 0)])
    shown = Counter(card for cards in _cards(board) for card in cards)
    if shown - every:
        return f"It shows {' '.join(sorted(shown - every))}, and the seed deals that face down, or not so often."
    if board.redeals == 0 and every - shown:
        return f"It does not show {' '.join(sorted(every - shown))}, and that was turned up by then."
    coming = iter(met)
    if not all(card in coming for card in piles["w"].cards):
        return "The waste is not in the order in which the seed deals the stock."
    return None


def _cards(board: Game) -> list[tuple[str, ...]]:
    return [pile.cards for pile in board.piles]
