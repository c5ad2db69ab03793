"""What the operator does on the command line, beside the service."""

from __future__ import annotations

from typing import Final

from pasyans.api.auth import random_token, token_hash
from pasyans.server import clock
from pasyans.server.settings import Settings
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import NewToken

LABEL: Final = "made by the operator"
"""The label that tells a player which token did not come from themselves."""


class NoSuchPlayerError(Exception):
    """There is no player of that name; the message says so."""


async def player_token(url: str, settings: Settings, name: str) -> str:
    """Make one more token for the player called `name`, whatever its case, in the database at `url`; its text.

    Raises `NoSuchPlayerError`, or a `StoreError` where the database can't be used.
    """
    store = PostgresStore(url, pool_size=1, allow_data_loss=settings.allow_data_loss)
    await store.open()
    try:
        player = await store.player_by_name(name.casefold())
        if player is None:
            raise NoSuchPlayerError(f"There is no player called {name}.")
        if player.erased_at is not None:
            raise NoSuchPlayerError(f"{player.name} was erased; no token leads there any more.")
        at = clock.Clock().now()
        token = random_token(clock.random_bytes(32))
        await store.create_token(NewToken(clock.new_id(at), player.player_id, token_hash(token), LABEL, at))
        return token
    finally:
        await store.close()
