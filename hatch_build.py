"""Compile the pure folders with mypyc, where that is asked for: several times the moves a second, the same source.

Plain Python is the reference, and all that a newcomer needs. A compiled wheel, which takes a C compiler:

    PASYANS_COMPILE=1 pip wheel --no-deps .

For work on the source, `python hatch_build.py FOLDER` puts a compiled copy of the package into a folder, to be named in
PYTHONPATH; `./dev ... --compiled` does both.
"""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PURE: Final = ("engine", "deals", "record")
TOOLS: Final = ("mypy[mypyc]>=2,<3", "msgspec>=0.20,<1")
_STAMP: Final = "compiled.json"

_SETUP: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup
options = ["--config-file=", "--strict", "--python-version", "%d.%d" % sys.version_info[:2]]
setup(
    name="pasyans",
    packages=[],
    ext_modules=mypycify([*options, *sys.argv[3:]], group_name="pasyans", opt_level="3", debug_level="0"),
    script_args=["build_ext", "--inplace"],
)
"""


class CompileHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling runs while it builds."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs more than hatchling."""
        return list(TOOLS) if _is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put compiled modules beside their sources into the wheel, which is then for one platform."""
        if version == "editable" or not _is_wanted():
            return
        target = Path(self.directory) / "compiled"
        compile_to(target)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for path in target.rglob("*.so"):
            build_data["force_include"][str(path)] = str(path.relative_to(target))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing beside the wheel."""
        shutil.rmtree(Path(self.directory) / "compiled", ignore_errors=True)


def compile_to(target: Path) -> None:
    """Make ``target`` hold the package with its pure folders compiled; nothing is done where it does already.

    Raises:
        CalledProcessError: mypyc or the C compiler failed, and said why on stderr.
    """
    root = Path(__file__).parent
    package = root / "service" / "pasyans"
    stamp = {"sources": _digest(root), "python": sys.version}
    try:
        if json.loads((target / _STAMP).read_text()) == stamp:
            return
    except (OSError, ValueError):
        pass
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(package, target / "pasyans", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(root / "migrations", target / "pasyans" / "migrations")
    modules = [str(path.relative_to(target)) for path in _compiled(target / "pasyans")]
    subprocess.run(
        [sys.executable, "-c", _SETUP, "build_ext", "--inplace", *modules],
        cwd=target,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    shutil.rmtree(target / "build")
    (target / _STAMP).write_text(json.dumps(stamp))


def _compiled(package: Path) -> Iterator[Path]:
    """The modules to be compiled.

    One that defines a struct is not, for mypyc drops what its class statement says; nor is one that defines an
    enumeration, whose documentation, which the API shows, mypyc replaces.
    """
    for folder in PURE:
        for path in sorted((package / folder).glob("*.py")):
            if path.stem != "__init__" and not _needs_its_source(path):
                yield path


def _needs_its_source(path: Path) -> bool:
    classes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]
    bases = [ast.unparse(base) for node in classes for base in node.bases]
    return any(node.keywords for node in classes) or any(re.search("Struct|Enum", base) for base in bases)


def _digest(root: Path) -> str:
    found = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted([*(root / "service").rglob("*"), *(root / "migrations").rglob("*")]):
        if path.is_file() and path.suffix != ".pyc":
            found.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def _is_wanted() -> bool:
    return os.environ.get("PASYANS_COMPILE", "") not in ("", "0")


if __name__ == "__main__":
    compile_to(Path(sys.argv[1]).resolve())
