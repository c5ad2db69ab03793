"""`pasyansd player-token`: a way back for who has lost their token."""

import re
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tests.support.postgres import Postgres
from tests.support.service import Service, pasyansd, serving

_TOKEN = re.compile(r"pasyans_[A-Za-z0-9_-]{43}\n")


@pytest.fixture
def settings(postgres: Postgres) -> dict[str, str]:
    return {"DATABASE_URL": postgres.service_url, "PASYANS_ALLOW_DATA_LOSS": "yes"}


def made(url: str, name: str) -> None:
    assert httpx.post(f"{url}/v1/players", json={"name": name}).status_code == 201


def whoami(url: str, token: str) -> str:
    answer = httpx.get(f"{url}/v1/players/me", headers={"Authorization": f"Bearer {token.strip()}"})
    assert answer.status_code == 200
    return str(answer.json()["name"])


def a_name() -> str:
    return f"Lost-{uuid4().int % 10**12}"


def test_a_token_beside_a_running_service(service: Service, settings: dict[str, str]) -> None:
    name = a_name()
    made(service.url, name)
    done = pasyansd("player-token", name.upper(), **settings)
    assert done.returncode == 0, done.stderr
    assert _TOKEN.fullmatch(done.stdout)
    assert done.stdout.strip() not in done.stderr
    assert "shown here only" in done.stderr
    assert whoami(service.url, done.stdout) == name
    tokens = httpx.get(f"{service.url}/v1/tokens", headers={"Authorization": f"Bearer {done.stdout.strip()}"})
    assert [token["label"] for token in tokens.json()["items"]] == ["first", "made by the operator"]
    again = pasyansd("player-token", name, **settings)
    assert again.stdout != done.stdout
    assert whoami(service.url, done.stdout) == whoami(service.url, again.stdout) == name


def test_the_embedded_database_is_found_running_and_started_where_it_is_not(used_dir: Path, tmp_path: Path) -> None:
    own = {"PASYANS_DATA_DIR": str(used_dir.parent)}
    name = a_name()
    with serving(tmp_path / "log", own) as service:
        made(service.url, name)
        beside = pasyansd("player-token", name, **own)
        assert (beside.returncode, bool(_TOKEN.fullmatch(beside.stdout))) == (0, True), beside.stderr
        assert whoami(service.url, beside.stdout) == name
    alone = pasyansd("player-token", name, **own)
    assert (alone.returncode, bool(_TOKEN.fullmatch(alone.stdout))) == (0, True), alone.stderr
    with serving(tmp_path / "log", own) as service:
        assert whoami(service.url, alone.stdout) == whoami(service.url, beside.stdout) == name


def test_whom_nobody_knows(settings: dict[str, str]) -> None:
    name = a_name()
    done = pasyansd("player-token", name, **settings)
    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr == f"pasyansd: There is no player called {name}.\n"


def test_who_was_erased(service: Service, settings: dict[str, str]) -> None:
    answer = httpx.post(f"{service.url}/v1/players", json={}).json()
    token = {"Authorization": f"Bearer {answer['token']}"}
    deal = {"kind": "shared", "seed": "1"}
    game = httpx.post(f"{service.url}/v1/games", json={"variant": "court", "deal": deal}, headers=token).json()
    assert httpx.delete(f"{service.url}/v1/players/me", headers=token).status_code == 204
    name = httpx.get(f"{service.url}/v1/games/{game['id']}").json()["player"]
    done = pasyansd("player-token", name, **settings)
    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr == f"pasyansd: {name} was erased; no token leads there any more.\n"


def test_a_database_that_cannot_be_reached() -> None:
    done = pasyansd("player-token", "anna", DATABASE_URL="postgresql://u:hidden@127.0.0.1:1/d")
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr.startswith("pasyansd: ")
    assert "hidden" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_name_is_needed() -> None:
    done = pasyansd("player-token")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Missing argument 'NAME'" in done.stderr
