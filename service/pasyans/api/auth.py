"""Tokens: what they look like, how they are made, and who comes with one.

    pasyans_9xKX0f0m…          a player's
    pasyans_admin_9xKX0f0m…    an admin's, who is no player; it is longer, so none is both

A token is shown once, in the answer that made it; the store has its SHA-256 alone. Where the request came with an
idempotency key the token derives from it, so that a retry is given the same token without its being kept.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec

from pasyans.store.admin_values import AdminToken
from pasyans.store.base import Store
from pasyans.store.values import Player

ASSUMED_MS: Final = 30_000
"""Milliseconds for which a player who came with a good token may be assumed to have it still."""

_GOOD_AT_MOST: Final = 10_000
_PREFIX: Final = "pasyans_"
_ADMIN_PREFIX: Final = f"{_PREFIX}admin_"
_RANDOM: Final = 43  # characters of a token that are random
_CREDENTIALS: Final = re.compile(
    rf"Bearer +((?:{_PREFIX}|{_ADMIN_PREFIX})[A-Za-z0-9_-]{{{_RANDOM}}})", re.IGNORECASE | re.ASCII
)


class Caller(msgspec.Struct, frozen=True):
    """Who asks: a player, an admin, or nobody known.

    ``limited_as`` is what their requests are counted by. ``token_id`` is that of a player's token. ``refusal`` says why
    a token that was sent is no good.
    ``leaving`` is a player whose erasure was cut short: their token is good for going on with it, and refused else.
    """

    limited_as: str
    player: Player | None = None
    token_id: UUID | None = None
    admin: AdminToken | None = None
    refusal: str | None = None
    leaving: Player | None = None

    @property
    def is_known(self) -> bool:
        """Whether they came with a token that is good."""
        return self.player is not None or self.admin is not None


NOBODY: Final = Caller(limited_as="")
"""Who asks for what is not counted."""


def token_of(authorization: str) -> str | None:
    """Return the token in an Authorization header, or ``None`` when it holds none of ours."""
    credentials = _CREDENTIALS.fullmatch(authorization.strip())
    return None if credentials is None else credentials[1]


def token_hash(token: str) -> bytes:
    """Return what is stored of a token."""
    return sha256(token.encode("ascii")).digest()


def random_token(chance: bytes) -> str:
    """Return a player's token made of 32 bytes that nobody can foretell."""
    return _PREFIX + _text(chance)


def random_admin_token(chance: bytes) -> str:
    """Return an admin's token made of 32 bytes that nobody can foretell."""
    return _ADMIN_PREFIX + _text(chance)


def _text(chance: bytes) -> str:
    return urlsafe_b64encode(chance).decode().rstrip("=")


def derived_token(secret: bytes, route: str, player: UUID | None, key: str, request_hash: bytes) -> str:
    """Return the token that a repeated request is given again.

    ``player`` is who asked for it, ``None`` where nobody was known yet. A key has no line breaks, so that no two
    different requests give the same message.
    """
    message = f"{route}\n{player or ''}\n{key}\n{request_hash.hex()}"
    return random_token(hmac.digest(secret, message.encode(), "sha256"))


async def caller_of(store: Store, authorization: str, address: str, at: int) -> Caller:
    """Return who comes with an Authorization header, from an address, at a time.

    Raises:
        StoreError: it could not be looked up.
    """
    wrong = Caller(limited_as=wrong_from(address), refusal="This token is not valid, or was revoked: use another.")
    token = token_of(authorization)
    if token is None:
        return msgspec.structs.replace(wrong, refusal="Send the token as `Authorization: Bearer pasyans_…`.")
    if len(token) > len(_PREFIX) + _RANDOM:
        admin = await store.admin_token(token_hash(token), at)
        return wrong if admin is None else Caller(limited_as=f"admin {admin.token_id}", admin=admin)
    owner = await store.token_owner(token_hash(token), at)
    if owner is None:
        return wrong
    known = Caller(limited_as=f"token {owner.token_id}", player=owner.player, token_id=owner.token_id)
    if owner.player.erased_at is None:
        return known
    refusal = "The player of this token is being erased; only `DELETE /v1/players/me` can be repeated."
    return msgspec.structs.replace(known, player=None, refusal=refusal, leaving=owner.player)


class Callers:
    """Who comes with which Authorization header, and who came lately with a good one.

    A player who came lately may be assumed to be who comes now: it spares a look-up to those who find out by other
    means whether the token is still in force, as the append of a move does.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._good: dict[str, tuple[Caller, int]] = {}

    def was_good(self, authorization: str) -> bool:
        """Tell whether somebody has come with this before, and was known then."""
        return authorization in self._good

    def assumed(self, authorization: str, at: int) -> Caller | None:
        """Return the player who came with this within the last moments before the time ``at``, if there is one."""
        caller, until = self._good.get(authorization, (NOBODY, 0))
        return caller if at < until and caller.player is not None else None

    async def look_up(self, authorization: str, address: str, at: int) -> Caller:
        """Return who comes with this; see `caller_of`."""
        caller = await caller_of(self._store, authorization, address, at)
        self._good.pop(authorization, None)
        if caller.is_known:
            self._good[authorization] = caller, at + ASSUMED_MS
            if len(self._good) > _GOOD_AT_MOST:
                del self._good[next(iter(self._good))]
        return caller


async def is_good(store: Store, authorization: str, at: int) -> bool:
    """Tell whether an Authorization header that was good when its request came still is.

    Raises:
        StoreError: it could not be looked up.
    """
    return (await caller_of(store, authorization, "", at)).player is not None


def wrong_from(address: str) -> str:
    """Return what wrong tokens from an address are counted by: apart from its requests without any."""
    return f"wrong {address}"
