"""Every reason why a move is refused, and which one is given where several apply."""

import pytest
from pasyans.deals.deal import chance
from pasyans.engine.errors import IllegalMove, Reason
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.games.catalogue import VARIANTS

from tests.support.games import grid, piled

# A congress: a card of each kind of place, an empty pile, a foundation begun.
CONGRESS = piled("congress", s="2C", w="3C 4C", f1="AH", t1="5H", t2="9C 8C", t3="7D", t5="AS", t6="2S")
COURT = piled("court", w="4C", t1="5H", t2="5C", t3="6C", f1="AC", f2="AH")
STATION = piled("vokzal-52", s="2C", w="KD 4C", r="9H 8H", t1="5H 4S", t2="5D", t4="3D", f1="AC")
NO_RESERVE = piled("vokzal-52", w="4C", t1="KH QS JH", t2="QD", t3="KC")

OPEN_ROWS = (
    # Position 1 of the rules after c6-a2, with row c's two live gaps.
    "AS 2S 4D 5D 8H QC 7C QS JC KC 5H 6S QD 9H",
    "AC -- 4S 2H 4C JD 9S 9C 3H 3S 8C 6H 5S 2D",
    "AD -- TD JH TC -- 3C 2C 3D 9D 5C 7H KD KS",
    "AH -- TH 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
)
GRID = grid(*OPEN_ROWS)
BLOCKED = grid(
    "AS 2S 4D 5D 8H -- 7C QS 8C KC -- 6S QD 9H",
    "AC TH 4S 3S QC JD 9S 9C 3H 5H JC 6H 5S 2D",
    "AD 9D TD JH TC 2C 3C 4C 3D 7H 5C -- KD KS",
    "AH 2H -- 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
)
UNTIDY = grid(
    # Row b has two live gaps: a card that leaves row a for row c leaves two there as well.
    "AS -- 4D 5D 8H QC 7C QS 8C 2D 5H 6S QD 9H",
    "AC -- 4S 2H -- JD 9S 9C 3H 3S JC 6H 5S KC",
    "AD 9D TD JH TC 2C 3C -- 3D 4C 5C 7H KD KS",
    "AH 2S TH 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
)
ACES_OUT = grid(
    "-- 2S 4D 5D 8H QC 7C QS 8C 2D 5H 6S QD 9H",
    "AC -- 4S 2H 4C JD 9S 9C 3H 3S JC 6H 5S KC",
    "AD 9D TD JH TC 2C 3C -- 3D AS 5C 7H KD KS",
    "AH -- TH 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
)

