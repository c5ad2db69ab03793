"""The tokens kept on this machine: for each service, in files that their owner alone can read."""

import json
import os
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from pasyans_cli.exits import Exit, Failed
from pasyans_cli.files import replaced


class Login(NamedTuple):
    """Who is logged in at a service."""

    player: str
    token: str


class AdminLogin(NamedTuple):
    """An admin token for a service."""

    token: str


L = TypeVar("L", Login, AdminLogin)


def folder() -> Path:
    """Where the tokens are kept: `pasyans` in the user's configuration directory."""
    from platformdirs import user_config_path

    return user_config_path("pasyans", appauthor=False)


def make_ready() -> None:
    """Raise unless a token could be kept: it is shown only once, when it is made."""
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(place, os.W_OK | os.X_OK):
        raise Failed(f"{place} cannot be written to, so that no token could be kept.", Exit.FAILURE)


class Keyring(Generic[L]):
    """The logins of one kind, one for each service, in a file of their own."""

    def __init__(self, name: str, kind: type[L]) -> None:
        self._name = name
        self._kind: type[L] = kind

    def path(self) -> Path:
        """The file."""
        return folder() / self._name

    def load(self, server: str) -> L | None:
        """The login for a service; a token is never used with another one."""
        entry = self._read().get(server)
        return None if entry is None else self._kind(**{name: entry[name] for name in self._kind._fields})

    def save(self, server: str, login: L) -> None:
        """Keep a login."""
        self._write({**self._read(), server: login._asdict()})

    def forget(self, server: str) -> None:
        """Drop the login for a service, if there is one."""
        self._write({address: entry for address, entry in self._read().items() if address != server})

    def _read(self) -> dict[str, dict[str, str]]:
        file = self.path()
        try:
            content = json.loads(file.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise Failed(f"{file} is damaged ({error}); mend or remove it.", Exit.FAILURE) from error
        if not isinstance(content, dict) or not all(self._is_login(entry) for entry in content.values()):
            raise Failed(f"{file} is damaged (not a table of logins); mend or remove it.", Exit.FAILURE)
        return content

    def _is_login(self, entry: object) -> bool:
        return isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in self._kind._fields)

    def _write(self, content: dict[str, dict[str, str]]) -> None:
        make_ready()
        with replaced(self.path(), 0o600) as stream:
            stream.write(json.dumps(content, indent=2).encode() + b"\n")


PLAYERS = Keyring("credentials.json", Login)
ADMINS = Keyring("admin.json", AdminLogin)
