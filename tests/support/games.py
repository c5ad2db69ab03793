"""Games for tests: positions made by hand, games played at random, and strategies that draw them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from hypothesis import settings
from hypothesis import strategies as st
from pasyans.deals.deal import chance, deal
from pasyans.engine.cards import CARD_NAMES, parse_cards
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Rules
from pasyans.games.catalogue import VARIANTS
from pasyans.record import decide
from pasyans.record.events import Deal, Event, Started
from pasyans.record.fold import History, fold
from pasyans.record.game import Game, open_game

from tests.support import vectors
from tests.support.reference.games import GAMES
from tests.support.reference.table import Table

VARIANT_IDS = tuple(VARIANTS)
GAP = "--"
PLAYER = "01936f0e-0000-7000-8000-000000000001"
SEED_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-"
_PLAIN = 20  # what the profile `plain` has


def examples(plain: int) -> settings:
    """Settings for ``plain`` examples of a test, and ten times as many with the profile `full`."""
    return settings(max_examples=plain * settings().max_examples // _PLAIN)


# ---- positions -------------------------------------------------------------------------------------------------------


def table_of(rules: Rules, position: Position) -> Table:
    """A position as the reference has it, every card face up."""
    cards = [[CARD_NAMES[card] for card in pile] for pile in position.piles]
    if rules.pile_ids[0] != "a1":
        return Table(dict(zip(rules.pile_ids, cards, strict=True)), position.redeals)
    rows: dict[str, list[str]] = {}
    for cell, held in zip(rules.pile_ids, cards, strict=True):
        rows.setdefault(cell[0], []).append(held[0] if held else GAP)
    return Table(rows, position.redeals)


def piled(variant: str, redeals: int = 0, /, **piles: str) -> Position:
    """A position of a pile game: the cards of each pile by id, the top one last; other piles are empty."""
    ids = rules_of(VARIANTS[variant]).pile_ids
    assert set(piles) <= set(ids), f"{variant} has no {set(piles) - set(ids)}"
    return Position(tuple(parse_cards(piles.get(id_, "")) for id_ in ids), redeals)


def grid(*rows: str, redeals: int = 0) -> Position:
    """A position of a grid game: its four rows, `--` for a gap."""
    cells = [b"" if cell == GAP else parse_cards(cell) for row in rows for cell in row.split()]
    assert len(cells) == 56, len(cells)
    return Position(tuple(cells), redeals)


# ---- playing at random, the same on every machine --------------------------------------------------------------------


def pick(key: str, bound: int) -> int:
    """A number below ``bound`` that ``key`` alone decides."""
    return int.from_bytes(sha256(key.encode()).digest()[:8], "big") % bound


def choose(legal: list[str], key: str) -> str:
    """One of the legal moves. A redeal that is not forced is rare, since it is open in some games all the time."""
    others = [move for move in legal if move != "redeal"]
    if others and len(others) < len(legal) and pick(f"{key}/redeal", 12):
        legal = others
    return legal[pick(key, len(legal))]


def random_moves(variant: str, seed: str) -> Iterator[tuple[str, Position]]:
    """Moves chosen at random, each with the position after it, until there is none."""
    rules, shuffle = rules_of(VARIANTS[variant]), chance(VARIANTS[variant], seed)
    position = deal(VARIANTS[variant], seed)
    number = 0
    while legal := rules.legal_moves(position):
        number += 1
        move = choose(legal, f"{variant}/{seed}/{number}")
        position = rules.play(position, move, shuffle)
        yield move, position


def replay(variant: str, seed: str, moves: list[str]) -> Position:
    """The position after ``moves``."""
    rules, shuffle = rules_of(VARIANTS[variant]), chance(VARIANTS[variant], seed)
    position = deal(VARIANTS[variant], seed)
    for move in moves:
        position = rules.play(position, move, shuffle)
    return position


# ---- strategies ------------------------------------------------------------------------------------------------------

seeds = st.text(SEED_LETTERS, min_size=1, max_size=64).filter(lambda seed: seed not in (".", ".."))


_PLAYED: list[vectors.Win | vectors.Spot] = [*vectors.wins(), *vectors.positions()]
_VECTORS = {variant: [played for played in _PLAYED if played.variant == variant] for variant in GAMES}


@dataclass
class Line:
    """A deal, legal moves from its opening, and every position on the way, the opening first."""

    variant: str
    seed: str
    moves: list[str]
    positions: list[Position]

    @property
    def rules(self) -> Rules:
        return rules_of(VARIANTS[self.variant])

    @property
    def position(self) -> Position:
        return self.positions[-1]


@st.composite
def lines(draw: st.DrawFn, variant: str) -> Line:
    """A line of play: part of a random game or of one from the vectors, then moves that hypothesis chooses."""
    vector = draw(st.one_of(st.none(), st.sampled_from(_VECTORS[variant]))) if variant in _VECTORS else None
    seed = vector.seed if vector else draw(seeds)
    length = draw(st.integers(0, len(vector.moves)) | st.just(len(vector.moves)) if vector else st.integers(0, 250))
    rules, shuffle = rules_of(VARIANTS[variant]), chance(VARIANTS[variant], seed)
    line = Line(variant, seed, [], [deal(VARIANTS[variant], seed)])

    def play(move: str) -> None:
        line.moves.append(move)
        line.positions.append(rules.play(line.position, move, shuffle))

    if vector:
        for move in vector.moves[:length]:
            play(move)
    else:
        for _, (move, position) in zip(range(length), random_moves(variant, seed), strict=False):
            line.moves.append(move)
            line.positions.append(position)
    for choice in draw(st.binary(max_size=12)):
        legal = rules.legal_moves(line.position)
        if legal:
            play(legal[choice % len(legal)])
    return line


@dataclass
class Session:
    """A game being played: its log so far, with the times, and how it stands."""

    log: list[tuple[Event, int]]
    game: Game
    decisions: list[decide.Decision] = field(default_factory=list)

    @property
    def at(self) -> int:
        """A time for the next event."""
        return self.game.updated_at + 1

    @property
    def history(self) -> History:
        return fold(self.log)

    def add(self, decision: decide.Decision) -> None:
        self.log += [(event, decision.game.updated_at) for event in decision.events]
        self.game = decision.game
        self.decisions.append(decision)

    def play(self, *moves: str) -> None:
        self.add(decide.play(self.game, moves, self.at, is_sealed=False))

    def undo(self, count: int) -> None:
        self.add(decide.undo(self.history, count, self.at))

    def redo(self, count: int) -> None:
        self.add(decide.redo(self.history, count, self.at))


def started(variant: str, seed: str = "1", at: int = 1_764_410_400_000) -> Session:
    """A shared game that has just begun."""
    start = Started(variant, VARIANTS[variant].rules, Deal("shared", seed), PLAYER, 1)
    return Session([(start, at)], open_game(start, at))


@st.composite
def sessions(draw: st.DrawFn, variant: str) -> Session:
    """A game with moves, undos and redos, one event or several at a time; perhaps over."""
    line = draw(lines(variant))
    session = started(variant, line.seed)
    if line.moves:
        session.play(*line.moves)
    for choice in draw(st.binary(max_size=10)):
        act(session, choice)
    return session


def act(session: Session, choice: int) -> None:
    """Do what the byte ``choice`` says: undo, redo, or one of the legal moves; nothing once the game is over."""
    game = session.game
    kind, rest = choice % 4, choice // 4
    steps: dict[int, tuple[int, Callable[[int], None]]] = {
        0: (game.undo_available, session.undo),
        1: (game.redo_available, session.redo),
    }
    available, step = steps.get(kind, (0, session.undo))
    if available:
        step(rest % available + 1)
    elif legal := game.legal_moves:
        session.play(legal[rest % len(legal)])
