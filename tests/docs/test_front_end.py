"""The guide to front ends is true: its code is type-checked and run, and does and prints what it says."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pasyans_client import Client
from pasyans_client.models import Change, Game, Layout, Pile
from playwright.sync_api import Page

from tests.docs.conftest import Step
from tests.docs.guide import GUIDE, PICTURE, ROOT, drawn, files, imported, output, so_far
from tests.support.browser import browser
from tests.support.service import Service
from tests.support.typescript import Project, new_project
from tests.support.waiting import until

COMMON = ["draw", "redeal"]


def test_every_block_is_tried() -> None:
    languages = re.findall(r"^```(\w+)$", GUIDE, re.MULTILINE)
    assert set(languages) == {"ts", "python", "text", "sh", "json", "html"}
    assert GUIDE.count("```") == 2 * len(languages)
    assert set(files("ts")) == {"main.ts", "table.ts", "page.ts"}
    assert set(files("python")) == {"main.py", "table.py"}
    assert (set(files("json")), set(files("html"))) == ({"tsconfig.json"}, {"index.html"})


def test_the_typescript_prints_what_the_guide_says(typescript: Project) -> None:
    done = typescript.run("main")
    assert done.returncode == 0, done.stderr
    assert output().fullmatch(done.stdout), done.stdout


def test_the_python_prints_what_the_guide_says(python: Path) -> None:
    command = [sys.executable, "main.py"]
    done = subprocess.run(command, cwd=python, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert output().fullmatch(done.stdout), done.stdout


def test_the_python_is_typed(python: Path) -> None:
    options = ["--strict", "--config-file=", f"--cache-dir={ROOT / '.mypy_cache' / 'docs'}"]
    command = [sys.executable, "-m", "mypy", *options, "main.py", "table.py"]
    done = subprocess.run(command, cwd=python, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout


def test_the_python_is_whole_after_each_step(tmp_path: Path) -> None:
    for number, text in so_far().items():
        (tmp_path / number).mkdir()
        for name, source in files("python", guide=text).items():
            (tmp_path / number / name).write_text(source, "utf-8")
    assert len(list(tmp_path.glob("*/main.py"))) == len(list(tmp_path.iterdir())) == 15
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select=F", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.full
def test_the_typescript_is_whole_after_each_step(tmp_path: Path) -> None:
    steps = {
        f"{number}/{name.removesuffix('.ts')}": source
        for number, text in so_far().items()
        for name, source in files("ts", guide=text).items()
    }
    assert len(steps) == 15 + 13 + 1
    new_project(tmp_path).compile(**steps)


def test_the_picture_is_drawn_by_the_guide(python: Path) -> None:
    with imported(python / "table.py") as table:
        assert drawn(table) == PICTURE.read_text("utf-8"), "python -m tests.docs draws it anew"


# --- what its functions do, in every game ---


def heaps(piles: list[dict[str, Any]]) -> dict[str, list[str | None]]:
    """A board as the guide keeps it, each cell of a row a place of its own."""
    made: dict[str, list[str | None]] = {}
    for pile in piles:
        for column, card in enumerate(pile["cards"], 1):
            if pile["kind"] == "row":
                made[f"{pile['id']}{column}"] = [card] if card != "--" else []
        if pile["kind"] != "row":
            made[pile["id"]] = [*[None] * pile["hidden"], *pile["cards"]]
    return made


def test_changes_make_of_each_board_the_next_one(steps: list[Step], told: list[Step]) -> None:
    for step, each in zip(steps, told, strict=True):
        assert each["table"] == heaps(step["piles"])
        assert each["after"] == heaps(step["next"])


def test_what_is_predicted_is_what_comes(steps: list[Step], told: list[Step]) -> None:
    right = {step["variant"]: 0 for step in steps}
    for step, each in zip(steps, told, strict=True):
        if each["predicted"] is not None:
            assert each["predicted"] == each["after"], step["move"]
            right[step["variant"]] += 1
        elif step["move"] is not None:
            assert step["move"] in COMMON or step["move"].startswith("r-")
    assert min(right.values()) >= 5, right


def test_drops_are_the_legal_moves(steps: list[Step], told: list[Step]) -> None:
    for step, each in zip(steps, told, strict=True):
        dropped = [move for counts in each["drops"] for by_target in counts for move in by_target.values()]
        assert sorted(dropped) == [move for move in step["legal_moves"] if move not in COMMON]


def test_a_picture_has_each_card_once_inside_it_and_over_no_other_place(told: list[Step]) -> None:
    for each in told:
        width, height, places, cards = (each["picture"][part] for part in ("width", "height", "places", "cards"))
        lie = [(at, index, face) for at, heap in each["table"].items() for index, face in enumerate(heap)]
        assert sorted([(card["at"], card["index"], card["face"]) for card in cards], key=str) == sorted(lie, key=str)
        assert sorted(place["at"] for place in places) == sorted(each["table"])
        for spot in [*places, *cards]:
            assert 0 <= spot["x"] <= width - 1
            assert 0 <= spot["y"] <= height - 1
        for card in cards:
            for place in places:
                apart = max(abs(card["x"] - place["x"]), abs(card["y"] - place["y"]))
                assert apart >= 1 or card["at"] == place["at"], (card, place)


def test_a_glide_goes_from_where_a_card_lay_to_where_it_lies(steps: list[Step], told: list[Step]) -> None:
    for step, each in zip(steps, told, strict=True):
        for glide, change in zip(each["glides"], step["changes"], strict=True):
            assert glide["from"] in each["picture"]["cards"]
            assert each["after"][glide["to"]["at"]][glide["to"]["index"]] == glide["to"]["face"]
            assert change["card"] in (glide["from"]["face"], glide["to"]["face"])


def test_the_python_makes_of_it_what_the_typescript_does(python: Path, steps: list[Step], told: list[Step]) -> None:
    with imported(python / "table.py") as module:
        for step, each in zip(steps, told, strict=True):
            layout = msgspec.convert(step["layout"], Layout)
            changes = msgspec.convert(step["changes"], list[Change])
            table = module.lay(msgspec.convert(step["piles"], list[Pile]))
            predicted = None if step["move"] is None else module.predict(table, step["move"])
            glides = msgspec.to_builtins(module.glides(layout, table, changes))
            assert {
                "table": table,
                "after": module.apply(table, changes),
                "picture": msgspec.to_builtins(module.picture(layout, table)),
                "svg": module.svg(module.picture(layout, table)),
                "glides": [{"from": glide["source"], "to": glide["to"]} for glide in glides],
                "predicted": predicted and module.apply(table, predicted),
                "drops": [
                    [module.drops(step["legal_moves"], at, len(heap) - index) for index in range(len(heap))]
                    for at, heap in table.items()
                ],
            } == each


def test_cards_fanned_to_the_right_lie_inside_the_picture(python: Path) -> None:
    zone = {"kind": "waste", "name": {"en": "", "ru": ""}, "fan": "right", "row": 0, "rows": 1, "columns": 1}
    zones = [{**zone, "id": "w", "piles": ["w"], "column": 1}]
    layout = msgspec.convert({"rows": 1, "columns": 2, "zones": zones}, Layout)
    with imported(python / "table.py") as module:
        picture = module.picture(layout, {"w": ["AC", "2C", "3C"]})
    assert [(card.x, card.y) for card in picture.cards] == [(1, 0), (1.25, 0), (1.5, 0)]
    assert (picture.width, picture.height) == (2.5, 1)


# --- the page ---


def test_the_page_is_played_on(page_address: str, service: Service) -> None:
    with browser() as chromium:
        play_on(chromium.new_page(), page_address, service)


def play_on(page: Page, page_address: str, service: Service) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.goto(page_address)
    newest, version = begin(page, service)
    with Client(service.url, page.evaluate("localStorage.token")) as client:
        # What is done on another device shows here.
        while not (moves := single(client.game(newest.id).legal_moves)):
            if version < 40:
                client.move(newest.id, [client.game(newest.id).legal_moves[0]])
                version += 1
            else:  # some deals have no such move in a whole pass, nor then in any other
                client.resign(newest.id)
                page.reload()
                newest, version = begin(page, service)
        shows(page, client, newest.id, version)

        source, target = moves[0].split("-")
        page.locator(f'#board g[data-at="{source}"]').last.click()
        assert page.locator("#board .chosen").get_attribute("data-at") == source
        places = page.locator("#board .open").evaluate_all("all => all.map((each) => each.dataset.at)")
        assert set(places) == {move.partition("-")[2] for move in moves if move.startswith(f"{source}-")}
        page.locator(f'#board g[data-at="{target}"]').last.click()
        shows(page, client, newest.id, version + 1)

        page.reload()
        page.select_option("#variant", "vokzal-36")
        page.locator('#board g[data-at="r"]').first.wait_for()
        shows(page, client, newest.id, version + 1)

        client.resign(newest.id)
        page.locator("#undo[disabled]").wait_for()
        page.locator('#board g[data-at="s"]').last.click()
        page.get_by_text("The game is over").wait_for()
    assert [line for line in complaints if "409" not in line] == []


def begin(page: Page, service: Service) -> tuple[Game, int]:
    """Begin a game, take back its first draw; the game, and its version then."""
    page.select_option("#variant", "vokzal-36")
    page.locator('#board g[data-at="r"][data-index="8"]').wait_for()
    assert page.locator("#variant option").count() == 8

    with Client(service.url, page.evaluate("localStorage.token")) as client:
        newest = client.game(next(client.games(player=client.me().name)).id)
        assert newest.variant == "vokzal-36"
        shows(page, client, newest.id, 1)

        page.locator('#board g[data-at="s"]').last.click()
        shows(page, client, newest.id, 2)
        page.click("#undo")
        shows(page, client, newest.id, 3)
        assert page.locator('#board g[data-at="w"][data-index]').count() == 0
    return newest, 3


def single(legal_moves: Iterable[str]) -> list[str]:
    """The moves of one card."""
    return [move for move in legal_moves if move not in COMMON and "*" not in move]


def shows(page: Page, client: Client, game: str, version: int) -> None:
    """The game comes to a version, and the page to what lies there then."""
    until(lambda: client.game(game).version == version, f"version {version}")
    piles = client.game(game).piles
    expected = {f"{pile.id}/{n}" for pile in piles for n in range(pile.hidden + len(pile.cards))}
    place = "all => all.map(({ dataset }) => `${dataset.at}/${dataset.index}`)"
    until(lambda: set(page.locator("#board g[data-index]").evaluate_all(place)) == expected, f"the page at {version}")
