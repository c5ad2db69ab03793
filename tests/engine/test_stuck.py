"""Stuck, literally: said when it is so, never earlier, and never of cards that were not seen yet."""

import pytest
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.games.catalogue import VARIANTS

from tests.support.games import grid, piled

# No card of the four columns goes anywhere, and every column is in the way of the same colours.
COLUMNS = {"t1": "9H", "t2": "9D", "t3": "7H", "t4": "7D"}


def _is_stuck(variant: str, position: Position) -> bool:
    return rules_of(VARIANTS[variant]).is_stuck(position)


@pytest.mark.parametrize(
    ("position", "stuck", "why"),
    [
        (piled("vokzal-52", s="KC KS 2H 4H", w="5S", **COLUMNS), False, "the stock has not been seen to its end"),
        (piled("vokzal-52", w="5S KC KS 2H 4H", **COLUMNS), True, "the waste's tops are KS, 4H: nothing fits"),
        (piled("vokzal-52", w="5S KC 8S 2H 4H", **COLUMNS), False, "the third card of the next pass goes on a nine"),
        (piled("vokzal-52", w="5S 8S KC 2H 4H", **COLUMNS), True, "the second card of a pass never lies on top"),
        (piled("vokzal-52", w="5S KC KS 2H 8S", **COLUMNS), False, "the last card lies on top now"),
        (piled("vokzal-52", 1, s="KC KS 2H 4H", w="5S", **COLUMNS), True, "after a redeal all have been seen"),
        # Drawn next: 4H 2H 8S, which leaves 8S on top; in the whole pass after it, 5S 4H 2H and 8S KC.
        (piled("vokzal-52", 1, s="KC 8S 2H 4H", w="5S", **COLUMNS), False, "a draw of this pass turns it up"),
        # Drawn next: 4H 2H KC and 8S; in the whole pass after it, 5S 4H 2H and KC 8S.
        (piled("vokzal-52", 1, s="8S KC 2H 4H", w="5S", **COLUMNS), False, "the last draw turns it up"),
        # Drawn next: 4H 8S 2H and KC; in the whole pass after it, 5S 4H 8S.
        (piled("vokzal-52", 1, s="KC 2H 8S 4H", w="5S", **COLUMNS), False, "a draw of the next pass turns it up"),
        (piled("vokzal-52", 1, s="KC 2H 4H 8S", w="5S", **COLUMNS), True, "no draw turns it up"),
        (piled("vokzal-52", w="5S KC KS 2H 4H", **{**COLUMNS, "t4": ""}, r="QH"), False, "the reserve fills a column"),
        (piled("vokzal-52", w="5S KC KS 2H 4H", **{**COLUMNS, "t4": ""}), False, "a king fills a column"),
        (piled("vokzal-52", w="5S QC QS 2H 4H", **{**COLUMNS, "t4": ""}), True, "an empty column waits for a king"),
        (piled("vokzal-52", w="5S KC AS 2H 4H", **COLUMNS), False, "an ace comes up"),
        (piled("vokzal-52", w="5S KC 2C 2H 4H", f1="AC", **COLUMNS), False, "a two comes up for its foundation"),
        (piled("vokzal-52", w="5S KC KS 2H 4H", t1="9H", t2="TS", t3="7H", t4="7D"), False, "9H goes to and fro"),
        (piled("vokzal-52", t1="9H", t2="9D", t3="7H", t4="7D"), True, "there is no stock and no waste"),
        (piled("vokzal-52", r="3C 9C", t1="9H", t2="9D", t3="7H", t4="7D"), True, "the reserve's top fits nowhere"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_where_passes_are_unlimited(position: Position, stuck: bool, why: str) -> None:
    assert _is_stuck("vokzal-52", position) is stuck, why


NOWHERE = {f"t{number}": "9H" for number in range(1, 9)}


@pytest.mark.parametrize(
    ("variant", "position", "stuck"),
    [
        ("congress", piled("congress", w="9C", **NOWHERE), True),
        ("congress", piled("congress", s="9D", w="9C", **NOWHERE), False),  # a draw is a move, whatever it turns up
        ("congress", piled("congress", w="8C", **NOWHERE), False),
        ("congress", piled("congress", w="AC", **NOWHERE), False),
        ("congress", piled("congress", w="9C", **{**NOWHERE, "t8": ""}), False),
        ("congress", piled("congress", **{**NOWHERE, "t8": ""}), True),  # a lone card to an empty pile is pointless
        ("congress", piled("congress", **{**NOWHERE, "t7": "9C 9H", "t8": ""}), False),
        ("forty-and-eight", piled("forty-and-eight", w="9C", **NOWHERE), False),  # the redeal is left
        ("forty-and-eight", piled("forty-and-eight", 1, w="9C", **NOWHERE), True),
        ("forty-and-eight", piled("forty-and-eight", **NOWHERE), True),  # there is nothing to turn over
    ],
)
def test_where_passes_are_counted(variant: str, position: Position, stuck: bool) -> None:
    assert _is_stuck(variant, position) is stuck
    assert (rules_of(VARIANTS[variant]).legal_moves(position) == []) is stuck


DEAD = (
    "AS 2S 4D 5D 8H 6S 7C QS 8C KC -- -- -- --",
    "AC TH 4S 3S QC JD 9S 9C 3H 5H JC 6H 5S 2D",
    "AD 9D TD JH TC 2C 3C 4C 3D 7H 5C QD KD KS",
    "AH 2H 9H 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
)


@pytest.mark.parametrize(("redeals", "stuck"), [(0, False), (1, False), (2, True)])
def test_a_grid_is_stuck_when_no_card_moves_and_no_redeal_is_left(redeals: int, stuck: bool) -> None:
    position = grid(*DEAD, redeals=redeals)
    assert _is_stuck("dolgiy", position) is stuck
    assert rules_of(VARIANTS["dolgiy"]).legal_moves(position) == ([] if stuck else ["redeal"])


def test_a_won_game_is_not_stuck() -> None:
    rows = [" ".join(rank + suit for rank in "A23456789TJQK") + " --" for suit in "SCDH"]
    rules = rules_of(VARIANTS["dolgiy"])
    for redeals in (0, 2):
        won = grid(*rows, redeals=redeals)
        assert rules.is_won(won)
        assert not rules.is_stuck(won)
        assert rules.legal_moves(won) == []
        assert rules.score(won) == 52
