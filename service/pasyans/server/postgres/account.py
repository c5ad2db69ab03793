"""Whom PostgreSQL runs as. It refuses root, so root starts it as an account without rights."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pasyans.server.death import interrupt_with_parent
from pasyans.server.postgres.errors import AccountError, DataDirUnreachableError

# Nothing of the caller's environment reaches PostgreSQL: PGDATA and the like would change what it does.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
_CANDIDATES = ("postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """The account that PostgreSQL's programs run as; `switch` tells whether it is not our own."""

    name: str
    uid: int
    gid: int
    switch: bool

    def spawn_options(self) -> dict[str, Any]:
        """Arguments of `subprocess.Popen` for a program that runs as this account and ends with us."""
        options: dict[str, Any] = {"env": ENVIRONMENT, "cwd": "/", "preexec_fn": interrupt_with_parent()}
        if self.switch:
            options |= {"user": self.uid, "group": self.gid, "extra_groups": []}
        return options

    def run(self, *command: str | Path, text_in: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program to its end. Raises `OSError` when it cannot be started."""
        return subprocess.run(
            [str(part) for part in command],
            input=text_in,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            **self.spawn_options(),
        )

    def own(self, path: Path) -> None:
        """Give `path` to this account."""
        if self.switch:
            os.chown(path, self.uid, self.gid)

    def require_way_to(self, folder: Path) -> None:
        """Raise `DataDirUnreachableError` when a closed home, say, keeps this account from `folder`."""
        if self.switch and self.run("/bin/sh", "-c", 'cd -- "$1"', "sh", folder).returncode:
            raise DataDirUnreachableError(
                f"PostgreSQL runs as the account {self.name}, which may not enter {folder}. Choose a "
                "PASYANS_DATA_DIR that every account can reach, such as /var/lib/pasyans."
            )


def unprivileged() -> Account:
    """The account to run PostgreSQL as: our own, or for root `postgres`, or else `nobody`."""
    uid = os.geteuid()
    if uid != 0:
        return Account(name=str(uid), uid=uid, gid=os.getegid(), switch=False)
    for name in _CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid, switch=True)
    raise AccountError(
        f"PostgreSQL does not run as root, and there is no account named {' or '.join(_CANDIDATES)}. "
        "Add one, run as an ordinary user, or set DATABASE_URL."
    )
