"""A sentence for each reason why a move is refused, for a person to read."""

from typing import Final

from pasyans.engine.errors import IllegalMove, Reason

_SENTENCES: Final = {
    Reason.NO_SUCH_PILE: "This game has no {place}.",
    Reason.EMPTY_SOURCE: "There is no card at {source}.",
    Reason.NOT_AVAILABLE: "No card is taken from {source}.",
    Reason.TAKES_NO_CARDS: "No card is put on {target}.",
    Reason.POINTLESS: "{move} would change nothing.",
    Reason.STOCK_EMPTY: "The stock is empty.",
    Reason.STOCK_NOT_EMPTY: "The stock still has cards: draw them first.",
    Reason.WASTE_EMPTY: "The waste is empty: there is nothing to turn over.",
    Reason.NO_REDEAL_LEFT: "No redeal is left.",
    Reason.FIXED_ACE: "{card} cannot go to {target}: an ace stands in the first column only, and never leaves it.",
    Reason.NOT_A_GAP: "{target} is not a gap: {top} lies there.",
    Reason.DEAD_GAP: "{target} is a dead gap: a king to its left blocks the row.",
    Reason.ONE_CARD_ONLY: "Only one card moves at a time from {source} to {target}.",
    Reason.WHOLE_COLUMN_ONLY: "From {source} the top card moves, or the column as a whole: its height is {height}.",
    Reason.NEEDS_ACE: "{target} takes only an ace, and {card} is none.",
    Reason.ONLY_RESERVE: "{target} is empty and takes only the top card of the reserve.",
    Reason.ONLY_WASTE: "{target} is empty and, now that the reserve is used up, takes only a king from the waste.",
    Reason.ONLY_KINGS: "{target} is empty and takes only a king now, and {card} is none.",
    Reason.WRONG_SUIT: "{card} cannot go on {top}: {target} takes the same suit only.",
    Reason.WRONG_COLOUR: "{card} cannot go on {top}: {target} takes red and black in turn.",
    Reason.NOT_NEXT_RANK: "{card} cannot go on {top} at {target}: its rank is not the next one.",
    Reason.NOT_ADJACENT: "{card} does not fit {target}: it is neither next above the card to the left "
    "nor next below the card to the right, in the same suit.",
    Reason.UNTIDY_ROWS: "{move} would leave row {row} with too many gaps: at most two, "
    "and two only while every other row has at most one.",
    Reason.OTHER_ROW_FIRST: "{move} fills row {row} while a card can go to a row with more gaps: fill that one first.",
}


def refuse(move: str, reason: Reason, **names: object) -> IllegalMove:
    """Return the error that refuses ``move`` for ``reason``; ``names`` fill in the sentence."""
    return IllegalMove(move, reason, _SENTENCES[reason].format(move=move, **names))
