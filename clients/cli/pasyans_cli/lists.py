"""Lists: how much of one is wanted, and how it is printed."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, NamedTuple, TypedDict, TypeVar

import click
import msgspec

from pasyans_cli.saying import say
from pasyans_cli.session import Connection

SHORT = 20
"""How many items are listed unless told."""
LARGEST_PAGE = 200

P = TypeVar("P")


class Paging(TypedDict):
    """What the client's lists of pages take."""

    limit: int
    most: int | None


class Extent(NamedTuple):
    """How much of a list is wanted: `most` items, all where it is `None`; `told` is whether somebody said so."""

    most: int | None
    told: bool

    @property
    def paging(self) -> Paging:
        return {"limit": LARGEST_PAGE, "most": self.most}


def listing(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command that lists something --limit and --all; it gets them as `extent`."""

    @click.option("--limit", type=click.IntRange(min=1), metavar="N", help=f"How many, at most; {SHORT} unless told.")
    @click.option("--all", "everything", is_flag=True, help="All of them, however many.")
    @wraps(function)
    def command(*args: Any, limit: int | None, everything: bool, **kwargs: Any) -> None:  # noqa: ANN401
        if everything and limit is not None:
            raise click.UsageError("Give --limit or --all, not both.")
        extent = Extent(None if everything else limit or SHORT, told=everything or limit is not None)
        function(*args, extent=extent, **kwargs)

    return command


def show(connection: Connection[Any], pages: Iterator[P], table: Callable[[list[P]], None]) -> None:
    """Print a list by its pages: with --json each as it came, on a line of its own, else all of them as `table` does.

    Where the list goes on after them, that is told.
    """
    if connection.out.json:
        for _ in pages:
            connection.out.answer(connection.body())
        return
    found = list(pages)
    has_more = msgspec.json.decode(connection.body(), type=_Page).next is not None
    table(found)
    if has_more:
        say("There are more: --all lists all of them, --limit N so many.")


class _Page(msgspec.Struct):
    next: str | int | None = None
