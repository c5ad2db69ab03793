"""The commands as scripts use them: data on stdout, the rest on stderr, and exit codes."""

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans_cli.exits import Exit
from pasyans_client import Client
from pasyans_client.models import Game

from tests.cli.conftest import Cli
from tests.cli.terminal import PASYANS
from tests.support.service import Service

SEED = "hello"


@pytest.fixture
def game(guest: Client) -> Game:
    """A game of Forty Thieves on a known deal: `t8-f1`, then any number of draws, are its first legal moves."""
    return guest.start_game("forty-thieves", seed=SEED)


def api(service: Service, path: str) -> Any:
    answer = httpx.get(f"{service.url}{path}")
    assert answer.status_code == 200
    return answer.text


def today(service: Service) -> str:
    """The date whose deals are played now."""
    return str(json.loads(api(service, "/v1/daily"))["items"][0]["date"])


def test_variants(cli: Cli, service: Service) -> None:
    done = cli("variants")
    assert done.stderr == ""
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == list(VARIANTS)
    assert {row[0]: (row[1], row[2]) for row in rows}.items() >= {
        "congress": ("104", "0"),
        "court": ("104", "2"),
        "forty-thieves": ("104", "0"),
        "forty-and-eight": ("104", "1"),
        "vokzal-36": ("36", "any"),
        "vokzal-52": ("52", "any"),
        "dolgiy": ("52", "2"),
        "dolgiy-open": ("52", "2"),
    }.items()
    assert cli("variants", "--json").stdout == api(service, "/v1/variants") + "\n"


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_rules_are_the_page_as_it_is(cli: Cli, service: Service, lang: str) -> None:
    page = api(service, f"/v1/variants/dolgiy/rules?lang={lang}")
    done = cli("rules", "dolgiy", "--lang", lang)
    assert done.stdout == page
    assert ("Ряд" in page) == (lang == "ru")
    assert json.loads(cli("rules", "dolgiy", "--lang", lang, "--json").stdout)["markdown"] == page


def test_a_deal(cli: Cli, service: Service) -> None:
    done = cli("deal", "dolgiy", "pos-5", "--ascii")
    assert (
        done.stdout
        == """\
      1    2    3    4    5    6    7    8    9   10   11   12   13   14
 a   AS   --   KC   7H   4S   6C   4D   6H   6S   JD   2H   KD   2S   JS
 b   AC   --  10C   8H   9D   8S   4C   7C   3S  10D   9S   7D   QS   9C
 c   AD   --   KS   3C   3H   KH   5S   6D   8D   8C   2D   2C   5H   QH
 d   AH   --   JC   9H   7S   3D  10S   5C   5D   JH   QC   4H   QD  10H

legal: a11-d2 a13-a2 b13-c2 b14-b2 b3-d2 c11-c2 c12-b2 d11-a2 redeal
"""
    )
    assert cli("deal", "dolgiy", "pos-5", "--json").stdout == api(service, "/v1/variants/dolgiy/deals/pos-5") + "\n"


def test_the_deals_of_a_day(cli: Cli, service: Service) -> None:
    answer = api(service, "/v1/daily")
    items = json.loads(answer)["items"]
    date, tomorrow = items[0]["date"], items[0]["closes_at"][:10]
    done, whole, named = cli("daily"), cli("daily", "--json"), cli("daily", "--date", date)
    if today(service) != date:  # midnight has passed meanwhile
        test_the_deals_of_a_day(cli, service)
        return
    assert done.stderr == ""
    rows = [line.split() for line in done.stdout.splitlines()]
    assert len(rows) == len(VARIANTS)
    for row, item in zip(rows, items, strict=True):
        assert row[0] == item["variant"]
        assert row[1:4] == [item["date"], item["closes_at"][:10], "00:00"]
        assert row[4:] == ["sealed", item["commitment"]]
    assert whole.stdout == answer + "\n"
    assert named.stdout == done.stdout
    assert {line.split()[1] for line in cli("daily", "--date", tomorrow).stdout.splitlines()} == {tomorrow}
    assert cli("daily", "--date", "1999-12-31").returncode == Exit.NOT_FOUND
    assert cli("daily", "--date", "today").stdout == done.stdout
    wrong = cli("daily", "--date", "tomorrow")
    assert wrong.returncode == Exit.INVALID
    assert wrong.stderr == "Error: That cannot be asked:\n  --date should be a date such as 2026-11-29\n"


