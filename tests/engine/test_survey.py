"""Surveys of a grid: what a move makes of one is what a look at the whole grid finds."""

from hypothesis import given
from hypothesis import strategies as st
from pasyans.engine.cards import KING, PACKS, RANK_OF
from pasyans.engine.position import Position
from pasyans.engine.rows import CELL_OF, COLUMNS, GAP, ROWS
from pasyans.engine.survey import Survey, survey, survey_after

from tests.support.games import examples, grid


def found(survey: Survey) -> tuple[list[list[int]], list[int]]:
    return [sorted(gaps) for gaps in survey.gaps], survey.blocks


def moved(position: Position, source: int, target: int) -> Position:
    cells = list(position.piles)
    cells[source], cells[target] = GAP, cells[source]
    return Position(tuple(cells), position.redeals)


def after(position: Position, source: int, target: int) -> tuple[list[list[int]], list[int]]:
    """The survey that follows from the one before, which is that of the whole grid."""
    there = moved(position, source, target)
    result = found(survey_after(survey(position), source, target, there))
    assert result == found(survey(there))
    return result


@st.composite
def grids(draw: st.DrawFn) -> Position:
    """Any 52 cards and four gaps, where some kings stand at their queens."""
    cells = draw(st.permutations([*(CELL_OF[card] for card in PACKS["52"]), *[GAP] * ROWS]))
    for king in draw(st.lists(st.sampled_from([card for card in PACKS["52"] if RANK_OF[card] == KING]), max_size=4)):
        queen, place = cells.index(CELL_OF[king - 1]), cells.index(CELL_OF[king])
        if (queen + 1) % COLUMNS:
            cells[place], cells[queen + 1] = cells[queen + 1], cells[place]
    return Position(tuple(cells))


@examples(300)
@given(grids())
def test_a_move_makes_of_it_what_is_there(position: Position) -> None:
    before = survey(position)
    targets = [row * COLUMNS + column for row in range(ROWS) for column in before.live(row)]
    ways = [(source, target) for target in targets for source in range(ROWS * COLUMNS) if position.piles[source]]
    for source, target in ways:
        after(position, source, target)


REST = "-- 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "-- 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"


def test_gaps_live_to_the_left_of_a_king_that_blocks() -> None:
    position = grid("AS -- KS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AH QH KH -- 2H 3H 4H 5H 6H 7H 8H 9H TH JH", *REST)
    assert found(survey(position)) == ([[1], [3], [0], [0]], [2, COLUMNS, COLUMNS, COLUMNS])
    assert survey(position).live(1) == [3]


def test_a_queen_that_comes_seats_her_king_and_one_that_goes_lets_him_block() -> None:
    position = grid("AS -- KS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AH QH KH -- 2H 3H 4H 5H 6H 7H 8H 9H TH JH", *REST)
    assert after(position, 13, 1)[1] == [COLUMNS] * 4
    assert after(position, 15, 1)[1] == [2, 2, COLUMNS, COLUMNS]


def test_a_king_that_comes_blocks_and_one_that_goes_blocks_no_longer() -> None:
    position = grid("AS -- KS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AH QH KH -- 2H 3H 4H 5H 6H 7H 8H 9H TH JH", *REST)
    assert after(position, 2, 17) == ([[1, 2], [], [0], [0]], [COLUMNS, 3, COLUMNS, COLUMNS])
