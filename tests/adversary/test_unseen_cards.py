"""Attacks on what the engine and the record work out from cards that nobody has seen, and on the end of a game.

Nothing here waits for a game in which it happens: the positions are made by hand, and the guards are taken out where
they are.
"""

import asyncio
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.api import views, visibility
from pasyans.api.drawing.board import draw
from pasyans.engine.piles import PileRules
from pasyans.engine.position import Position
from pasyans.engine.variant import PileVariant
from pasyans.games.catalogue import VARIANTS
from pasyans.record import decide
from pasyans.record.errors import CorruptLog, GameOver, MoveRefused, TurnsUpEarly
from pasyans.record.events import Deal, Event, Restored, Started, Voided
from pasyans.record.fold import fold
from pasyans.record.game import Game, open_game
from pasyans.record.lines import encode
from pasyans.record.snapshot import encode_snapshot
from pasyans.server.clock import new_id, random_bytes
from pasyans.store.errors import BadRow
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, NewGame, NewPlayer, NewToken

from tests.support.games import VARIANT_IDS, examples, lines, piled
from tests.support.postgres import Postgres

SEED = "0123456789abcdef0123456789abcdef"
AT = 1_764_410_400_000
PLAYER = "01936f0e-0000-7000-8000-000000000001"
COLUMNS = {"t1": "9H", "t2": "9D", "t3": "7H", "t4": "7D"}


def sealed(variant: str, position: Position | None = None, moves: int = 0) -> Game:
    """A running sealed game, at a position."""
    game = open_game(Started(variant, 1, Deal("sealed", SEED), PLAYER, 1), AT)
    return game if position is None else msgspec.structs.replace(game, position=position, moves=moves)


# ---- what is worked out ----------------------------------------------------------------------------------------------


class KnowsTheStock(PileRules):
    """Says that a game is stuck as soon as it is, whether or not the stock has been seen."""

    def is_stuck(self, position: Position) -> bool:
        return super().is_stuck(Position(position.piles, position.redeals + 1))


class KnowsTheReserve(PileRules):
    """Looks for a finish as if every card lay face up."""

    def face_down(self, position: Position, pile: int) -> int:
        return 0


def rules(kind: type[PileRules] = PileRules) -> PileRules:
    variant = VARIANTS["vokzal-52"]
    assert isinstance(variant, PileVariant)
    return kind(variant)


def test_the_stuck_flag_before_every_card_was_turned_up() -> None:
    """Two games that look alike: in one of them a card fits that is still to come."""
    hopeless = piled("vokzal-52", s="KC KS 2H 4H", w="5S", **COLUMNS)
    hopeful = piled("vokzal-52", s="KC KS 8S 4H", w="5S", **COLUMNS)
    hopeful_twin = piled("vokzal-52", s="KC 8S 2H 4H", w="5S", **COLUMNS)
    assert rules().view(hopeless) == rules().view(hopeful) == rules().view(hopeful_twin)
    told = [rules(KnowsTheStock).is_stuck(position) for position in (hopeless, hopeful_twin)]
    assert told == [True, False]
    assert [rules().is_stuck(position) for position in (hopeless, hopeful, hopeful_twin)] == [False] * 3
    for position in (hopeless, hopeful_twin):
        game = sealed("vokzal-52", position)
        assert game.stuck is False


def test_a_finish_that_goes_through_cards_lying_face_down() -> None:
    """Two games that look alike: what lies under the reserve's top card decides whether the game finishes itself."""
    up = {f"f{n}": " ".join(f"{rank}{suit}" for rank in "A23456789TJQ") for n, suit in enumerate("CDHS", 1)}
    under = piled("vokzal-52", r="KC KD", w="KH KS", **up)
    turned = piled("vokzal-52", r="KD KC", w="KH KS", **up)
    knowing = [rules(KnowsTheReserve).finish(position) for position in (under, turned)]
    assert [line is not None and [move for move in line if move.startswith("r-")] for line in knowing] == [
        ["r-f2", "r-f1"],
        ["r-f1", "r-f2"],
    ]
    assert rules().finish(under) is rules().finish(turned) is None
    assert sealed("vokzal-52", under).finish is None
    assert sealed("vokzal-52", piled("vokzal-52", s="KC", w="KD KH KS", **up)).finish is None
    # With nothing face down it is told.
    assert sealed("vokzal-52", piled("vokzal-52", r="KC", w="KD KH KS", **up)).finish is not None


