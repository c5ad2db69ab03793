"""The words around a board."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from pasyans_cli.board.status import duration, result, standing, title
from pasyans_cli.table.words import contents, farewell, greeting, legal, remarks
from pasyans_client.models import Game, GameDeal, Pile, Text, Variant

from tests.cli.boards import VOKZAL, plain, rows, vokzal

VARIANT = Variant("vokzal-36", Text("Vokzal", "Вокзал"), Text("", ""), 1, 36, None, VOKZAL)
SEALED = GameDeal("sealed", None, "9f", None)
DAILY = GameDeal("daily", None, "9f", "2026-11-29")
GAME = Game(
    id="01936f0e-0000-7000-8000-000000000000",
    variant="vokzal-36",
    rules=1,
    deal=SEALED,
    player="anna",
    attempt=1,
    ranked=True,
    version=3,
    status="playing",
    stuck=False,
    score=1,
    moves=14,
    undos=0,
    redeals=0,
    redeals_left=None,
    undo_available=14,
    redo_available=0,
    started_at=datetime(2026, 11, 29, tzinfo=UTC),
    updated_at=datetime(2026, 11, 29, tzinfo=UTC),
    finished_at=None,
    elapsed_ms=83_999,
    piles=tuple(vokzal()),
    legal_moves=("draw", "r-t3", "w-t1", "w-t2"),
    finish=None,
)


def game(**changes: Any) -> Game:
    return msgspec.structs.replace(GAME, **changes)


@pytest.mark.parametrize(
    ("deal", "text"),
    [
        (SEALED, " Vokzal  sealed deal  game 01936f0e-0000-7000-8000-000000000000"),
        (GameDeal("shared", "hello", None, None), " Vokzal  seed hello  game 01936f0e-0000-7000-8000-000000000000"),
        (
            GameDeal("daily", None, "9f", "2026-11-29"),
            " Vokzal  daily deal of 2026-11-29  game 01936f0e-0000-7000-8000-000000000000",
        ),
    ],
)
def test_the_title_says_which_game_it_is(deal: GameDeal, text: str) -> None:
    assert plain(title(VARIANT, game(deal=deal))) == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, " score 1/36   14 moves   0 redeals"),
        ({"redeals_left": 0}, " score 1/36   14 moves"),
        ({"redeals": 1, "redeals_left": 2, "moves": 1}, " score 1/36   1 move   1 redeal, 2 left"),
        ({"undos": 3, "redo_available": 2}, " score 1/36   14 moves   3 undone   0 redeals   2 to redo"),
        ({"deal": DAILY, "ranked": False, "redeals_left": 0}, " score 1/36   14 moves   not ranked"),
        ({"deal": DAILY, "redeals_left": 0}, " score 1/36   14 moves"),
        ({"stuck": True}, " score 1/36   14 moves   0 redeals   STUCK"),
        ({"status": "won", "redeals_left": 0}, " score 1/36   14 moves   WON"),
        ({"status": "lost", "stuck": True, "redeals_left": 0}, " score 1/36   14 moves   LOST"),
    ],
)
def test_the_line_below_says_how_it_stands(changes: dict[str, Any], text: str) -> None:
    assert plain(standing(VARIANT, game(**changes))) == text


def test_the_end() -> None:
    won = game(status="won", score=36, undos=2, redeals=1, deal=GameDeal("sealed", "ab12", "9f", None))
    assert result(VARIANT, won) == "Won: Vokzal, score 36 of 36, 14 moves, 2 undone, 1 redeal, 1:23."
    assert farewell(VARIANT, won).splitlines()[1:] == [
        "The seed of the deal was ab12.",
        "Its record: pasyans record 01936f0e-0000-7000-8000-000000000000",
    ]
    assert farewell(VARIANT, GAME) == (
        "The game is kept. Go on with:\npasyans play --game 01936f0e-0000-7000-8000-000000000000"
    )


@pytest.mark.parametrize(("ms", "text"), [(0, "0:00"), (5_000, "0:05"), (754_999, "12:34"), (3_723_000, "1:02:03")])
def test_durations(ms: int, text: str) -> None:
    assert duration(ms) == text


def test_legal_moves_of_all_piles_and_of_one() -> None:
    assert legal(GAME, None) == "draw  r-t3  w-t1  w-t2"
    assert legal(GAME, "w") == "w:  AS  TH  JS\nw-t1  w-t2"
    assert legal(GAME, "t3") == "t3:  empty\nno move from there"
    assert legal(game(legal_moves=("t1-f2", "t1-f3", "t2-t3*2", "w-f2")), None) == "t1-f  t2-t3*2  w-f"
    assert legal(game(legal_moves=()), None) == "no legal move"
    assert contents(Pile("r", "reserve", 8, ("7D",))) == "r:  8 face down  7D"
    assert max(len(line) for line in legal(game(legal_moves=("t10-t11",) * 40), None).splitlines()) <= 78


def test_the_moves_from_a_place_are_those_that_take_cards_from_it() -> None:
    assert legal(GAME, "s") == "s:  18 face down\ndraw"
    assert legal(game(legal_moves=("redeal", "t1-t2")), "w") == "w:  AS  TH  JS\nredeal"
    assert legal(GAME, "t10") == "This game has no t10."
    assert legal(GAME, "t") == "This game has no t."
    in_rows = game(piles=tuple(rows()), legal_moves=("a6-b2", "a13-b2", "d14-a2", "redeal"))
    assert legal(in_rows, "a").splitlines()[1:] == ["a6-b2  a13-b2"]
    assert legal(in_rows, "a6") == "a6:  QC\na6-b2"
    assert legal(in_rows, "a1") == "a1:  AS\nno move from there"
    assert legal(in_rows, "c").splitlines()[1:] == ["no move from there"]
    assert [legal(in_rows, name) for name in ("a15", "a0", "e")] == [
        "This game has no a15.",
        "This game has no a0.",
        "This game has no e.",
    ]


def test_the_greeting_says_what_does_not_count() -> None:
    second = game(deal=DAILY, ranked=False, attempt=2)
    assert greeting(second, is_new=True) == "A new game. It is not ranked: of a daily deal only the first game is."
    assert greeting(game(deal=DAILY), is_new=True) == "A new game."
    assert greeting(game(deal=GameDeal("shared", "x", None, None), ranked=False), is_new=False) == (
        "Goes on; started 2026-11-29 00:00 UTC."
    )


def test_remarks() -> None:
    assert remarks(GAME) == []
    assert remarks(game(finish=("w-f1",))) == ["The game can be won from here: type finish."]
    assert remarks(game(finish=("w-f1",), status="won")) == []
    assert remarks(game(stuck=True)) == ["No move leads on from here: take some back (u), or resign."]
