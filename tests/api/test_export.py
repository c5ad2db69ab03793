"""Everything that is kept of a player, to take along."""

from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest
from pasyans.api.schemas.export import Export
from pasyans.record.events import Deal

from tests.support.admins import Admin
from tests.support.api import Player, code, connect
from tests.support.inside import inside, play, start
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def exported(player: Player) -> dict[str, Any]:
    """What a player takes along, which is of the type that is promised."""
    answer = player.http.get("/v1/players/me/export")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == 'attachment; filename="pasyans.json"'
    assert answer.headers["cache-control"] == "no-store"
    msgspec.json.decode(answer.content, type=Export)
    return dict(answer.json())


def test_one_who_has_done_nothing(player: Player) -> None:
    found = exported(player)
    me = player.http.get("/v1/players/me").json()
    assert {name: found["player"][name] for name in me} == me
    (token,) = found["tokens"]
    assert (token["label"], token["revoked_at"]) == ("first", None)
    assert (found["idempotency_keys"], found["audit"], found["games"]) == ([], [], [])


def test_games_with_all_that_happened(player: Player, http: httpx.Client) -> None:
    won_by_hand = player.start("court", "export")
    moves = won_by_hand["legal_moves"]
    player.play(won_by_hand, moves[0])
    player.act(won_by_hand, "undo", {"count": 1})
    player.act(won_by_hand, "redo", {"count": 1})
    player.act(won_by_hand, "resign", {})
    sealed = player.start("vokzal-52")
    games = exported(player)["games"]
    assert [game["id"] for game in games] == [sealed["id"], won_by_hand["id"]]
    summaries = http.get("/v1/games", params={"player": player.name}).json()["items"]
    for game, summary in zip(games, summaries, strict=True):
        assert {name: game[name] for name in summary} == summary
        path = f"/v1/games/{game['id']}"
        assert game["events"] == http.get(f"{path}/events").json()["items"]
        assert game["record"] == http.get(f"{path}/record").text
    assert [event["type"] for event in games[1]["events"]] == ["started", "moved", "undone", "redone", "finished"]


def test_a_sealed_deal_stays_sealed(player: Player, postgres: Postgres) -> None:
    game = player.start("court")
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    assert str(seed) not in player.http.get("/v1/players/me/export").text
    player.act(game, "resign", {})
    text = player.http.get("/v1/players/me/export").text
    assert text.count(str(seed)) == 2  # in the deal and in the record


def test_what_every_table_has_of_a_player(player: Player, admin: Admin, postgres: Postgres) -> None:
    """Whatever column holds the player's id, its rows are in the export; a new table has to be thought of."""
    first = player.start("court", **{"Idempotency-Key": "a game"})
    player.play(first, first["legal_moves"][0], Idempotency_Key="a move")
    second = player.http.post("/v1/tokens", json={"label": "телефон"}, headers={"Idempotency-Key": "a token"}).json()
    assert player.http.delete(f"/v1/tokens/{second['id']}").status_code == 204
    over = player.start("court", "export")
    player.act(player.play(over, over["legal_moves"][0]), "resign", {})
    for what in (f"games/{over['id']}/void", f"games/{over['id']}/restore", f"players/{player.name}/ban"):
        grounds = {"reason": "test", "note": "for admins alone"}
        assert admin.http.post(f"/v1/admin/{what}", json=grounds).status_code == 200
    found = exported(player)
    player_id = found["player"]["id"]
    columns = query(
        postgres.admin_url,
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type = 'uuid' ORDER BY 1, 2",
    )
    with_player = {
        (table, column)
        for table, column in columns
        if query(postgres.admin_url, f"SELECT 1 FROM {table} WHERE {column} = $1", player_id)
    }
    assert with_player == {
        ("attempts", "player_id"),  # the games have their attempts
        ("audit", "player_id"),
        ("games", "player_id"),
        ("idempotency", "scope"),
        ("players", "player_id"),
        ("results", "player_id"),  # as the games say
        ("tokens", "player_id"),
    }
    assert [(entry["action"], entry["game"], entry["reason"]) for entry in found["audit"]] == [
        ("banned", None, "test"),
        ("restored", over["id"], "test"),
        ("voided", over["id"], "test"),
    ]
    assert [(token["label"], token["revoked_at"] is None) for token in found["tokens"]] == [
        ("first", True),
        ("телефон", False),
    ]
    assert {(key["subject"], key["version"]) for key in found["idempotency_keys"]} == {
        (first["id"], 1),
        (first["id"], 2),
        (second["id"], 0),
    }
    assert [game["attempt"] for game in found["games"]] == [1, 1]
    assert "for admins alone" not in str(found)


