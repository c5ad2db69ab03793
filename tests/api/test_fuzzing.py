"""Every operation under requests made up from the document, valid and not: schemathesis, with all its checks."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from pasyans.api import openapi
from pasyans.api.v1.routes import HANDLERS

from tests.support import fuzzing, vectors
from tests.support.admins import Admin, new_admin
from tests.support.api import Player, new_player
from tests.support.postgres import Postgres
from tests.support.service import Service

ROOT = Path(__file__).parents[2]
VARIANT = "vokzal-36"
# What a request that fits its schemas may be refused with: what depends on what there is, and on the rules.
CONFIG = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "304", "403", "404", "409", "412", "422"]
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "412", "413", "415", "422"]

# What answers tell is not used in other requests: those would revoke the tokens that all are sent with.
[phases]
coverage.extra-data-sources.responses = false
fuzzing.extra-data-sources.responses = false

[phases.stateful.generation]
max-examples = 20

[generation]
allow-x00 = false  # the document says in words that no text has one
"""
# The plain run sends fewer requests, the same ones each time, and none that follow from answers to others.
SIZES = {
    "plain": ["--phases=coverage,fuzzing", "--max-examples=3", "--generation-deterministic"],
    "full": ["--phases=coverage,fuzzing,stateful", "--max-examples=100"],
}


@pytest.fixture(scope="module")
def world(service: Service, postgres: Postgres) -> Iterator[fuzzing.World]:
    """Something of everything."""
    player, victim, admin = new_player(service.url), new_player(service.url), new_admin(service.url, postgres)
    win = next(win for win in vectors.wins() if win.variant == VARIANT)
    running, undoing, redoing, resigned = (player.start(VARIANT, win.seed) for _ in range(4))
    for game in (undoing, redoing):
        player.play(game, *["draw"] * 8, "redeal", *["draw"] * 8, "redeal", *["draw"] * 8)
    player.act(redoing, "undo", {"count": 12})
    won, void, voidable, _ = (_won(who, win) for who in (player, player, player, victim))
    admin.judge(void, "void")
    sent = [token["id"] for token in player.http.get("/v1/tokens").json()["items"]]
    tokens = [player.http.post("/v1/tokens", json={"label": f"{number}"}).json()["id"] for number in range(20)]
    values: dict[str, list[Any]] = {
        "variant": [VARIANT, "court"],
        "seed": [win.seed],
        "name": [player.name],
        "player": [player.name],
        "id": [running["id"], won["id"]],
        "undoMoves id": [undoing["id"]],
        "redoMoves id": [redoing["id"]],
        "resignGame id": [resigned["id"]],
        "streamGame id": [won["id"]],
        "voidGame id": [voidable["id"]],
        "restoreGame id": [void["id"]],
        "revokeToken id": tokens,
        "banPlayer name": [victim.name],
        "unbanPlayer name": [victim.name],
        "getLeaderboardAround variant": [VARIANT],
        "If-Match": ["*", '"1"'],
        "If-None-Match": ["*", '"1"'],
        "Last-Event-ID": [1, 2],
        "voidable": ["nobody"],
        "sent": sent,
    }
    values |= {f"{operation} cursor": [cursor] for operation, cursor in _cursors(player, admin, win.seed).items()}
    yield fuzzing.World(service.url, player.token, admin.token, values)
    for who in (player, victim, admin):
        who.http.close()


def _won(player: Player, win: vectors.Win) -> dict[str, Any]:
    return player.play(player.start(VARIANT, win.seed), *win.moves)


def _cursors(player: Player, admin: Admin, seed: str) -> dict[str, str]:
    """A cursor of every list that has them, by operation."""
    paths: dict[str, tuple[Player | Admin, str]] = {
        "listVariants": (player, "/v1/variants?"),
        "listDailies": (player, "/v1/daily?"),
        "listGames": (player, "/v1/games?"),
        "listTokens": (player, "/v1/tokens?"),
        "getLeaderboard": (player, f"/v1/leaderboards/{VARIANT}?seed={seed}&"),
        "listResults": (admin, "/v1/admin/results?"),
        "listPlayers": (admin, "/v1/admin/players?"),
        "listAudit": (admin, "/v1/admin/audit?"),
    }
    found = {name: who.http.get(f"{path}limit=1").json()["next"] for name, (who, path) in paths.items()}
    assert None not in found.values(), found
    return found


def test_every_operation_is_as_the_document_says(world: fuzzing.World, tmp_path: Path) -> None:
    (tmp_path / "world").write_bytes(msgspec.json.encode(world))
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "openapi.json").write_bytes(openapi.document())
    command: list[str | Path] = [sys.executable, "-m", "schemathesis.cli", f"--config-file={tmp_path / 'config.toml'}"]
    options = [
        f"--url={world.url}",
        "--continue-on-failure",
        "--warnings=off",
        "--report=ndjson",
        f"--report-ndjson-path={tmp_path / 'report'}",
        *SIZES[settings.get_current_profile_name()],
    ]
    environ = {
        fuzzing.FILE: str(tmp_path / "world"),
        "SCHEMATHESIS_HOOKS": "tests.support.fuzzing",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
    }
    done = subprocess.run(
        [*command, "run", tmp_path / "openapi.json", *options],
        env=os.environ | environ,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    seen = statuses(tmp_path / "report")
    assert set(seen) == {str(handler.operation_id) for handler in HANDLERS}
    assert [operation for operation, found in seen.items() if not any(200 <= each < 300 for each in found)] == []


def statuses(report: Path) -> dict[str, set[int]]:
    """The statuses that each operation has answered with."""
    found: dict[str, set[int]] = defaultdict(set)
    ids = {(method, path): operation["operationId"] for method, path, operation in operations()}
    for line in report.read_text("utf-8").splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        method, _, path = recorder.get("label", "").partition(" ")
        for each in recorder.get("interactions", {}).values():
            if (method, path) in ids and each["request"]["method"] == method and each["response"] is not None:
                found[ids[method, path]].add(each["response"]["status_code"])
    return found


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation of the document, with its method and its path."""
    for path, item in json.loads(openapi.document())["paths"].items():
        for method, operation in item.items():
            yield method.upper(), path, operation
