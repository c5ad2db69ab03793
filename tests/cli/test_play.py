"""Playing in a terminal, as a person does."""

import re
import subprocess
from collections.abc import Callable

from pasyans_cli.exits import Exit
from pasyans_client import Client
from pasyans_client.models import Game

from tests.cli.conftest import Cli
from tests.cli.proxy import Line
from tests.cli.terminal import PASYANS, Terminal
from tests.support.vectors import wins

Spawn = Callable[..., Terminal]


def only_game(client: Client) -> Game:
    (game,) = client.games(player=client.me().name)
    return client.game(game.id)


def test_a_newcomer_becomes_a_guest_chooses_a_game_and_plays(terminal: Spawn) -> None:
    table = terminal("play")
    table.see("Nobody is logged in", "Play as a guest? [y/N]")
    table.type("y")
    table.see("congress", "vokzal-36", "Which one?")
    table.type("vokzal-36")
    screen = table.see("A new game.", "Type a move, ? for the legal ones")
    assert re.match(r" Vokzal .*  sealed deal  game [0-9a-f-]{36}\n\n   s      w      r     f1", screen)
    table.type("d")
    table.see("score 0/36   1 move ")
    table.type("q")
    table.see("The game is kept. Go on with:\npasyans play --game ")
    assert table.end() == 0


def test_no_answer_to_a_first_question_gives_up(terminal: Spawn, cli: Cli) -> None:
    for key in ("\x03", "\x04"):
        table = terminal("play")
        table.see("Play as a guest? [y/N]")
        table.press(key)
        assert table.end() == Exit.INTERRUPTED
        assert table.screen.endswith("Interrupted.")
    assert cli("login", "--guest").returncode == 0
    for key in ("\x03", "\x04"):
        table = terminal("play")
        table.see("Which one?")
        table.press(key)
        assert table.end() == Exit.INTERRUPTED
        assert table.screen.endswith("Interrupted.")
    table = terminal("play")
    table.see("Which one?")
    table.type("chess")
    assert table.end() == Exit.NOT_FOUND


def test_what_cannot_be_read_is_no_move(terminal: Spawn, guest: Client, env: dict[str, str]) -> None:
    table = terminal("play", "congress", "--seed", "hello", PYTHONIOENCODING="ascii")
    table.see("A new game.")
    table.type("ё")
    table.see_prompt(" is neither a move nor a command")
    table.type("d")
    table.see_prompt("1 move")
    done = subprocess.run([PASYANS, "play"], env=env, input=b"d\n\xff\xfe\nd\n", capture_output=True, check=False)
    assert done.returncode == Exit.USAGE
    assert only_game(guest).moves == 2


def test_a_game_is_played_to_its_win(terminal: Spawn, guest: Client, cli: Cli) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    table = terminal("play", win.variant, "--seed", win.seed)
    table.see("A new game.")
    for start in range(0, len(win.moves), 6):
        line = win.moves[start : start + 6]
        table.type(" ".join(line))
        played = start + len(line)
        table.see_that(lambda screen, n=played: f" {n} moves" in screen or "WON" in screen)  # type: ignore[misc]
    screen = table.see("WON", "Its record: pasyans record ")
    assert f"score 36/36   {len(win.moves)} moves" in screen
    assert re.search(rf"Won: Vokzal.*, score 36 of 36, {len(win.moves)} moves", screen)
    assert screen.count("K♣") + screen.count("K♦") + screen.count("K♥") + screen.count("K♠") == 4
    assert table.end() == 0
    game = only_game(guest)
    assert (game.status, game.score, game.moves) == ("won", 36, len(win.moves))
    record = cli("record", "last").stdout
    assert '[Result "won"]' in record
    assert re.sub(r"\s+", " ", record.split("\n\n")[1]).strip() == " ".join(win.moves)


def test_a_game_of_rows_is_played_to_its_win_without_dashes(terminal: Spawn, guest: Client) -> None:
    win = next(win for win in wins() if win.variant == "dolgiy")
    table = terminal("play", "dolgiy", "--seed", win.seed)
    table.see("A new game.")
    table.type(" ".join(move.replace("-", "") for move in win.moves))
    table.see("WON", "score 52/52")
    assert table.end() == 0
    assert only_game(guest).status == "won"


