"""Surveys of a grid: what a move makes of one is what a look at the whole grid finds."""

from hypothesis import given
from hypothesis import strategies as st
from pasyans.engine.cards import KING, PACKS, RANK_OF
from pasyans.engine.rows import CELL_OF, COLUMNS, GAP, ROWS, Cells
from pasyans.engine.survey import BIT_OF, ROW_CELLS, Survey, listed, live_after, moved, survey, survey_after, thinned

from tests.support.games import examples, grid

ALL = range(ROWS * COLUMNS)
ROW_OF = [cell // COLUMNS for cell in ALL]


def found(survey: Survey) -> tuple[list[int], list[int]]:
    """The gaps, and how many cells of each row are within reach."""
    reach = listed(survey.reach)
    lengths = [sum(ROW_OF[cell] == row for cell in reach) for row in range(ROWS)]
    assert sorted(reach) == [cell for cell in ALL if cell % COLUMNS < lengths[ROW_OF[cell]]]
    live = sorted(set(listed(survey.gaps)) & set(reach))
    assert sorted(listed(survey.live)) == live
    return sorted(listed(survey.gaps)), lengths


def after(cells: Cells, source: int, target: int) -> tuple[list[int], list[int]]:
    """The survey that follows from the one before, which is that of the whole grid."""
    before, there = survey(cells), moved(cells, source, target)
    following = survey_after(before, source, target, there)
    assert found(following) == found(survey(there))
    assert live_after(before, source, target) == following.live
    return found(following)


@st.composite
def grids(draw: st.DrawFn) -> Cells:
    """Any 52 cards and four gaps, where some kings stand at their queens."""
    cells = draw(st.permutations([*(CELL_OF[card] for card in PACKS["52"]), *[GAP] * ROWS]))
    for king in draw(st.lists(st.sampled_from([card for card in PACKS["52"] if RANK_OF[card] == KING]), max_size=4)):
        queen, place = cells.index(CELL_OF[king - 1]), cells.index(CELL_OF[king])
        if (queen + 1) % COLUMNS:
            cells[place], cells[queen + 1] = cells[queen + 1], cells[place]
    return tuple(cells)


@examples(300)
@given(grids())
def test_a_move_makes_of_it_what_is_there(cells: Cells) -> None:
    targets = listed(survey(cells).live)
    for source, target in [(source, target) for target in targets for source in ALL if cells[source]]:
        after(cells, source, target)


@given(grids())
def test_the_gaps_are_the_cells_without_a_card(cells: Cells) -> None:
    assert found(survey(cells))[0] == [cell for cell in ALL if not cells[cell]]


@given(st.sets(st.sampled_from(ALL)))
def test_a_set_without_one_cell_of_each_row(cells: set[int]) -> None:
    whole = sum(BIT_OF[cell] for cell in cells)
    assert sorted(listed(whole)) == sorted(cells)
    left = thinned(whole)
    assert left & ~whole == 0
    for row, all_of_it in enumerate(ROW_CELLS):
        had = sum(ROW_OF[cell] == row for cell in cells)
        assert len(listed(left & all_of_it)) == max(0, had - 1)


REST = "-- 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "-- 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"


def test_gaps_live_to_the_left_of_a_king_that_blocks() -> None:
    cells = grid("AS KS -- 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AH QH KH -- 2H 3H 4H 5H 6H 7H 8H 9H TH JH", *REST).piles
    assert found(survey(cells)) == ([2, 17, 28, 42], [1, COLUMNS, COLUMNS, COLUMNS])
    assert sorted(listed(survey(cells).live)) == [17, 28, 42]


def test_a_queen_that_comes_seats_her_king_and_one_that_goes_lets_him_block() -> None:
    cells = grid("AS -- KS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AH QH KH -- 2H 3H 4H 5H 6H 7H 8H 9H TH JH", *REST).piles
    assert after(cells, 13, 1)[1] == [COLUMNS] * 4
    assert after(cells, 15, 1)[1] == [2, 2, COLUMNS, COLUMNS]


def test_a_king_that_comes_blocks_and_one_that_goes_blocks_no_longer() -> None:
    cells = grid("AS -- KS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "AH QH KH -- 2H 3H 4H 5H 6H 7H 8H 9H TH JH", *REST).piles
    assert after(cells, 2, 17) == ([1, 2, 28, 42], [COLUMNS, 3, COLUMNS, COLUMNS])
