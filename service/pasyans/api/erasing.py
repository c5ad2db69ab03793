"""Erasing a player. No HTTP here.

The name goes first, at once and in one transaction, which also keeps the player from starting anything more; then the
running games end, by events like any other; the tokens and keys go last. A failure between leaves a player who is
nameless already and whose tokens are good for nothing but to go on with it; the service does so by itself, too. A game
that can't be read keeps nobody's erasure from its end: it is logged, and stays as it is.
"""

import asyncio
from typing import Final
from uuid import UUID

from pasyans.api.deps import Dependencies
from pasyans.api.endings import end_or_note
from pasyans.record.decide import abandon
from pasyans.store.errors import NameTaken

_AT_ONCE: Final = 50


async def erase(deps: Dependencies, player_id: UUID) -> None:
    """Erase a player, or go on with it. Several may do so at once.

    Raises:
        StoreError: it could not be finished; what was done by then is done.
    """
    await _take_name_away(deps, player_id)
    last: UUID | None = None
    while games := await deps.store.running_of(player_id, last, _AT_ONCE):
        await asyncio.gather(*(end_or_note(deps, game_id, abandon) for game_id in games))
        last = games[-1]
    await deps.store.end_erasure(player_id)


async def finish_erasures(deps: Dependencies) -> None:
    """Finish the erasures that were cut short.

    Raises:
        StoreError: one of them could not be finished.
    """
    while players := await deps.store.erasures(_AT_ONCE):
        for player_id in players:
            await erase(deps, player_id)


async def _take_name_away(deps: Dependencies, player_id: UUID) -> None:
    while True:
        try:
            await deps.store.begin_erasure(player_id, f"deleted-{deps.random_bytes(4).hex()}", deps.clock())
        except NameTaken:
            continue
        return
