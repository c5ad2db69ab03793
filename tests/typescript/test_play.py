"""The examples do at the real service what they show; the long one over a line that breaks every so often."""

import re

from pasyans_client import Client

from tests.cli.proxy import line_to
from tests.support.service import Service
from tests.support.typescript import Project

MOVES = 61


def test_the_example_plays_a_game_to_its_win_and_watches_it_whole(project: Project, service: Service) -> None:
    with line_to(service.url) as line:
        line.holds = 20_000
        done = project.run("play", line.url)
        assert done.returncode == 0, done.stderr
        assert line.broken >= 4
    printed = done.stdout
    # Nothing was lost and nothing done twice, though answers broke off and requests were repeated.
    assert "attempt 1 failed" in done.stderr
    assert f"won in {MOVES} moves\n" in printed
    assert printed.endswith(f"events that were watched: {' '.join(map(str, range(1, MOVES + 3)))}\n")
    found = re.match(r"guest-\w+ plays Vokzal \(36 cards\), game (\S+)\n", printed)
    assert found is not None
    with Client(service.url) as anyone:
        game = anyone.game(found[1])
        assert (game.status, game.version, game.moves, game.undos) == ("won", MOVES + 2, MOVES, 0)
        assert [event.move for event in anyone.events(game.id)][1:3] == ["t4-f1", "r-t4"]
    # The opening, as this player sees it; and the end.
    assert "Stock:\n  s" + " ##" * 23 + "\nWaste:\n  w\nReserve:\n  r" + " ##" * 8 + " KH\n" in printed
    assert "  t1 8D\n  t2 QH\n  t3 JH\n  t4 AH\n" in printed
    assert "  f1 AH 6H 7H 8H 9H TH JH QH KH\n" in printed
    assert re.findall(r"refused: (.*)", printed) == [
        "t1-f1 is illegal-move, needs-ace; legal are draw t4-f1 t4-f2 t4-f3 t4-f4",
        "nothing-to-undo, 0 can be undone",
        "stale-version, the game is at 1",
        "not-found, The game has no version 9: it has 1 to 1.",
    ]


def test_the_example_of_the_readme_plays(project: Project) -> None:
    done = project.run("readme")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^\d.*(?= \[$)", done.stdout, re.MULTILINE) == ["2 moved", "3 moved"]
    assert "wrong-suit KD cannot go on 5C: t2 takes the same suit only. [\n" in done.stdout
    assert done.stdout.endswith("\n3 lost\n")
