"""Players and their names."""

import re
from uuid import uuid4

import httpx
import pytest

from tests.support.api import Player, code, faults

TOKEN = re.compile(r"pasyans_[A-Za-z0-9_-]{43}")


def test_a_player_is_made_with_a_name_and_gets_a_token(http: httpx.Client) -> None:
    name = f"Anna-{uuid4().hex[:8]}"
    made = http.post("/v1/players", json={"name": name})
    assert made.status_code == 201
    assert made.headers["location"] == f"/v1/players/{name}"
    assert made.headers["cache-control"] == "no-store"
    body = made.json()
    assert set(body) == {"name", "guest", "created_at", "token"}
    assert (body["name"], body["guest"]) == (name, False)
    assert TOKEN.fullmatch(body["token"])
    shown = http.get("/v1/players/me", headers={"Authorization": f"bearer {body['token']}"})
    assert shown.headers["cache-control"] == "private, no-cache"
    assert shown.json() == {key: body[key] for key in ("name", "guest", "created_at")}
    assert http.get(made.headers["location"]).json() == shown.json()


def test_nobody_wants_a_name_and_becomes_a_guest(http: httpx.Client) -> None:
    bodies = [http.post("/v1/players", json=wanted).json() for wanted in ({}, {"name": None})]
    assert all(re.fullmatch(r"guest-[a-z2-7]{8}", body["name"]) for body in bodies)
    assert all(body["guest"] for body in bodies)
    assert bodies[0]["name"] != bodies[1]["name"]
    assert bodies[0]["token"] != bodies[1]["token"]


def test_a_name_is_unique_whatever_the_case_and_found_so(http: httpx.Client) -> None:
    name = f"Ёлка{uuid4().int % 10**12}"
    assert http.post("/v1/players", json={"name": name}).status_code == 201
    taken = http.post("/v1/players", json={"name": name.upper()})
    assert (taken.status_code, code(taken)) == (409, "name-taken")
    assert http.get(f"/v1/players/{name.lower()}").json()["name"] == name


@pytest.mark.parametrize(
    "name",
    [
        "ab",
        "a" * 25,
        "1ab",
        "_ab",
        "-ab",
        "ann a",
        "annaж",
        "жанна1a",
        "ann.a",
        "ann\na",
        "anna\n",
        "änna",
        "anna\0",
        "",
    ],
)
def test_a_name_is_letters_of_one_alphabet_digits_and_dashes(http: httpx.Client, name: str) -> None:
    assert list(faults(http.post("/v1/players", json={"name": name}))) == ["body.name"]


@pytest.mark.parametrize("name", ["A{}", "a{}", "Z_-{}", "я{}", "Ёж-_{}"])
def test_names_that_can_just_be(http: httpx.Client, name: str) -> None:
    """The shortest and the longest, with all that may be in one."""
    digits = str(uuid4().int)
    # A name of three letters may have been taken by an earlier run on the same database.
    short, long = (name.format(digits))[:3], (name.format(digits))[:24]
    assert http.post("/v1/players", json={"name": short}).status_code in (201, 409)
    made = http.post("/v1/players", json={"name": long})
    assert (made.status_code, made.json()["name"], len(long)) == (201, long, 24)
    assert http.get(f"/v1/players/{long}").json()["name"] == long


@pytest.mark.parametrize("name", ["admin", "Admin", "guest-1", "GUEST-x", "deleted-0a0b0c0d"])
def test_some_names_are_reserved(http: httpx.Client, name: str) -> None:
    wrong = faults(http.post("/v1/players", json={"name": name}))
    assert wrong == {"body.name": "is reserved: choose another name"}


def test_whom_nobody_knows_is_not_found(http: httpx.Client) -> None:
    missing = http.get("/v1/players/nobody-at-all")
    assert (missing.status_code, code(missing)) == (404, "not-found")
    assert list(faults(http.get(f"/v1/players/{'x' * 65}"))) == ["path.name"]


def test_the_same_key_gives_the_same_player_and_token(http: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first = http.post("/v1/players", json={}, headers=key)
    again = http.post("/v1/players", json={}, headers=key)
    assert again.content == first.content
    assert again.status_code == first.status_code == 201
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["location"] == first.headers["location"]


def test_the_same_key_for_another_name_is_a_mismatch(http: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    http.post("/v1/players", json={}, headers=key)
    mismatch = http.post("/v1/players", json={"name": f"p{uuid4().hex[:20]}"}, headers=key)
    assert (mismatch.status_code, code(mismatch)) == (422, "idempotency-mismatch")


def test_the_key_for_a_player_is_a_uuid(http: httpx.Client) -> None:
    wrong = http.post("/v1/players", json={}, headers={"Idempotency-Key": "abc"})
    assert list(faults(wrong)) == ["header.Idempotency-Key"]


def test_a_refused_name_leaves_its_key_free(http: httpx.Client, player: Player) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    assert code(http.post("/v1/players", json={"name": player.name}, headers=key)) == "name-taken"
    made = http.post("/v1/players", json={"name": f"p{uuid4().hex[:20]}"}, headers=key)
    assert made.status_code == 201
    assert "idempotency-replayed" not in made.headers


def test_a_replay_after_the_token_was_revoked_is_refused(http: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    token = http.post("/v1/players", json={}, headers=key).json()["token"]
    own = {"Authorization": f"Bearer {token}"}
    (listed,) = http.get("/v1/tokens", headers=own).json()["items"]
    assert http.delete(f"/v1/tokens/{listed['id']}", headers=own).status_code == 204
    replay = http.post("/v1/players", json={}, headers=key)
    assert (replay.status_code, code(replay)) == (401, "unauthenticated")
