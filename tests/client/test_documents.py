"""What the documentation shows works."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from pasyans_client import Client

from tests.support.admins import new_admin
from tests.support.postgres import Postgres
from tests.support.service import Service

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"


def run(number: int, service: Service, token: str = "") -> list[str]:
    """Run an example of the README and return the lines that it prints."""
    examples = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(examples) == 3
    example = examples[number].replace("http://127.0.0.1:8000", service.url).replace("pasyans_admin_…", token)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(example, {})  # noqa: S102
    return output.getvalue().splitlines()


def test_the_example_of_the_readme_plays(service: Service) -> None:
    moved, drawn, refused, listed = run(0, service)
    assert moved.startswith("2 moved t8-f1 (Change(card='AC', source='t8', source_index=3, to='f1', ")
    assert drawn.startswith("3 moved draw (")
    assert refused.startswith("wrong-suit KD cannot go on 5C")
    assert listed.endswith(" forty-thieves 1")


def test_the_example_of_the_readme_looks_for_results(
    service: Service, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    admin = new_admin(service.url, postgres)
    with Client(service.url) as anyone, Client(service.url, anyone.create_player().token) as player, admin.http:
        game = player.start_game("court")
        player.move(game.id, game.legal_moves[:1])
        player.resign(game.id)
        admin.judge({"id": game.id}, "void", "test")
        printed = run(1, service, admin.token)
        counted = next(place for place, line in enumerate(printed) if line.isdecimal())
        assert printed[counted + 1].endswith(f" {admin.name} voided {player.me().name} test")
        table = (tmp_path / "results.csv").read_text().splitlines()
        assert table[0].startswith("game,player,")
        assert any(line.startswith(game.id) for line in table)


def test_the_example_of_the_readme_checks_a_deal(service: Service) -> None:
    verdict, *checks = run(2, service)
    assert verdict == "verified"
    assert [check.split()[:2] for check in checks] == [
        ["commitment", "passed"],
        ["noted", "passed"],
        ["opening", "passed"],
        ["events", "passed"],
        ["boards", "passed"],
    ]
    assert checks[2] == "opening passed The 40 cards shown at the start lie as the seed deals them."
