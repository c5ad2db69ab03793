"""Real games as a store takes them: each started by its player, and what brings it to where it is then."""

from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from msgspec.structs import replace
from pasyans.record.events import Event, Started
from pasyans.record.game import Game
from pasyans.record.lines import encode
from pasyans.record.result import result_of
from pasyans.record.snapshot import encode_snapshot
from pasyans.store import chain
from pasyans.store.values import Append, Key, NewGame

from tests.support.played import Played, opened

HEAD: Final = (
    "game_id", "player_id", "variant", "rules", "kind", "seed", "date", "attempt", "version", "status", "started_at",
    "updated_at", "snapshot", "hash",
)  # fmt: skip
LOG: Final = ("game_id", "first_seq", "last_seq", "events", "at", "hash")


@dataclass
class Standing:
    """A game, and the link of its chain."""

    game: Game
    hash: bytes


def begun(game_id: UUID, start: Started, at: int) -> Standing:
    """A game that has just been started."""
    game = replace(opened(start.variant, start.deal.seed).game, start=start, started_at=at, updated_at=at)
    return Standing(game, chain.link(chain.GENESIS, game_id, 1, at, encode([start])))


def head(game_id: UUID, begun: Standing) -> tuple[object, ...]:
    """Its row of `HEAD`."""
    start, at = begun.game.start, begun.game.started_at
    deal = start.deal
    return (
        game_id, UUID(start.player), start.variant, start.rules, deal.kind, deal.seed,
        None if deal.date is None else date.fromisoformat(deal.date), start.attempt, 1, "playing", at, at,
        encode_snapshot(begun.game), begun.hash,
    )  # fmt: skip


def log(game_id: UUID, begun: Standing) -> tuple[object, ...]:
    """Its row of `LOG`."""
    return game_id, 1, 1, encode([begun.game.start]), begun.game.started_at, begun.hash


def new_game(game_id: UUID, begun: Standing, key: Key | None = None) -> NewGame:
    """The game as it is to be started, if this is the attempt that comes next."""
    start, at = begun.game.start, begun.game.started_at

    def build(attempt: int) -> tuple[str, bytes]:
        assert attempt == start.attempt
        return encode([start]), encode_snapshot(begun.game)

    deal = start.deal
    return NewGame(
        game_id, UUID(start.player), start.variant, start.rules, deal.kind, deal.seed, deal.date, at, build, key
    )


def ended(game_id: UUID, standing: Standing, done: Played, at: int, key: Key | None = None) -> Append:
    """What brings a game that has just been started to the end of one that was played; it stands there from now on."""
    game = done.by(standing.game.start, standing.game.started_at, at)
    return appended(game_id, standing, done.events, game, key)


def appended(game_id: UUID, standing: Standing, events: list[Event], game: Game, key: Key | None = None) -> Append:
    """What brings a game by these events to where it is then; it stands there from now on."""
    before, standing.game = standing.hash, game
    append = Append(
        game_id=game_id,
        expected=game.version - len(events),
        previous=before,
        last_seq=game.version,
        events=encode(events),
        at=game.updated_at,
        status=game.status,
        finished_at=game.finished_at,
        snapshot=encode_snapshot(game),
        result=result_of(game),
        key=key,
    )
    standing.hash = chain.link(append.previous, game_id, append.first_seq, append.at, append.events)
    return append
