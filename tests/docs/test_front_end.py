"""The guide to front ends is true: its code is type-checked and run, and does and prints what it says."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans_client import Client
from pasyans_client.models import Change, Game, Layout, Pile
from playwright.sync_api import Page, Route

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
    assert page.locator("#variant option").count() == len(VARIANTS)

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


def test_what_overtakes_is_shown_and_what_it_overtook_is_passed_over(page_address: str, service: Service) -> None:
    with seated(page_address, service) as (page, client, game):
        streams, moves = held(page, "**/stream"), held(page, "**/moves")
        choose(page, client, game)
        arrived(page, streams, 1)
        client.move(game, ["draw"])
        client.move(game, ["draw"])
        for _ in range(4):
            page.locator('#board g[data-at="s"]').last.click()
        arrived(page, moves, 4)
        answers = [(route, route.fetch()) for route in moves]
        assert [json.loads(answer.body())["version"] for _, answer in answers] == [4, 5, 6, 7]
        for version, shown in [(5, 5), (4, 5), (6, 6), (7, 7)]:
            route, answer = answers[version - 4]
            route.fulfill(response=answer)
            shows(page, client, game, shown, of=7)
        streams[0].continue_()
        client.move(game, ["draw"])
        shows(page, client, game, 8)
        page.click("#undo")
        shows(page, client, game, 9)


def test_an_animation_that_fails_stops_neither_the_game_nor_the_stream(page_address: str, service: Service) -> None:
    with seated(page_address, service) as (page, client, game):
        choose(page, client, game)
        page.evaluate("() => { Element.prototype.animate = () => { throw new Error('nothing flies') } }")
        for version in (2, 3):
            page.locator('#board g[data-at="s"]').last.click()
            page.get_by_text("nothing flies").wait_for()
            shows(page, client, game, version)
        client.move(game, ["draw"])
        shows(page, client, game, 4)
        client.undo(game)
        shows(page, client, game, 5)


@pytest.mark.parametrize(
    "fails",
    [
        "Element.prototype.animate = () => { throw new Error('nothing flies') }",
        "Element.prototype.animate = () => ({ finished: Promise.reject(new Error('nothing flies')) })",
    ],
)
def test_of_several_events_none_is_left_out_where_an_animation_fails(
    page_address: str, service: Service, fails: str
) -> None:
    with seated(page_address, service) as (page, client, game):
        streams = held(page, "**/stream")
        choose(page, client, game)
        arrived(page, streams, 1)
        page.evaluate(f"() => {{ {fails} }}")
        client.move(game, ["draw"])
        client.move(game, ["draw"])
        streams[0].continue_()
        page.get_by_text("nothing flies").wait_for()
        shows(page, client, game, 3)


def test_another_game_may_be_chosen_while_cards_fly(page_address: str, service: Service) -> None:
    with seated(page_address, service) as (page, client, game):
        streams = held(page, "**/stream")
        choose(page, client, game)
        arrived(page, streams, 1)
        page.evaluate("""() => {
            const landed = new Promise((land) => { window.land = land });
            Element.prototype.animate = () => ({ finished: landed });
        }""")
        client.move(game, ["draw"])
        client.move(game, ["draw"])
        streams[0].continue_()
        shows(page, client, game, 2, of=3)

        other = client.start_game("court").id
        choose(page, client, other)
        page.evaluate("window.land()")
        shows(page, client, other, 1)
        assert page.locator("#said").text_content() == ""
        page.locator('#board g[data-at="s"]').last.click()
        shows(page, client, other, 2)
        page.click("#undo")
        shows(page, client, other, 3)


@contextmanager
def seated(page_address: str, service: Service) -> Iterator[tuple[Page, Client, str]]:
    """The page, and its player at another device with a game that the page can choose; nothing goes wrong unsaid."""
    complaints: list[str] = []
    with browser() as chromium:
        page = chromium.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(page_address)
        page.locator("#board g").first.wait_for()
        with Client(service.url, page.evaluate("localStorage.token")) as client:
            yield page, client, client.start_game("forty-thieves").id
    assert complaints == []


def choose(page: Page, client: Client, game: str) -> None:
    """Choose on the page a game that was just started."""
    page.select_option("#variant", client.game(game).variant)
    shows(page, client, game, 1)


def held(page: Page, address: str) -> list[Route]:
    """What the page asks for at an address from now on, which comes when it is let go."""
    routes: list[Route] = []
    page.route(address, lambda route: routes.append(route))
    return routes


def arrived(page: Page, routes: list[Route], count: int) -> None:
    """So many requests have come to where they are held."""
    until(lambda: page.evaluate("true") and len(routes) == count, f"{count} requests")


def single(legal_moves: Iterable[str]) -> list[str]:
    """The moves of one card."""
    return [move for move in legal_moves if move not in COMMON and "*" not in move]


def shows(page: Page, client: Client, game: str, version: int, of: int | None = None) -> None:
    """The game comes to a version (or is `of` a later one), and the page to what lies there at the version."""
    until(lambda: client.game(game).version == (of or version), f"version {of or version}")
    expected = {
        f"{pile.id}/{index} {name(card) if card else index + 1}"
        for pile in client.game(game, at=version).piles
        for index, card in enumerate([*[None] * pile.hidden, *pile.cards])
    }
    card = "all => all.map(({ dataset, textContent }) => `${dataset.at}/${dataset.index} ${textContent}`)"
    until(lambda: set(page.locator("#board g[data-index]").evaluate_all(card)) == expected, f"the page at {version}")


def name(card: str) -> str:
    return card[0].replace("T", "10") + {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[card[1]]
