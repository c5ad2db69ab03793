"""How rows are laid out."""

import pytest
from pasyans_cli.tables import Column, laid_out

HEADER = (Column("rank", number=True), Column("name", elastic=True), "deal", Column("day", spare=True), "game")
ROWS = (("1", "anna-maria-luisa", "x", "2026-11-29", "g1"), ("12", "боря", "yy", "2026-11-30", "g2"))


def lines(width: int | None, encoding: str = "utf-8", more: str = "…") -> list[str]:
    return laid_out(HEADER, ROWS, width=width, more=more, encoding=encoding)


def test_without_a_terminal_every_column_is_whole_and_there_is_no_header() -> None:
    assert lines(None) == [" 1  anna-maria-luisa  x   2026-11-29  g1", "12  боря              yy  2026-11-30  g2"]


def test_a_terminal_that_is_wide_enough_shows_all_under_a_header() -> None:
    assert lines(46) == [
        "rank  name              deal  day         game",
        "   1  anna-maria-luisa  x     2026-11-29  g1",
        "  12  боря              yy    2026-11-30  g2",
    ]


def test_a_spare_column_goes_first_and_then_an_elastic_one_is_cut() -> None:
    assert lines(45) == [
        "rank  name              deal  game",
        "   1  anna-maria-luisa  x     g1",
        "  12  боря              yy    g2",
    ]
    assert lines(30) == [
        "rank  name          deal  game",
        "   1  anna-maria-…  x     g1",
        "  12  боря          yy    g2",
    ]
    assert lines(30, more=".")[1] == "   1  anna-maria-.  x     g1"


def test_a_column_that_may_give_way_is_left_out_where_no_row_has_anything_in_it() -> None:
    header = ("a", Column("b", spare=True), Column("c", elastic=True), "d", Column("e", spare=True))
    rows = [("1", "-", "-", "-", "-"), ("2", "-", "-", "-", "x")]
    assert laid_out(header, rows, width=80, more="…", encoding="utf-8") == ["a  d  e", "1  -  -", "2  -  x"]
    assert laid_out(header, rows, width=None, more="", encoding="utf-8") == ["1  -  -  -  -", "2  -  -  -  x"]


def test_what_is_too_long_even_then_is_cut_at_the_end() -> None:
    assert lines(20) == ["rank  name      dea…", "   1  anna-ma…  x  …", "  12  боря      yy …"]


@pytest.mark.parametrize("width", range(10, 60))
def test_no_line_is_longer_than_a_terminal_is_wide(width: int) -> None:
    assert max(map(len, lines(width))) <= width


def test_what_would_move_the_cursor_is_written_out() -> None:
    rows = [("\x1b[2Jred\nnext\ttab", "\u202eback", "a\xa0b")]
    assert laid_out(("a", "b", "c"), rows, width=None, more="", encoding="utf-8") == [
        "\\x1b[2Jred\\nnext\\ttab  \\u202eback  a\xa0b"
    ]


def test_what_is_not_in_the_encoding_is_written_out() -> None:
    assert lines(None, encoding="ascii")[1].split()[1] == "\\u0431\\u043e\\u0440\\u044f"
    assert all(line.isascii() for line in lines(40, encoding="ascii", more="."))


def test_wide_letters_keep_columns_apart() -> None:
    assert laid_out(("a", "b"), [("日本", "x"), ("abcde", "y")], width=None, more="", encoding="utf-8") == [
        "日本   x",
        "abcde  y",
    ]


def test_no_rows() -> None:
    assert laid_out(HEADER, [], width=None, more="", encoding="utf-8") == []