def test_no_secret_and_nothing_of_another(player: Player, other: Player, postgres: Postgres) -> None:
    mine, others = player.start("court", "export"), other.start("court", "export")
    text = player.http.get("/v1/players/me/export").text
    assert mine["id"] in text
    assert player.token not in text
    ((hash_,),) = query(
        postgres.admin_url,
        "SELECT encode(t.hash, 'hex') FROM tokens t JOIN players p USING (player_id) WHERE p.name = $1",
        player.name,
    )
    assert str(hash_) not in text
    assert others["id"] not in text
    assert other.name not in text


@pytest.mark.anyio
async def test_more_than_a_page_of_everything(player: Player, postgres: Postgres) -> None:
    tokens = [player.http.post("/v1/tokens", json={"label": f"{number}"}).json()["id"] for number in range(105)]
    async with inside(postgres.service_url) as (deps, time):
        owner = await deps.store.player_by_name(player.name)
        assert owner is not None
        games = []
        for number in range(205):
            time.at += 1
            games.append(str(await start(deps, owner.player_id, "court", Deal("shared", f"{number}"))))
        time.at += 1
        long = await start(deps, owner.player_id, "court", Deal("shared", "1"))
        for _ in range(3):
            await play(deps, long, ["t3-t1", "t1-t3"] * 200)
    found = exported(player)
    assert {token["id"] for token in found["tokens"][1:]} == set(tokens)
    assert len(found["tokens"]) == 106
    newest, *rest = found["games"]
    assert [game["id"] for game in reversed(rest)] == games
    assert [event["seq"] for event in newest["events"]] == list(range(1, 1202))


def test_an_export_that_cannot_go_on_is_seen_to_be_broken(player: Player, postgres: Postgres) -> None:
    """The log of a game, of all things, has lost its end."""
    game = player.start("court", "1")
    for _ in range(3):
        game = player.play(game, *["t3-t1", "t1-t3"] * 200)
    query(postgres.admin_url, "DELETE FROM game_events WHERE game_id = $1 AND first_seq > 600", game["id"])
    headers = {"Authorization": f"Bearer {player.token}"}
    url = f"{player.http.base_url}/v1/players/me/export"
    seen: list[bytes] = []
    with httpx.stream("GET", url, headers=headers) as answer, pytest.raises(httpx.RemoteProtocolError):
        seen.extend(answer.iter_bytes())
    assert b"".join(seen).startswith(b'{"exported_at":')
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(b"".join(seen))
    for table in ("game_events", "games"):
        query(postgres.admin_url, f"DELETE FROM {table} WHERE game_id = $1", game["id"])


def test_only_a_player_takes_anything_along(http: httpx.Client, player: Player, service: Service) -> None:
    assert code(http.get("/v1/players/me/export")) == "unauthenticated"
    head = player.http.head("/v1/players/me/export")
    assert (head.status_code, head.content) == (200, b"")
    assert code(player.http.get(f"/v1/players/me/export?{uuid4()}=1")) == "invalid-request"
    with connect(service.url, player.token) as client:
        assert client.get("/v1/players/me/export", headers={"Accept": "text/csv"}).status_code == 406
