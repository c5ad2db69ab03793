"""The package is what the API's document and its own promises make it."""

import json
import re
import shlex
from pathlib import Path

from tests.support.typescript import PACKAGE, installed, tool

_EXACT = re.compile(r"\d+\.\d+\.\d+")


def test_the_types_are_those_of_the_openapi_document(tmp_path: Path) -> None:
    program, *arguments = shlex.split(json.loads((PACKAGE / "package.json").read_text())["scripts"]["types"])
    made = tmp_path / "schema.ts"
    *options, committed = arguments
    done = tool(installed(), program, *options, str(made))
    assert done.returncode == 0, done.stderr
    same = made.read_text("utf-8") == (PACKAGE / committed).read_text("utf-8")
    assert same, "clients/typescript/src/schema.ts is not up to date: npm run --prefix clients/typescript types"


def test_versions_are_pinned_and_no_registry_is_named() -> None:
    package = json.loads((PACKAGE / "package.json").read_text())
    wanted = {**package["dependencies"], **package["devDependencies"]}
    assert wanted
    assert [name for name, version in wanted.items() if not _EXACT.fullmatch(version)] == []
    lock = json.loads((PACKAGE / "package-lock.json").read_text())
    installs = {name: part for name, part in lock["packages"].items() if name}
    assert len(installs) > len(wanted)
    for name, part in installs.items():
        assert part["integrity"].startswith("sha512-"), name
        assert "resolved" not in part, name
    for name, version in wanted.items():
        assert installs[f"node_modules/{name}"]["version"] == version


def test_the_package_needs_nothing_else_when_it_runs() -> None:
    sources = list((PACKAGE / "src").glob("*.ts"))
    assert len(sources) > 3
    named = {
        name
        for source in sources
        for name in re.findall(r'^(?:im|ex)port [^;]*? from "(.*?)"', source.read_text(), re.M)
    }
    outside = {name for name in named if not name.startswith("./")}
    assert outside == set(json.loads((PACKAGE / "package.json").read_text())["dependencies"])
