"""The guide to front ends as a reader has it: in a project that is compiled, in a folder, on a page."""

import functools
import json
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from pasyans_client import Client

from tests.docs.guide import files
from tests.support.games import random_moves
from tests.support.service import Service
from tests.support.typescript import Project, new_project

LAWS = Path(__file__).parent / "laws.ts"

Step = dict[str, Any]


@pytest.fixture(scope="session")
def typescript(tmp_path_factory: pytest.TempPathFactory, service: Service) -> Project:
    """The TypeScript of the guide, compiled as it says, with what holds it to laws."""
    project = new_project(tmp_path_factory.mktemp("typescript"))
    [options] = files("json").values()
    (project.folder / "tsconfig.json").write_text(options)
    sources = {name.removesuffix(".ts"): text for name, text in files("ts", service.url).items()}
    project.compile(**sources, laws=LAWS)
    return project


@pytest.fixture(scope="session")
def python(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of the guide, in a folder."""
    folder = tmp_path_factory.mktemp("python")
    for name, text in files("python", service.url).items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="session")
def steps(service: Service) -> list[Step]:
    """Each event of a game of every variant: the game before it, its changes, the piles that come `next`."""
    found: list[Step] = []
    with Client(service.url) as anyone, Client(service.url, anyone.create_player().token) as client:
        for variant in client.variants():
            game = client.start_game(variant.id, seed="patience").id
            client.move(game, [move for move, _ in islice(random_moves(variant.id, "patience"), 60)])
            client.undo(game, 30)
            client.redo(game, 20)
            client.variant(variant.id)
            assert client.last_answer is not None
            layout = json.loads(client.last_answer.body)["layout"]
            for before, after in pairwise(map(json.loads, client.replay_lines(game))):
                event = {"move": None, **after["event"]}
                found.append({**before["game"], **event, "layout": layout, "next": after["game"]["piles"]})
    return found


@pytest.fixture(scope="session")
def told(typescript: Project, steps: list[Step]) -> list[Step]:
    """What the TypeScript makes of each step."""
    done = typescript.run("laws", stdin=json.dumps(steps))
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(steps) > 8 * 50
    return found


@pytest.fixture(scope="session")
def page_address(typescript: Project) -> Iterator[str]:
    """Where the page of the guide is served from."""
    for name, text in files("html").items():
        (typescript.folder / name).write_text(text, "utf-8")
    handler = functools.partial(Silent, directory=str(typescript.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name that is overridden)
        pass
