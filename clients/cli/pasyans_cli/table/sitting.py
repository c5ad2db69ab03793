"""A sitting: steps are read, sent, and shown, until the game is over or the player leaves."""

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from pasyans_client import errors
from pasyans_client.models import Game, Played, Variant

from pasyans_cli.board.draw import marks
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.failures import sentence
from pasyans_cli.saying import say
from pasyans_cli.session import Session
from pasyans_cli.table import words
from pasyans_cli.table.prompt import Prompt, is_yes
from pasyans_cli.typed import LOOKS, Do, Move, Step, Unclear, batches, completed, read


class _Pending(NamedTuple):
    """A request that has not been answered. Sent again it is the same one, since it keeps its idempotency key."""

    what: str
    send: Callable[[], Game]


class Sitting:
    """One player at one game.

    A person is told what was refused and goes on; a script that pipes its moves in is stopped there, by the error
    itself. Each request says which version of the game it is meant for, so that a game that went on elsewhere is shown
    before anything is played on it. While one has no answer, the player may look around, send it again, or leave.
    """

    def __init__(self, session: Session, variant: Variant, game: Game, prompt: Prompt) -> None:
        self._session = session
        self._client = session.client
        self._out = session.out
        self._variant = variant
        self._prompt = prompt
        self._game = game
        self._marks: set[tuple[str, int]] = set()
        self._pending: _Pending | None = None
        self._leaving = False
        self._notes: list[str] = []

    def run(self, greeting: str) -> None:
        """Sit until the end."""
        self._show()
        if self._prompt.interactive:
            width, needed = self._out.console.width, self._out.board_width(self._variant, self._game)
            narrow = [words.narrow(width, needed)] if width < needed else []
            say("\n".join([greeting, *narrow, *words.remarks(self._game), words.HINT]))
        # A script is told that what follows the end of its game is refused; a person has seen that it is over.
        while (self._game.running or not self._prompt.interactive) and not self._leaving:
            self._prompt.offer(words.short_moves(self._game))
            line = self._prompt.read("(not sent) > " if self._pending else "> ")
            if line is None:
                break
            self._take(line)
        say(words.farewell(self._variant, self._game))

    def _take(self, line: str) -> None:
        """Do what a line says, then show the board if it changed, and below it what there is to say."""
        before = self._game.version
        steps = read(line, self._game.piles)
        if self._pending is None or (steps and all(isinstance(step, Do) and step.verb in LOOKS for step in steps)):
            self._do(steps)
        elif steps:
            self._notes.append(words.waiting(self._pending.what))
        else:
            self._again()
        if self._game.version != before:
            self._show()
            self._notes += words.remarks(self._game)
        for note in self._notes:
            say(note)
        self._notes.clear()

    def _do(self, steps: Sequence[Step]) -> None:
        """Do what was typed, up to the first step that does not work."""
        moves: list[str] = []
        for step in [*steps, None]:
            if isinstance(step, Move):
                moves.append(step.text)
                continue
            if moves and not self._play(moves):
                return
            moves = []
            if step is not None and not self._one(step):
                return

    def _one(self, step: Do | Unclear) -> bool:
        match step:
            case Unclear(word, why):
                self._refuse(Failed(f"{word!r} {why}", Exit.USAGE))
                return False
            case Do("undo", times):
                return self._send(f"undo {times}", partial(self._client.undo, self._game.id, times))
            case Do("redo", times):
                return self._send(f"redo {times}", partial(self._client.redo, self._game.id, times))
            case Do("resign"):
                return self._resign()
            case Do("finish"):
                if self._game.finish:
                    return self._play(self._game.finish)
                self._refuse(Failed(words.no_finish(self._game), Exit.CONFLICT))
                return False
            case Do("legal", about=about):
                self._notes.append(self._out.with_cards(words.legal(self._game, about)))
            case Do("board"):
                self._show()
            case Do("rules"):
                return self._rules()
            case Do("help"):
                self._notes.append(words.HELP)
            case Do("quit"):
                self._leaving = True
                return False
        return True

    def _play(self, moves: Sequence[str]) -> bool:
        """Play moves in order, up to the first that is refused."""
        left = list(moves)
        while left:
            batch = batches(left, sealed=self._game.deal.seed is None)[0]
            try:
                if not self._send(" ".join(batch), partial(self._client.move, self._game.id, batch)):
                    return False
                left = left[len(batch) :]
            except errors.GameOver as over:
                if not _ends_within(over):
                    raise
                if not self._play(left[: over.index]):
                    return False
                left = left[over.index :]
            except errors.MoveRefused as refusal:
                meant = completed(refusal.move, refusal.legal_moves)
                if meant is not None:
                    left[refusal.index] = meant
                    continue
                if refusal.index and not self._play(left[: refusal.index]):
                    return False
                self._refuse(refusal, typed=left[refusal.index])
                return False
        return True

    def _rules(self) -> bool:
        try:
            page = self._client.rules_page(self._game.variant, "en")
        except errors.PasyansError as trouble:
            self._refuse(trouble)
            return False
        self._out.rules(self._game.variant, "en", page)
        return True

    def _resign(self) -> bool:
        if self._prompt.interactive and not is_yes(self._prompt.read("Resign this game? [y/N] ") or ""):
            return True
        return self._send("resign", partial(self._client.resign, self._game.id))

    def _send(self, what: str, write: Callable[..., Played]) -> bool:
        send = partial(write, if_version=self._game.version, key=str(uuid.uuid4()))
        self._pending = _Pending(what, send)
        return self._settle()

    def _again(self) -> None:
        try:
            self._settle()
        except (errors.MoveRefused, errors.GameOver) as refusal:
            self._refuse(refusal)

    def _settle(self) -> bool:
        """Send what is pending and take its answer; what got no answer stays pending."""
        assert self._pending is not None  # noqa: S101
        try:
            game = self._pending.send()
        except (errors.ConnectionFailed, errors.RateLimited, errors.ServiceError) as trouble:
            self._refuse(trouble)
            self._notes.append(words.unsent(self._pending.what))
            return False
        except errors.ApiError as refusal:
            self._pending = None
            if isinstance(refusal, errors.MoveRefused) or _ends_within(refusal):
                raise
            self._refuse(refusal)
            if isinstance(refusal, errors.StaleVersion | errors.GameOver):
                self._pending = _Pending("b", partial(self._client.game, self._game.id))
                self._settle()
            return False
        self._pending = None
        self._game = game
        self._marks = marks(game.events) if isinstance(game, Played) else set()
        if self._out.json:
            self._out.answer(self._session.body())
        return True

    def _refuse(self, error: errors.PasyansError | Failed, *, typed: str = "") -> None:
        if not self._prompt.interactive:
            raise error
        match error:
            case Failed():
                self._notes.append(str(error))
            case errors.StaleVersion() | errors.GameOver() if self._game.running and not _ends_within(error):
                self._notes.append(words.ELSEWHERE)
            case errors.MoveRefused():
                self._notes.append(self._out.with_cards(words.refusal(error, self._game, typed or error.move)))
            case _:
                self._notes.append(sentence(error))

    def _show(self) -> None:
        if self._out.json:
            return
        if self._prompt.interactive:
            self._out.console.clear()
        self._out.game(self._variant, self._game, self._marks)


def _ends_within(refusal: errors.PasyansError) -> bool:
    """Whether moves were refused because those before the last of them win the game."""
    return isinstance(refusal, errors.GameOver) and bool(refusal.index)