def test_a_game_of_a_daily(cli: Cli, guest: Client, service: Service) -> None:
    first = cli("play", "congress", "--daily", stdin="d\n")
    assert first.returncode == 0
    (game,) = guest.games(player=guest.me().name)
    assert (game.deal.kind, game.moves) == ("daily", 1)
    assert f"Congress  daily deal of {game.deal.date}  game {game.id}" in first.stdout
    again = cli("play", "congress", "--daily", stdin="d d\n")
    assert again.returncode == 0
    newest, *others = guest.games(player=guest.me().name)
    if newest.deal.date == game.deal.date:  # else midnight has passed meanwhile, and it is another deal
        assert (newest.id, newest.moves, others) == (game.id, 3, [])
    game = newest
    assert cli("show", game.id).returncode == 0
    assert cli("logout", "--yes").returncode == 0
    stranger = cli("show", game.id)
    if today(service) == game.deal.date:  # else it was shown: the day is over
        assert (stranger.returncode, stranger.stdout) == (Exit.FORBIDDEN, "")
        assert "when the day is over" in stranger.stderr


def test_moves_undo_and_redo(cli: Cli, game: Game) -> None:
    moved = cli("move", game.id, "t8-f", "draw", "draw")
    assert (moved.returncode, moved.stderr) == (0, "")
    assert moved.stdout.startswith(f" Forty Thieves  seed hello  game {game.id}\n")
    assert moved.stdout.endswith(" score 1/104   3 moves\n")
    undone = cli("undo", "last", "2")
    assert undone.stdout.endswith(" score 1/104   1 move   2 undone   2 to redo\n")
    redone = cli("redo", "last")
    assert redone.stdout.endswith(" score 1/104   2 moves   2 undone   1 to redo\n")
    shown = cli("show", "last")
    assert " score 1/104   2 moves   2 undone   1 to redo\n\nlegal: draw " in shown.stdout
    assert " score 0/104   0 moves\n" in cli("show", "last", "--at", "1").stdout


def test_json_is_the_answer_of_the_api(cli: Cli, service: Service, game: Game) -> None:
    moved = json.loads(cli("move", game.id, "t8-f", "draw", "--json").stdout)
    assert [event["move"] for event in moved["events"]] == ["t8-f1", "draw"]
    assert moved["version"] == 3
    assert json.loads(cli("--json", "undo", game.id).stdout)["events"][0]["type"] == "undone"
    assert json.loads(cli("redo", game.id, "--json").stdout)["version"] == 5
    assert cli("show", game.id, "--json").stdout == api(service, f"/v1/games/{game.id}") + "\n"
    assert cli("show", game.id, "--json", "--at", "2").stdout == api(service, f"/v1/games/{game.id}?at=2") + "\n"
    listed = cli("games", "--json", "--limit", "1").stdout
    assert listed == api(service, f"/v1/games?player={moved['player']}&limit=1") + "\n"
    record = json.loads(cli("record", game.id, "--json").stdout)["record"]
    assert record == api(service, f"/v1/games/{game.id}/record") == cli("record", game.id).stdout
    resigned = json.loads(cli("resign", game.id, "--json").stdout)
    assert (resigned["status"], resigned["legal_moves"]) == ("lost", [])


def test_a_refused_move_plays_nothing_and_says_why(cli: Cli, guest: Client, game: Game) -> None:
    done = cli("move", game.id, "draw", "t8-f", "t1-t2", "draw")
    assert (done.returncode, done.stdout) == (Exit.REFUSED, "")
    assert done.stderr.startswith("Error: t1-t2: KD cannot go on 5C: t2 takes the same suit only.")
    assert "Move 3 of those sent; none of them was played." in done.stderr
    assert "Legal there: draw " in done.stderr
    assert guest.game(game.id).moves == 0
    nonsense = cli("move", game.id, "sing")
    assert (nonsense.returncode, nonsense.stdout) == (Exit.REFUSED, "")


