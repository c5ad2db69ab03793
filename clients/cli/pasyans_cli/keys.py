"""Keys as they are pressed, without the one that ends a line."""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_REST_OF_A_KEY = 0.05
"""Seconds in which the rest of a key such as an arrow, which is several bytes, follows its first byte."""


@contextmanager
def keys() -> Iterator[Callable[[], str]]:
    """A function that waits for the next key; an arrow is an escape sequence. At the end of input it is empty.

    The terminal stays in this mode throughout, so that keys pressed early are not lost.
    """
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield click.getchar
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield lambda: _next(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _next(terminal: int) -> str:
    key = os.read(terminal, 1)
    if key == b"\x1b":
        while len(key) < 3 and select.select([terminal], [], [], _REST_OF_A_KEY)[0]:
            key += os.read(terminal, 1)
    return key.decode("latin-1")
