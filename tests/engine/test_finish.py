"""Finishing: the moves to the foundations that alone win, or the certainty that there are none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.deals.deal import chance
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.games.catalogue import VARIANTS

from tests.support import vectors
from tests.support.games import examples, grid, piled, replay, table_of
from tests.support.reference.games import GAMES
from tests.support.reference.piles import PileGame
from tests.support.reference.table import Table

PILE_GAMES = {id_: game for id_, game in GAMES.items() if isinstance(game, PileGame)}


def _finish(variant: str, position: Position) -> list[str] | None:
    """The engine's line, once it is seen to be one: every move goes to a foundation, and the last one wins."""
    rules = rules_of(VARIANTS[variant])
    line = rules.finish(position)
    if line is None:
        return None
    assert line
    for move in line:
        assert not rules.is_won(position)
        assert move.partition("-")[2][0] == "f"
        position = rules.play(position, move, chance(VARIANTS[variant], "1"))
    assert rules.is_won(position)
    return line


def _can_finish(game: PileGame, table: Table) -> bool:
    """Whether some order of moves to the foundations wins: every one is tried."""
    seen = set()

    def search(table: Table) -> bool:
        left = tuple(tuple(cards) for pile, cards in table.piles.items() if pile[0] != "f")
        if left in seen:
            return False
        seen.add(left)
        if not any(left):
            return True
        moves = [f"{source}-{target}" for source in table.piles for target in table.piles if target[0] == "f"]
        return any(search(game.play(table, move, "")) for move in moves if game.refusal(table, move) is None)

    return search(table)


def _suits(game: PileGame, heights: list[int]) -> tuple[dict[str, str], list[str]]:
    """Foundations of these heights, the suits in turn, and the cards that are left."""
    foundations, left = {}, []
    for number, height in enumerate(heights):
        suit = "CDHS"[number % 4]
        cards = [rank + suit for rank in game.ranks]
        foundations[f"f{number + 1}"] = " ".join(cards[:height])
        left += cards[height:]
    return foundations, left


@st.composite
def _endings(draw: st.DrawFn, game: PileGame) -> dict[str, str]:
    """A few cards left, on two or three piles, so that they lie on one another."""
    packs = 2 if game.pack == "104" else 1
    # Few suits with several cards left, since it is cards of one suit that block each other.
    open_suits = draw(st.lists(st.sampled_from("CDHS"), min_size=1, max_size=2, unique=True))
    least = 3 if packs == 2 else 4
    full = len(game.ranks)
    heights = [
        draw(st.integers(full - least, full)) if "CDHS"[number % 4] in open_suits else full
        for number in range(4 * packs)
    ]
    foundations, left = _suits(game, heights)
    piles: dict[str, list[str]] = {pile: [] for pile in draw(st.sampled_from(["w t1", "t1 t2 t3", "w t2 t3"])).split()}
    for card in draw(st.permutations(left)):
        piles[draw(st.sampled_from(sorted(piles)))].append(card)
    return {**foundations, **{pile: " ".join(cards) for pile, cards in piles.items()}}


@pytest.mark.parametrize("variant", sorted(PILE_GAMES))
@examples(80)
@given(st.data())
def test_a_line_is_found_where_there_is_one(variant: str, data: st.DataObject) -> None:
    game = PILE_GAMES[variant]
    position = piled(variant, **data.draw(_endings(game)))
    rules = rules_of(VARIANTS[variant])
    line = _finish(variant, position)
    if rules.is_won(position):
        assert line is None
    else:
        assert (line is not None) is _can_finish(game, table_of(rules, position))


def _congress(**piles: str) -> Position:
    """An ending of Congress: foundations are complete but those of hearts, which are as given with the rest."""
    others = {
        f"f{number}": " ".join(rank + suit for rank in "A23456789TJQK")
        for number, suit in zip((1, 2, 3, 4, 5, 6), "CCDDSS", strict=True)
    }
    return piled("congress", **others, **piles)


HEARTS_TO_JACK = " ".join(f"{rank}H" for rank in "A23456789TJ")
HEARTS_TO_TEN = HEARTS_TO_JACK[:-3]


