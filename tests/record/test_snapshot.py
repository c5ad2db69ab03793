"""Snapshots: read back, or refused."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.engine.errors import BadSnapshot
from pasyans.engine.position import Position, decode_position, encode_position
from pasyans.record.game import Game
from pasyans.record.snapshot import decode_snapshot, encode_snapshot

from tests.support import vectors
from tests.support.games import VARIANT_IDS, Session, examples, piled, sessions, started


def _played() -> Session:
    session = started("forty-thieves", "1")
    session.play("draw", "draw", "draw")
    session.undo(2)
    return session


def _decode(data: bytes, game: Game) -> Game:
    return decode_snapshot(
        data,
        start=game.start,
        version=game.version,
        started_at=game.started_at,
        updated_at=game.updated_at,
        finished_at=game.finished_at,
    )


def test_it_keeps_what_the_head_row_does_not() -> None:
    game = _played().game
    read = _decode(encode_snapshot(game), game)
    assert read == game
    assert (read.moves, read.undos, read.undone, read.version) == (1, 2, 2, 5)
    assert read.legal_moves == game.legal_moves


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_it_is_small_whatever_the_length_of_the_game(variant: str) -> None:
    wins = [win for win in vectors.wins() if win.variant == variant]
    session = started(variant, wins[0].seed if wins else "1")
    opening = len(encode_snapshot(session.game))
    session.play(*(wins[0].moves if wins else session.game.legal_moves[:1]))
    assert abs(len(encode_snapshot(session.game)) - opening) < 16
    assert opening < 160


@pytest.mark.parametrize("data", [b"", b"\x00\x00\x00", b"\x00\x00\x00\x00\x02\x05", b"\x00\x00\x00\x00\x01"])
def test_a_pile_that_is_cut_short_is_refused(data: bytes) -> None:
    with pytest.raises(BadSnapshot, match=r"^A stored position is cut short\.$"):
        decode_position(data)


@pytest.mark.parametrize("redeals", [0, 1, 255, 256, 70_000])
def test_any_number_of_redeals_is_kept(redeals: int) -> None:
    position = piled("vokzal-52", redeals, w="KH QS", r="2C")
    assert decode_position(encode_position(position)) == position


def test_a_game_of_many_redeals_goes_on() -> None:
    session = started("vokzal-36", "1")
    for _ in range(260):
        while session.game.position.piles[0]:
            session.play("draw")
        session.play("redeal")
    assert session.game.redeals == 260
    assert _decode(encode_snapshot(session.game), session.game) == session.game


@pytest.mark.parametrize("size", range(len(encode_snapshot(_played().game))))
def test_one_that_is_cut_short_is_refused(size: int) -> None:
    game = _played().game
    with pytest.raises(BadSnapshot):
        _decode(encode_snapshot(game)[:size], game)


@pytest.mark.parametrize("size", range(len(encode_position(_played().game.position))))
def test_a_position_that_is_cut_short_is_none_of_the_variant(size: int) -> None:
    game = _played().game
    data = encode_position(game.position)[:size]
    try:
        position = decode_position(data)
    except BadSnapshot:
        return
    assert not game.rules.is_position(position)


@pytest.mark.parametrize("other", VARIANT_IDS)
@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_one_of_another_variant_is_refused(variant: str, other: str) -> None:
    game, wrong = started(variant).game, started(other).game
    mine, theirs = game.rules, wrong.rules
    if (mine.pile_ids, mine.deck) == (theirs.pile_ids, theirs.deck):
        return  # the same piles and cards: nothing in it tells them apart
    with pytest.raises(BadSnapshot):
        _decode(encode_snapshot(wrong), game)


def test_the_two_sizes_of_a_game_can_be_told_apart() -> None:
    with pytest.raises(BadSnapshot):
        _decode(encode_snapshot(started("vokzal-52").game), started("vokzal-36").game)


def _fields(game: Game) -> list[object]:
    fields = msgspec.msgpack.decode(encode_snapshot(game))
    assert isinstance(fields, list)
    return fields


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (0, 0),
        (0, 2),
        (0, "1"),
        (1, None),
        (1, "x"),
        (1, -1),
        (2, -1),
        (3, -1),
        (4, "drawn"),
        (4, 1),
        (5, None),
        (6, b""),
        (6, None),
        (6, b"\x00\x00\x00\x00\x00"),
    ],
)
def test_a_wrong_field_is_refused(index: int, value: object) -> None:
    game = _played().game
    fields = _fields(game)
    fields[index] = value
    with pytest.raises(BadSnapshot):
        _decode(msgspec.msgpack.encode(fields), game)


def test_fields_that_are_missing_are_refused() -> None:
    game = _played().game
    for count in range(len(_fields(game))):
        with pytest.raises(BadSnapshot):
            _decode(msgspec.msgpack.encode(_fields(game)[:count]), game)


def _with_position(game: Game, position: Position) -> bytes:
    fields = _fields(game)
    fields[6] = encode_position(position)
    return msgspec.msgpack.encode(fields)


@pytest.mark.parametrize("card", [b"\x34", b"\xff", b"", b"\x05\x05"])
def test_other_cards_are_refused(card: bytes) -> None:
    game = _played().game
    stock, *rest = game.position.piles
    with pytest.raises(BadSnapshot):
        _decode(_with_position(game, Position((card + stock[1:], *rest))), game)


def test_other_piles_are_refused() -> None:
    game = _played().game
    for piles in (game.position.piles[:-1], (*game.position.piles, b""), ()):
        with pytest.raises(BadSnapshot):
            _decode(_with_position(game, Position(piles)), game)


def test_two_cards_in_a_cell_are_refused() -> None:
    game = started("dolgiy").game
    piles = list(game.position.piles)
    piles[3], piles[4] = piles[3] + piles[4], b""
    with pytest.raises(BadSnapshot):
        _decode(_with_position(game, Position(tuple(piles))), game)


def test_more_redeals_than_there_are_is_refused() -> None:
    game = started("dolgiy").game
    with pytest.raises(BadSnapshot):
        _decode(_with_position(game, Position(game.position.piles, 3)), game)


@pytest.mark.parametrize("variant", ["congress", "vokzal-36", "dolgiy"])
@examples(200)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(variant: str, data: bytes) -> None:
    with pytest.raises(BadSnapshot):
        _decode(data, started(variant).game)


@pytest.mark.parametrize("variant", VARIANT_IDS)
@examples(15)
@given(st.data())
def test_a_changed_byte_is_refused_or_gives_a_game_that_works(variant: str, data: st.DataObject) -> None:
    game = data.draw(sessions(variant)).game
    raw = bytearray(encode_snapshot(game))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] = data.draw(st.integers(0, 255))
    try:
        read = _decode(bytes(raw), game)
    except BadSnapshot:
        return
    assert sorted(b"".join(read.position.piles)) == list(read.rules.deck)
    assert isinstance(read.stuck, bool)
    assert len(read.piles) == len(game.piles)
    for move in read.legal_moves:
        read.rules.play(read.position, move, read.chance)