def test_undo_and_redo_and_what_changed(terminal: Spawn, guest: Client) -> None:
    table = terminal("play", "forty-thieves", "--seed", "hello")
    opening = table.see_prompt("A new game.")
    table.type("t8-f d")
    screen = table.see_prompt("score 1/104   2 moves")
    assert screen.splitlines()[3].startswith(" ▒▒▒    ›A♦    ›A♣     ··")
    table.type("u 2")
    undone = table.see_prompt("score 0/104   0 moves   2 undone   2 to redo")
    assert undone.splitlines()[9].startswith("  K♦     5♣     J♦     K♦     J♣     8♥     8♠    ›A♣")
    unmarked = undone.replace("›", " ").splitlines()
    assert [line.rstrip() for line in unmarked[:10]] == opening.splitlines()[:10]
    table.type("r")
    table.see("score 1/104   1 move   2 undone   1 to redo")
    table.type("r")
    table.see("score 1/104   2 moves   2 undone")
    table.type("u 9")
    table.see("There are only 2 moves to undo.")
    table.type("redo")
    table.see("There is nothing to redo.")
    assert only_game(guest).version == 6


def test_leaving_and_going_on(terminal: Spawn, guest: Client) -> None:
    table = terminal("play", "congress")
    table.see("A new game.")
    table.type("d d d")
    table.see_prompt("3 moves")
    table.press("\x04")
    table.see("The game is kept.")
    assert table.end() == 0
    for arguments in (["play"], ["play", "congress"], ["play", "--game", "last"]):
        again = terminal(*arguments)
        screen = again.see_prompt("Goes on; started ", "3 moves")
        assert only_game(guest).id in screen
        again.press("\x03")
        again.see("The game is kept.")
        assert again.end() == 0
    new = terminal("play", "congress", "--new")
    new.see("A new game.", " 0 moves")
    assert len(list(guest.games(player=guest.me().name))) == 2


def test_a_refused_move_says_why_and_the_game_goes_on(terminal: Spawn, guest: Client) -> None:
    table = terminal("play", "forty-thieves", "--seed", "hello")
    table.see("A new game.")
    table.type("t1-t2")
    table.see_prompt("t1-t2: K♦ cannot go on 5♣: t2 takes the same suit only.")
    table.type("d d 3-9 d")
    table.see_prompt("2 moves", "t3-t9: J♦ cannot go on 9♥: t9 takes the same suit only.")
    table.type("u -1")
    table.see_prompt("2 moves", "'u' takes a number from 1 to 100000.")
    table.type("dance")
    table.see("'dance' is neither a move nor a command; type help.")
    table.type("x9-y")
    table.see("x9-y: This game has no ")
    table.type("1-----2")
    table.see("'1-----2' is not a move: type ? for the legal ones.")
    table.type("u t8-f 1-f")
    table.see_prompt("2 moves", "t1-f: No foundation takes K♦ yet.")
    table.type("t2f*2")
    table.see_prompt("t2-f*2: Only one card moves at a time to a foundation.")
    table.type("t2f")
    table.see_prompt("t2-f: 5♣ cannot go on A♣ at f1")
    assert only_game(guest).moves == 2


def test_looking_around(terminal: Spawn, guest: Client) -> None:
    table = terminal("play", "forty-thieves", "--seed", "hello")
    table.see("A new game.")
    table.type("?")
    table.see("> ?\ndraw  t6-t10  t6-t9  t8-f\n>")
    table.type("? t8")
    table.see("> ? t8\nt8:  10♦  J♥  2♠  A♣\nt8-f\n>")
    table.type("help")
    table.see("Take back  u   u 3", "Several on a line are done in order")
    table.type("rules")
    table.see("Forty Thieves")
    table.type("finish")
    table.see("There is no such way yet")
    table.press("t8\t")
    table.see("> t8-f")
    table.press("\x15b\r")
    assert table.see_prompt("score 0/104   0 moves").startswith(" Forty Thieves  seed hello")
    assert only_game(guest).version == 1


def test_a_narrow_terminal_is_told_once_how_wide_the_board_is(terminal: Spawn, guest: Client) -> None:
    table = terminal("play", "dolgiy", "--seed", "hello", columns=72)
    assert "The board needs" not in table.see_prompt("A new game.")
    narrow = terminal("play", "--game", only_game(guest).id, columns=71)
    narrow.see("The board needs 72 columns, and this terminal has 71:")