def test_with_json_a_refusal_is_the_problem_as_it_came(cli: Cli, service: Service, guest: Client, game: Game) -> None:
    done = cli("move", game.id, "draw", "t1-t2", "--json")
    assert (done.returncode, done.stdout) == (Exit.REFUSED, "")
    token = {"Authorization": f"Bearer {cli('whoami', '--token').stdout.strip()}"}
    answer = httpx.post(f"{service.url}/v1/games/{game.id}/moves", json={"moves": ["draw", "t1-t2"]}, headers=token)
    assert done.stderr == answer.text + "\n"
    problem = json.loads(done.stderr)
    assert (problem["code"], problem["reason"], problem["index"]) == ("illegal-move", "wrong-suit", 1)
    missing = cli("rules", "bridge", "--json")
    assert missing.stderr == httpx.get(f"{service.url}/v1/variants/bridge/rules").text + "\n"
    assert guest.game(game.id).moves == 0


def test_a_sealed_game_takes_several_draws_in_one_command(cli: Cli, guest: Client) -> None:
    game = guest.start_game("congress")
    answers = cli("move", game.id, "draw", "draw", "draw", "--json").stdout.splitlines()
    assert [json.loads(answer)["moves"] for answer in answers] == [1, 2, 3]
    refused = cli("move", game.id, "draw", "w-w", "draw")
    assert refused.returncode == Exit.REFUSED
    assert refused.stderr.startswith("1 of 3 moves were played, up to draw.\nError: w-w: ")
    assert guest.game(game.id).moves == 4
    partly = cli("move", game.id, "draw", "draw", "undo-what", "draw", "--json")
    assert [json.loads(answer)["moves"] for answer in partly.stdout.splitlines()] == [5, 6]
    problem = json.loads(partly.stderr)
    assert (problem["move"], problem["index"], problem["played"]) == ("undo-what", 0, 2)
    assert list(problem)[-1] == "played"


def test_moves_that_were_played_are_told_whatever_stops_the_rest(cli: Cli, guest: Client) -> None:
    game = guest.start_game("congress")
    done = cli("move", game.id, "draw", "x" * 100)
    assert done.returncode == Exit.INVALID
    assert done.stderr.startswith(
        "1 of 2 moves were played, up to draw.\nError: That cannot be asked:\n  Move 1 has 100"
    )


def test_a_version_that_has_passed_plays_nothing(cli: Cli, guest: Client, game: Game) -> None:
    assert cli("move", game.id, "draw", "--if-version", "1").returncode == 0
    for write in (["move", game.id, "draw"], ["undo", game.id], ["redo", game.id], ["resign", game.id]):
        done = cli(*write, "--if-version", "1")
        assert done.returncode == Exit.CONFLICT
        assert "version 2" in done.stderr
    assert guest.game(game.id).version == 2
    guest.start_game("congress")
    sealed = guest.start_game("congress").id
    assert cli("move", sealed, "draw", "draw", "--if-version", "1").returncode == 0


def test_what_the_game_does_not_allow_now(cli: Cli, game: Game) -> None:
    nothing = cli("undo", game.id)
    assert (nothing.returncode, nothing.stdout) == (Exit.CONFLICT, "")
    assert "There is nothing to undo." in nothing.stderr
    assert cli("redo", game.id).returncode == Exit.CONFLICT
    assert cli("resign", game.id).stderr.startswith("Abandoned: Forty Thieves, score 0 of 104, 0 moves, ")
    over = cli("move", game.id, "draw")
    assert over.returncode == Exit.CONFLICT
    assert "The game is over" in over.stderr


def test_games_are_named_by_the_beginning_of_an_id(cli: Cli, guest: Client, game: Game) -> None:
    assert cli("show", "last").stdout == cli("show", game.id).stdout
    assert cli("show", game.id.replace("-", "").upper()).stdout == cli("show", game.id).stdout
    assert cli("show", game.id[:5]).stdout == cli("show", game.id).stdout
    later = guest.start_game("congress", seed=SEED)
    assert later.id in cli("show", "last").stdout
    several = cli("show", game.id[:3])
    assert several.returncode == Exit.NOT_FOUND
    assert f"2 games of yours begin with {game.id[:3]}" in several.stderr
    for nothing in ("ffff", "0", "no-game", "01936f0e-0000-7000-8000-000000000000"):
        done = cli("show", nothing)
        assert (done.returncode, done.stdout) == (Exit.NOT_FOUND, "")
        assert done.stderr.startswith("Error: ")


