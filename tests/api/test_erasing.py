"""A player is erased: the name goes from everywhere, and what was played stays."""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import cast
from uuid import UUID, uuid4

import httpx
import pytest
from pasyans.api.deps import Dependencies
from pasyans.api.erasing import erase, finish_erasures
from pasyans.record.events import Deal
from pasyans.server.embedded import url_elsewhere
from pasyans.server.postgres.account import unprivileged
from pasyans.server.postgres.binaries import locate
from pasyans.server.postgres.cluster import OWNER
from pasyans.store import chain
from pasyans.store.base import Store
from pasyans.store.errors import Unavailable

from tests.support.api import Player, code, connect, new_player
from tests.support.inside import inside, play, start
from tests.support.postgres import Postgres
from tests.support.service import Service, serving
from tests.support.sql import query

DELETED = re.compile(r"deleted-[0-9a-f]{8}")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def deps(postgres: Postgres) -> AsyncIterator[Dependencies]:
    async with inside(postgres.service_url) as (deps, _):
        yield deps


async def id_of(deps: Dependencies, player: Player) -> UUID:
    found = await deps.store.player_by_name(player.name)
    assert found is not None
    return found.player_id


def test_a_game_that_cannot_be_read_keeps_nobody_from_being_erased(
    player: Player, http: httpx.Client, postgres: Postgres
) -> None:
    broken, sound = player.start("court", "hello"), player.start("court", "hello")
    query(postgres.admin_url, "UPDATE games SET snapshot = 'rubbish' WHERE game_id = $1", broken["id"])
    try:
        assert player.http.delete("/v1/players/me").status_code == 204
        assert code(player.http.get("/v1/players/me")) == "unauthenticated"
        ended = http.get(f"/v1/games/{sound['id']}").json()
        assert (ended["status"], DELETED.fullmatch(ended["player"]) is None) == ("abandoned", False)
        (left,) = query(postgres.admin_url, "SELECT status FROM games WHERE game_id = $1", broken["id"])
        assert left == ("playing",)
    finally:
        query(postgres.admin_url, "DELETE FROM game_events WHERE game_id = $1", broken["id"])
        query(postgres.admin_url, "DELETE FROM games WHERE game_id = $1", broken["id"])


def test_the_name_and_the_tokens_go_and_the_games_stay(player: Player, http: httpx.Client, service: Service) -> None:
    second = player.http.post("/v1/tokens", json={"label": "phone"}).json()["token"]
    lost = player.start("court", "erase")
    player.play(lost, lost["legal_moves"][0])
    lost = player.act(lost, "resign", {}).json()
    before = http.get(f"/v1/games/{lost['id']}")
    gone = player.http.delete("/v1/players/me", headers={"Accept": "text/html"})
    assert (gone.status_code, gone.content) == (204, b"")
    for token in (player.token, second):
        with connect(service.url, token) as client:
            for method, path in (("GET", ""), ("GET", "/export"), ("DELETE", "")):
                assert code(client.request(method, f"/v1/players/me{path}")) == "unauthenticated"
    assert code(http.get(f"/v1/players/{player.name}")) == "not-found"
    after = http.get(f"/v1/games/{lost['id']}", headers={"If-None-Match": before.headers["etag"]})
    name = after.json()["player"]
    assert DELETED.fullmatch(name)
    assert after.json() == {**before.json(), "player": name}
    assert after.headers["etag"] == '"3.1"'
    shown = http.get(f"/v1/players/{name}")
    assert (shown.json()["name"], shown.json()["guest"]) == (name, False)
    assert http.get(f"/v1/players/{name}/stats").status_code == 200
    listed = http.get("/v1/games", params={"player": name}).json()["items"]
    assert [game["id"] for game in listed] == [lost["id"]]


