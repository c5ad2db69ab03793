"""Golden playthroughs: a whole game of each variant as a text that a person can read, and a diff can show.

Each has the shortest known win, where there is one, and a game of chosen moves until it is stuck or cut off. Moves
are undone and made again on the way, always after a redeal.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pasyans.engine.view import Change, PileView
from pasyans.games.catalogue import VARIANTS

from tests.support import vectors
from tests.support.games import Session, choose, pick, started

FOLDER = Path(__file__).parent
SEED = "golden"
LONGEST = 160  # moves of the game that is not won
UNDO_EVERY = 20
WHOLE_VIEW_EVERY = 50


def path_of(variant: str) -> Path:
    """Where the golden of a variant under its present rules number is kept."""
    return FOLDER / f"{variant}.{VARIANTS[variant].rules}.txt"


def playthrough(variant: str) -> str:
    """The golden of a variant, as it should be now."""
    parts = [[f"{variant}, rules {VARIANTS[variant].rules}. Made by `python -m tests.goldens`."]]
    wins = [win for win in vectors.wins() if win.variant == variant]
    if wins:
        parts.append(list(_won(min(wins, key=lambda win: len(win.moves)))))
    parts.append(list(_chosen(variant)))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _won(win: vectors.Win) -> Iterator[str]:
    session = started(win.variant, win.seed)
    yield f"==== A win: {win.seed} ===="
    yield from _opening(session)
    for number, move in enumerate(win.moves, 1):
        yield from _step(session, move)
        if not session.game.is_over and (move == "redeal" or number % UNDO_EVERY == 0):
            yield from _to_and_fro(session, min(3, number), min(3, number))
    yield from _end(session)


def _chosen(variant: str) -> Iterator[str]:
    session = started(variant, SEED)
    yield f"==== Moves of no plan: {SEED} ===="
    yield from _opening(session)
    made = 0
    while made < LONGEST and (legal := session.game.legal_moves) and not session.game.stuck:
        made += 1
        move = _choice(legal, f"{variant}/{SEED}/{made}")
        yield from _step(session, move)
        if move == "redeal":
            yield from _to_and_fro(session, 2, 2)
        elif made % UNDO_EVERY == 0:
            yield from _to_and_fro(session, 3, 1)
    yield from _end(session)


def _choice(legal: list[str], key: str) -> str:
    """Mostly a draw, where one is legal, so that the stock comes to its end."""
    return "draw" if "draw" in legal and pick(f"{key}/draw", 3) else choose(legal, key)


def _opening(session: Session) -> Iterator[str]:
    yield from _view(session.game.piles)
    yield from _facts(session)


def _step(session: Session, move: str) -> Iterator[str]:
    before = session.game.piles
    session.play(move)
    yield ""
    yield f"-- {session.game.moves}. {move}"
    yield from _told(session, before)
    if session.game.moves % WHOLE_VIEW_EVERY == 0:
        yield from _view(session.game.piles)


def _to_and_fro(session: Session, back: int, forth: int) -> Iterator[str]:
    for name, act, count in (("undo", session.undo, back), ("redo", session.redo, forth)):
        before = session.game.piles
        act(count)
        yield ""
        yield f"-- {name} {count}"
        yield from _told(session, before)


def _end(session: Session) -> Iterator[str]:
    game = session.game
    yield ""
    yield f"-- the end: {game.status}{', stuck' if game.stuck else ''}; {game.moves} moves, {game.undos} undone"
    yield from _view(game.piles)


def _told(session: Session, before: Sequence[PileView]) -> Iterator[str]:
    """What changed, the piles that look different now, and what follows from it."""
    for change in session.decisions[-1].changes[0]:
        yield f"   {_change(change)}"
    yield from _view([view for view, old in zip(session.game.piles, before, strict=True) if view != old], most=14)
    yield from _facts(session)


def _change(change: Change) -> str:
    way = f"{change.source}.{change.source_index} > {change.target}.{change.target_index}"
    return f"{change.card or '??'} {way}{' turned' if change.turned else ''}"


def _view(views: Sequence[PileView], most: int = 104) -> Iterator[str]:
    """The piles, a line each, with no more than the upper ``most`` cards."""
    for view in views:
        under = [f"({view.hidden})"] * (view.hidden > 0) + ["…"] * (len(view.cards) > most)
        yield f"   {view.id:<4}{' '.join(under + view.cards[-most:])}".rstrip()


def _facts(session: Session) -> Iterator[str]:
    game = session.game
    left = "any" if game.rules.redeals is None else game.rules.redeals
    facts = [f"score {game.score}", f"redeals {game.redeals}/{left}", f"undo {game.undo_available}"]
    facts += [f"redo {game.redo_available}"] * (game.redo_available > 0)
    facts += [game.status] * game.is_over + ["stuck"] * game.stuck
    yield f"   {', '.join(facts)}"
    yield f"   legal: {' '.join(game.legal_moves) or '-'}"
    if game.finish is not None:
        yield f"   finish: {' '.join(game.finish)}"
