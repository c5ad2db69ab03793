"""The worked examples of the rules, literally."""

from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Rules
from pasyans.games.catalogue import VARIANTS

from tests.support.games import grid, piled, table_of

VOKZAL = rules_of(VARIANTS["vokzal-36"])
DOLGIY = rules_of(VARIANTS["dolgiy"])


def _no_chance(round_: int, cards: bytes) -> bytes:
    raise AssertionError(f"nothing is shuffled here: {round_}, {cards!r}")


def _play(rules: Rules, position: Position, *moves: str) -> Position:
    for move in moves:
        assert move in rules.legal_moves(position)
        position = rules.play(position, move, _no_chance)
    return position


def _legal(position: Position) -> str:
    return " ".join(DOLGIY.legal_moves(position))


class TestVokzal:
    """The station with 36 cards: two draws."""

    # The reserve from the top down is 7D 9S TD AD KD 9C, then three others; the first draw leaves JS on TH on AS, and
    # the second one AH on top. Where the example does not say which card it is, it is one of those that are left.
    OPENING = piled(
        "vokzal-36",
        s="6D 7C 8D QH KH 8C 9D 9H QS KS 7S 8S JH QD 6S 6C 7H AH TC JC JS TH AS",
        r="8H KC AC 9C KD AD TD 9S 7D",
        t1="JD",
        t2="6H",
        t3="TS",
        t4="QC",
    )

    def test_the_position_is_a_whole_pack(self) -> None:
        cards = [card for pile in table_of(VOKZAL, self.OPENING).piles.values() for card in pile]
        assert len(cards) == len(set(cards)) == 36

    def test_the_example(self) -> None:
        position = _play(VOKZAL, self.OPENING, "draw")
        assert table_of(VOKZAL, position).piles["w"] == ["AS", "TH", "JS"]
        position = _play(VOKZAL, position, "t1-t4", "r-t1", "t3-t4", "r-t3")
        assert VOKZAL.legal_moves(position) == ["draw"]
        position = _play(VOKZAL, position, "draw")
        assert table_of(VOKZAL, position).piles["w"][-1] == "AH"
        position = _play(VOKZAL, position, "w-f1", "t2-f1")
        assert table_of(VOKZAL, position).piles["f1"] == ["AH", "6H"]
        position = _play(VOKZAL, position, "r-t2", "r-f2")
        assert table_of(VOKZAL, position).piles["f2"] == ["AD"]
        position = _play(VOKZAL, position, "t3-t2", "r-t3")
        assert table_of(VOKZAL, position).piles["t2"] == ["TD", "9S"]
        assert table_of(VOKZAL, position).piles["t3"] == ["KD"]
        position = _play(VOKZAL, position, "t4-t3*3")
        assert table_of(VOKZAL, position).piles["t3"] == ["KD", "QC", "JD", "TS"]
        assert table_of(VOKZAL, position).piles["t4"] == []
        position = _play(VOKZAL, position, "r-t4")
        assert table_of(VOKZAL, position).piles["t4"] == ["9C"]
        assert VOKZAL.score(position) == 3
        assert len(table_of(VOKZAL, position).piles["r"]) == 3


class TestFirstPosition:
    """An opening deal."""

    POSITION = grid(
        "AS -- 4D 5D 8H QC 7C QS JC KC 5H 6S QD 9H",
        "AC -- 4S 2H 4C JD 9S 9C 3H 3S 8C 6H 5S 2D",
        "AD -- TD JH TC 2S 3C 2C 3D 9D 5C 7H KD KS",
        "AH -- TH 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
    )

    def test_the_legal_moves(self) -> None:
        assert _legal(self.POSITION) == "a14-d2 b10-b2 b14-c2 b4-d2 c10-c2 c6-a2 c8-b2 c9-a2 redeal"

    def test_a_row_with_two_live_gaps_comes_first(self) -> None:
        assert _legal(_play(DOLGIY, self.POSITION, "c6-a2")) == "a9-c6 b10-b2 b14-c2 c10-c2 c8-c6 redeal"


