"""The commands of the guide to front ends set up what its code needs, on a machine that has neither client."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.guide import ROOT, blocks, files, output
from tests.support.service import Service
from tests.support.typescript import installed

pytestmark = pytest.mark.full


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A folder with a clone of this project in it, `pasyans`."""
    options = ["--cached", "--others", "--exclude-standard"]
    command = ["git", "ls-files", *options, "clients", "openapi"]
    tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in tracked.stdout.splitlines():
        (tmp_path / "pasyans" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / "pasyans" / name)
    return tmp_path


def run(script: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def write(made: dict[str, str], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in made.items():
        (folder / name).write_text(text, "utf-8")


def test_for_typescript(beside: Path, service: Service) -> None:
    if installed().version < (20,):
        pytest.skip("the guide asks for Node 20")
    run(blocks("sh")[0], beside)
    run("npm run check && npm run types && npm run build", beside / "pasyans" / "clients" / "typescript")
    table = beside / "table"
    write(files("ts", service.url), table / "src")
    write(files("json") | files("html"), table)
    assert output().fullmatch(run("npx tsc >&2 && node out/main.js", table))
    for module in ("pasyans-client/dist/index.js", "openapi-fetch/dist/index.mjs"):
        assert f"./node_modules/{module}" in files("html")["index.html"]
        assert (table / "node_modules" / module).is_file()
        assert not (table / "node_modules" / module.partition("/")[0]).is_symlink()


def test_for_python(beside: Path, service: Service) -> None:
    table = beside / "table"
    table.mkdir()
    write(files("python", service.url), table)
    run(blocks("sh")[1], beside)
    printed = run(". bin/activate && python main.py", table)
    assert output().fullmatch(printed), printed
    found = run(". bin/activate && pip list --format=freeze", table)
    assert "pasyans-client==" in found
    assert "litestar" not in found
