"""Changes, literally: what a client is told to move."""

from pasyans.deals.deal import chance
from pasyans.engine.changes import changes, compose, inverse
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.view import Change
from pasyans.games.catalogue import VARIANTS

from tests.support.games import grid, piled


def _told(variant: str, position: Position, *moves: str) -> list[Change]:
    rules, shuffle = rules_of(VARIANTS[variant]), chance(VARIANTS[variant], "1")
    before, steps = position, []
    for move in moves:
        after = rules.play(position, move, shuffle)
        steps.append(rules.transfers(position, move, after))
        position = after
    return changes(rules, before, compose(steps), position)


def _told_of_undoing(variant: str, position: Position, *moves: str) -> list[Change]:
    rules, shuffle = rules_of(VARIANTS[variant]), chance(VARIANTS[variant], "1")
    start, steps = position, []
    for move in moves:
        after = rules.play(position, move, shuffle)
        steps.append(inverse(rules.transfers(position, move, after)))
        position = after
    return changes(rules, position, compose(steps[::-1]), start)


def test_a_card() -> None:
    position = piled("congress", w="2C 4S", t1="5H")
    assert _told("congress", position, "w-t1") == [Change("4S", "w", 1, "t1", 1, turned=False)]


def test_a_draw_of_three_turns_them_over_one_by_one() -> None:
    position = piled("vokzal-52", s="2C 3C 4C 5C", w="KH")
    assert _told("vokzal-52", position, "draw") == [
        Change("3C", "s", 1, "w", 3, turned=True),
        Change("4C", "s", 2, "w", 2, turned=True),
        Change("5C", "s", 3, "w", 1, turned=True),
    ]


def test_a_redeal_turns_the_waste_over() -> None:
    position = piled("vokzal-52", w="KH 2C 3C")
    assert _told("vokzal-52", position, "redeal") == [
        Change("KH", "w", 0, "s", 2, turned=True),
        Change("2C", "w", 1, "s", 1, turned=True),
        Change("3C", "w", 2, "s", 0, turned=True),
    ]


def test_the_next_card_of_the_reserve_turns_over_where_it_lies() -> None:
    position = piled("vokzal-52", r="2C 3C 4S", t1="5H")
    assert _told("vokzal-52", position, "r-t1") == [
        Change("3C", "r", 1, "r", 1, turned=True),
        Change("4S", "r", 2, "t1", 1, turned=False),
    ]
    assert _told_of_undoing("vokzal-52", position, "r-t1") == [
        Change("3C", "r", 1, "r", 1, turned=True),
        Change("4S", "t1", 1, "r", 2, turned=False),
    ]


def test_the_last_card_of_the_reserve_turns_nothing_over() -> None:
    position = piled("vokzal-52", r="4S", t1="5H")
    assert _told("vokzal-52", position, "r-t1") == [Change("4S", "r", 0, "t1", 1, turned=False)]


def test_a_whole_column_keeps_its_order() -> None:
    position = piled("vokzal-52", t1="KH", t3="QS JH TS")
    assert _told("vokzal-52", position, "t3-t1*3") == [
        Change("QS", "t3", 0, "t1", 1, turned=False),
        Change("JH", "t3", 1, "t1", 2, turned=False),
        Change("TS", "t3", 2, "t1", 3, turned=False),
    ]


def test_several_moves_are_told_by_their_net_effect() -> None:
    position = piled("congress", s="2C", w="3C", t1="5H", t2="4S")
    assert _told("congress", position, "t2-t1", "t1-t2", "draw", "w-t4") == [
        Change("2C", "s", 0, "t4", 0, turned=True),
    ]
    assert _told("congress", position, "t2-t1", "w-t2") == [
        Change("3C", "w", 0, "t2", 0, turned=False),
        Change("4S", "t2", 0, "t1", 1, turned=False),
    ]
    assert _told("congress", position, "t2-t1", "t1-t2") == []


def test_undoing_a_redeal_names_no_card_that_stays_face_down() -> None:
    position = piled("vokzal-52", s="2C 3C 4C 5C", w="KH", t1="4H")
    assert _told_of_undoing("vokzal-52", position, "draw", "w-t1", "draw", "redeal") == [
        Change(None, "s", 1, "s", 2, turned=False),  # 4C
        Change(None, "s", 2, "s", 3, turned=False),  # 5C
        Change("KH", "s", 3, "w", 0, turned=True),
        Change("3C", "t1", 1, "s", 1, turned=True),
    ]


def test_a_cell() -> None:
    position = grid(
        "AS -- 4D 5D 8H QC 7C QS JC KC 5H 6S QD 9H",
        "AC -- 4S 2H 4C JD 9S 9C 3H 3S 8C 6H 5S 2D",
        "AD -- TD JH TC 2S 3C 2C 3D 9D 5C 7H KD KS",
        "AH -- TH 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
    )
    assert _told("dolgiy", position, "c6-a2") == [Change("2S", "c", 5, "a", 1, turned=False)]
    told = _told("dolgiy", position, "c6-a2", "redeal")
    assert all(not change.turned and change.card for change in told)
    assert Change("AS", "a", 0, "a", 0, turned=False) not in told
    assert {change.card for change in told}.isdisjoint({"AS", "AC", "AD", "AH"})
