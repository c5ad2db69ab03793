"""Golden playthroughs: every game of the catalogue played by a fixed script, as a text that a person can read.

    python -m tests.goldens           writes them anew; `git diff` then shows what changed
    python -m tests.goldens --check   tells whether they are as they should be

A playthrough has two parts: a known win with moves taken back and made again in between (where a win is known), and a
drift through legal moves that follows no plan, with a redeal as soon as there is one.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from pasyans.engine.changes import Change
from pasyans.engine.rules import PileView
from pasyans.games.catalogue import VARIANTS
from pasyans.record.events import Deal, Event, Finished, Moved, Redone, Started, Undone, encode
from pasyans.record.fold import Frame, History

from tests.support.vectors import wins

HERE: Final = Path(__file__).parent
_DRIFT: Final = 80
_BACK_EVERY: Final = 25
_VIEW_EVERY: Final = 20


def path_of(variant: str) -> Path:
    """Where the playthrough of a game is kept, under its rules number."""
    return HERE / f"{variant}.{VARIANTS[variant].rules}.txt"


def playthrough(variant: str) -> str:
    """Play a game by the script, and tell what happened."""
    lines: list[str] = []
    for win in wins():
        if win.variant == variant:
            lines += _part(f"win, seed {win.seed}", variant, win.seed, _win(win.moves))
            break
    lines += _part("drift, seed golden", variant, "golden", None)
    return "\n".join(lines) + "\n"


def _win(moves: list[str]) -> Iterator[Event]:
    for number, move in enumerate(moves, 1):
        yield Moved(move)
        if number % _BACK_EVERY == 0 and number < len(moves):
            yield Undone(number % 7 + 1)
            yield Redone(number % 7 + 1)
    yield Finished("won")


def _drift(history: History) -> Iterator[Event]:
    """Choose by the number of the step, so that no chance is needed; take the redeal as soon as there is one."""
    for step in range(_DRIFT):
        legal = history.game.legal_moves
        if not legal:
            return
        yield Moved("redeal" if "redeal" in legal and step >= _DRIFT // 4 else legal[step * step % len(legal)])
        if step % 10 == 9:
            yield Undone(2)
            yield Redone(1)
    yield Finished("lost")


def _part(title: str, variant: str, seed: str, script: Iterator[Event] | None) -> list[str]:
    start = Started(variant, VARIANTS[variant].rules, Deal("shared", seed), "00000000-0000-0000-0000-000000000000", 1)
    history = History(start, 0)
    lines = [f"== {variant} {start.rules}: {title} ==", *_view(history.game.piles), _standing(history)]
    for event in _drift(history) if script is None else script:
        frame = history.add(event, 0)
        lines.append(_told(frame))
        lines.append(_standing(history))
        if frame.seq % _VIEW_EVERY == 0 or isinstance(event, Finished):
            lines += _view(history.game.piles)
    return [*lines, ""]


def _told(frame: Frame) -> str:
    return f"{frame.seq} {encode([frame.event])}: {' '.join(map(_change, frame.changes)) or '-'}"


def _change(change: Change) -> str:
    card = (change.card or "??") + ("~" if change.turned else "")
    return f"{card}@{change.source}.{change.source_index}>{change.target}.{change.target_index}"


def _standing(history: History) -> str:
    game = history.game
    finish = "" if game.finish is None else f"  finish {len(game.finish)}"
    return (
        f"    score {game.score}  redeals {game.redeals}  {game.status}{'  stuck' if game.stuck else ''}{finish}"
        f"  legal {' '.join(game.legal_moves) or '-'}"
    )


def _view(piles: Iterable[PileView]) -> list[str]:
    return [f"    {pile.id:>2} {'#' * pile.hidden}{' '.join(pile.cards)}".rstrip() for pile in piles]


def main() -> int:
    """Write or check all playthroughs; give the exit code."""
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        print(__doc__, file=sys.stderr)
        return 2
    texts = {path_of(variant): playthrough(variant) for variant in VARIANTS}
    changed = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    for path in changed:
        print(f"{path.name} {'is not as it should be' if is_check else 'is written anew'}")
        if not is_check:
            path.write_text(texts[path])
    return int(is_check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