def test_running_games_end_as_abandoned(player: Player, http: httpx.Client) -> None:
    touched, untouched, sealed = player.start("court", "a"), player.start("court", "b"), player.start("congress")
    player.play(touched, touched["legal_moves"][0])
    assert player.http.delete("/v1/players/me").status_code == 204
    for game, version in ((touched, 3), (untouched, 2), (sealed, 2)):
        path = f"/v1/games/{game['id']}"
        ended = http.get(path).json()
        assert (ended["status"], ended["version"], ended["ranked"]) == ("abandoned", version, False)
        assert (ended["finished_at"], ended["legal_moves"]) == (ended["updated_at"], [])
        assert ended["deal"]["seed"] is not None
        last = http.get(f"{path}/events").json()["items"][-1]
        assert (last["seq"], last["type"], last["outcome"]) == (version, "finished", "abandoned")
        record = http.get(f"{path}/record").text
        assert http.post("/v1/records/verify", json={"record": record}).json()["game"]["status"] == "abandoned"
        assert http.get(f"{path}/replay").json()["items"][-1]["game"]["status"] == "abandoned"


def test_the_name_is_free_again_and_the_games_are_not_those_of_the_next(player: Player, http: httpx.Client) -> None:
    game = player.start("court", "erase")
    assert player.http.delete("/v1/players/me").status_code == 204
    made = http.post("/v1/players", json={"name": player.name})
    assert made.status_code == 201
    assert http.get("/v1/games", params={"player": player.name}).json()["items"] == []
    assert DELETED.fullmatch(http.get(f"/v1/games/{game['id']}").json()["player"])


def test_an_erased_name_can_not_be_taken(http: httpx.Client, player: Player) -> None:
    game = player.start("court", "erase")
    player.http.delete("/v1/players/me")
    name = http.get(f"/v1/games/{game['id']}").json()["player"]
    assert code(http.post("/v1/players", json={"name": name})) == "invalid-request"


def test_the_request_that_made_the_player_is_refused_and_makes_none_anew(http: httpx.Client, service: Service) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    name = f"p{uuid4().hex[:20]}"
    token = http.post("/v1/players", json={"name": name}, headers=key).json()["token"]
    with connect(service.url, token) as client:
        assert client.delete("/v1/players/me").status_code == 204
    assert code(http.post("/v1/players", json={"name": name}, headers=key)) == "unauthenticated"
    assert code(http.get(f"/v1/players/{name}")) == "not-found"


def test_only_a_player_is_erased(http: httpx.Client, player: Player) -> None:
    assert code(http.delete("/v1/players/me")) == "unauthenticated"
    assert code(player.http.delete("/v1/players/me?sure=yes")) == "invalid-request"
    assert code(player.http.delete(f"/v1/players/{player.name}")) == "method-not-allowed"
    assert player.http.get("/v1/players/me").status_code == 200


@pytest.mark.anyio
async def test_an_erasure_that_was_cut_short_goes_on(player: Player, deps: Dependencies) -> None:
    game = player.start("court", "erase")
    player_id = await id_of(deps, player)
    await deps.store.begin_erasure(player_id, f"deleted-{uuid4().hex[:8]}", deps.clock())
    assert await deps.store.player_by_name(player.name) is None
    for method, path, body in (
        ("GET", "/v1/players/me", None),
        ("GET", "/v1/players/me/export", None),
        ("PATCH", "/v1/players/me", {"name": player.name}),
        ("POST", "/v1/games", {"variant": "court", "deal": {"kind": "sealed"}}),
        ("POST", "/v1/tokens", {"label": "more"}),
        ("GET", "/v1/variants", None),
    ):
        refused = player.http.request(method, path, json=body)
        assert code(refused) == "unauthenticated"
        assert "being erased" in refused.json()["detail"]
    assert player.http.delete("/v1/players/me").status_code == 204
    head = await deps.store.head(UUID(game["id"]))
    assert head is not None
    assert head.status == "abandoned"
    assert code(player.http.delete("/v1/players/me")) == "unauthenticated"


class Breaking:
    """A store that is away after so many writes of an erasure."""

    def __init__(self, store: Store, writes: int) -> None:
        self._store = store
        self._left = writes

    def __getattr__(self, name: str) -> object:
        if name in {"begin_erasure", "append", "end_erasure"}:
            self._left -= 1
            if self._left < 0:
                raise Unavailable("The database is away.", written=False)
        return getattr(self._store, name)


