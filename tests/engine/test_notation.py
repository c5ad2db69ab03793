"""What is a move at all."""

import pytest
from pasyans.deals.deal import chance, deal
from pasyans.engine.errors import IllegalMove, Reason, UnreadableMove
from pasyans.engine.families import rules_of
from pasyans.engine.notation import parse_transfer
from pasyans.games.catalogue import VARIANTS

from tests.support.games import VARIANT_IDS, piled

UNREADABLE = [
    "",
    " ",
    "-",
    "*",
    " draw",
    "draw ",
    "draw\n",
    "Draw",
    "DRAW",
    "draws",
    "redeal*2",
    "re-deal",
    "undo",
    "t1",
    "t1-",
    "-t1",
    "t1t2",
    "t1--t2",
    "t1-t2-t3",
    "t1 - t2",
    "t1-t2 ",
    "t1-t2\n",
    "\nt1-t2",
    "t1-t2\x00",
    "t1-t2*",
    "t1-t2*0",
    "t1-t2*1",
    "t1-t2*02",
    "t1-t2*-2",
    "t1-t2*+2",
    "t1-t2*2*2",
    "t1-t2*2.0",
    "t1-t2*1000",
    "t01-t2",
    "t1-t02",
    "t0-t1",
    "t100-t1",
    "T1-T2",
    "t1-T2",
    "t1–t2",  # an en dash
    "t١-t2",  # an Arabic digit one
    "t1-t2*٢",
    "t¹-t2",
    "т1-т2",  # Cyrillic letters
    "tt1-t2",
    "1-2",
    "t1-t2" * 10_000,
    "9" * 10_000,
]


@pytest.mark.parametrize("variant", VARIANT_IDS)
@pytest.mark.parametrize("move", UNREADABLE, ids=lambda move: repr(move[:20]))
def test_a_text_that_is_no_move_is_unreadable(variant: str, move: str) -> None:
    rules = rules_of(VARIANTS[variant])
    position = deal(VARIANTS[variant], "1")
    assert rules.expand(position, move) == move
    with pytest.raises(UnreadableMove) as error:
        rules.play(position, move, chance(VARIANTS[variant], "1"))
    assert error.value.move == move
    assert len(str(error.value)) < 250


def test_the_sentence_quotes_the_text_and_says_what_to_write() -> None:
    assert str(UnreadableMove("t1 t2\n")) == (
        "'t1 t2\\n' is not a move: write draw, redeal, SOURCE-TARGET such as w-t3, "
        "or SOURCE-TARGET*N for two or more cards, such as t4-t1*3."
    )
    assert str(UnreadableMove("x" * 41)).startswith(f"'{'x' * 40}…' is not a move")


@pytest.mark.parametrize(
    ("move", "parts"),
    [
        ("t1-t2", ("t1", "t2", 1)),
        ("w-f1", ("w", "f1", 1)),
        ("s-r", ("s", "r", 1)),
        ("t10-t12*13", ("t10", "t12", 13)),
        ("a14-d2", ("a14", "d2", 1)),
        ("t4-t1*2", ("t4", "t1", 2)),
        ("t4-t1*104", ("t4", "t1", 104)),
        ("w-f", ("w", "f", 1)),
    ],
)
def test_a_move_of_cards_is_a_source_a_target_and_a_count(move: str, parts: tuple[str, str, int]) -> None:
    assert parse_transfer(move) == parts


def test_a_short_form_takes_no_count() -> None:
    variant = VARIANTS["congress"]
    position = piled("congress", w="AS")
    assert rules_of(variant).expand(position, "w-f*2") == "w-f*2"
    with pytest.raises(IllegalMove) as refusal:
        rules_of(variant).play(position, "w-f*2", chance(variant, "1"))
    assert refusal.value.reason is Reason.NO_SUCH_PILE


class TestShortForms:
    """`SOURCE-f`: the first foundation that takes the card."""

    POSITION = piled(
        "congress", s="3C", w="2S", f1="AH", f2="AS", f3="AS", f5="AC 2C", t1="KD AD", t2="9H", t4="3C", t5="9C"
    )
    RULES = rules_of(VARIANTS["congress"])

    @pytest.mark.parametrize(
        ("short", "full"),
        [
            ("w-f", "w-f2"),
            ("t1-f", "t1-f4"),  # an ace goes to the first empty one
            ("t4-f", "t4-f5"),
            ("w-f3", "w-f3"),  # no short form
            ("draw", "draw"),
            ("t9-f", "t9-f"),  # no pile of this game
            ("r-f", "r-f"),
            ("w-t", "w-t"),
            ("w-f ", "w-f "),
            ("f", "f"),
        ],
    )
    def test_it_is_rewritten(self, short: str, full: str) -> None:
        assert self.RULES.expand(self.POSITION, short) == full

    @pytest.mark.parametrize(
        ("short", "reason"),
        [
            ("t2-f", Reason.NOT_NEXT_RANK),  # 9H is of f1's suit
            ("t5-f", Reason.NOT_NEXT_RANK),  # 9C is of f5's
            ("t3-f", Reason.EMPTY_SOURCE),
            ("s-f", Reason.NOT_AVAILABLE),
            ("f5-f", Reason.NOT_AVAILABLE),
            ("f4-f", Reason.EMPTY_SOURCE),
        ],
    )
    def test_where_no_foundation_takes_the_card_the_reason_is_that_of_the_closest(
        self, short: str, reason: Reason
    ) -> None:
        full = self.RULES.expand(self.POSITION, short)
        with pytest.raises(IllegalMove) as refusal:
            self.RULES.play(self.POSITION, full, chance(VARIANTS["congress"], "1"))
        assert refusal.value.reason is reason

    def test_the_reserve_has_one_too(self) -> None:
        rules = rules_of(VARIANTS["vokzal-36"])
        assert rules.expand(piled("vokzal-36", r="9C 6S", f1="AC", f3="AS"), "r-f") == "r-f3"

    def test_a_grid_has_none(self) -> None:
        rules = rules_of(VARIANTS["dolgiy"])
        assert rules.expand(deal(VARIANTS["dolgiy"], "1"), "a3-f") == "a3-f"
