"""Verifying one game: from nothing, against all that is stored of it."""

from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace
from pasyans.record import decide
from pasyans.record.events import Deal, Started
from pasyans.record.game import open_game
from pasyans.record.lines import encode
from pasyans.record.result import result_of
from pasyans.record.snapshot import encode_snapshot
from pasyans.store.admin_values import VerifiedGame
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, Head

from tests.store.making import NOON, a_player, head, new_game, noted, unique
from tests.store.servers import Urls, raw
from tests.support.games import Session


async def a_real_game(
    store: PostgresStore, player_id: UUID, seed: str, *, kind: Any = "shared", moves: int = 3, ends: bool = True
) -> tuple[Head, Session]:
    """A game of real moves, given up at the end or not."""
    start = Started("congress", 1, Deal(kind, seed), str(player_id), 1)
    session = Session([(start, NOON)], open_game(start, NOON))

    def opening(attempt: int) -> tuple[str, bytes]:
        session.game = replace(session.game, start=replace(start, attempt=attempt))
        session.log[:] = [(session.game.start, NOON)]
        return encode([session.game.start]), encode_snapshot(session.game)

    new = new_game(
        player_id,
        seed=seed,
        kind=kind,
        build=opening,
    )
    await store.create_game(new)
    for _ in range(moves):
        session.play(session.game.legal_moves[0])
        await _add(store, new.game_id, session)
    if ends:
        session.add(decide.resign(session.game, session.at))
        await _add(store, new.game_id, session)
    return await head(store, new.game_id), session


async def _add(store: PostgresStore, game_id: UUID, session: Session) -> None:
    stands, decision = await head(store, game_id), session.decisions[-1]
    game = decision.game
    await store.append(
        Append(
            game_id=game_id,
            expected=stands.version,
            previous=stands.hash,
            last_seq=game.version,
            events=encode(decision.events),
            at=game.updated_at,
            status=game.status,
            finished_at=game.finished_at,
            snapshot=encode_snapshot(game),
            result=result_of(game),
            audit=noted("voided") if game.is_void else None,
        )
    )


# What somebody does behind the service's back, and what is said of it.
_SPOILT = {
    "chain": (
        "UPDATE game_events SET events = events || ' ' WHERE game_id = $1 AND first_seq = 3",
        "Game {}, event 3: the chain of hashes is broken.",
    ),
    "end": (
        "DELETE FROM game_events WHERE game_id = $1 AND first_seq = 5",
        "Game {}, event 5: the chain of hashes is broken.",
    ),
    "head": (
        "UPDATE games SET rules = 2 WHERE game_id = $1",
        "Game {}: the head has rules 2, and the log says 1.",
    ),
    "status": (
        "UPDATE games SET status = 'won' WHERE game_id = $1",
        "Game {}: the head has status 'won', and the log says 'lost'.",
    ),
    "seed": (
        "UPDATE games SET seed = 'another' WHERE game_id = $1",
        "Game {}: the head has another seed than the log.",
    ),
    "snapshot": (
        "UPDATE games SET snapshot = set_byte(snapshot, 2, 99) WHERE game_id = $1",
        "Game {}: the snapshot is not what the log comes to.",
    ),
    "no snapshot": (
        "UPDATE games SET snapshot = '\\x97' WHERE game_id = $1",
        "Game {}: the snapshot can't be read. A stored snapshot is unreadable.",
    ),
    "result": (
        "UPDATE results SET moves = 1 WHERE game_id = $1",
        "Game {}: the result has moves 1, and the log says 3.",
    ),
    "seed of the result": (
        "UPDATE results SET seed = 'another' WHERE game_id = $1",
        "Game {}: the result has another seed than the log.",
    ),
    "no result": ("DELETE FROM results WHERE game_id = $1", "Game {}: the result is missing."),
    "row": (
        "UPDATE board_rows SET place = substr(sha256(place), 1, 22) WHERE game_id = $1",
        " has game {0}, and game {0} should be there.",
    ),
    "no row": ("DELETE FROM board_rows WHERE game_id = $1", " is missing, and game {} should be there."),
}


