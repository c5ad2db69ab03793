"""What the operator does on the command line, beside the service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from pasyans.api.auth import random_admin_token, random_token, token_hash
from pasyans.server import clock
from pasyans.server.settings import Settings
from pasyans.store.admin_values import AdminToken, AuditAction, NewAdminToken, NewAudit
from pasyans.store.base import Store
from pasyans.store.errors import NameTaken
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import NewToken

LABEL: Final = "made by the operator"
"""The label that tells a player which token did not come from themselves."""


class NotFoundError(Exception):
    """There is no player, or no token, of that name; the message says so."""


class InForceError(Exception):
    """A token of that name is in force; the message says so."""


async def player_token(url: str, settings: Settings, name: str) -> str:
    """Make one more token for the player called `name`, whatever its case, in the database at `url`; its text.

    Raises `NotFoundError`, or a `StoreError` where the database can't be used.
    """
    async with _opened(url, settings) as store:
        player = await store.player_by_name(name.casefold())
        if player is None:
            raise NotFoundError(f"There is no player called {name}.")
        if player.erased_at is not None:
            raise NotFoundError(f"{player.name} was erased; no token leads there any more.")
        at = clock.Clock().now()
        token = random_token(clock.random_bytes(32))
        await store.create_token(NewToken(clock.new_id(at), player.player_id, token_hash(token), LABEL, at))
        return token


async def new_admin_token(url: str, settings: Settings, name: str) -> str:
    """Make a token for an admin; its text.

    Raises `InForceError`, or a `StoreError` where the database can't be used.
    """
    async with _opened(url, settings) as store:
        at = clock.Clock().now()
        token = random_admin_token(clock.random_bytes(32))
        new = NewAdminToken(clock.new_id(at), name, token_hash(token), at)
        try:
            await store.create_admin_token(new, _noted("token-made", at))
        except NameTaken as error:
            raise InForceError(
                f"An admin token called {name} is in force: choose another name, or revoke that one."
            ) from error
        return token


async def admin_tokens(url: str, settings: Settings) -> list[AdminToken]:
    """Every admin token there ever was, the oldest first. Raises a `StoreError` where the database can't be used."""
    async with _opened(url, settings) as store:
        return await store.admin_tokens()


async def revoke_admin_token(url: str, settings: Settings, name: str) -> None:
    """End the admin token of that name.

    Raises `NotFoundError`, or a `StoreError` where the database can't be used.
    """
    async with _opened(url, settings) as store:
        at = clock.Clock().now()
        if not await store.revoke_admin_token(name, at, _noted("token-revoked", at)):
            raise NotFoundError(f"No admin token called {name} is in force.")


def _noted(action: AuditAction, at: int) -> NewAudit:
    return NewAudit(clock.new_id(at), at, None, action)


@asynccontextmanager
async def _opened(url: str, settings: Settings) -> AsyncIterator[Store]:
    store = PostgresStore(url, pool_size=1, allow_data_loss=settings.allow_data_loss)
    await store.open()
    try:
        yield store
    finally:
        await store.close()
