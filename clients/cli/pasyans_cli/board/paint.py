"""Styled lines made into what rich prints. Where colours are off, rich leaves them out."""

from collections.abc import Iterable, Mapping

from rich.text import Text

from pasyans_cli.board.canvas import Line, Style

_COMMON: Mapping[Style, str] = {
    "plain": "",
    "back": "blue",
    "faint": "bright_black",
    "label": "cyan",
    "mark": "bold yellow",
}
TWO_COLOURS: Mapping[Style, str] = {**_COMMON, "C": "bold", "S": "bold", "D": "bold red", "H": "bold red"}
FOUR_COLOURS: Mapping[Style, str] = {**TWO_COLOURS, "C": "bold green", "D": "bold bright_blue"}


def paint(lines: Iterable[Line], palette: Mapping[Style, str]) -> Text:
    """Join lines into one text, a line break after each."""
    text = Text()
    for line in lines:
        for segment in line:
            text.append(segment.text, palette[segment.style])
        text.append("\n")
    return text
