"""The clients are packages of their own: small, typed, documented, and of the service's version."""

import ast
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.guide import ROOT
from tests.support.typescript import PACKAGE

PYTHON = ROOT / "clients" / "python"
MODULES = sorted((PYTHON / "pasyans_client").glob("*.py"))


def project(folder: Path) -> dict[str, Any]:
    return dict(tomllib.loads((folder / "pyproject.toml").read_text())["project"])


def test_the_clients_have_the_version_of_the_service() -> None:
    assert project(PYTHON)["version"] == project(ROOT)["version"]
    assert json.loads((PACKAGE / "package.json").read_text())["version"] == project(ROOT)["version"]


def test_the_python_client_needs_what_it_imports_and_as_the_service_does() -> None:
    imported = {name.partition(".")[0] for module in MODULES for name in imports(ast.parse(module.read_text()))}
    needed = project(PYTHON)["dependencies"]
    assert imported - sys.stdlib_module_names == {each.partition(">")[0] for each in needed} | {"pasyans_client"}
    assert set(needed) <= set(project(ROOT)["dependencies"])


def imports(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield str(node.module)


def test_the_python_client_is_typed() -> None:
    assert (PYTHON / "pasyans_client" / "py.typed").exists()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_whatever_is_public_in_the_python_client_says_what_it_is(module: Path) -> None:
    assert list(silent(ast.parse(module.read_text()), module.stem)) == []


def silent(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[str]:
    """What has no docstring, of a module or class and all that is public in it; a protocol speaks for its members."""
    if ast.get_docstring(node) is None:
        yield name
    is_protocol = isinstance(node, ast.ClassDef) and any(
        ast.unparse(base).startswith("Protocol") for base in node.bases
    )
    if isinstance(node, ast.Module | ast.ClassDef) and not is_protocol:
        for inner in node.body:
            if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and inner.name[0] != "_":
                yield from silent(inner, f"{name}.{inner.name}")
