"""`pasyansd admin-token`: who may do what admins do is the operator's to say, on the command line alone."""

import asyncio
import json
import re
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import pytest
from pasyans.record.times import format_time
from pasyans.store.admin_values import AdminToken

from tests.store.servers import opened
from tests.support.postgres import Postgres
from tests.support.service import pasyansd, serving
from tests.support.sql import query

_TOKEN = re.compile(r"pasyans_admin_[A-Za-z0-9_-]{43}\n")


@pytest.fixture
def settings(postgres: Postgres) -> dict[str, str]:
    return {"DATABASE_URL": postgres.service_url, "PASYANS_ALLOW_DATA_LOSS": "yes"}


@pytest.fixture
def name() -> str:
    return f"boss-{uuid4().int % 10**12}"


def who(postgres: Postgres, token: str, at: int = 0) -> AdminToken | None:
    """Whom a service on the database takes for the bearer of a token, at once."""

    async def ask() -> AdminToken | None:
        async with opened(postgres.service_url, allow_data_loss=True) as store:
            return await store.admin_token(sha256(token.strip().encode()).digest(), at)

    return asyncio.run(ask())


def lines_of(listed: str, name: str) -> list[list[str]]:
    """The lines of a list that are of a name, in words."""
    return [words for line in listed.splitlines()[1:] if (words := line.split())[0] == name]


def made(name: str, settings: dict[str, str]) -> str:
    done = pasyansd("admin-token", "new", name, **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_token_is_shown_once_and_is_good_at_once(postgres: Postgres, settings: dict[str, str], name: str) -> None:
    done = pasyansd("admin-token", "new", name, **settings)
    assert done.returncode == 0, done.stderr
    assert _TOKEN.fullmatch(done.stdout)
    assert done.stderr == f"A new admin token called {name}. It is shown here only.\n"
    admin = who(postgres, done.stdout)
    assert admin is not None
    assert admin.name == name
    hashes = query(postgres.admin_url, "SELECT hash FROM admin_tokens WHERE token_id = $1", admin.token_id)
    assert hashes == [(sha256(done.stdout.strip().encode()).digest(),)]


def test_two_tokens_of_one_name_are_refused_until_the_first_is_revoked(
    postgres: Postgres, settings: dict[str, str], name: str
) -> None:
    first = made(name, settings)
    again = pasyansd("admin-token", "new", name, **settings)
    assert (again.returncode, again.stdout) == (8, "")
    assert again.stderr == (
        f"pasyansd: An admin token called {name} is in force: choose another name, or revoke that one.\n"
    )
    revoked = pasyansd("admin-token", "revoke", name, **settings)
    assert (revoked.returncode, revoked.stdout) == (0, f"The admin token called {name} is revoked.\n"), revoked.stderr
    assert who(postgres, first) is None
    second = made(name, settings)
    assert second != first
    assert who(postgres, first) is None
    assert who(postgres, second) is not None


def test_a_token_that_is_not_in_force_cannot_be_revoked(settings: dict[str, str], name: str) -> None:
    for _ in range(2):
        done = pasyansd("admin-token", "revoke", name, **settings)
        assert (done.returncode, done.stdout) == (6, "")
        assert done.stderr == f"pasyansd: No admin token called {name} is in force.\n"
        made(name, settings)
        assert pasyansd("admin-token", "revoke", name, **settings).returncode == 0


def test_the_list_has_all_of_them_and_no_secret(postgres: Postgres, settings: dict[str, str], name: str) -> None:
    tokens = [made(name, settings)]
    assert pasyansd("admin-token", "revoke", name, **settings).returncode == 0
    tokens.append(made(name, settings))
    used_at = 1_795_953_600_000
    assert who(postgres, tokens[1], used_at) is not None
    done = pasyansd("admin-token", "list", **settings)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split() == ["NAME", "MADE", "LAST", "USED", "REVOKED"]
    rows = query(
        postgres.admin_url,
        "SELECT token_id, created_at, revoked_at, hash FROM admin_tokens WHERE name = $1 ORDER BY created_at",
        name,
    )
    revoked, in_force = lines_of(done.stdout, name)
    assert revoked[2] == "-"
    assert in_force[2:] == [format_time(used_at), "-"]
    shown = {revoked[1], revoked[3], in_force[1]}
    assert shown == {
        at.isoformat(timespec="milliseconds").replace("+00:00", "Z")  # type: ignore[attr-defined]
        for _, made_at, revoked_at, _ in rows
        for at in (made_at, revoked_at)
        if at is not None
    }
    for token, (*_, hash_) in zip(tokens, rows, strict=True):
        assert token.strip() not in done.stdout + done.stderr
        assert isinstance(hash_, bytes)
        assert hash_.hex() not in done.stdout + done.stderr


def test_the_audit_has_what_the_operator_did(postgres: Postgres, settings: dict[str, str], name: str) -> None:
    made(name, settings)
    pasyansd("admin-token", "new", name, **settings)
    pasyansd("admin-token", "revoke", name, **settings)
    pasyansd("admin-token", "revoke", name, **settings)
    ((token_id,),) = query(postgres.admin_url, "SELECT token_id FROM admin_tokens WHERE name = $1", name)
    entries = query(
        postgres.admin_url,
        "SELECT action, actor, details FROM audit WHERE details::json ->> 'name' = $1 ORDER BY entry_id",
        name,
    )
    assert [entry[:2] for entry in entries] == [("token-made", None), ("token-revoked", None)]
    for *_, details in entries:
        assert json.loads(str(details)) == {"token": str(token_id), "name": name}


def test_the_embedded_database_is_found_running_and_started_where_it_is_not(
    used_dir: Path, tmp_path: Path, name: str
) -> None:
    own = {"PASYANS_DATA_DIR": str(used_dir.parent)}
    with serving(tmp_path / "log", own):
        assert _TOKEN.fullmatch(made(f"{name}.a", own))
    assert _TOKEN.fullmatch(made(f"{name}.b", own))
    listed = pasyansd("admin-token", "list", **own)
    assert listed.returncode == 0, listed.stderr
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["NAME", f"{name}.a", f"{name}.b"]


@pytest.mark.parametrize("name", ["", " anna", "anna boss", "_anna", "a" * 65, "anna\n"])
def test_a_name_that_is_none(settings: dict[str, str], name: str) -> None:
    done = pasyansd("admin-token", "new", name, **settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert "use 1 to 64 letters, digits, _, -, . and @, with a letter or digit first" in done.stderr


def test_a_database_that_cannot_be_reached() -> None:
    for arguments in (["new", "anna"], ["list"], ["revoke", "anna"]):
        done = pasyansd("admin-token", *arguments, DATABASE_URL="postgresql://u:hidden@127.0.0.1:1/d")
        assert (done.returncode, done.stdout) == (5, "")
        assert done.stderr.startswith("pasyansd: ")
        assert "hidden" not in done.stderr
        assert "Traceback" not in done.stderr