def test_a_whole_column_goes_without_a_count(terminal: Spawn, guest: Client) -> None:
    win = next(w for w in wins() if w.variant == "vokzal-36" and any("*" in move for move in w.moves))
    at = next(index for index, move in enumerate(win.moves) if "*" in move)
    game = guest.start_game(win.variant, seed=win.seed)
    guest.move(game.id, win.moves[:at])
    table = terminal("play")
    table.see("Goes on")
    table.type(win.moves[at].split("*")[0])
    table.see(f"{at + 1} moves")
    last = list(guest.events(game.id))[-1]
    assert last.move == win.moves[at]


def test_finishing(terminal: Spawn, guest: Client) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    game = guest.start_game(win.variant, seed=win.seed)
    for move in win.moves:
        game = guest.move(game.id, [move])
        if game.finish:
            break
    assert game.running
    assert game.finish
    table = terminal("play", "--game", "last")
    table.see("Goes on", "The game can be won from here: type finish.\nType a move, ")
    table.type("?")
    table.type("finish")
    table.see("WON", "score 36/36")
    assert table.end() == 0


def test_resigning_is_asked_about(terminal: Spawn, guest: Client) -> None:
    table = terminal("play", "congress")
    table.see("A new game.")
    table.type("resign")
    table.see("Resign this game? [y/N]")
    table.type("")
    table.type("d")
    table.see("1 move")
    table.type("resign")
    table.see("Resign this game? [y/N]")
    table.press("\x04")
    table.type("d")
    table.see("2 moves")
    table.type("resign")
    table.see("Resign this game? [y/N]")
    table.type("y")
    screen = table.see("LOST", "Lost: Congress", "The seed of the deal was ")
    assert only_game(guest).deal.seed is not None
    assert str(only_game(guest).deal.seed) in screen
    assert table.end() == 0


def test_a_game_that_went_on_elsewhere_is_shown_before_anything_is_played_on_it(terminal: Spawn, guest: Client) -> None:
    table = terminal("play", "forty-thieves", "--seed", "hello")
    table.see("A new game.")
    guest.move(only_game(guest).id, ["t8-f1"])
    table.type("d")
    table.see_prompt("score 1/104   1 move", "The game went on elsewhere")
    table.type("d")
    table.see("2 moves")
    guest.resign(only_game(guest).id)
    table.type("d")
    table.see("LOST", "The game went on elsewhere", "Lost: Forty Thieves")
    assert table.end() == 0


def test_when_the_service_is_away_nothing_is_lost(terminal: Spawn, guest: Client, line: Line, cli: Cli) -> None:
    token = cli("whoami", "--token").stdout
    assert cli("login", "--server", line.url, "--token-stdin", stdin=token).returncode == 0
    table = terminal("play", "congress", "--server", line.url)
    table.see("A new game.")
    table.type("d")
    table.see("1 move")
    line.cut()
    table.type("d d")
    table.see("cannot be reached; trying again in ")
    screen = table.see("Nothing is lost. Press Enter to send `draw` again, or type q", "(not sent) >")
    assert "Traceback" not in screen
    assert only_game(guest).moves == 1
    line.mend()
    table.type("")
    table.see_prompt(" 2 moves")
    assert only_game(guest).moves == 2
    line.cut()
    table.type("d")
    table.see("(not sent) >")
    table.type("q")
    table.see("The game is kept.")
    assert table.end() == 0


def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_is_played_twice(
    terminal: Spawn, guest: Client, line: Line, cli: Cli
) -> None:
    token = cli("whoami", "--token").stdout
    assert cli("login", "--server", line.url, "--token-stdin", stdin=token).returncode == 0
    table = terminal("play", "congress", "--server", line.url)
    table.see("A new game.")
    line.loses_answers = True
    table.type("d")
    table.see("(not sent) >")
    assert only_game(guest).moves == 1
    line.loses_answers = False
    table.type("")
    screen = table.see_prompt(" 1 move")
    assert "elsewhere" not in screen
    assert only_game(guest).moves == 1


def test_while_a_move_has_no_answer_only_enter_sends_it(terminal: Spawn, guest: Client, line: Line, cli: Cli) -> None:
    token = cli("whoami", "--token").stdout
    assert cli("login", "--server", line.url, "--token-stdin", stdin=token).returncode == 0
    table = terminal("play", "forty-thieves", "--seed", "hello", "--server", line.url, lines=100)
    table.see("A new game.")
    line.cut()
    for number, typed in enumerate(["d", "rules", "t8-f", "d", "u", "finish", "resign", "dance", "d q"], 1):
        table.type(typed)
        table.see_that(lambda screen, n=number: screen.count("(not sent) >") == n)  # type: ignore[misc]
    assert table.screen.count("Not done: `draw` has no answer yet.") == 7
    line.mend()
    table.type("? t8")
    table.see("t8:  10♦  J♥  2♠  A♣\nt8-f\n(not sent) >")
    assert only_game(guest).version == 1
    table.type("")
    table.see_prompt("score 0/104   1 move")
    table.type("t8-f")
    table.see_prompt("score 1/104   2 moves")
    assert [event.move for event in guest.events(only_game(guest).id)] == [None, "draw", "t8-f1"]