@pytest.mark.anyio
@pytest.mark.parametrize("writes", range(5))
async def test_the_service_finishes_by_itself_what_broke(deps: Dependencies, service: Service, writes: int) -> None:
    player = new_player(service.url)
    player_id = await id_of(deps, player)
    games = [await start(deps, player_id, "court", Deal("shared", f"{number}")) for number in range(3)]
    await play(deps, games[1], ["draw"])
    broken = replace(deps, store=cast("Store", Breaking(deps.store, writes)))
    with player.http, pytest.raises(Unavailable):
        await erase(broken, player_id)
    is_begun = writes > 0
    assert ((await deps.store.erasures(1000)) == [player_id]) is is_begun
    if not is_begun:
        await erase(deps, player_id)
    await finish_erasures(deps)
    assert await deps.store.erasures(1000) == []
    assert await deps.store.kept_tokens(player_id, None, 10) == []
    for number, game_id in enumerate(games):
        head = await deps.store.head(game_id)
        assert head is not None
        assert (head.status, head.version, head.name_changes) == ("abandoned", 3 if number == 1 else 2, 1)
        rows = await deps.store.log(game_id)
        assert [row.events for row in rows][-1] == "finished abandoned"
        assert chain.first_broken(game_id, rows, head.version, head.hash) is None


@pytest.mark.anyio
async def test_several_erase_one_player_and_each_game_ends_once(
    postgres: Postgres, deps: Dependencies, service: Service
) -> None:
    player = new_player(service.url)
    player_id = await id_of(deps, player)
    games = [await start(deps, player_id, "court", Deal("shared", f"{number}")) for number in range(60)]
    with player.http:
        async with inside(postgres.service_url) as (other, _):
            await asyncio.gather(*(erase(each, player_id) for each in (deps, other, deps, other)))
    heads = [await deps.store.head(game_id) for game_id in games]
    assert {(head.status, head.version) for head in heads if head} == {("abandoned", 2)}


def test_the_name_is_nowhere(used_dir: Path, tmp_path: Path) -> None:
    """Not in any table, nor in what the planner knows of them, nor in any log."""
    name = f"Nobody{uuid4().int % 10**12}"
    settings = {"PASYANS_DATA_DIR": str(used_dir.parent), "PASYANS_LOG_LEVEL": "debug"}
    with serving(tmp_path / "log", settings) as own, connect(own.url) as anyone:
        key = {"Idempotency-Key": str(uuid4())}
        guest = anyone.post("/v1/players", json={}, headers=key).json()
        with connect(own.url, guest["token"]) as client:
            player = Player(name, guest["token"], client)
            assert client.patch("/v1/players/me", json={"name": name}).status_code == 200
            for thing in ("phone", "tablet"):
                label = {"label": f"{thing} of {name}"}
                client.post("/v1/tokens", json=label, headers={"Idempotency-Key": f"{name}-{thing}"})
            lost = player.start("court", "erase", **{"Idempotency-Key": f"{name}-2"})
            player.play(lost, lost["legal_moves"][0], Idempotency_Key=f"{name}-3")
            player.act(lost, "resign", {})
            running = player.start("court", "erase")
            for path in (f"/v1/players/{name}", f"/v1/players/{name}/stats", f"/v1/games?player={name}"):
                assert anyone.get(path).status_code == 200
            assert code(anyone.post("/v1/players", json={"name": name.upper()})) == "name-taken"
            second = anyone.post("/v1/players", json={}).json()["token"]
            with connect(own.url, second) as other:
                assert code(other.patch("/v1/players/me", json={"name": name})) == "name-taken"
            _analyze(used_dir)
            assert name.lower() in _dumped(used_dir).lower()
            assert client.delete("/v1/players/me").status_code == 204
        dump = _dumped(used_dir)
        assert running["id"] in dump
        logs = own.log + (used_dir / "postgres.log").read_text()
    assert "name-taken" in logs
    for text in (dump, logs):
        assert name.lower() not in text.lower()
        assert guest["token"] not in text
        assert key["Idempotency-Key"] not in logs


def _analyze(folder: Path) -> None:
    query(url_elsewhere(folder, OWNER) or "", "ANALYZE")


def _dumped(folder: Path) -> str:
    """The whole database as text, with the planner's statistics."""
    pg_dump = locate(None, unprivileged(), folder).folder / "pg_dump"
    return subprocess.run(
        [pg_dump, "--statistics", url_elsewhere(folder, OWNER) or ""], capture_output=True, text=True, check=True
    ).stdout
