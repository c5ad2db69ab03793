"""Tokens: made, listed, revoked, and wrong ones."""

import httpx
import pytest

from tests.support.api import Player, code, connect, faults
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query

ANY = "01936f0e-7c1a-7b3e-9d55-0123456789ab"  # an id of nothing


def test_a_token_is_made_and_is_as_good_as_the_first(player: Player, service: Service) -> None:
    made = player.http.post("/v1/tokens", json={"label": "телефон"})
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    body = made.json()
    assert set(body) == {"id", "label", "created_at", "last_used_at", "token"}
    assert (body["label"], body["last_used_at"]) == ("телефон", None)
    with connect(service.url, body["token"]) as phone:
        assert phone.get("/v1/players/me").json()["name"] == player.name


def test_tokens_are_listed_without_their_text_page_by_page(player: Player) -> None:
    labels = ["a", "b", "c", "d"]
    made = [player.http.post("/v1/tokens", json={"label": label}).json() for label in labels]
    found: list[dict[str, object]] = []
    path = "/v1/tokens?limit=2"
    while True:
        page = player.http.get(path)
        assert page.headers["cache-control"] == "private, no-cache"
        found += page.json()["items"]
        if page.json()["next"] is None:
            assert "link" not in page.headers
            break
        path = page.links["next"]["url"]
        assert page.json()["next"] in path
    assert [token["label"] for token in found] == ["first", *labels]
    assert [token["id"] for token in found[1:]] == [token["id"] for token in made]
    assert all(set(token) == {"id", "label", "created_at", "last_used_at"} for token in found)


def test_a_revoked_token_ends_at_once(player: Player, service: Service) -> None:
    made = player.http.post("/v1/tokens", json={"label": "a"}).json()
    with connect(service.url, made["token"]) as device:
        assert device.get("/v1/players/me").status_code == 200
        revoked = player.http.delete(f"/v1/tokens/{made['id']}", headers={"Accept": "text/html"})
        assert (revoked.status_code, revoked.content) == (204, b"")
        refused = device.get("/v1/players/me")
        assert (refused.status_code, code(refused)) == (401, "unauthenticated")
    assert code(player.http.delete(f"/v1/tokens/{made['id']}")) == "not-found"
    assert made["id"] not in [token["id"] for token in player.http.get("/v1/tokens").json()["items"]]


def test_nobody_revokes_the_token_of_another(player: Player, other: Player) -> None:
    (token,) = other.http.get("/v1/tokens").json()["items"]
    assert code(player.http.delete(f"/v1/tokens/{token['id']}")) == "not-found"
    assert other.http.get("/v1/players/me").status_code == 200


def test_the_same_key_gives_the_same_token(player: Player) -> None:
    key = {"Idempotency-Key": "a key"}
    first = player.http.post("/v1/tokens", json={"label": "a"}, headers=key)
    again = player.http.post("/v1/tokens", json={"label": "a"}, headers=key)
    assert again.content == first.content
    assert again.status_code == 201
    assert again.headers["idempotency-replayed"] == "true"
    mismatch = player.http.post("/v1/tokens", json={"label": "b"}, headers=key)
    assert code(mismatch) == "idempotency-mismatch"
    player.http.delete(f"/v1/tokens/{first.json()['id']}")
    assert code(player.http.post("/v1/tokens", json={"label": "a"}, headers=key)) == "unauthenticated"


def test_the_same_key_of_two_players_gives_two_tokens(player: Player, other: Player) -> None:
    key = {"Idempotency-Key": "a key"}
    tokens = {
        each.http.post("/v1/tokens", json={"label": "a"}, headers=key).json()["token"] for each in (player, other)
    }
    assert len(tokens) == 2


def test_a_token_is_stored_as_a_hash_alone(player: Player, postgres: Postgres) -> None:
    tables = [
        name for (name,) in query(postgres.admin_url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ]
    assert "tokens" in tables
    for table in tables:
        for (row,) in query(postgres.admin_url, f"SELECT t::text FROM {table} t"):
            assert player.token not in str(row)
            assert player.token.encode().hex() not in str(row)


@pytest.mark.parametrize("label", ["", "x" * 65, "a\nb", "a\0b", "a\u202eb"])
def test_a_label_can_be_shown(player: Player, label: str) -> None:
    assert list(faults(player.http.post("/v1/tokens", json={"label": label}))) == ["body.label"]


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer x",
        "Basic YTpi",
        "pasyans_" + "a" * 43,
        "Bearer pasyans_" + "a" * 43,
        "Bearer pasyans_" + "a" * 44,
        "Bearer pasyans_" + "a" * 43 + ", Bearer pasyans_" + "a" * 43,
    ],
)
def test_a_wrong_token_is_refused_even_where_none_is_needed(http: httpx.Client, header: str) -> None:
    for path in ("/v1/players/me", "/v1/variants", "/v1/games"):
        refused = http.get(path, headers={"Authorization": header})
        assert (refused.status_code, code(refused)) == (401, "unauthenticated")
        assert refused.headers["www-authenticate"] == 'Bearer realm="pasyans"'


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/players/me"),
        ("PATCH", "/v1/players/me"),
        ("DELETE", "/v1/players/me"),
        ("GET", "/v1/players/me/export"),
        ("GET", "/v1/tokens"),
        ("POST", "/v1/tokens"),
        ("DELETE", f"/v1/tokens/{ANY}"),
        ("POST", "/v1/games"),
        ("POST", f"/v1/games/{ANY}/moves"),
        ("POST", f"/v1/games/{ANY}/undo"),
        ("POST", f"/v1/games/{ANY}/redo"),
        ("POST", f"/v1/games/{ANY}/resign"),
    ],
)
def test_what_belongs_to_a_player_needs_a_token_before_anything_else(
    http: httpx.Client, method: str, path: str
) -> None:
    refused = http.request(method, path, content=b"{", headers={"Content-Type": "text/plain"})
    assert (refused.status_code, code(refused)) == (401, "unauthenticated")
