"""What commands print: data on stdout, everything else on stderr."""

import sys
from collections.abc import Iterable, Sequence

import click
from pasyans_client.models import Deal, Game, Pile, RecordedGame, Variant
from rich.console import Console

from pasyans_cli.board.canvas import Line
from pasyans_cli.board.draw import Changed, draw
from pasyans_cli.board.glyphs import ASCII, UNICODE, Glyphs, in_text
from pasyans_cli.board.paint import FOUR_COLOURS, TWO_COLOURS, paint
from pasyans_cli.board.status import standing, title
from pasyans_cli.options import Options


class Output:
    """Where a command writes, in the manner that the options ask for."""

    def __init__(self, options: Options) -> None:
        self.json = options.json
        self.console = Console(highlight=False, soft_wrap=True)
        self.glyphs: Glyphs = ASCII if options.ascii or not _can_print(UNICODE) else UNICODE
        self._palette = FOUR_COLOURS if options.four_colours else TWO_COLOURS

    @property
    def interactive(self) -> bool:
        """Whether a person sits there: both what is read and what is written is a terminal."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def with_cards(self, text: str) -> str:
        """A sentence with its cards written as on the board."""
        return in_text(text, self.glyphs)

    def data(self, text: str) -> None:
        """A line of data."""
        click.echo(text)

    def answer(self, body: bytes) -> None:
        """An answer of the API as it came, on a line of its own."""
        click.echo(body.rstrip(b"\n"))

    def lines(self, lines: Iterable[Line]) -> None:
        """Styled lines."""
        self.console.print(paint(lines, self._palette), end="")

    def game(self, variant: Variant, game: Game | RecordedGame, changed: Changed = frozenset()) -> None:
        """A game with the lines above and below its board."""
        board = self._board(variant, game.piles, changed)
        self.lines([title(variant, game), (), *board, (), standing(variant, game)])

    def deal(self, variant: Variant, deal: Deal) -> None:
        """An opening."""
        self.lines(self._board(variant, deal.piles, frozenset()))

    def page(self, markdown: str) -> None:
        """A page: laid out on a terminal, else as it is."""
        if self.console.is_terminal:
            from rich.markdown import Markdown

            self.console.print(Markdown(markdown), width=min(self.console.width, 90), soft_wrap=False)
        else:
            click.echo(markdown, nl=not markdown.endswith("\n"))

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Rows in aligned columns; a terminal also gets the header, and lines no longer than it is wide."""
        terminal = sys.stdout.isatty()
        shown = [header, *rows] if terminal else rows
        widths = [max(len(row[column]) for row in shown) for column in range(len(header))] if shown else []
        for number, row in enumerate(shown):
            text = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            if terminal and len(text) > self.console.width:
                text = text[: self.console.width - 1] + self.glyphs.more
            self.console.print(text, style="cyan" if terminal and number == 0 else None, markup=False)

    def _board(self, variant: Variant, piles: Sequence[Pile], changed: Changed) -> tuple[Line, ...]:
        return draw(variant.layout, piles, changed=changed, glyphs=self.glyphs)


def _can_print(glyphs: Glyphs) -> bool:
    try:
        "".join([*glyphs.suits.values(), glyphs.back, glyphs.changed, glyphs.more]).encode(
            sys.stdout.encoding or "ascii"
        )
    except (UnicodeEncodeError, LookupError):
        return False
    return True
