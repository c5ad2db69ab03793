"""Every game of the catalogue against the rules said a second time, naively."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.deals.deal import chance, deal
from pasyans.engine.errors import IllegalMove
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS

from tests.support import vectors
from tests.support.games import VARIANT_IDS, examples, lines, seeds, table_of
from tests.support.reference.games import GAMES, game, read

every_variant = pytest.mark.parametrize("variant", VARIANT_IDS)


@every_variant
@given(seed=seeds)
def test_the_deal(variant: str, seed: str) -> None:
    assert table_of(rules_of(VARIANTS[variant]), deal(VARIANTS[variant], seed)) == game(VARIANTS[variant]).deal(seed)


@every_variant
@examples(30)
@given(st.data())
def test_the_legal_moves_the_score_and_the_status(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    reference = game(VARIANTS[variant])
    for position in line.positions[-4:]:
        table = table_of(line.rules, position)
        assert line.rules.legal_moves(position) == reference.legal(table)
        assert line.rules.score(position) == reference.score(table)
        assert line.rules.is_won(position) == reference.won(table)
        assert line.rules.is_stuck(position) == reference.stuck(table)


@every_variant
@examples(8)
@given(st.data())
def test_the_reason_of_every_refusal(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    reference, shuffle = game(VARIANTS[variant]), chance(VARIANTS[variant], line.seed)
    table = table_of(line.rules, line.position)
    if reference.won(table):
        return  # nothing is asked of a game that is over
    for move in reference.conceivable(table):
        reason = reference.refusal(table, move)
        if reason is None:
            line.rules.play(line.position, move, shuffle)
        else:
            with pytest.raises(IllegalMove) as refusal:
                line.rules.play(line.position, move, shuffle)
            assert refusal.value.reason.value == reason, move


@every_variant
@examples(15)
@given(st.data())
def test_what_a_move_does(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    reference, shuffle = game(VARIANTS[variant]), chance(VARIANTS[variant], line.seed)
    table = table_of(line.rules, line.position)
    for move in line.rules.legal_moves(line.position):
        after = line.rules.play(line.position, move, shuffle)
        assert table_of(line.rules, after) == reference.play(table, move, line.seed)


@pytest.mark.parametrize("spot", vectors.positions(), ids=lambda spot: f"{spot.variant}-{spot.seed}")
def test_the_reference_itself_agrees_with_the_vectors(spot: vectors.Spot) -> None:
    reference = GAMES[spot.variant]
    table = reference.deal(spot.seed)
    for move in spot.moves:
        assert reference.refusal(table, move) is None
        table = reference.play(table, move, spot.seed)
    assert reference.legal(table) == spot.legal_moves
    assert reference.score(table) == spot.score
    status = "won" if reference.won(table) else "stuck" if reference.stuck(table) else "playing"
    assert status == spot.status


def test_the_data_says_what_the_table_of_the_rules_says() -> None:
    assert {id_: read(VARIANTS[id_]) for id_ in GAMES} == GAMES