@pytest.mark.parametrize("variant", [id_ for id_ in VARIANT_IDS if not id_.startswith("dolgiy")])
@examples(15)
@given(st.data())
def test_everything_that_is_shown_with_other_cards_face_down(variant: str, data: st.DataObject) -> None:
    """The answer, the picture and every refusal are the same, so none of them can tell: not by what it says, nor, since
    nothing else is looked at, by how long it takes to say it."""
    line = data.draw(lines(variant))
    # After a redeal the whole stock has been seen.
    position = next(position for position in reversed(line.positions) if not position.redeals)
    one, two = sealed(variant, position), sealed(variant, shuffled(line.rules.face_down, position, data))
    assert shown(one) == shown(two)
    ids = line.rules.pile_ids
    moves = st.builds(
        "{}-{}{}".format, st.sampled_from(ids), st.sampled_from((*ids, "f")), st.sampled_from(("", "*2", "*13"))
    )
    for move in data.draw(st.lists(moves | st.sampled_from(("draw", "redeal", "hop")), min_size=5, max_size=30)):
        assert judged(one, move) == judged(two, move)


def shuffled(face_down: Any, position: Position, data: st.DataObject) -> Position:
    """The position with the cards that lie face down in another order."""
    hidden = [face_down(position, pile) for pile in range(len(position.piles))]
    cards = b"".join(pile[:count] for pile, count in zip(position.piles, hidden, strict=True))
    order = iter(data.draw(st.permutations(cards)))
    piles = [
        bytes(next(order) for _ in range(count)) + pile[count:]
        for pile, count in zip(position.piles, hidden, strict=True)
    ]
    return Position(tuple(piles), position.redeals)


def shown(game: Game) -> tuple[object, ...]:
    """All that is shown of a game: what is worked out of it, and its picture."""
    picture = draw("x", game.rules.layout, game.piles)
    parts = (views.piles(game.piles), game.legal_moves, game.finish, game.stuck, game.score, game.redeals)
    return (msgspec.json.encode(parts), picture)


def judged(game: Game, move: str) -> object:
    """What is said to a move before another one, where it may turn up no card; that it is played, where it can be."""
    try:
        decide.play(game, [move, "hop"], AT, is_sealed=True)
    except TurnsUpEarly as refusal:
        return str(refusal)
    except MoveRefused as refusal:
        return refusal.index, str(refusal), refusal.legal_moves
    raise AssertionError("hop was played")


# ---- voiding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("events", [[Voided("test")], [Voided("test"), Restored("test")], [Restored("test")]])
def test_voiding_a_running_game_to_see_its_seed(events: list[Event]) -> None:
    """A void game is over, and a sealed one that is over shows its seed."""
    game = sealed("congress")
    without = msgspec.structs.replace(game, is_void=True)
    assert visibility.own(without, AT).is_open
    log = [(game.start, AT), *((event, AT) for event in events)]
    with pytest.raises(CorruptLog) as refused:
        fold(log)
    assert refused.value.seq == 2
    assert not visibility.own(game, AT).is_open


def test_restoring_a_game_to_play_on_with_its_seed_known() -> None:
    """What comes back is the earlier end, never a running game: no guard to take out, there is no way to say it."""
    game = sealed("congress")
    lost = decide.resign(decide.play(game, ["draw"], AT, is_sealed=True).game, AT)
    log: list[tuple[Event, int]] = [(game.start, AT)]
    log += [(event, AT) for event in decide.play(game, ["draw"], AT, is_sealed=True).events]
    log += [(event, AT) for event in lost.events]
    restored = fold([*log, (Voided("error"), AT), (Restored("error"), AT)]).game
    assert (restored.status, restored.legal_moves, restored.undo_available) == ("lost", [], 0)
    with pytest.raises(GameOver):
        decide.play(restored, ["draw"], AT, is_sealed=True)
    with pytest.raises(GameOver):
        decide.resign(restored, AT)


@pytest.mark.parametrize(("status", "finished_at"), [("void", None), ("playing", AT)])
def test_the_store_has_no_running_game_that_is_over(postgres: Postgres, status: Any, finished_at: int | None) -> None:
    """Behind the record, the database: a game that is over has an end, and one that is not has none."""

    async def attack() -> None:
        store = PostgresStore(postgres.service_url, allow_data_loss=True)
        await store.open()
        try:
            player, game = new_id(AT), new_id(AT)
            name = f"p{player.hex[-20:]}"
            await store.create_player(
                NewPlayer(player, name, name, guest=False, created_at=AT),
                NewToken(new_id(AT), player, random_bytes(32), "first", AT),
            )
            start = Started("congress", 1, Deal("sealed", SEED), str(player), 1)
            running = open_game(start, AT)
            snapshot = encode_snapshot(running)
            new = NewGame(
                game, player, "congress", 1, "sealed", SEED, None, AT, lambda _attempt: (encode([start]), snapshot)
            )
            made = await store.create_game(new)
            with pytest.raises(BadRow):
                await store.append(
                    Append(game, 1, made.hash, 2, encode([Voided("test")]), AT, status, finished_at, snapshot)
                )
            head = await store.head(game)
            assert head is not None
            assert (head.status, head.version) == ("playing", 1)
        finally:
            await store.close()

    asyncio.run(attack())
