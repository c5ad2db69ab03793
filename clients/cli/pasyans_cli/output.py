"""What commands print: data on stdout, everything else on stderr."""

import sys
from collections.abc import Collection, Iterable, Sequence

import click
import msgspec
from pasyans_client.models import Deal, Game, Pile, RecordedGame, Variant
from rich.console import Console

from pasyans_cli.board.canvas import Line
from pasyans_cli.board.draw import Changed, draw
from pasyans_cli.board.glyphs import ASCII, UNICODE, Glyphs, in_text
from pasyans_cli.board.paint import FOUR_COLOURS, TWO_COLOURS, paint
from pasyans_cli.board.status import standing, title
from pasyans_cli.options import Options
from pasyans_cli.tables import Column, laid_out


class Output:
    """Where a command writes, in the manner that the options ask for."""

    def __init__(self, options: Options) -> None:
        self.json = options.json
        self.console = Console(highlight=False, soft_wrap=True)
        self.glyphs: Glyphs = UNICODE if _can_print(UNICODE) else ASCII
        self._palette = FOUR_COLOURS if options.four_colours else TWO_COLOURS

    @property
    def interactive(self) -> bool:
        """Whether a person sits there: both what is read and what is written is a terminal."""
        return sys.stdin.isatty() and self.terminal

    @property
    def terminal(self) -> bool:
        """Whether what is written goes to a terminal."""
        return sys.stdout.isatty()

    def with_cards(self, text: str) -> str:
        """A sentence with its cards written as on the board."""
        return in_text(text, self.glyphs)

    def data(self, text: str) -> None:
        """A line of data."""
        click.echo(text, file=sys.stdout)  # which click would otherwise take for UTF-8 where it is ASCII

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
            self.data(markdown.removesuffix("\n"))

    def rules(self, variant: str, lang: str, markdown: str) -> None:
        """A page of rules; with --json one object, since the API answers a text."""
        if self.json:
            self.answer(msgspec.json.encode({"variant": variant, "lang": lang, "markdown": markdown}))
        else:
            self.page(markdown)

    def board_width(self, variant: Variant, game: Game) -> int:
        """How many columns a board takes."""
        return max(sum(len(segment.text) for segment in line) for line in self._board(variant, game.piles, ()))

    def table(
        self, header: Sequence[str | Column], rows: Sequence[Sequence[str]], *, marked: Collection[int] = ()
    ) -> None:
        """Rows in aligned columns; a terminal also gets the header, marks, and lines no longer than it is wide.

        `marked` are the places of rows that stand out there. Without rows there is nothing to print.
        """
        if not rows:
            return
        encoding = "ascii" if self.glyphs is ASCII else sys.stdout.encoding
        if not self.terminal:
            for line in laid_out(header, rows, width=None, more="", encoding=encoding):
                self._row(line)
            return
        margin = " " if marked else ""
        width = self.console.width - len(margin)
        lines = laid_out(header, rows, width=width, more=self.glyphs.more, encoding=encoding)
        self._row(margin + lines[0], "cyan")
        for place, line in enumerate(lines[1:]):
            is_marked = place in marked
            self._row((self.glyphs.changed if is_marked else margin) + line, "bold" if is_marked else None)

    def _row(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, emoji=False)

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
