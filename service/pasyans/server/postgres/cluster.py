"""Making a new database cluster: initdb, the roles, the database, and the passwords to them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

from pasyans.server.postgres.account import Account
from pasyans.server.postgres.binaries import Binaries
from pasyans.server.postgres.errors import CreationError, DataDirUnreachableError, DataDirVersionError

SUPERUSER = "postgres"
OWNER = "pasyans_owner"
SERVICE = "pasyans_service"
DATABASE = "pasyans"

_ROLES = (SUPERUSER, OWNER, SERVICE)
_CREATE = (
    f"CREATE ROLE {OWNER} LOGIN",
    f"CREATE ROLE {SERVICE} LOGIN",
    f"CREATE DATABASE {DATABASE} OWNER {OWNER}",
    f"REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC",
    f"GRANT CONNECT ON DATABASE {DATABASE} TO {SERVICE}",
)
_ACCESS = "# Passwords only, and only from this machine.\nhost all all 127.0.0.1/32 scram-sha-256\n"


def prepare(data: Path, credentials: Path, binaries: Binaries, account: Account, *, durable: bool) -> dict[str, str]:
    """Make the cluster in `data` unless it is there, and return each role's password.

    A cluster is built beside `data` and moved there when it is complete, so that a half-made one is never
    used. The passwords live in `credentials`, mode 0600; if that file was lost, new ones are set.

    Raises `CreationError`; `DataDirVersionError` when another major version made the cluster;
    `DataDirUnreachableError` when another account did.
    """
    if not (data / "PG_VERSION").exists():
        unfinished = data.with_name(f"{data.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        try:
            _initialise(unfinished, binaries, account, durable=durable)
            passwords = _set_passwords(unfinished, binaries, account, _CREATE)
            _write_secret(credentials, passwords)
            unfinished.rename(data)
            _sync(data.parent)
        except OSError as error:
            raise CreationError(f"A database could not be made in {data.parent}: {error}.") from error
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return passwords
    if data.stat().st_uid != account.uid:
        raise DataDirUnreachableError(
            f"The data in {data} belong to another account than PostgreSQL would run as ({account.name}). "
            "Run as whoever made them, or choose another PASYANS_DATA_DIR."
        )
    made_by = (data / "PG_VERSION").read_text("ascii", "backslashreplace").strip()
    if made_by != str(binaries.major):
        raise DataDirVersionError(
            f"The data in {data} were made by PostgreSQL {made_by}; {binaries.folder} has {binaries.major}. "
            f"Set PASYANS_PG_BIN to a PostgreSQL {made_by}, or dump the data with it and load the dump anew."
        )
    stored = stored_passwords(credentials)
    if stored is not None:
        return stored
    passwords = _set_passwords(data, binaries, account, ())
    _write_secret(credentials, passwords)
    return passwords


def stored_passwords(credentials: Path) -> dict[str, str] | None:
    """Each role's password, from the file that `prepare` has written; `None` where it is missing or damaged."""
    try:
        stored = json.loads(credentials.read_text())
        return {role: str(stored[role]) for role in _ROLES}
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def _initialise(data: Path, binaries: Binaries, account: Account, *, durable: bool) -> None:
    data.mkdir(mode=0o700)
    account.own(data)
    command: list[str | Path] = [binaries.folder / "initdb", "-D", data, "-U", SUPERUSER, "-E", "UTF8"]
    # The builtin provider sorts by code point and knows letter case alike on every system and for ever.
    if binaries.major >= 17:
        command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    else:
        command += ["--locale=C.UTF-8"]
    # Nobody can log in until the access file below is there.
    command += ["--auth=reject", "--no-instructions", *([] if durable else ["--no-sync"])]
    done = account.run(*command)
    if done.returncode:
        raise CreationError(f"initdb could not make a database in {data.parent}: {done.stderr.strip()}")
    access = data / "pg_hba.conf"
    access.write_text(_ACCESS)
    account.own(access)


def _set_passwords(data: Path, binaries: Binaries, account: Account, before: Sequence[str]) -> dict[str, str]:
    """Give every role a new random password, after the statements `before`, while no server runs."""
    passwords = {role: secrets.token_urlsafe(32) for role in _ROLES}
    statements = [*before, *(f"ALTER ROLE {role} PASSWORD '{word}'" for role, word in passwords.items())]
    done = account.run(
        binaries.folder / "postgres",
        "--single",
        "-j",
        *("-D", str(data)),
        *("-c", "exit_on_error=true"),
        *("-c", "log_min_error_statement=panic"),  # the statements have passwords in them
        SUPERUSER,
        text_in="".join(f"{statement};\n\n" for statement in statements),
    )
    if done.returncode:
        raise CreationError(f"The roles could not be made in {data}: {done.stderr.strip()}")
    return passwords


def _write_secret(path: Path, passwords: dict[str, str]) -> None:
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123
        json.dump(passwords, file)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
