"""Words to the person, on stderr."""

import shutil
import sys
import textwrap

import click


def say(text: str) -> None:
    """Say something; on a terminal no line is broken within a word."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        lines = [textwrap.wrap(line, width, break_on_hyphens=False) or [""] for line in text.split("\n")]
        text = "\n".join(part for parts in lines for part in parts)
    click.echo(text, file=sys.stderr)
