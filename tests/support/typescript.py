"""TypeScript as its users have it: a project with the client installed, compiled strictly and run by Node.

Where Node is missing, what needs it is skipped; with `CI=true` that is a failure.
"""

import fcntl
import hashlib
import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.support.needs import missing

PACKAGE = Path(__file__).resolve().parents[2] / "clients" / "typescript"
OLDEST = (18, 17)

_STAMP = PACKAGE / "node_modules" / ".installed"
_COMPILER_OPTIONS = {
    "strict": True,
    "skipLibCheck": True,  # those of the compiler itself; all else is checked
    "target": "ES2022",
    "lib": ["ES2022", "DOM", "DOM.Iterable"],
    "types": [],
    "module": "NodeNext",
    "rootDir": "src",
    "outDir": "out",
}


class Node(NamedTuple):
    """An installed Node."""

    program: str
    version: tuple[int, ...]

    @property
    def command(self) -> list[str]:
        """What starts it with the globals that browsers have."""
        needs_flag = self.version < (19,)
        return [self.program, "--experimental-global-webcrypto"] if needs_flag else [self.program]


class Project:
    """A folder with `pasyans-client` installed; TypeScript is in `src` and, once compiled, JavaScript in `out`."""

    def __init__(self, folder: Path, node: Node) -> None:
        self.folder = folder
        self._node = node

    def compile(self, **sources: str | Path) -> None:
        """Type-check `NAME.ts` for each NAME, a file or a text, and compile it; AssertionError says what is wrong."""
        shutil.rmtree(self.folder / "src", ignore_errors=True)
        (self.folder / "src").mkdir()
        for name, source in sources.items():
            text = source.read_text("utf-8") if isinstance(source, Path) else source
            file = self.folder / "src" / f"{name}.ts"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
        done = tool(self._node, "tsc", "--project", str(self.folder))
        assert done.returncode == 0, done.stdout

    def run(self, name: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run `NAME.js` to its end, in the project's folder."""
        return subprocess.run(
            [*self._node.command, self.folder / "out" / f"{name}.js", *arguments],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


def new_project(folder: Path) -> Project:
    """Make a project in an empty folder, with the client built from its sources."""
    node = installed()
    modules = folder / "node_modules"
    client = modules / "pasyans-client"
    client.mkdir(parents=True)
    shutil.copy(PACKAGE / "package.json", client)
    done = tool(node, "tsc", "--project", str(PACKAGE), "--outDir", str(client / "dist"))
    assert done.returncode == 0, done.stdout
    for needed in json.loads((PACKAGE / "package.json").read_text())["dependencies"]:
        (modules / needed).symlink_to(PACKAGE / "node_modules" / needed)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": _COMPILER_OPTIONS, "include": ["src"]}))
    return Project(folder, node)


def tool(node: Node, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of the programs that npm installed, in the folder of the package."""
    command = [node.program, str(PACKAGE / "node_modules" / ".bin" / name), *arguments]
    return subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, timeout=300, check=False)


@cache
def installed() -> Node:
    """The Node of this machine, once the package has what its lock file names."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program is None or npm is None:
        missing("There is no Node with npm: install them (apt-get install nodejs npm).")
    found = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, re.findall(r"\d+", found)))
    if version < OLDEST:
        missing(f"Node is {found.strip()}, and {'.'.join(map(str, OLDEST))} is the oldest that will do.")
    with (PACKAGE / "package.json").open() as lock:  # one process installs at a time
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = hashlib.sha256((PACKAGE / "package-lock.json").read_bytes() + found.encode()).hexdigest()
        if not _STAMP.exists() or _STAMP.read_text() != wanted:
            done = subprocess.run(
                [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
                cwd=PACKAGE,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                missing(f"npm could not install what clients/typescript needs: {done.stderr.strip()[-500:]}")
            _STAMP.write_text(wanted)
    return Node(program, version)
