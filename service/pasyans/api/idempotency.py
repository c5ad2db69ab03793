"""Idempotency keys: the same request sent twice is done once and answered alike.

The store keeps, in the transaction of the write itself, hashes of the key and of the request and what was written;
the answer is rebuilt from that. A refusal wrote nothing, so it is judged anew; but a request that was done before may
be refused now (its moves are no longer legal), and two that arrive at once meet in the store. So the key is looked up
whenever a request that has one is not simply done: before anything is said against it.
"""

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final, TypeVar
from uuid import UUID

import msgspec

from pasyans.api.problems import IdempotencyMismatch, Problem, Unauthenticated, Unavailable
from pasyans.record.errors import Refusal
from pasyans.store.base import Store
from pasyans.store.errors import KeyUsed
from pasyans.store.errors import Unavailable as StoreUnavailable
from pasyans.store.values import Key, UsedKey

T = TypeVar("T")
_HASH_BYTES: Final = 16


def request_hash(route: str, body: msgspec.Struct | None) -> bytes:
    """Return what tells one request from another: its method and path, and what its body means."""
    meaning = b"" if body is None else msgspec.json.encode(body, order="deterministic")
    return sha256(route.encode() + b"\n" + meaning).digest()[:_HASH_BYTES]


def key_of(scope: UUID, key: str | None, route: str, body: msgspec.Struct | None) -> Key | None:
    """Return the store's key for a request with an Idempotency-Key, if it has one.

    ``scope`` is the id of the player who asks, or of the admin token.
    """
    if key is None:
        return None
    return Key(scope, sha256(key.encode()).digest()[:_HASH_BYTES], request_hash(route, body))


async def once(
    store: Store,
    key: Key | None,
    do: Callable[[], Awaitable[T]],
    repeat: Callable[[UsedKey], Awaitable[T]],
) -> T:
    """Return what ``do`` gives, or what ``repeat`` rebuilds where the key says that it was done before.

    Raises:
        IdempotencyMismatch: the key was used with another request.
        Problem, Refusal, StoreError: as ``do`` or ``repeat``.
    """
    if key is None:
        return await do()
    try:
        return await do()
    except Unauthenticated:
        raise
    except (Problem, Refusal, KeyUsed) as error:
        refusal = error
    try:
        used = await use_of(store, key)
        if used is None:
            raise refusal
        return await repeat(used)
    except StoreUnavailable as error:
        # An earlier request with the key may have been written.
        raise Unavailable(written=None) from error


async def use_of(store: Store, key: Key | None) -> UsedKey | None:
    """Return what a key was used for; ``None`` where it was not, or where there is no key.

    Raises:
        IdempotencyMismatch: it was used with another request.
        StoreError: it could not be looked up.
    """
    used = None if key is None else await store.used_key(key.scope, key.key)
    if key is not None and used is not None and used.request != key.request:
        raise IdempotencyMismatch(
            "This Idempotency-Key was used with another request: give each new request a key of its own."
        )
    return used
