"""The deals and the shuffling redeals that an independent implementation computed."""

import pytest
from pasyans.deals.stream import shuffled
from pasyans.engine.cards import PACKS, card_names
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS

from tests.support import vectors
from tests.support.games import GAP, replay
from tests.support.reference.games import GAMES


@pytest.mark.parametrize("vector", vectors.deals(), ids=lambda vector: f"{vector.variant}-{vector.seed[:12]}")
def test_the_shuffled_pack_is_the_vector(vector: vectors.Deal) -> None:
    pack = VARIANTS[vector.variant].pack
    assert card_names(shuffled(PACKS[pack], pack, vector.seed)) == vector.cards


@pytest.mark.parametrize("vector", vectors.redeals(), ids=lambda vector: f"{vector.variant}-{vector.seed}")
def test_the_rows_after_a_redeal_are_the_vector(vector: vectors.Redeal) -> None:
    rules = rules_of(VARIANTS[vector.variant])
    rows = [view.cards for view in rules.view(replay(vector.variant, vector.seed, vector.moves))]
    assert rows == vector.rows
    assert all(row.count(GAP) == 1 for row in rows)


def test_there_are_vectors_for_every_game_of_the_rules_page() -> None:
    assert {vector.variant for vector in vectors.deals()} == set(GAMES)
    assert {vector.variant for vector in vectors.redeals()} == {"dolgiy", "dolgiy-open"}
    assert len(vectors.deals()) == 32
    assert len(vectors.redeals()) == 8
