"""Every game fits its terminal, in colour, in ASCII and without either."""

import re
from collections.abc import Callable
from itertools import islice

import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans_cli.board.draw import draw, marks
from pasyans_cli.board.glyphs import UNICODE, card
from pasyans_client import Client
from pasyans_client.models import Game

from tests.cli.boards import plain
from tests.cli.conftest import Cli
from tests.cli.terminal import Terminal
from tests.support.games import random_moves
from tests.support.vectors import positions, wins

RANDOM = ("1", "2", "3")


def lines_of_play(variant: str) -> list[tuple[str, list[str]]]:
    """Seeds and moves, each far on in another way: winning lines in thirds, long positions, and moves at random."""
    lines = [
        (win.seed, win.moves[: len(win.moves) * part // 3])
        for win in wins()
        if win.variant == variant
        for part in range(4)
    ]
    lines += [(spot.seed, spot.moves) for spot in positions() if spot.variant == variant]
    return lines + [(seed, [move for move, _ in islice(random_moves(variant, seed), 60)]) for seed in RANDOM]


def played(guest: Client, variant: str, seed: str, moves: list[str]) -> Game:
    game = guest.start_game(variant, seed=seed)
    for start in range(0, len(moves), 500):
        game = guest.move(game.id, moves[start : start + 500])
    return game


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_board_shows_each_card_that_lies_open_within_80_columns(guest: Client, variant: str) -> None:
    layout = guest.variant(variant).layout
    lines = lines_of_play(variant)
    assert len(lines) >= len(RANDOM)
    for seed, moves in lines:
        game = played(guest, variant, seed, moves)
        board = [plain(line) for line in draw(layout, game.piles, changed=marks(getattr(game, "events", ())))]
        assert max(len(line) for line in board) <= 80
        assert len(board) <= 24
        open_cards = [
            card(name, UNICODE).text
            for pile in game.piles
            for name in (pile.cards if pile.kind in ("tableau", "row") else pile.cards[-1:])
        ]
        shown = [word.strip("›") for line in board for word in line.split()]
        for text in set(open_cards) - {"··"}:
            assert shown.count(text) == open_cards.count(text)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_command_shows_it_within_80_columns(
    cli: Cli, guest: Client, terminal: Callable[..., Terminal], variant: str
) -> None:
    game = played(guest, variant, *lines_of_play(variant)[1])
    piped = cli("show", game.id).stdout
    assert "\x1b" not in piped
    board = piped[: piped.index("legal: ")]
    assert max(len(line) for line in board.splitlines()) <= 80
    shown = terminal("show", game.id)
    assert shown.end() == 0
    assert shown.screen.startswith("\n".join(line.rstrip() for line in board.rstrip().splitlines()))


@pytest.mark.parametrize("variant", VARIANTS)
def test_ascii_is_ascii(cli: Cli, guest: Client, variant: str) -> None:
    game = guest.start_game(variant, seed="hello")
    shown = cli("show", game.id, "--ascii").stdout
    assert shown.isascii()
    assert cli("--ascii", "show", game.id).stdout == shown
    letters = cli("show", game.id).stdout.translate(str.maketrans("♣♦♥♠▒·", "CDHS#-"))
    assert letters == shown


def test_a_terminal_without_unicode_gets_ascii(cli: Cli, guest: Client, terminal: Callable[..., Terminal]) -> None:
    game = guest.start_game("congress", seed="hello")
    shown = terminal("show", game.id, PYTHONIOENCODING="ascii")
    assert shown.end() == 0
    assert "###" in shown.screen
    assert shown.screen.isascii()
    assert cli("show", game.id).returncode == 0


@pytest.mark.parametrize(
    ("options", "settings", "colours"),
    [
        ([], {}, {"♣": "default", "♦": "red", "♥": "red", "♠": "default"}),
        (["--four-colours"], {}, {"♣": "green", "♦": "brightblue", "♥": "red", "♠": "default"}),
        ([], {"NO_COLOR": "1"}, dict.fromkeys("♣♦♥♠", "default")),
        ([], {"TERM": "dumb"}, dict.fromkeys("♣♦♥♠", "default")),
    ],
)
def test_suits_have_colours_on_a_terminal(
    guest: Client,
    terminal: Callable[..., Terminal],
    options: list[str],
    settings: dict[str, str],
    colours: dict[str, str],
) -> None:
    game = guest.start_game("dolgiy", seed="hello")
    shown = terminal("show", game.id, *options, **settings)
    assert shown.end() == 0
    assert {suit: shown.colours(suit) for suit in colours} == {suit: {colour} for suit, colour in colours.items()}
    if settings:
        assert re.search(r"\x1b\[[0-9;]*3[0-9]", shown.raw) is None


def test_the_rules_are_a_page_on_a_terminal(terminal: Callable[..., Terminal], cli: Cli) -> None:
    page = terminal("rules", "forty-thieves", lines=200)
    assert page.end() == 0
    assert "Forty Thieves" in page.screen
    assert not any(line.startswith("#") for line in page.screen.splitlines())
    assert cli("rules", "forty-thieves").stdout.startswith("# ")


def test_lists_fit_a_terminal(terminal: Callable[..., Terminal], guest: Client) -> None:
    ids = [guest.start_game("forty-and-eight").id for _ in range(3)]
    games = terminal("games")
    assert games.end() == 0
    rows = games.screen.splitlines()
    assert rows[0].split()[:3] == ["game", "variant", "status"]
    shown = [row.split()[0] for row in rows[1:]]
    assert len(shown) == 3
    assert all(whole.startswith(short) and len(short) < 36 for whole, short in zip(reversed(ids), shown, strict=True))
    for whole, short in zip(reversed(ids), shown, strict=True):
        one = terminal("show", short)
        assert one.end() == 0
        assert f"game {whole}" in one.screen
    variants = terminal("variants")
    assert variants.end() == 0
    assert len(variants.screen.splitlines()) == 1 + len(VARIANTS)
