"""What is typed at the prompt, and what is meant by it."""

import pytest
from pasyans_cli.typed import Do, Move, Step, Unclear, batches, completed, read

from tests.cli.boards import rows, vokzal


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("", []),
        ("   ", []),
        ("d", [Move("draw")]),
        ("rd redeal", [Move("redeal"), Move("redeal")]),
        ("w-f t3-f", [Move("w-f"), Move("t3-f")]),
        ("W-F1, T3-T4*2", [Move("w-f1"), Move("t3-t4*2")]),
        ("3-4 w-2 r-f 1-f", [Move("t3-t4"), Move("w-t2"), Move("r-f"), Move("t1-f")]),
        ("t3f wt2 t4t1*3", [Move("t3-f"), Move("w-t2"), Move("t4-t1*3")]),
        ("d d w-f u 2 r", [Move("draw"), Move("draw"), Move("w-f"), Do("undo", 2), Do("redo", 1)]),
        ("undo redo 3", [Do("undo", 1), Do("redo", 3)]),
        ("u 007 r +2 u 100000", [Do("undo", 7), Do("redo", 2), Do("undo", 100_000)]),
        ("undo 3-4", [Do("undo", 1), Move("t3-t4")]),
        ("?", [Do("legal")]),
        ("? w", [Do("legal", about="w")]),
        ("?t3 d", [Do("legal", about="t3"), Move("draw")]),
        ("? help", [Do("legal"), Do("help")]),
        ("b rules finish resign q", [Do("board"), Do("rules"), Do("finish"), Do("resign"), Do("quit")]),
        ("no way", [Unclear("no"), Unclear("way")]),
        ("a-nothing", [Move("a-nothing")]),
        ("t3x", [Unclear("t3x")]),
        ("--", [Move("--")]),
        ("34", [Unclear("34")]),
    ],
)
def test_a_line_in_a_game_of_piles(line: str, steps: list[Step]) -> None:
    assert read(line, vokzal()) == steps


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("c6-a2 c6a2", [Move("c6-a2"), Move("c6-a2")]),
        ("A14D2", [Move("a14-d2")]),
        ("rd", [Move("redeal")]),
        ("3-4", [Move("3-4")]),
        ("? a", [Do("legal", about="a")]),
    ],
)
def test_a_line_in_a_game_of_rows(line: str, steps: list[Step]) -> None:
    assert read(line, rows()) == steps


@pytest.mark.parametrize("count", ["0", "-1", "+0", "00", "1.5", "2.", "100001", pytest.param("9" * 5000, id="long")])
@pytest.mark.parametrize("verb", ["u", "redo"])
def test_undo_and_redo_take_a_number_from_1(verb: str, count: str) -> None:
    assert read(f"d {verb} {count} d", vokzal()) == [
        Move("draw"),
        Unclear(verb, "takes a number from 1 to 100000."),
        Move("draw"),
    ]


def test_a_sealed_deal_is_sent_up_to_each_move_that_may_turn_up_a_card() -> None:
    moves = ["w-f", "draw", "draw", "t1-t2", "r-t3", "w-f", "redeal"]
    sealed = [["w-f", "draw"], ["draw"], ["t1-t2", "r-t3"], ["w-f", "redeal"]]
    assert batches(moves, sealed=True) == sealed
    assert batches(moves, sealed=False) == [moves]
    assert batches([], sealed=True) == []


def test_no_more_than_500_moves_are_sent_at_once() -> None:
    assert [len(batch) for batch in batches(["a1-a2"] * 1001, sealed=False)] == [500, 500, 1]


def test_a_whole_column_needs_no_count() -> None:
    legal = ["draw", "t4-t1*3", "t4-t10*3", "w-t1"]
    assert completed("t4-t1", legal) == "t4-t1*3"
    assert completed("t4-t2", legal) is None
    assert completed("t4-t1", ["t4-t1*2", "t4-t1*3"]) is None