class Verifying:
    async def test_all_is_well(self, store: PostgresStore) -> None:
        player, seed = await a_player(store), unique("seed")
        running, _ = await a_real_game(store, player, seed, ends=False)
        assert await store.verify_game(running.game_id) == VerifiedGame(4, None)
        over, session = await a_real_game(store, player, seed)
        assert await store.verify_game(over.game_id) == VerifiedGame(5, None)
        for version, judge in ((6, decide.void), (7, decide.restore), (8, decide.void)):
            session.add(judge(session.game, "test", session.at))
            await _add(store, over.game_id, session)
            assert await store.verify_game(over.game_id) == VerifiedGame(version, None)
        better, _ = await a_real_game(store, player, seed, moves=1)
        await store.ban(player, NOON)
        for game in (running, over, better):
            verified = await store.verify_game(game.game_id)
            assert verified is not None
            assert verified.difference is None
        assert await store.verify_game(player) is None

    @pytest.mark.parametrize("what", _SPOILT)
    async def test_what_is_spoilt_is_named(self, store: PostgresStore, urls: Urls, what: str) -> None:
        spoil, said = _SPOILT[what]
        player, seed = await a_player(store), unique("seed")
        game, _ = await a_real_game(store, player, seed)
        async with raw(urls.root) as root:
            assert (await root.execute(spoil, game.game_id)).split()[-1] != "0"
        verified = await store.verify_game(game.game_id)
        assert verified is not None
        assert verified.version == 5
        assert verified.difference is not None
        assert verified.difference.endswith(said.format(game.game_id)), verified.difference
        assert seed not in verified.difference.replace(f"/seed:{seed}/", "")

    async def test_a_row_too_many(self, store: PostgresStore, urls: Urls) -> None:
        player, seed = await a_player(store), unique("seed")
        game, session = await a_real_game(store, player, seed)
        async with raw(urls.root) as root:
            rows = await root.fetch("SELECT board, place FROM board_rows WHERE game_id = $1", game.game_id)
            session.add(decide.void(session.game, "error", session.at))
            await _add(store, game.game_id, session)
            await root.execute("INSERT INTO board_rows VALUES ($1, $2, $3, $4)", player, game.game_id, *rows[0])
        verified = await store.verify_game(game.game_id)
        assert verified is not None
        assert verified.difference is not None
        assert verified.difference.endswith(f" has game {game.game_id}, and there should be none.")

    async def test_a_result_of_a_game_that_runs(self, store: PostgresStore, urls: Urls) -> None:
        player, seed = await a_player(store), unique("seed")
        over, _ = await a_real_game(store, player, seed)
        running, _ = await a_real_game(store, player, seed, ends=False)
        async with raw(urls.root) as root:
            await root.execute("UPDATE results SET game_id = $2 WHERE game_id = $1", over.game_id, running.game_id)
        verified = await store.verify_game(running.game_id)
        assert verified is not None
        assert verified.difference == f"Game {running.game_id}: there is a result, and the log has no end."

    async def test_a_log_that_can_not_be_replayed_tells_no_card_and_no_seed(
        self, store: PostgresStore, urls: Urls
    ) -> None:
        """The chain of somebody who could rewrite it all holds; what the rules refuse does not."""
        player = await a_player(store)
        opening = 'started {"variant": "congress", "deal": {"seed": "secret"}}'
        unreal = new_game(player, kind="sealed", seed="secret", build=lambda _: (opening, b"none"))
        await store.create_game(unreal)
        real, session = await a_real_game(store, player, unique("seed"), kind="sealed", moves=0, ends=False)
        illegal = next(move for n in range(1, 9) if (move := f"t{n}-f1") not in session.game.legal_moves)
        await store.append(Append(real.game_id, 1, real.hash, 2, illegal, NOON, "playing", None, real.snapshot))
        for game_id, at in ((unreal.game_id, 1), (real.game_id, 2)):
            verified = await store.verify_game(game_id)
            assert verified is not None
            assert verified.difference == f"Game {game_id}, event {at}: the log can't be replayed."
