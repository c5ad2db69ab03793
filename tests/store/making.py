"""Players, games, appends and admins for the tests, each with ids of its own."""

import itertools
import random
from hashlib import sha256
from typing import Any
from uuid import UUID

from pasyans.record.result import Result
from pasyans.server.clock import new_id
from pasyans.store import chain
from pasyans.store.admin_values import AuditAction, NewAdminToken, NewAudit
from pasyans.store.base import Store
from pasyans.store.values import Append, Head, Key, NewGame, NewPlayer, NewToken

NOON = 1_795_953_600_000
"""2026-11-29T12:00:00Z."""

_counter = itertools.count(random.SystemRandom().randrange(10**9))


def unique(word: str) -> str:
    """A word that no other test has."""
    return f"{word}{next(_counter)}"


def key(word: str, *, scope: UUID, request: str = "request") -> Key:
    """An idempotency key and the request that it comes with."""
    return Key(scope, sha256(word.encode()).digest()[:16], sha256(request.encode()).digest()[:16])


def new_player(name: str | None = None, **changes: Any) -> tuple[NewPlayer, NewToken]:
    """A player to be made, and its first token."""
    name = name or unique("Anna")
    player_id = new_id(NOON)
    values: dict[str, Any] = {"name": name, "name_key": name.casefold(), "guest": False, "created_at": NOON} | changes
    return NewPlayer(player_id=player_id, **values), new_token(player_id)


def new_token(player_id: UUID, label: str = "first") -> NewToken:
    """A token to be made."""
    token_id = new_id(NOON)
    return NewToken(token_id, player_id, sha256(token_id.bytes).digest(), label, NOON)


async def an_admin(store: Store, name: str | None = None) -> NewAdminToken:
    """The token of a new admin."""
    token_id = new_id(NOON)
    new = NewAdminToken(token_id, name or unique("boss"), sha256(token_id.bytes).digest(), NOON)
    await store.create_admin_token(new, noted("token-made"))
    return new


def noted(action: AuditAction, at: int = NOON, **changes: Any) -> NewAudit:
    """An entry for the audit: the operator's, unless told."""
    return NewAudit(entry_id=new_id(at), at=at, actor=changes.pop("actor", None), action=action, **changes)


async def a_player(store: Store) -> UUID:
    """A new player's id."""
    new, token = new_player()
    await store.create_player(new, token)
    return new.player_id


def new_game(player_id: UUID, **changes: Any) -> NewGame:
    """A game to be started: shared, on a seed of its own, unless told."""
    at = changes.get("at", NOON)
    values: dict[str, Any] = {
        "game_id": new_id(at),
        "player_id": player_id,
        "variant": "congress",
        "rules": 1,
        "kind": "shared",
        "seed": unique("seed"),
        "date": None,
        "at": at,
        "build": lambda attempt: (f"started {attempt}", b"opening"),
    }
    return NewGame(**values | changes)


async def a_game(store: Store, player_id: UUID | None = None, **changes: Any) -> Head:
    """A game that has just been started."""
    new = new_game(player_id or await a_player(store), **changes)
    await store.create_game(new)
    return await head(store, new.game_id)


async def some_games(store: Store, count: int) -> list[Head]:
    """Games of one player that have just been started."""
    player_id = await a_player(store)
    return [await a_game(store, player_id) for _ in range(count)]


async def head(store: Store, game_id: UUID) -> Head:
    """A game that must be there, as it stands."""
    found = await store.head(game_id)
    assert found is not None
    return found


def move(head: Head, events: str = "moved", *, count: int = 1, **changes: Any) -> Append:
    """An append of `count` events that fits the head."""
    values: dict[str, Any] = {
        "game_id": head.game_id,
        "expected": head.version,
        "previous": head.hash,
        "last_seq": head.version + count,
        "events": events,
        "at": head.updated_at + 1500,
        "status": "playing",
        "finished_at": None,
        "snapshot": b"position",
    }
    values |= changes
    if values["status"] != "playing" and "result" not in values:
        values["result"] = result(head, values["status"], values["finished_at"])
    return Append(**values)


def result(head: Head, status: str, finished_at: int, **changes: Any) -> Result:
    """What a game came to: three points in twenty moves, unless told."""
    values: dict[str, Any] = {
        "player": str(head.player_id),
        "variant": head.variant,
        "rules": head.rules,
        "kind": head.kind,
        "seed": head.seed,
        "date": head.date,
        "attempt": head.attempt,
        "outcome": "lost" if status == "void" else status,
        "is_void": status == "void",
        "score": 3,
        "redeals": 0,
        "moves": 20,
        "undos": 0,
        "started_at": head.started_at,
        "finished_at": finished_at,
    }
    return Result(**values | changes)


async def texts(store: Store, game_id: UUID) -> list[str]:
    """What the rows of a game's log say, in order."""
    return [row.events for row in await store.log(game_id)]


async def assert_whole(store: Store, game_id: UUID) -> None:
    """The log is without gaps, its chain holds, and it ends where the head says."""
    stands = await head(store, game_id)
    rows = await store.log(game_id)
    assert rows
    assert chain.first_broken(game_id, rows, stands.version, stands.hash) is None