def test_others_may_look_but_not_touch(cli: Cli, service: Service, guest: Client) -> None:
    with Client(service.url) as anyone, Client(service.url, anyone.create_player().token) as other:
        theirs = other.start_game("congress", seed=SEED)
    assert cli("show", theirs.id).returncode == 0
    done = cli("move", theirs.id, "draw")
    assert (done.returncode, done.stdout) == (Exit.FORBIDDEN, "")
    assert cli("logout", "--yes").returncode == 0
    assert cli("show", theirs.id).returncode == 0
    for command in (["show", "last"], ["move", theirs.id, "draw"], ["undo", theirs.id], ["resign", theirs.id]):
        assert cli(*command).returncode == Exit.UNAUTHENTICATED
    assert guest.me().guest


def test_lists_of_games_and_their_filters(cli: Cli, guest: Client) -> None:
    first = guest.start_game("congress", seed=SEED)
    second = guest.start_game("dolgiy", seed="other")
    guest.resign(first.id)
    third = guest.start_game("congress")

    def ids(*arguments: str) -> list[str]:
        return [line.split()[0] for line in cli("games", *arguments).stdout.splitlines()]

    assert ids() == [third.id, second.id, first.id]
    assert ids("--variant", "congress") == [third.id, first.id]
    assert ids("--status", "abandoned") == [first.id]
    assert ids("--seed", "other") == [second.id]
    assert ids("--limit", "2") == [third.id, second.id]
    assert ids("--player", guest.me().name.upper()) == ids("--player", "me") == ids()
    assert third.id in ids("--everyone")
    row = cli("games", "--seed", "other").stdout.split()
    assert row[1:5] == ["dolgiy", "playing", "4", "0"]
    assert row[7:] == ["other", guest.me().name]
    whole = cli("games", "--all", "--json").stdout.splitlines()
    assert [item["id"] for page in whole for item in json.loads(page)["items"]] == ids()
    assert "No games." in cli("games", "--status", "won").stderr
    wrong = cli("games", "--variant", "bridge")
    assert wrong.returncode == Exit.NOT_FOUND
    assert "VARIANT is not a variant: those are congress" in wrong.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["rules", "bridge"], Exit.NOT_FOUND, "no variant 'bridge'"),
        (["rules", "COURT"], Exit.NOT_FOUND, "VARIANT should be one of those that `pasyans variants` lists"),
        (["deal", "bridge", "hello"], Exit.NOT_FOUND, "no variant 'bridge'"),
        (["deal", "congress", "a b"], Exit.INVALID, "SEED should be 1 to 64 of A-Z a-z 0-9 . _ ~ -"),
        (["play", "bridge"], Exit.NOT_FOUND, "no variant 'bridge'"),
        (["play", "congress", "--seed", "no/seed"], Exit.INVALID, "SEED should be 1 to 64 of A-Z a-z 0-9 . _ ~ -"),
        (["games", "--variant", "Court"], Exit.NOT_FOUND, "VARIANT should be one"),
        (["games", "--player", "nobody-at-all"], Exit.NOT_FOUND, "no player of this name"),
        (["stats", "nobody-at-all"], Exit.NOT_FOUND, "no player of this name"),
        (["stats", "x" * 65], Exit.NOT_FOUND, "PLAYER should be the name of a player"),
        (["stats", ""], Exit.NOT_FOUND, "PLAYER should be the name of a player"),
        (["stats", "a/b"], Exit.NOT_FOUND, "PLAYER should be the name of a player"),
        (["leaderboard", "congress", "--around", ".."], Exit.NOT_FOUND, "PLAYER should be the name of a player"),
        (["deal", "congress", ".."], Exit.INVALID, "SEED should be 1 to 64 of A-Z a-z 0-9 . _ ~ -"),
        (["deal", "congress", ""], Exit.INVALID, "SEED should be 1 to 64 of A-Z a-z 0-9 . _ ~ -"),
        (["play", ""], Exit.NOT_FOUND, "VARIANT should be one of those that `pasyans variants` lists"),
    ],
)
def test_what_there_is_not(cli: Cli, guest: Client, arguments: list[str], code: Exit, complaint: str) -> None:
    done = cli(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("Error: ")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert list(guest.games(player=guest.me().name)) == []


def test_the_record_of_a_sealed_deal_has_no_seed_and_cannot_be_replayed(cli: Cli, guest: Client) -> None:
    game = guest.start_game("congress")
    record = cli("record", game.id)
    assert f'[Commitment "{game.deal.commitment}"]' in record.stdout.splitlines()
    assert "[Seed" not in record.stdout
    replayed = cli("replay", "-", stdin=record.stdout)
    assert (replayed.returncode, replayed.stdout) == (Exit.FORBIDDEN, "")
    assert "still sealed" in replayed.stderr


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        (["move", "last", "\udcff"], "MOVES..."),
        (["move", "\udcff", "draw"], "GAME"),
        (["games", "--seed", "a\udcffb"], "--seed"),
        (["login", "\udcff"], "[NAME]"),
        (["name", "\udcff"], "NAME"),
        (["rules", "\udcff"], "VARIANT"),
        (["deal", "court", "\udcff"], "SEED"),
        (["daily", "--date", "\udcff"], "--date"),
        (["token", "new", "\udcff"], "LABEL"),
        (["leaderboard", "court", "--around", "\udcff"], "--around"),
        (["admin", "ban", "\udcff", "--reason", "test"], "PLAYER"),
    ],
)
def test_arguments_that_are_no_text(cli: Cli, arguments: list[str], parameter: str) -> None:
    done = cli(*arguments)
    shown = next(each for each in arguments if "\udcff" in each).replace("\udcff", "\\xff")
    assert (done.returncode, done.stdout) == (Exit.USAGE, "")
    assert done.stderr.splitlines()[-1] == f"Error: Invalid value for '{parameter}': '{shown}' is not UTF-8 text."
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize(("command", "what"), [("replay", "record"), ("verify-deal", "saved game")])
def test_a_stdin_that_is_no_text(env: dict[str, str], command: str, what: str, locale: str) -> None:
    for stdin in (b"\xff", b'[Variant "\xff"]\n'):
        done = subprocess.run(
            [PASYANS, command, "-"],
            env={**env, "LC_ALL": locale},
            input=stdin,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout) == (Exit.INVALID, b"")
        assert done.stderr.decode() == f"Error: stdin is no {what}: it is not UTF-8 text.\n"


