"""The tokens kept on this machine: one for each service, in a file that its owner alone can read."""

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pasyans_cli.exits import Exit, Failed


class Login(NamedTuple):
    """Who is logged in at a service."""

    player: str
    token: str


def path() -> Path:
    """Where the tokens are kept: `pasyans/credentials.json` in the user's configuration directory."""
    from platformdirs import user_config_path

    return user_config_path("pasyans", appauthor=False) / "credentials.json"


def make_ready() -> None:
    """Raise unless a token could be kept: it is shown only once, when it is made."""
    folder = path().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Failed(f"{folder} cannot be written to, so that no token could be kept.", Exit.FAILURE)


def load(server: str) -> Login | None:
    """The login for a service; a token is never used with another one."""
    entry = _read().get(server)
    return None if entry is None else Login(entry["player"], entry["token"])


def save(server: str, login: Login) -> None:
    """Keep a login."""
    _write({**_read(), server: login._asdict()})


def forget(server: str) -> None:
    """Drop the login for a service, if there is one."""
    _write({address: entry for address, entry in _read().items() if address != server})


def _read() -> dict[str, dict[str, str]]:
    file = path()
    try:
        content = json.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise Failed(f"{file} is damaged ({error}); mend or remove it.", Exit.FAILURE) from error
    if not isinstance(content, dict) or not all(_is_login(entry) for entry in content.values()):
        raise Failed(f"{file} is damaged (not a table of logins); mend or remove it.", Exit.FAILURE)
    return content


def _is_login(entry: object) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in Login._fields)


def _write(content: dict[str, dict[str, str]]) -> None:
    """Replace the file in one step; `mkstemp` makes it with mode 0600."""
    file = path()
    make_ready()
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=".credentials-")
    try:
        with os.fdopen(descriptor, "w") as stream:
            json.dump(content, stream, indent=2)
            stream.write("\n")
        Path(temporary).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
