"""What attacks are made with: somebody's requests to a service with or without its guards, and what is behind it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import httpx
from pasyans.engine.cards import CARD_NAMES

from tests.support.api import Player, connect
from tests.support.games import replay
from tests.support.postgres import Postgres
from tests.support.sql import query

NOON = "T12:00:00.000Z"


def start(player: Player, variant: str, kind: str = "daily", url: str | None = None, **headers: str) -> dict[str, Any]:
    """A game on the deal of the day, or a sealed one."""
    with as_seen_by(player, url) as http:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = http.post("/v1/games", json={"variant": variant, "deal": {"kind": kind}}, headers=named)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


@contextmanager
def as_seen_by(player: Player | None, url: str | None) -> Iterator[httpx.Client]:
    """A client of the service at an address; the player's own without one."""
    if player is not None and url is None:
        yield player.http
        return
    assert url is not None
    with connect(url, None if player is None else player.token) as http:
        yield http


def get(url: str, player: Player | None, path: str, **headers: str) -> httpx.Response:
    with as_seen_by(player, url) as http:
        return http.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def act(url: str, player: Player, game: dict[str, Any], action: str, body: object, **headers: str) -> httpx.Response:
    with as_seen_by(player, url) as http:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return http.post(f"/v1/games/{game['id']}/{action}", json=body, headers=named)


def seed_of(postgres: Postgres, game: dict[str, Any]) -> str:
    """The seed, from behind the service."""
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    return str(seed)


def stock_of(postgres: Postgres, game: dict[str, Any], moves: list[str]) -> list[str]:
    """The cards of the stock, the next one first, from behind the service."""
    position = replay(game["variant"], seed_of(postgres, game), moves)
    return [CARD_NAMES[card] for card in reversed(position.piles[0])]


def committed(seed: str) -> str:
    return sha256(f"pasyans-commit-1/{seed}".encode()).hexdigest()


def cards_in(text: str) -> set[str]:
    """The cards that a text names."""
    return set(re.findall(r"\b[A23456789TJQK][CDHS]\b", text))
