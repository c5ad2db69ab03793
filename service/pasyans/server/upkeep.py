"""Work on the whole database that an operator starts: making results and boards again, verifying, packing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pasyans.server import clock
from pasyans.server.settings import Settings
from pasyans.store import packing
from pasyans.store import rebuild as rebuilding
from pasyans.store import verify as verifying
from pasyans.store.connection import Connection, connect, prepare
from pasyans.store.trouble import TROUBLE, translated

T = TypeVar("T")

Tell = Callable[[int, int], None]

_DAY: Final = 24 * 60 * 60 * 1000
_WITHIN: Final = 10.0  # seconds to connect in
_SESSION: Final = {"jit": "off", "enable_seqscan": "off"}  # as the service has it


def rebuild(url: str, settings: Settings) -> rebuilding.Rebuilt:
    """Make the results and boards again, and show how far it is. Raises a `StoreError`."""
    return _run(url, settings, "Rebuilding", rebuilding.rebuild)


def verify(url: str, settings: Settings) -> verifying.Verified:
    """Verify all that is stored, and show how far it is. Raises a `StoreError`."""
    return _run(url, settings, "Verifying", verifying.verify)


def pack(url: str, settings: Settings, days: int) -> packing.Packed:
    """Pack the logs of games that ended so many days ago, and show how far it is; the URL is the database owner's.

    Raises a `StoreError`.
    """
    before = clock.Clock().now() - days * _DAY

    def work(connection: Connection, tell: Tell) -> Awaitable[packing.Packed]:
        return packing.pack_before(connection, before, tell)

    return _run(url, settings, "Packing", work, as_owner=True)


def _run(
    url: str,
    settings: Settings,
    title: str,
    work: Callable[[Connection, Tell], Awaitable[T]],
    *,
    as_owner: bool = False,
) -> T:
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn("events"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=None)
        return asyncio.run(
            _work(url, settings, work, lambda done, total: progress.update(task, completed=done, total=total), as_owner)
        )


async def _work(
    url: str, settings: Settings, work: Callable[[Connection, Tell], Awaitable[T]], tell: Tell, as_owner: bool
) -> T:
    connection = await connect(url, within=_WITHIN, settings=_SESSION)
    try:
        await prepare(connection, allow_data_loss=settings.allow_data_loss, as_owner=as_owner)
        return await work(connection, tell)
    except TROUBLE as error:
        raise translated(error) from error
    finally:
        await connection.close(timeout=_WITHIN)