CASES = [
    # (the reason, the game, the position, the move)
    (Reason.NO_SUCH_PILE, "congress", CONGRESS, "t9-t1"),
    (Reason.NO_SUCH_PILE, "congress", CONGRESS, "t1-t9"),
    (Reason.NO_SUCH_PILE, "congress", CONGRESS, "r-t1"),
    (Reason.NO_SUCH_PILE, "congress", CONGRESS, "w-f9"),
    (Reason.NO_SUCH_PILE, "congress", CONGRESS, "a1-b2"),
    (Reason.NO_SUCH_PILE, "dolgiy", GRID, "draw"),
    (Reason.NO_SUCH_PILE, "dolgiy", GRID, "a15-b2"),
    (Reason.NO_SUCH_PILE, "dolgiy", GRID, "e1-b2"),
    (Reason.NO_SUCH_PILE, "dolgiy", GRID, "w-f"),
    (Reason.EMPTY_SOURCE, "congress", CONGRESS, "t4-t1"),
    (Reason.EMPTY_SOURCE, "congress", CONGRESS, "f2-t1"),
    (Reason.EMPTY_SOURCE, "dolgiy", GRID, "b2-c2"),
    (Reason.NOT_AVAILABLE, "congress", CONGRESS, "f1-t6"),
    (Reason.NOT_AVAILABLE, "congress", CONGRESS, "s-t1"),
    (Reason.TAKES_NO_CARDS, "congress", CONGRESS, "t1-w"),
    (Reason.TAKES_NO_CARDS, "congress", CONGRESS, "w-s"),
    (Reason.TAKES_NO_CARDS, "vokzal-52", STATION, "w-r"),
    (Reason.POINTLESS, "congress", CONGRESS, "t1-t1"),
    (Reason.POINTLESS, "congress", CONGRESS, "t1-t4"),
    (Reason.POINTLESS, "vokzal-52", STATION, "t2-t3"),
    (Reason.POINTLESS, "dolgiy", GRID, "a3-a3"),
    (Reason.STOCK_EMPTY, "court", COURT, "draw"),
    (Reason.STOCK_NOT_EMPTY, "congress", CONGRESS, "redeal"),
    (Reason.WASTE_EMPTY, "court", piled("court", t1="5H"), "redeal"),
    (Reason.NO_REDEAL_LEFT, "congress", piled("congress", w="4C"), "redeal"),
    (Reason.NO_REDEAL_LEFT, "court", piled("court", 2, w="4C"), "redeal"),
    (Reason.NO_REDEAL_LEFT, "forty-and-eight", piled("forty-and-eight", 1, w="4C"), "redeal"),
    (Reason.NO_REDEAL_LEFT, "dolgiy", grid(*OPEN_ROWS, redeals=2), "redeal"),
    (Reason.FIXED_ACE, "dolgiy", GRID, "a1-b2"),
    (Reason.FIXED_ACE, "dolgiy-open", ACES_OUT, "d1-a1"),
    (Reason.FIXED_ACE, "dolgiy-open", ACES_OUT, "c10-b2"),
    (Reason.NOT_A_GAP, "dolgiy", GRID, "a3-b3"),
    (Reason.NOT_A_GAP, "dolgiy-open", ACES_OUT, "c10-b1"),
    (Reason.DEAD_GAP, "dolgiy", BLOCKED, "d8-a11"),
    (Reason.ONE_CARD_ONLY, "congress", CONGRESS, "t2-t1*2"),
    (Reason.ONE_CARD_ONLY, "vokzal-52", STATION, "w-t1*2"),
    (Reason.ONE_CARD_ONLY, "vokzal-52", STATION, "t1-f1*2"),
    (Reason.ONE_CARD_ONLY, "dolgiy", GRID, "a9-c6*2"),
    (Reason.WHOLE_COLUMN_ONLY, "vokzal-52", NO_RESERVE, "t1-t3*2"),
    (Reason.WHOLE_COLUMN_ONLY, "vokzal-52", NO_RESERVE, "t1-t3*4"),
    (Reason.NEEDS_ACE, "congress", CONGRESS, "w-f2"),
    (Reason.NEEDS_ACE, "dolgiy-open", ACES_OUT, "b4-a1"),
    (Reason.ONLY_RESERVE, "vokzal-52", STATION, "w-t3"),
    (Reason.ONLY_RESERVE, "vokzal-52", STATION, "t1-t3"),
    (Reason.ONLY_WASTE, "vokzal-52", NO_RESERVE, "t1-t4"),
    (Reason.ONLY_WASTE, "vokzal-52", NO_RESERVE, "t1-t4*3"),
    (Reason.ONLY_KINGS, "vokzal-52", NO_RESERVE, "w-t4"),
    (Reason.WRONG_SUIT, "court", COURT, "w-t1"),
    (Reason.WRONG_SUIT, "court", COURT, "w-f2"),
    (Reason.WRONG_COLOUR, "vokzal-52", STATION, "t4-t2"),
    (Reason.NOT_NEXT_RANK, "congress", CONGRESS, "w-t2"),
    (Reason.NOT_NEXT_RANK, "court", COURT, "w-t3"),
    (Reason.NOT_NEXT_RANK, "court", COURT, "w-f1"),
    (Reason.NOT_NEXT_RANK, "vokzal-52", STATION, "t1-t4"),
    (Reason.NOT_ADJACENT, "dolgiy", GRID, "a14-b2"),
    (Reason.UNTIDY_ROWS, "dolgiy", UNTIDY, "a10-c8"),
    (Reason.OTHER_ROW_FIRST, "dolgiy", GRID, "a14-d2"),
]


def _refusal(variant: str, position: Position, move: str) -> IllegalMove:
    rules = rules_of(VARIANTS[variant])
    assert move not in rules.legal_moves(position)
    with pytest.raises(IllegalMove) as refusal:
        rules.play(position, move, chance(VARIANTS[variant], "1"))
    return refusal.value


@pytest.mark.parametrize(("reason", "variant", "position", "move"), CASES, ids=lambda value: str(value)[:24])
def test_the_reason(reason: Reason, variant: str, position: Position, move: str) -> None:
    refusal = _refusal(variant, position, move)
    assert refusal.reason is reason
    assert refusal.move == move


