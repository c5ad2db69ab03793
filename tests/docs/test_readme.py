"""The README is true: its tours are run as they stand, and its map is the tree."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.service import Service

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
_BLOCK = re.compile(r"^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLIENTS = ("cli", "python", "typescript")
_LINK = re.compile(r"\]\(([^)#:]+)\)")


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def blocks(title: str) -> list[tuple[str, str]]:
    return [(language, text) for language, text in _BLOCK.findall(section(title))]


def run_as_written(title: str, service: Service, folder: Path) -> list[str]:
    """Run a section's commands in one shell, and return what each block printed; the first failure ends it."""
    fence = "--- end of block ---"
    script = f"\necho '{fence}'\n".join(text for language, text in blocks(title) if language == "sh")
    (folder / ".venv").symlink_to(Path(sys.executable).parents[1])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace("http://127.0.0.1:8000", service.url)],
        cwd=folder,
        env=os.environ | {"XDG_CONFIG_HOME": str(folder), "PASYANS_URL": service.url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split(fence)


def test_the_tour_of_the_terminal_runs(service: Service, tmp_path: Path) -> None:
    first, second = run_as_written("Five minutes with the terminal", service, tmp_path)
    assert "Forty Thieves" in first
    assert "draw r-t2 t3-f1 t3-f2 t3-f3 t3-f4" in first
    assert "Вокзал (36 карт)" in second
    record = (tmp_path / "game.txt").read_text()
    assert record.startswith('[Pasyans "1"]\n[Variant "vokzal-36"]\n')
    assert record.endswith("\n\nt3-f1 r-t3\n")


def test_the_tour_of_curl_runs_and_answers_what_it_shows(service: Service, tmp_path: Path) -> None:
    title = "Five minutes with curl"
    printed = "".join(run_as_written(title, service, tmp_path))
    shown = [text.strip() for language, text in blocks(title) if language == "json"]
    assert len(shown) == 2
    for answer in shown:
        assert re.search(re.escape(answer).replace("…", '[^"]*'), printed), answer
    assert printed.count('"type":"/problems/') == 1  # the one that is shown
    assert '"status":"lost"' in printed


def test_the_map_names_every_part_of_the_tree_and_no_other() -> None:
    found = re.search(r"<!-- map -->\n(.*?)<!-- /map -->", README, re.DOTALL)
    assert found is not None
    named = set(re.findall(r"^\| `([^`]+)`", found[1], re.MULTILINE))
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    folders = {path.rpartition("/")[0] for path in tracked if "/" in path}
    parts = {folder.split("/")[0] for folder in folders} - {"service", "clients", ".ci"}
    parts |= {"/".join(folder.split("/")[:3]) for folder in folders if folder.startswith("service/pasyans/")}
    parts |= {"/".join(folder.split("/")[:2]) for folder in folders if folder.startswith("clients/")}
    assert named == parts


DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(f"clients/{each}/README.md" for each in CLIENTS)]


@pytest.mark.parametrize("name", [*DOCUMENTS, "docs/front-end.md"])
def test_links_between_documents_lead_somewhere(name: str) -> None:
    document = ROOT / name
    missing = [target for target in _LINK.findall(document.read_text()) if not (document.parent / target).exists()]
    assert missing == []


def test_the_changelog_opens_with_the_version_of_the_package() -> None:
    version = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert version is not None
    assert newest is not None
    assert newest[1] == version[1]
