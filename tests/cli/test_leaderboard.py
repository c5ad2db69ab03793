"""Leaderboards on the command line, and how much of a list is shown."""

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from pasyans_cli.exits import Exit
from pasyans_client import Client

from tests.cli.conftest import Cli, elapsed
from tests.cli.terminal import Terminal
from tests.support.service import Service

VARIANT = "congress"


@pytest.fixture
def seed() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def others(service: Service) -> Iterator[list[Client]]:
    """Four players who are not logged in here; the third has the longest name there can be, in Cyrillic."""
    names = [None, None, f"Д{uuid.uuid4().int % 10**22:022}я", None]
    with Client(service.url) as anyone:
        clients = [Client(service.url, anyone.create_player(name).token) for name in names]
    yield clients
    for client in clients:
        client.close()


def lose(client: Client, seed: str, moves: int, *, undo: int = 0) -> str:
    """Draw so many times, take some back, and give up; the fewer moves, the better."""
    game = client.start_game(VARIANT, seed=seed)
    client.move(game.id, ["draw"] * (moves + undo))
    if undo:
        client.undo(game.id, undo)
    client.resign(game.id)
    return game.id


def filled(guest: Client, others: list[Client], seed: str) -> list[str]:
    """A board of five with the guest in the third place; the names in its order."""
    players = [*others[:2], guest, *others[2:]]
    for moves, player in enumerate(players, 1):
        lose(player, seed, moves)
    return [player.me().name for player in players]


def test_rows_are_data_and_the_rest_is_told(cli: Cli, guest: Client, others: list[Client], seed: str) -> None:
    names = filled(guest, others, seed)
    done = cli("leaderboard", VARIANT, "--seed", seed)
    assert (done.returncode, done.stderr) == (0, "This board has 5 players.\n")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[:7] for row in rows] == [[str(n), names[n - 1], "no", "0", "0", str(n), "0"] for n in range(1, 6)]
    game = guest.game(rows[2][-1])
    assert game.finished_at is not None
    assert rows[2][7:] == [elapsed(game), f"{game.finished_at:%Y-%m-%d}", "1", game.id]
    assert cli("logout", "--yes").returncode == 0
    assert cli("leaderboard", VARIANT, "--seed", seed).stdout == done.stdout


