"""Files: texts read, and what is written as a whole, or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import click

from pasyans_cli.exits import Exit, Failed


def read_text(file: str, what: str) -> str:
    """The text of a file, or of stdin where it is `-`; `what` it should be is told where it is none."""
    try:
        # Python would take any bytes from stdin where the locale is none or C.
        with click.open_file(file, encoding="utf-8", errors="strict") as stream:
            return str(stream.read())
    except UnicodeDecodeError as error:
        name = "stdin" if file == "-" else file
        raise Failed(f"{name} is no {what}: it is not UTF-8 text.", Exit.INVALID) from error


@contextmanager
def replaced(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of another in one step, once it is whole; until then that one stays.

    `mode` is for a new file, less what the umask takes away. What is there and no file, such as a pipe, is written to.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            yield stream
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
