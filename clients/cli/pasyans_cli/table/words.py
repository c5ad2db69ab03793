"""What the table says to the player."""

import textwrap
from collections.abc import Sequence

from pasyans_client import MoveRefused, UnreadableMove
from pasyans_client.models import Game, Pile, Variant

from pasyans_cli.board.status import result
from pasyans_cli.typed import source, target

HELP = """\
Moves      d               draw                     rd      redeal
           w-t3  t3-f1     from pile to pile        t4-t1   also a whole column
           w-f   t3-f      to the first foundation that takes the card
           3-5   t3f       short for t3-t5, t3-f    c6a2    short for c6-a2
Look       ?               all legal moves          ? w     one pile in full
           b               the board                rules   how this game goes
Take back  u   u 3         undo                     r  r 3  redo
End        finish          the moves that win, once no card is in the way
           resign          end the game as lost
           q               leave; the game is kept
Several on a line are done in order, up to the first one refused: d d w-f 3-5"""

HINT = "Type a move, ? for the legal ones, help for the rest."


ELSEWHERE = "The game went on elsewhere, so that was not played. This is how it stands."


def greeting(game: Game, *, is_new: bool) -> str:
    """What is said when the player sits down."""
    begun = "A new game." if is_new else f"Goes on; started {game.started_at:%Y-%m-%d %H:%M} UTC."
    if game.deal.kind == "daily" and not game.ranked:
        return f"{begun} It is not ranked: of a daily deal only the first game is."
    return begun


def narrow(width: int, needed: int) -> str:
    """Why a board is torn."""
    return f"The board needs {needed} columns, and this terminal has {width}: rows that are too long go on below."


def short_moves(game: Game) -> list[str]:
    """The legal moves; where foundations do equally well, they are one `f`."""
    foundations = {pile.id for pile in game.piles if pile.kind == "foundation"}
    return list(dict.fromkeys(f"{source(m)}-f" if target(m) in foundations else m for m in game.legal_moves))


def legal(game: Game, about: str | None) -> str:
    """The legal moves, or those from one pile, or from one cell of a row, after its cards."""
    if about is None:
        return _wrapped(short_moves(game)) or "no legal move"
    place = _place(game, about)
    if place is None:
        return f"This game has no {about}."
    moves = [move for move in short_moves(game) if _starts_at(move, place)]
    return f"{contents(place)}\n{_wrapped(moves) or 'no move from there'}"


def _place(game: Game, name: str) -> Pile | None:
    """The pile of that name; a cell of a row, such as `c6`, is a pile of one card."""
    for pile in game.piles:
        if pile.id == name:
            return pile
        column = name.removeprefix(pile.id)
        if pile.kind == "row" and column != name and column in map(str, range(1, len(pile.cards) + 1)):
            return Pile(name, "cell", 0, (pile.cards[int(column) - 1],))
    return None


def _starts_at(move: str, pile: Pile) -> bool:
    """Whether a move takes cards from a pile, or from a cell of it where it is a row."""
    start = {"draw": "stock", "redeal": "waste"}.get(move)
    if start is not None:
        return pile.kind == start
    return source(move).rstrip("0123456789") == pile.id if pile.kind == "row" else source(move) == pile.id


def contents(pile: Pile) -> str:
    """A pile from the bottom to the top."""
    cards = [f"{pile.hidden} face down"] if pile.hidden else []
    return _wrapped([f"{pile.id}:", *(cards + list(pile.cards) or ["empty"])])


def refusal(error: MoveRefused, game: Game, typed: str) -> str:
    """Why a move was refused. What was typed in short the service takes for one of several, and speaks of that one."""
    if isinstance(error, UnreadableMove):
        return f"{typed!r} is not a move: type ? for the legal ones."
    start = next((pile for pile in game.piles if pile.id == source(typed)), None)
    if start is not None and target(typed) == "f" and any(pile.kind == "foundation" for pile in game.piles):
        if "*" in typed:
            return f"{typed}: Only one card moves at a time to a foundation."
        if error.reason in ("needs-ace", "wrong-suit"):
            return f"{typed}: No foundation takes {start.cards[-1]} yet."
    return f"{error.move}: {error.detail}"


def remarks(game: Game) -> list[str]:
    """What is worth saying when a board has just been shown."""
    if game.finish and game.running:
        return ["The game can be won from here: type finish."]
    return ["No move leads on from here: take some back (u), or resign."] if game.stuck else []


def no_finish(game: Game) -> str:
    """Why `finish` has no moves to play."""
    if not game.running:
        return "The game is over."
    if not any(pile.kind == "foundation" for pile in game.piles):
        return "There is nothing to finish by itself: this game has no foundations."
    return "There is no such way yet: not all cards can go to the foundations from here."


def unsent(what: str) -> str:
    """What to do about a request that got no answer."""
    return f"Nothing is lost. Press Enter to send `{what}` again, or type q to leave and go on later."


def waiting(what: str) -> str:
    """Why nothing else is done while a request has no answer."""
    return f"Not done: `{what}` has no answer yet. Press Enter to send it again, or type q to leave and go on later."


def farewell(variant: Variant, game: Game) -> str:
    """What is said at the end of a game, or on leaving one."""
    if game.running:
        return f"The game is kept. Go on with:\npasyans play --game {game.id}"
    lines = [result(variant, game)]
    if game.deal.kind != "shared" and game.deal.seed:
        lines.append(f"The seed of the deal was {game.deal.seed}.")
    lines.append(f"Its record: pasyans record {game.id}")
    return "\n".join(lines)


def _wrapped(words: Sequence[str]) -> str:
    return textwrap.fill("  ".join(words), 78, break_long_words=False, break_on_hyphens=False)