def test_json_is_the_answer_page_by_page(
    cli: Cli, service: Service, guest: Client, others: list[Client], seed: str
) -> None:
    filled(guest, others, seed)
    path = f"{service.url}/v1/leaderboards/{VARIANT}"

    def asked(*arguments: str) -> Any:
        done = cli("leaderboard", VARIANT, "--seed", seed, "--json", *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert asked() == httpx.get(path, params={"seed": seed}).text + "\n"
    first = httpx.get(path, params={"seed": seed, "limit": 2})
    assert asked("--limit", "2") == first.text + "\n"
    assert first.json()["next"] is not None
    me = guest.me().name
    around = httpx.get(f"{path}/players/{me}", params={"seed": seed, "around": 1})
    assert asked("--around", "me", "--neighbours", "1") == around.text + "\n"
    assert asked("--around", me.upper(), "--neighbours", "1") == around.text + "\n"


def test_neighbours(cli: Cli, guest: Client, others: list[Client], seed: str) -> None:
    names = filled(guest, others, seed)

    def shown(*arguments: str) -> list[str]:
        done = cli("leaderboard", VARIANT, "--seed", seed, "--around", *arguments)
        assert (done.returncode, done.stderr) == (0, "This board has 5 players.\n")
        return [line.split()[1] for line in done.stdout.splitlines()]

    assert shown("me") == names
    assert shown("me", "--neighbours", "1") == names[1:4]
    assert shown(names[0], "--neighbours", "1") == names[:2]
    assert shown(names[4], "--neighbours", "0") == names[4:]
    assert cli("logout", "--yes").returncode == 0
    nobody = cli("leaderboard", VARIANT, "--around", "me")
    assert (nobody.returncode, nobody.stdout) == (Exit.UNAUTHENTICATED, "")


def test_every_filter(cli: Cli, guest: Client, others: list[Client], seed: str) -> None:
    one, two = guest.me().name, others[0].me().name
    lose(guest, seed, 3)
    better = guest.game(lose(guest, seed, 2))
    lose(others[0], seed, 1, undo=1)

    def shown(*arguments: str) -> list[tuple[str, str]]:
        done = cli("leaderboard", VARIANT, "--seed", seed, *arguments)
        assert done.returncode == 0, done.stderr
        return [(line.split()[1], line.split()[5]) for line in done.stdout.splitlines()]

    assert shown() == shown("--rules", "1") == shown("--attempts", "best", "--undo", "any") == [(two, "1"), (one, "2")]
    assert shown("--attempts", "first") == [(two, "1"), (one, "3")]
    assert shown("--undo", "none") == [(one, "2")]
    assert better.finished_at is not None
    day = f"{better.finished_at:%Y-%m-%d}"
    for window in ("day", "week", "month"):
        assert shown("--window", window, "--at", day) == shown()
    then = cli("leaderboard", VARIANT, "--seed", seed, "--window", "week", "--at", "2024-02-29")
    assert (then.returncode, then.stdout) == (0, "")
    assert then.stderr == "This board has nobody, and resets at 2024-03-04 00:00 UTC.\n"
    assert cli("leaderboard", VARIANT, "--rules", "999").returncode == Exit.NOT_FOUND


def test_the_board_of_a_daily(cli: Cli, guest: Client) -> None:
    game = guest.start_game("court", daily=True)
    guest.move(game.id, game.legal_moves[:1])
    guest.resign(game.id)
    date = game.deal.date
    assert date is not None
    shown = cli("leaderboard", "court", "--daily", date, "--around", "me", "--neighbours", "0")
    assert (shown.returncode, shown.stdout.split()[-1]) == (0, game.id)
    today = cli("leaderboard", "court", "--daily", "--all").stdout
    assert game.id in today or guest.dailies()[0].date != date  # midnight has passed meanwhile
    assert cli("leaderboard", "court", "--daily", "2024-02-29").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["bridge"], Exit.NOT_FOUND, "no variant 'bridge'"),
        (["court", "--around", "nobody-at-all"], Exit.NOT_FOUND, "no player of this name"),
        (["court", "--around", "me"], Exit.NOT_FOUND, "has no row on this leaderboard"),
        (["court", "--seed", "a b"], Exit.INVALID, "SEED should be 1 to 64 of A-Z"),
        (["court", "--seed", "a", "--daily", "2026-11-29"], Exit.INVALID, "--daily cannot be combined with seed"),
        (["court", "--at", "2026-11-29"], Exit.INVALID, "--at says nothing without a window"),
        (["court", "--window", "day", "--at", "2026-02-30"], Exit.INVALID, "--at is no day of the calendar"),
    ],
)
def test_what_cannot_be_shown(cli: Cli, guest: Client, arguments: list[str], code: Exit, complaint: str) -> None:
    assert guest.me().guest
    done = cli("leaderboard", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr


def test_on_a_terminal_ones_own_row_is_marked_and_no_line_is_too_long(
    terminal: Callable[..., Terminal], cli: Cli, guest: Client, others: list[Client], seed: str
) -> None:
    names = filled(guest, others, seed)
    board = terminal("leaderboard", VARIANT, "--seed", seed)
    assert board.end() == 0
    header, *rows, told = board.screen.splitlines()
    assert header.split() == ["rank", "player", "won", "score", "redeals", "moves", "undos", "time"]
    assert [row[0] for row in rows] == [" ", " ", "›", " ", " "]
    assert [row[1:].split()[:2] for row in rows] == [[str(n), names[n - 1]] for n in range(1, 6)]
    assert told == "This board has 5 players."
    ascii_board = terminal("leaderboard", VARIANT, "--seed", seed, "--ascii", NO_COLOR="1")
    assert ascii_board.end() == 0
    assert ascii_board.screen.isascii()
    assert ascii_board.screen.splitlines()[3].startswith(f">   3  {names[2]} ")
    assert "\\u0414" in ascii_board.screen.splitlines()[4]
    assert "\x1b[3" not in ascii_board.raw
    around = terminal("leaderboard", VARIANT, "--seed", seed, "--around", names[4], "--neighbours", "2")
    assert around.end() == 0
    assert [row[0] for row in around.screen.splitlines()[1:4]] == ["›", " ", "›"]
    assert cli("logout", "--yes").returncode == 0
    unmarked = terminal("leaderboard", VARIANT, "--seed", seed)
    assert unmarked.end() == 0
    assert [row.split()[:2] for row in unmarked.screen.splitlines()[1:6]] == [
        [str(n), names[n - 1]] for n in range(1, 6)
    ]
    assert "›" not in unmarked.screen


def test_a_list_that_goes_on_says_so_and_how_to_see_the_rest(
    cli: Cli, guest: Client, others: list[Client], seed: str
) -> None:
    names = filled(guest, others, seed)
    more = "There are more: --all lists all of them, --limit N so many.\n"
    two = cli("leaderboard", VARIANT, "--seed", seed, "--limit", "2")
    assert [line.split()[1] for line in two.stdout.splitlines()] == names[:2]
    assert two.stderr == f"This board has 5 players.\n{more}"
    for enough in (["--limit", "5"], ["--limit", "1000"], ["--all"]):
        assert cli("leaderboard", VARIANT, "--seed", seed, *enough).stderr == "This board has 5 players.\n"
    made = [guest.create_token(f"t{n}").id for n in range(3)]
    tokens = cli("token", "list", "--limit", "3")
    assert [line.split()[0] for line in tokens.stdout.splitlines()][1:] == made[:2]
    assert tokens.stderr == more
    assert len(cli("token", "list", "--limit", "4").stdout.splitlines()) == 4
    assert cli("variants", "--limit", "3").stderr == cli("daily", "--limit", "7").stderr == more
    assert cli("variants").stderr == cli("daily", "--all").stderr == ""


def test_more_than_a_page_of_the_service_holds(cli: Cli, guest: Client) -> None:
    made = [guest.start_game(VARIANT, seed="s").id for _ in range(205)]
    assert [line.split()[0] for line in cli("games", "--limit", "203").stdout.splitlines()] == made[:1:-1]
    assert [line.split()[0] for line in cli("games").stdout.splitlines()] == made[:-21:-1]
    pages = [json.loads(line) for line in cli("games", "--json", "--limit", "203").stdout.splitlines()]
    assert [len(page["items"]) for page in pages] == [200, 3]
    pages = [json.loads(line) for line in cli("games", "--json", "--all").stdout.splitlines()]
    assert [game["id"] for page in pages for game in page["items"]] == made[::-1]