def test_moves_from_a_pipe(cli: Cli, guest: Client) -> None:
    done = cli("play", "forty-thieves", "--seed", "hello", stdin="t8-f\nd d\n")
    assert done.returncode == 0
    assert done.stdout.count("Forty Thieves  seed hello") == 3
    assert done.stdout.endswith("score 1/104   3 moves\n")
    assert done.stderr == f"The game is kept. Go on with:\npasyans play --game {only_game(guest).id}\n"
    assert "\x1b" not in done.stdout
    refused = cli("play", stdin="d\nt1-t2\nd\n")
    assert refused.returncode == Exit.REFUSED
    assert "t1-t2: KD cannot go on 5C" in refused.stderr
    assert only_game(guest).moves == 4
    answers = cli("play", "--json", stdin="d u\n").stdout.splitlines()
    assert [answer.split('"version":')[1].split(",")[0] for answer in answers] == ["5", "6", "7"]
    rules = cli("play", "--json", stdin="rules\n").stdout.splitlines()
    assert rules[1:] == cli("rules", "forty-thieves", "--json").stdout.splitlines()
    assert cli("play", stdin="sing\n").returncode == Exit.USAGE
    assert cli("play", stdin=f"u {'9' * 5000}\n").returncode == Exit.USAGE
    assert cli("play", "congress", "--new", stdin="resign\n").stderr.startswith("Abandoned: Congress")


def test_whatever_is_refused_in_a_pipe_stops_it(cli: Cli, guest: Client) -> None:
    done = cli("play", "court", "--seed", "hello", stdin="finish\nd\n")
    assert done.returncode == Exit.CONFLICT
    assert done.stderr.startswith("Error: There is no such way yet")
    game = only_game(guest)
    assert game.moves == 0
    assert cli("play", "dolgiy", "--seed", "hello", stdin="finish\n").stderr == (
        "Error: There is nothing to finish by itself: this game has no foundations.\n"
    )
    over = cli("play", "--game", game.id, stdin="d resign\n?\nd\n")
    assert over.returncode == Exit.CONFLICT
    assert over.stderr == "no legal move\nError: The game is over: start another one.\n"
    for typed in ("d", "u", "resign", "finish"):
        done = cli("play", "--game", game.id, stdin=f"{typed}\n")
        assert done.returncode == Exit.CONFLICT
        assert done.stderr.startswith("Error: The game is over")
    assert cli("play", "--game", game.id, stdin="b\nq\nd\n").returncode == 0
    assert guest.game(game.id).version == 3


def test_what_follows_the_winning_move_is_refused_and_the_win_stands(cli: Cli, terminal: Spawn, guest: Client) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    line = " ".join([*win.moves, "d", "d"])
    done = cli("play", win.variant, "--seed", win.seed, stdin=line)
    assert done.returncode == Exit.CONFLICT
    assert done.stderr == "Error: The game is over: start another one.\n"
    assert (only_game(guest).status, only_game(guest).moves) == ("won", len(win.moves))
    again = guest.start_game(win.variant, seed=win.seed)
    guest.move(again.id, win.moves[:-1])
    table = terminal("play")
    table.see_prompt("Goes on")
    table.type(f"{win.moves[-1]} d")
    table.see("WON", "The game is over: start another one.\nWon: ")
    assert "elsewhere" not in table.screen
    assert table.end() == 0


def test_without_a_terminal_a_variant_must_be_named(cli: Cli, guest: Client) -> None:
    done = cli("play")
    assert done.returncode == Exit.USAGE
    assert "Error: Say which VARIANT to play (see `pasyans variants`)." in done.stderr
    assert list(guest.games(player=guest.me().name)) == []
    guest.start_game("congress", seed="hello")
    for options in (["--seed", "other"], ["--daily"], ["--new"]):
        done = cli("play", *options)
        assert done.returncode == Exit.USAGE
        assert "Error: Say which VARIANT to play (see `pasyans variants`)." in done.stderr
    assert len(list(guest.games(player=guest.me().name))) == 1