def test_a_file_whose_name_is_no_text(cli: Cli, guest: Client, tmp_path: Path) -> None:
    game = guest.start_game("congress", seed=SEED)
    file = tmp_path / "\udcff"
    file.write_text(cli("show", game.id, "--json").stdout, "utf-8")
    assert cli("verify-deal", str(file)).returncode == Exit.OK
    file.write_text(cli("record", game.id).stdout, "utf-8")
    assert cli("replay", str(file)).returncode == Exit.OK


def test_a_service_that_is_not_there(cli: Cli, guest: Client) -> None:
    done = cli("variants", "--server", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (Exit.NETWORK, "")
    assert "http://127.0.0.1:9 cannot be reached; trying again in " in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Error: http://127.0.0.1:9 cannot be reached")
    assert guest.me().guest


def test_another_server_is_not_taken_for_the_service(cli: Cli, service: Service) -> None:
    done = cli("variants", "--server", f"{service.url}/healthz")
    assert done.returncode in (Exit.NOT_FOUND, Exit.SERVICE)
    assert "Traceback" not in done.stderr


def test_a_token_goes_to_its_own_service_only(cli: Cli, guest: Client, service: Service) -> None:
    elsewhere = service.url.replace("127.0.0.1", "localhost")
    assert cli("whoami", "--server", elsewhere).returncode == Exit.UNAUTHENTICATED
    assert cli("--server", f"{service.url}/", "whoami").stdout.strip() == guest.me().name


def test_a_closed_pipe_is_no_failure(env: dict[str, str]) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {PASYANS} rules congress | head -c 10"],
        env=env,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout) == 10
