"""What is typed at the prompt of `play`, read into steps.

Words are separated by blanks or commas, and a line may hold several: `d d w-f u 2`. A move may be written as in the
notation, without its dash where that is clear (`t3f`, `c6a2`), and with a bare number for a column (`3-5`).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pasyans_client.models import Pile

Verb = Literal["legal", "undo", "redo", "finish", "board", "rules", "resign", "help", "quit"]


class Move(NamedTuple):
    """A move, in the notation or a short form of it."""

    text: str


class Do(NamedTuple):
    """Something other than a move; `times` is for undo and redo, `about` names a pile."""

    verb: Verb
    times: int = 1
    about: str | None = None


class Unclear(NamedTuple):
    """A word that cannot be done, and why."""

    word: str
    why: str = "is neither a move nor a command; type help."


Step = Move | Do | Unclear

_MOVES = {"d": "draw", "draw": "draw", "rd": "redeal", "redeal": "redeal"}
_VERBS: dict[str, Verb] = {
    "?": "legal",
    "legal": "legal",
    "u": "undo",
    "undo": "undo",
    "r": "redo",
    "redo": "redo",
    "finish": "finish",
    "b": "board",
    "board": "board",
    "rules": "rules",
    "resign": "resign",
    "h": "help",
    "help": "help",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
}
LOOKS: frozenset[Verb] = frozenset({"legal", "board", "rules", "help", "quit"})
"""What leaves the game as it is."""

MOST_TIMES = 100_000
"""How many moves can be taken back at once, or played again."""

_NUMBER = re.compile(r"[-+]?\d[\d.]*")
_DASHED = re.compile(r"([a-z0-9]+)-([a-z0-9]+)(\*[0-9]+)?")
_CLOSED = re.compile(r"([a-z][0-9]*)([a-z][0-9]*)(\*[0-9]+)?")


def read(line: str, piles: Iterable[Pile]) -> list[Step]:
    """Read a line, for a game with these piles."""
    letters = {pile.id[0] for pile in piles}
    words = line.lower().replace(",", " ").replace("?", " ? ").split()
    steps: list[Step] = []
    while words:
        word = words.pop(0)
        verb = _VERBS.get(word)
        if verb in ("undo", "redo") and words and _NUMBER.fullmatch(words[0]):
            times = _times(words.pop(0))
            steps.append(Unclear(word, f"takes a number from 1 to {MOST_TIMES}.") if times is None else Do(verb, times))
        elif verb == "legal" and words and _is_place(words[0], letters):
            steps.append(Do(verb, about=words.pop(0)))
        elif verb is not None:
            steps.append(Do(verb))
        else:
            steps.append(_move(word, letters))
    return steps


def batches(moves: Sequence[str], *, sealed: bool) -> list[list[str]]:
    """Cut moves into what can be sent at once: at most 500, and on a deal that is still sealed nothing after a move
    that may turn up a card.
    """
    cut: list[list[str]] = [[]]
    for move in moves:
        last = cut[-1]
        if len(last) == 500 or (sealed and last and reveals(last[-1])):
            cut.append([])
        cut[-1].append(move)
    return cut if cut[0] else []


def reveals(move: str) -> bool:
    """Whether a move may turn up a card that was not seen before."""
    return move in ("draw", "redeal") or move.startswith("r-")


def completed(move: str, legal: Iterable[str]) -> str | None:
    """The one legal move that a move can only mean, where it left out how many cards go: `t4-t1` for `t4-t1*3`."""
    meant = [whole for whole in legal if whole.startswith(f"{move}*")]
    return meant[0] if len(meant) == 1 else None


def source(move: str) -> str:
    """Where a move takes its card from (`draw` and `redeal` stand for themselves)."""
    return move.split("-")[0]


def target(move: str) -> str:
    """Where a move takes it to, or nothing."""
    return move.partition("-")[2].partition("*")[0]


def _times(number: str) -> int | None:
    """How many moves to undo or redo, where that many can be asked for; no number is too long for this."""
    digits = number.removeprefix("+").lstrip("0")
    is_short = digits.isdecimal() and len(digits) <= len(str(MOST_TIMES))
    return int(digits) if is_short and int(digits) <= MOST_TIMES else None


def _is_place(word: str, letters: set[str]) -> bool:
    return word[0] in letters and (len(word) == 1 or word[1:].isdecimal())


def _move(word: str, letters: set[str]) -> Step:
    if word in _MOVES:
        return Move(_MOVES[word])
    if dashed := _DASHED.fullmatch(word):
        start, end, many = (part or "" for part in dashed.groups())
        return Move(f"{_column(start, letters)}-{_column(end, letters)}{many}")
    closed = _CLOSED.fullmatch(word)
    if closed and all(_is_place(part, letters) for part in closed.groups()[:2]):
        start, end, many = (part or "" for part in closed.groups())
        return Move(f"{start}-{end}{many}")
    return Move(word) if "-" in word else Unclear(word)


def _column(part: str, letters: set[str]) -> str:
    return f"t{part}" if part.isdecimal() and "t" in letters else part
