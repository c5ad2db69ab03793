"""Making players and tokens. No HTTP here."""

from base64 import b32encode
from typing import Final
from uuid import UUID

import msgspec

from pasyans.api.auth import derived_token, random_token, token_hash
from pasyans.api.deps import Dependencies
from pasyans.api.idempotency import key_of, once
from pasyans.api.problems import NameFixed, NameTaken, Problem, Unauthenticated
from pasyans.api.schemas.players import CreatePlayer, CreateToken, TakeName
from pasyans.store import errors as store
from pasyans.store.values import Key, NewPlayer, NewToken, Player, UsedKey

_PLAYERS: Final = "POST /v1/players"
_TOKENS: Final = "POST /v1/tokens"
_FIRST_LABEL: Final = "first"
_GUEST_NAMES_TRIED: Final = 5


class Account(msgspec.Struct, frozen=True):
    """A player just made, with the token that is shown this once."""

    player: Player
    token: str
    is_replay: bool = False


class FreshToken(msgspec.Struct, frozen=True):
    """A token just made. ``created_at`` is in milliseconds since the epoch."""

    token_id: UUID
    label: str
    created_at: int
    token: str
    is_replay: bool = False


async def create_player(deps: Dependencies, wanted: CreatePlayer, client_key: UUID | None) -> Account:
    """Make a player with the name that is wanted, or a guest.

    ``client_key`` is the idempotency key. It scopes itself: nobody is known yet whose it could be.

    Raises:
        NameTaken, IdempotencyMismatch: as the names say.
        Unauthenticated: this was done before, and the token has been revoked since.
        StoreError: it could not be written.
    """
    key = None if client_key is None else key_of(client_key, str(client_key), _PLAYERS, wanted)
    token = await _token(deps, _PLAYERS, None, key, str(client_key))

    async def do() -> Account:
        for _ in range(_GUEST_NAMES_TRIED):
            at = deps.clock()
            name = wanted.name or _guest_name(deps.random_bytes(5))
            new = NewPlayer(deps.new_id(at), name, name.casefold(), guest=wanted.name is None, created_at=at)
            first = NewToken(deps.new_id(at), new.player_id, token_hash(token), _FIRST_LABEL, at)
            try:
                await deps.store.create_player(new, first, key)
            except store.NameTaken:
                if wanted.name is not None:
                    raise _taken(wanted.name) from None
                continue
            return Account(Player(new.player_id, name, new.guest, 0, at), token)
        raise store.StoreError("No free name was found for a guest.")

    async def repeat(_used: UsedKey) -> Account:
        owner = await deps.store.token_owner(token_hash(token), deps.clock())
        if owner is None:
            raise _revoked()
        return Account(owner.player, token, is_replay=True)

    return await once(deps.store, key, do, repeat)


async def take_name(deps: Dependencies, player: Player, wanted: TakeName) -> Player:
    """Give a guest the name that is wanted. One who has this very name by now keeps it: the request was repeated.

    Raises:
        NameTaken, NameFixed: another player has the name; the player has another one.
        StoreError: it could not be written.
    """
    try:
        named = await deps.store.take_name(player.player_id, wanted.name, wanted.name.casefold())
    except store.NameTaken:
        raise _taken(wanted.name) from None
    if named.name != wanted.name:
        raise NameFixed(f"You are called {named.name}: a name is taken once and stays.")
    return named


async def create_token(deps: Dependencies, player: Player, wanted: CreateToken, client_key: str | None) -> FreshToken:
    """Make one more token of a player.

    Raises:
        IdempotencyMismatch, Unauthenticated, StoreError: as in `create_player`.
    """
    key = key_of(player.player_id, client_key, _TOKENS, wanted)
    token = await _token(deps, _TOKENS, player.player_id, key, client_key)

    async def do() -> FreshToken:
        at = deps.clock()
        new = NewToken(deps.new_id(at), player.player_id, token_hash(token), wanted.label, at)
        await deps.store.create_token(new, key)
        return FreshToken(new.token_id, new.label, at, token)

    async def repeat(used: UsedKey) -> FreshToken:
        if await deps.store.token_owner(token_hash(token), deps.clock()) is None:
            raise _revoked()
        return FreshToken(used.subject, wanted.label, used.at, token, is_replay=True)

    return await once(deps.store, key, do, repeat)


async def _token(deps: Dependencies, route: str, player: UUID | None, key: Key | None, client_key: str | None) -> str:
    if key is None:
        return random_token(deps.random_bytes(32))
    secret = await deps.store.secret() if deps.secret is None else deps.secret
    return derived_token(secret, route, player, str(client_key), key.request)


def _taken(name: str) -> Problem:
    return NameTaken(f"Another player is called {name}: choose another name.")


def _guest_name(chance: bytes) -> str:
    return f"guest-{b32encode(chance).decode().lower()}"


def _revoked() -> Problem:
    return Unauthenticated("The token that this request made has been revoked: make a new one with a new key.")
