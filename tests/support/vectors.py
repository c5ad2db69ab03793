"""The vectors: what an independent implementation of the rules and the deals computed, read from `tests/vectors`."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent.parent / "vectors"


class Deal(NamedTuple):
    """A shuffled pack, from card 0."""

    variant: str
    seed: str
    cards: list[str]


class Redeal(NamedTuple):
    """The four rows after moves that end in a redeal."""

    variant: str
    seed: str
    moves: list[str]
    rows: list[list[str]]


class Win(NamedTuple):
    """A whole game that is won."""

    variant: str
    seed: str
    moves: list[str]


class Perft(NamedTuple):
    """How many legal lines of 1, 2, 3… moves there are after some moves."""

    variant: str
    seed: str
    moves: list[str]
    counts: list[int]


class Spot(NamedTuple):
    """What holds after some moves; ``shows`` says what the position is there for."""

    variant: str
    seed: str
    moves: list[str]
    legal_moves: list[str]
    score: int
    status: str
    shows: str


def deals() -> list[Deal]:
    """Every line of `deals.tsv`."""
    return [Deal(variant, seed, cards.split()) for variant, seed, cards in _lines("deals", 3)]


def redeals() -> list[Redeal]:
    """Every line of `redeals.tsv`."""
    return [
        Redeal(variant, seed, moves.split(), [row.split() for row in rows])
        for variant, seed, moves, *rows in _lines("redeals", 7)
    ]


def wins() -> list[Win]:
    """Every line of `wins.tsv`."""
    return [Win(variant, seed, moves.split()) for variant, seed, moves in _lines("wins", 3)]


def perfts() -> list[Perft]:
    """Every line of `perft.tsv`."""
    return [
        Perft(variant, seed, moves.split(), [int(count) for count in counts.split()])
        for variant, seed, moves, counts in _lines("perft", 4)
    ]


def positions() -> list[Spot]:
    """Every line of `positions.tsv`."""
    return [
        Spot(variant, seed, moves.split(), [] if legal == "-" else legal.split(), int(score), status, shows)
        for variant, seed, moves, legal, score, status, shows in _lines("positions", 7)
    ]


def _lines(name: str, width: int) -> Iterator[list[str]]:
    for number, line in enumerate((FOLDER / f"{name}.tsv").read_text("utf-8").splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != width:
            raise ValueError(f"{name}.tsv, line {number}: {len(fields)} fields instead of {width}.")
        yield fields