class TestSecondPosition:
    """Cards behind a king."""

    POSITION = grid(
        "AS 2S 4D 5D 8H -- 7C QS 8C KC -- 6S QD 9H",
        "AC TH 4S 3S QC JD 9S 9C 3H 5H JC 6H 5S 2D",
        "AD 9D TD JH TC 2C 3C 4C 3D 7H 5C -- KD KS",
        "AH 2H -- 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
    )

    def test_four_dead_gaps(self) -> None:
        position = _play(DOLGIY, self.POSITION, "a12-d3", "a13-c12", "a14-a6")
        assert table_of(DOLGIY, position).piles["a"][9:] == ["KC", "--", "--", "--", "--"]
        assert _legal(position) == "redeal"


class TestThirdPosition:
    """A king that is seated, and a row that comes to life."""

    POSITION = grid(
        "AS 2S 4D 5D 8H QC -- QS 8C KC -- -- -- 9H",
        "AC TH 4S 3S 7C JD 9S 9C 3H 5H JC 6H 5S 2D",
        "AD 9D TD JH TC 2C 3C 4C 3D 7H 5C QD KD KS",
        "AH 2H 6S 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
    )

    def test_move_by_move(self) -> None:
        position = self.POSITION
        assert _legal(position) == "a10-a7 d11-a7 redeal"
        position = _play(DOLGIY, position, "a10-a7")
        assert _legal(position) == "a5-a13 b8-a10 redeal"
        position = _play(DOLGIY, position, "b8-a10")
        assert _legal(position) == "a5-a13 c5-a11 redeal"
        position = _play(DOLGIY, position, "c5-a11")
        assert _legal(position) == "a5-a13 b11-a12 redeal"


class TestRuleOneIsNotAsked:
    """A king, and a card to the right of a blocking king, may leave a row with however many live gaps."""

    def test_of_a_card_to_the_right_of_a_blocking_king(self) -> None:
        position = grid(
            "AS -- -- -- KH 2S QH 5C 6H 8H 6C TD 5S 4S",
            "AC 7H KD 3S 4H QD TH TC TS 8C KC QS 7C 6S",
            "AD 2D 3D 4C -- QC JD 8S KS 7S 5H JS 8D 7D",
            "AH 4D 9C JC 3H 3C 5D 9H 9D 9S 2H 6D JH 2C",
        )
        assert _legal(position) == "a6-a2 a7-a4 a8-c5 d4-c5 redeal"

    def test_of_a_king(self) -> None:
        position = grid(
            "AS -- -- -- KH 2S 2H 4H 4C 6D TH 9H 3H 9D",
            "AC 8H QD 3D 9S TC 8D 6C KS 5C 6S 7S JH 7D",
            "AD 4S 5H 5S JC 6H JS QC 5D KD 7C 8C 4D TD",
            "AH QH -- 7H TS QS 9C KC JD 8S 2C 2D 3S 3C",
        )
        assert _legal(position) == "a5-d3 a6-a2 c6-d3 redeal"


class TestFourthPosition:
    """A move within a row is free."""

    POSITION = grid(
        "AS 2S 4D 5D 8H QC 7C QS 8C KC 5H 6S QD 9H",
        "AC -- 4S 2H -- JD 9S 9C 3H 3S JC 6H 5S 2D",
        "AD 9D TD JH TC 2C 3C -- 3D 4C 5C 7H KD KS",
        "AH -- TH 7S 6D 7D 4H TS QH 8S JS KH 8D 6C",
    )

    def test_it_is_legal_although_another_row_comes_first(self) -> None:
        # Of the moves between rows, only those to row b, which has two live gaps, are legal.
        assert _legal(self.POSITION) == "b10-b2 b9-b5 c10-c8 c3-b5 c6-b2 redeal"
        position = _play(DOLGIY, self.POSITION, "c10-c8")
        row = table_of(DOLGIY, position).piles["c"]
        assert " ".join(row) == "AD 9D TD JH TC 2C 3C 4C 3D -- 5C 7H KD KS"