class TestTwins:
    """With two packs, which of two cards of a kind goes first decides."""

    def test_the_one_that_lies_on_a_lower_card_of_its_suit_goes_first(self) -> None:
        # The queen of t1 alone frees the jack that the second queen needs.
        position = _congress(f7=HEARTS_TO_JACK, f8=HEARTS_TO_TEN, t1="KH JH QH", t2="KH QH")
        line = _finish("congress", position)
        assert line is not None
        assert line[0] == "t1-f7"

    def test_also_where_the_other_one_comes_first_in_the_list(self) -> None:
        position = _congress(f7=HEARTS_TO_JACK, f8=HEARTS_TO_TEN, t1="KH QH", t2="KH JH QH")
        line = _finish("congress", position)
        assert line is not None
        assert line[0] == "t2-f7"

    def test_two_that_both_lie_on_lower_cards_have_no_line(self) -> None:
        position = _congress(f7=HEARTS_TO_TEN, f8=HEARTS_TO_TEN, w="JH QH", t1="JH QH", t2="KH", t3="KH")
        assert _finish("congress", position) is None

    def test_two_that_block_each_other_across_piles_have_no_line(self) -> None:
        position = _congress(f7=HEARTS_TO_JACK, f8=HEARTS_TO_TEN, t1="JH KH QH", t2="KH QH")
        assert _finish("congress", position) is not None
        crossed = _congress(f7=HEARTS_TO_JACK, f8=HEARTS_TO_JACK, t1="QH KH", t2="QH KH")
        assert _finish("congress", crossed) is None


BUT_HEARTS = {
    f"f{number}": " ".join(rank + suit for rank in "A6789TJQK") for number, suit in zip((1, 2, 3), "CDS", strict=True)
}


class TestOnePack:
    """With one pack nothing blocks but a card on a lower one of its suit."""

    def test_the_moves_in_order(self) -> None:
        position = piled("vokzal-36", **BUT_HEARTS, f4="AH 6H 7H 8H 9H TH", r="QH", w="JH", t3="KH")
        assert _finish("vokzal-36", position) == ["w-f4", "r-f4", "t3-f4"]

    def test_a_king_on_its_queen(self) -> None:
        position = piled("vokzal-36", **BUT_HEARTS, f4="AH 6H 7H 8H 9H TH JH", t3="QH KH")
        assert _finish("vokzal-36", position) is None


class TestWhenItIsNotAsked:
    """None while a card is face down, and when nothing is left."""

    def test_a_card_in_the_stock(self) -> None:
        hearts = HEARTS_TO_JACK + " QH KH"
        assert _finish("congress", _congress(f7=hearts, f8=hearts[:-3], s="KH")) is None
        assert _finish("congress", _congress(f7=hearts, f8=hearts[:-3], w="KH")) == ["w-f8"]

    def test_two_cards_in_the_reserve(self) -> None:
        position = piled("vokzal-36", **BUT_HEARTS, f4="AH 6H 7H 8H 9H TH JH", r="KH QH")
        assert _finish("vokzal-36", position) is None
        position = piled("vokzal-36", **BUT_HEARTS, f4="AH 6H 7H 8H 9H TH JH QH", r="KH")
        assert _finish("vokzal-36", position) == ["r-f4"]

    def test_a_game_that_is_won(self) -> None:
        win = next(win for win in vectors.wins() if win.variant == "congress")
        assert _finish("congress", replay("congress", win.seed, win.moves)) is None

    def test_a_grid(self) -> None:
        rows = [" ".join(rank + suit for rank in "A23456789TJQ") for suit in "CDHS"]
        nearly = grid(*(f"{row} -- K{suit}" for row, suit in zip(rows, "CDHS", strict=True)))
        assert rules_of(VARIANTS["dolgiy"]).finish(nearly) is None


@pytest.mark.parametrize("win", [win for win in vectors.wins() if win.variant in PILE_GAMES], ids=str)
def test_a_known_win_ends_with_a_line_that_is_found(win: vectors.Win) -> None:
    rules = rules_of(VARIANTS[win.variant])
    last = max(i for i, move in enumerate(win.moves) if "-f" not in move)
    position = replay(win.variant, win.seed, win.moves[: last + 1])
    if table_of(rules, position).piles["s"]:
        position = replay(win.variant, win.seed, win.moves[:-1])
    assert _finish(win.variant, position) is not None


def test_an_ending_with_many_twins_is_judged_at_once() -> None:
    """A position of an ordinary game of Court, where trying every order takes ten seconds."""
    position = piled(
        "court",
        1,
        w="AS 6D 3S 5D TD 5S JH 7S KS KD KC 9S 4S QH 2C QC 3D TH JD JC 8S KH QS 4D 2S 6S QD",
        f3="AC",
        f5="AC",
        f7="AD 2D",
        t1="5C 4C 3C 2C",
        t2="9H 8H 7H 6H 5H 4H 3H 2H AH",
        t3="7H 6H 5H 4H 3H 2H AH",
        t4="9D 8D 7D 6D 5D 4D 3D 2D AD",
        t5="KC QC JC TC 9C",
        t6="TC 9C 8C 7C 6C",
        t7="KS QS JS TS",
        t8="8C 7C 6C 5C 4C 3C",
        t9="KD QD JD TD 9D 8D 7D",
        t10="JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS",
        t11="QH JH TH 9H 8H",
        t12="KH",
    )
    start = time.process_time()
    assert rules_of(VARIANTS["court"]).finish(position) is None
    assert time.process_time() - start < 1
