"""Wins, counted lines and positions that an independent implementation computed."""

import pytest
from pasyans.deals.deal import chance
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Chance, Rules
from pasyans.games.catalogue import VARIANTS

from tests.support import vectors
from tests.support.games import replay
from tests.support.reference.games import GAMES


@pytest.mark.parametrize("win", vectors.wins(), ids=lambda win: f"{win.variant}-{win.seed}")
def test_a_known_win_wins(win: vectors.Win) -> None:
    rules = rules_of(VARIANTS[win.variant])
    last_but_one = replay(win.variant, win.seed, win.moves[:-1])
    assert not rules.is_won(last_but_one)
    assert not rules.is_stuck(last_but_one)
    end = rules.play(last_but_one, win.moves[-1], chance(VARIANTS[win.variant], win.seed))
    assert rules.is_won(end)
    assert not rules.is_stuck(end)
    assert rules.score(end) == VARIANTS[win.variant].cards
    assert rules.legal_moves(end) == []
    assert rules.finish(end) is None


@pytest.mark.parametrize("perft", vectors.perfts(), ids=lambda perft: f"{perft.variant}-{perft.seed}")
def test_the_legal_lines_of_each_length_are_as_many_as_they_should_be(perft: vectors.Perft) -> None:
    variant = VARIANTS[perft.variant]
    start = replay(perft.variant, perft.seed, perft.moves)
    counts = [
        _lines(rules_of(variant), chance(variant, perft.seed), start, depth)
        for depth in range(1, len(perft.counts) + 1)
    ]
    assert counts == perft.counts


def _lines(rules: Rules, shuffle: Chance, position: Position, depth: int) -> int:
    legal = rules.legal_moves(position)
    if depth == 1:
        return len(legal)
    return sum(_lines(rules, shuffle, rules.play(position, move, shuffle), depth - 1) for move in legal)


@pytest.mark.parametrize("spot", vectors.positions(), ids=lambda spot: f"{spot.variant}-{spot.seed}")
def test_a_position_is_judged_as_it_should_be(spot: vectors.Spot) -> None:
    rules = rules_of(VARIANTS[spot.variant])
    position = replay(spot.variant, spot.seed, spot.moves)
    assert rules.legal_moves(position) == spot.legal_moves
    assert rules.score(position) == spot.score
    status = "won" if rules.is_won(position) else "stuck" if rules.is_stuck(position) else "playing"
    assert status == spot.status


def test_there_are_vectors_for_every_game_of_the_rules_page() -> None:
    assert {win.variant for win in vectors.wins()} == set(GAMES)
    assert {perft.variant for perft in vectors.perfts()} == set(GAMES)
    assert {spot.variant for spot in vectors.positions()} == set(GAMES)
    assert {spot.status for spot in vectors.positions()} == {"playing", "stuck", "won"}
    assert (len(vectors.wins()), len(vectors.perfts()), len(vectors.positions())) == (16, 23, 99)
