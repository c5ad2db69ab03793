"""Every game of the catalogue has a golden playthrough, and plays as it says."""

import subprocess
import sys

import pytest
from pasyans.games import catalogue

from tests.goldens.playthrough import FOLDER, path_of, playthrough
from tests.support.games import VARIANT_IDS

REMEDY = "python -m tests.goldens makes it; git diff shows what changed"


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_the_game_plays_as_its_golden_says(variant: str) -> None:
    assert path_of(variant).exists(), REMEDY
    golden = path_of(variant).read_text("utf-8")
    assert playthrough(variant) == golden, REMEDY
    assert golden.count("\n-- ") > 100
    assert "\n-- undo " in golden
    assert "\n-- redo " in golden


def test_every_golden_is_of_a_game() -> None:
    names = sorted(path.name for path in FOLDER.glob("*.txt"))
    assert len(names) >= len(VARIANT_IDS)
    for name in names:
        variant, rules, _ = name.split(".")
        assert catalogue.variant(variant, int(rules)).id == variant


def test_the_goldens_show_redeals_wins_and_games_that_are_stuck() -> None:
    goldens = {variant: path_of(variant).read_text("utf-8") for variant in VARIANT_IDS}
    for variant, golden in goldens.items():
        if catalogue.VARIANTS[variant].redeals != 0:
            assert ". redeal\n" in golden, variant
    assert sum("the end: won" in golden for golden in goldens.values()) >= 8
    assert sum("the end: playing, stuck" in golden for golden in goldens.values()) >= 3
    assert any("finish: " in golden for golden in goldens.values())


def test_the_command_checks_them() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.goldens", "--check"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
