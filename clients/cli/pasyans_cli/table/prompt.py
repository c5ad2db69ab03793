"""Lines from the player: edited and completed on a terminal, read as they come elsewhere."""

import sys
from collections.abc import Sequence
from contextlib import suppress

import click


class Prompt:
    """Where lines come from. On a terminal the tab key completes the words given last to `offer`."""

    def __init__(self, *, interactive: bool) -> None:
        self.interactive = interactive
        self._words: Sequence[str] = ()
        if interactive:
            with suppress(ImportError):  # Windows has none; lines are then not completed
                import readline

                readline.set_completer(self._complete)
                readline.set_completer_delims(" ,")
                readline.parse_and_bind("tab: complete")

    def offer(self, words: Sequence[str]) -> None:
        """Set what the tab key completes."""
        self._words = words

    def read(self, prompt: str) -> str | None:
        """The next line, or `None` where there are no more, also after Ctrl-C or Ctrl-D."""
        if self.interactive:
            try:
                return input(prompt)
            except (EOFError, KeyboardInterrupt):
                click.echo(err=True)
                return None
        line = sys.stdin.readline()
        return line if line else None

    def ask(self, question: str) -> str:
        """The answer to a question without which nothing goes on; no answer, as after Ctrl-C, gives the command up."""
        answer = self.read(f"{question} ")
        if answer is None:
            raise click.Abort
        return answer.strip()

    def _complete(self, start: str, state: int) -> str | None:
        matching = [word for word in self._words if word.startswith(start.lower())]
        return f"{matching[state]} " if state < len(matching) else None


def is_yes(answer: str) -> bool:
    """Whether an answer is yes; an empty one is no."""
    return answer.strip().lower() in ("y", "yes")