def test_every_reason_is_reached() -> None:
    assert {reason for reason, *_ in CASES} == set(Reason)


def test_the_closed_list_and_its_order() -> None:
    assert " ".join(Reason) == (
        "no-such-pile empty-source not-available takes-no-cards pointless stock-empty stock-not-empty waste-empty "
        "no-redeal-left fixed-ace not-a-gap dead-gap one-card-only whole-column-only needs-ace only-reserve only-waste "
        "only-kings wrong-suit wrong-colour not-next-rank not-adjacent untidy-rows other-row-first"
    )


PRECEDENCE = [
    # (the reason that is given, one that holds too, the game, the position, the move)
    (Reason.NO_SUCH_PILE, Reason.EMPTY_SOURCE, "congress", CONGRESS, "t4-t9"),
    (Reason.NO_SUCH_PILE, Reason.POINTLESS, "congress", CONGRESS, "t9-t9"),
    (Reason.NO_SUCH_PILE, Reason.ONE_CARD_ONLY, "congress", CONGRESS, "w-f*2"),
    (Reason.EMPTY_SOURCE, Reason.NOT_AVAILABLE, "court", COURT, "s-t1"),
    (Reason.EMPTY_SOURCE, Reason.TAKES_NO_CARDS, "congress", CONGRESS, "t4-w"),
    (Reason.EMPTY_SOURCE, Reason.POINTLESS, "congress", CONGRESS, "t4-t4"),
    (Reason.EMPTY_SOURCE, Reason.ONE_CARD_ONLY, "congress", CONGRESS, "t4-t1*2"),
    (Reason.EMPTY_SOURCE, Reason.NOT_A_GAP, "dolgiy", GRID, "b2-a1"),
    (Reason.NOT_AVAILABLE, Reason.TAKES_NO_CARDS, "congress", CONGRESS, "f1-w"),
    (Reason.NOT_AVAILABLE, Reason.POINTLESS, "congress", CONGRESS, "f1-f1"),
    (Reason.NOT_AVAILABLE, Reason.ONE_CARD_ONLY, "congress", CONGRESS, "s-t1*2"),
    (Reason.TAKES_NO_CARDS, Reason.POINTLESS, "congress", CONGRESS, "w-w"),
    (Reason.TAKES_NO_CARDS, Reason.ONE_CARD_ONLY, "congress", CONGRESS, "t2-w*2"),
    (Reason.POINTLESS, Reason.ONE_CARD_ONLY, "congress", CONGRESS, "t2-t2*2"),
    (Reason.POINTLESS, Reason.ONLY_RESERVE, "vokzal-52", STATION, "t2-t3"),
    (Reason.POINTLESS, Reason.ONLY_WASTE, "vokzal-52", NO_RESERVE, "t2-t4"),
    (Reason.POINTLESS, Reason.FIXED_ACE, "dolgiy", GRID, "a1-a1"),
    (Reason.STOCK_NOT_EMPTY, Reason.WASTE_EMPTY, "congress", piled("congress", s="2C"), "redeal"),
    (Reason.WASTE_EMPTY, Reason.NO_REDEAL_LEFT, "congress", piled("congress", t1="2C"), "redeal"),
    (Reason.FIXED_ACE, Reason.NOT_A_GAP, "dolgiy", GRID, "a1-b3"),
    (Reason.FIXED_ACE, Reason.DEAD_GAP, "dolgiy", BLOCKED, "b1-a11"),
    (Reason.FIXED_ACE, Reason.NOT_ADJACENT, "dolgiy-open", ACES_OUT, "c10-d2"),
    (Reason.NOT_A_GAP, Reason.ONE_CARD_ONLY, "dolgiy", GRID, "a3-b3*2"),
    (Reason.DEAD_GAP, Reason.ONE_CARD_ONLY, "dolgiy", BLOCKED, "d8-a11*2"),
    (Reason.DEAD_GAP, Reason.NOT_ADJACENT, "dolgiy", BLOCKED, "b2-a11"),
    (Reason.ONE_CARD_ONLY, Reason.NEEDS_ACE, "vokzal-52", STATION, "t1-f2*2"),
    (Reason.ONE_CARD_ONLY, Reason.NOT_NEXT_RANK, "congress", CONGRESS, "t2-t3*2"),
    (Reason.ONE_CARD_ONLY, Reason.NOT_ADJACENT, "dolgiy", GRID, "a14-b2*2"),
    (Reason.WHOLE_COLUMN_ONLY, Reason.ONLY_WASTE, "vokzal-52", NO_RESERVE, "t1-t4*2"),
    (Reason.WHOLE_COLUMN_ONLY, Reason.NOT_NEXT_RANK, "vokzal-52", NO_RESERVE, "t1-t2*2"),
    (Reason.ONLY_RESERVE, Reason.ONLY_KINGS, "vokzal-52", STATION, "w-t3"),
    (Reason.ONLY_WASTE, Reason.ONLY_KINGS, "vokzal-52", NO_RESERVE, "t1-t4"),
    (Reason.WRONG_SUIT, Reason.NOT_NEXT_RANK, "court", COURT, "t1-t3"),
    (Reason.WRONG_SUIT, Reason.NOT_NEXT_RANK, "court", COURT, "t1-f1"),
    (Reason.WRONG_COLOUR, Reason.NOT_NEXT_RANK, "vokzal-52", STATION, "t2-t4"),
    (Reason.NOT_ADJACENT, Reason.UNTIDY_ROWS, "dolgiy", UNTIDY, "a3-c8"),
    (Reason.NOT_ADJACENT, Reason.OTHER_ROW_FIRST, "dolgiy", GRID, "a3-d2"),
    (Reason.UNTIDY_ROWS, Reason.OTHER_ROW_FIRST, "dolgiy", UNTIDY, "a10-c8"),
]


