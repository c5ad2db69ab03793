"""The golden playthroughs: each game plays as it did. After a change that is meant: `python -m tests.goldens`."""

import pytest
from pasyans.games.catalogue import VARIANTS

from tests.goldens.__main__ import HERE, path_of, playthrough


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_plays_as_its_golden_has_it(variant: str) -> None:
    assert path_of(variant).exists(), f"{variant} has no golden playthrough: run python -m tests.goldens"
    golden = path_of(variant).read_text().splitlines()
    played = playthrough(variant).splitlines()
    first = next((n for n, (now, then) in enumerate(zip(played, golden, strict=False)) if now != then), None)
    assert first is None or played[first] == golden[first], f"line {first}"
    assert len(played) == len(golden)


def test_no_golden_is_left_over() -> None:
    kept = {path.name for path in HERE.glob("*.txt")}
    assert {path_of(variant).name for variant in VARIANTS} <= kept
    # Goldens of earlier rules numbers stay; those of games that are gone do not.
    assert {name.split(".")[0] for name in kept} == set(VARIANTS)
