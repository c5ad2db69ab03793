"""Boards are drawn from a layout and piles alone: literal ones, line by line."""

import pytest
from pasyans_cli.board.canvas import Line
from pasyans_cli.board.draw import draw, marks
from pasyans_cli.board.glyphs import ASCII, UNICODE, Glyphs
from pasyans_client.models import Change, Event, Layout, Pile, Text, Zone

from tests.cli.boards import ROWS, VOKZAL, plain, rows, vokzal

DRAWN_VOKZAL = """\
   s      w      r     f1     f2     f3     f4
 ▒▒▒     J♠     7♦     A♥     ··     ··     ··
  18     +2     +8
         t1     t2     t3     t4
         J♦     6♥     ··     Q♣
        10♠                   J♦
                             10♠"""

DRAWN_ROWS = """\
      1    2    3    4    5    6    7    8    9   10   11   12   13   14
 a   AS   --   4D   5D   8H   QC   7C   QS   JC   KC   5H   6S   QD   9H
 b   AC   --   4S   2H   4C   JD   9S   9C   3H   3S   8C   6H   5S   2D
 c   AD   --  10D   JH  10C   2S   3C   2C   3D   9D   5C   7H   KD   KS
 d   AH   --  10H   7S   6D   7D   4H  10S   QH   8S   JS   KH   8D   6C"""


def text(lines: tuple[Line, ...]) -> str:
    return "\n".join(plain(line) for line in lines)


def test_a_game_of_piles() -> None:
    assert text(draw(VOKZAL, vokzal())) == DRAWN_VOKZAL


def test_a_game_of_rows_in_ascii() -> None:
    assert text(draw(ROWS, rows(), glyphs=ASCII)) == DRAWN_ROWS


def test_what_changed_is_marked_beside_the_card() -> None:
    changed = {("t4", 1), ("w", 2), ("r", 8), ("t1", 7)}
    drawn = text(draw(VOKZAL, vokzal(), changed=changed)).splitlines()
    assert drawn[1] == " ▒▒▒    ›J♠    ›7♦     A♥     ··     ··     ··"
    assert drawn[4:] == [
        "         J♦     6♥     ··     Q♣",
        "        10♠                  ›J♦",
        "                             10♠",
    ]
    in_row = text(draw(ROWS, rows(), changed={("b", 5)}, glyphs=ASCII)).splitlines()
    assert in_row[2].startswith(" b   AC   --   4S   2H   4C  >JD")


def test_a_ten_leaves_room_for_its_mark() -> None:
    drawn = text(draw(VOKZAL, vokzal(), changed={("t4", 2)})).splitlines()
    assert drawn[6] == "                            ›10♠"


def test_an_empty_stock_and_an_empty_reserve_show_no_count() -> None:
    piles = [pile for pile in vokzal() if pile.id not in ("s", "r")]
    piles += [Pile("s", "stock", 0, ()), Pile("r", "reserve", 0, ())]
    drawn = text(draw(VOKZAL, piles)).splitlines()
    assert drawn[1] == "  ··     J♠     ··     A♥     ··     ··     ··"
    assert drawn[2] == "         +2"


def test_suits_have_their_styles() -> None:
    styled = {segment.text: segment.style for line in draw(VOKZAL, vokzal()) for segment in line}
    assert [styled[card] for card in ("Q♣", "J♦", "6♥", "10♠", "▒▒▒", "··", "t1", "+2")] == [
        "C",
        "D",
        "H",
        "S",
        "back",
        "faint",
        "label",
        "faint",
    ]


def one_pile(kind: str, fan: str, columns: int) -> Layout:
    nothing = Text("", "")
    return Layout((Zone("z", kind, nothing, fan, ("p",), 0, 0, 1, columns),), 1, columns)


@pytest.mark.parametrize(
    ("hidden", "cards", "drawn"),
    [
        (0, "AS 2S 3S", "   p\n  A♠  2♠  3♠"),
        (0, "AS 2S 3S 4S 5S", "   p\n  A♠  2♠  3♠  4♠  5♠"),
        (0, "AS 2S 3S 4S 5S 6S 7S", "   p\n  +3  4♠  5♠  6♠  7♠"),
        (2, "AS 2S", "   p\n  +2  A♠  2♠"),
        (2, "", "   p\n ▒▒▒\n   2"),
    ],
)
def test_a_pile_fanned_to_the_right_shows_its_last_cards(hidden: int, cards: str, drawn: str) -> None:
    pile = Pile("p", "waste", hidden, tuple(cards.split()))
    assert text(draw(one_pile("waste", "right", 3), [pile])) == drawn


@pytest.mark.parametrize(("glyphs", "drawn"), [(UNICODE, "   p\n ▒12\n  K♦\n  Q♠"), (ASCII, "   p\n #12\n  KD\n  QS")])
def test_face_down_cards_of_a_column_take_one_line(glyphs: Glyphs, drawn: str) -> None:
    pile = Pile("p", "tableau", 12, ("KD", "QS"))
    assert text(draw(one_pile("tableau", "down", 1), [pile], glyphs=glyphs)) == drawn


def test_piles_without_a_place_and_places_without_a_pile_are_left_out() -> None:
    assert text(draw(one_pile("tableau", "down", 1), [Pile("other", "tableau", 0, ("KD",))])) == ""


def test_marks_follow_cards_through_several_events() -> None:
    def event(*changes: tuple[str, int, str, int]) -> Event:
        from datetime import UTC, datetime

        moved = tuple(Change(None, a, i, b, j, False) for a, i, b, j in changes)
        return Event(1, "moved", datetime(2026, 11, 29, tzinfo=UTC), moved)

    assert marks([event(("w", 4, "t1", 2)), event(("t1", 2, "f1", 0), ("r", 3, "r", 3))]) == {("f1", 0), ("r", 3)}
    assert marks([]) == set()