@pytest.mark.parametrize(("reason", "other", "variant", "position", "move"), PRECEDENCE, ids=lambda x: str(x)[:24])
def test_where_two_reasons_apply_the_first_of_the_list_is_given(
    reason: Reason, other: Reason, variant: str, position: Position, move: str
) -> None:
    assert _refusal(variant, position, move).reason is reason
    assert list(Reason).index(reason) < list(Reason).index(other)


TOO_MANY_GAPS = (
    "a10-c8 would leave row a with too many gaps: at most two, and two only while every other row has at most one."
)


@pytest.mark.parametrize(
    ("variant", "position", "move", "sentence"),
    [
        ("congress", CONGRESS, "t9-t1", "This game has no pile t9."),
        ("dolgiy", GRID, "a15-b2", "This game has no cell a15."),
        ("dolgiy", GRID, "draw", "This game has no stock."),
        ("congress", CONGRESS, "t4-t1", "There is no card at t4."),
        ("congress", CONGRESS, "t1-t4", "t1-t4 would change nothing."),
        ("congress", CONGRESS, "t2-t1*2", "Only one card moves at a time from t2 to t1."),
        ("congress", CONGRESS, "w-f2", "f2 takes only an ace, and 4C is none."),
        ("congress", CONGRESS, "w-t2", "4C cannot go on 8C at t2: its rank is not the next one."),
        ("court", COURT, "w-t1", "4C cannot go on 5H: t1 takes the same suit only."),
        ("vokzal-52", STATION, "t4-t2", "3D cannot go on 5D: t2 takes red and black in turn."),
        (
            "vokzal-52",
            NO_RESERVE,
            "t1-t3*2",
            "From t1 the top card moves, or the column as a whole: its height is 3.",
        ),
        ("vokzal-52", STATION, "w-t3", "t3 is empty and takes only the top card of the reserve."),
        ("dolgiy", GRID, "a3-b3", "b3 is not a gap: 4S lies there."),
        ("dolgiy", BLOCKED, "d8-a11", "a11 is a dead gap: a king to its left blocks the row."),
        (
            "dolgiy-open",
            ACES_OUT,
            "c10-b2",
            "AS cannot go to b2: an ace stands in the first column only, and never leaves it.",
        ),
        (
            "dolgiy",
            UNTIDY,
            "a10-c8",
            TOO_MANY_GAPS,
        ),
        (
            "dolgiy",
            GRID,
            "a14-d2",
            "a14-d2 fills row d while a card can go to a row with more gaps: fill that one first.",
        ),
    ],
)
def test_the_sentence_names_what_is_wrong(variant: str, position: Position, move: str, sentence: str) -> None:
    assert str(_refusal(variant, position, move)) == sentence
