"""`./dev`: its help, the Python it asks for, when it installs, and that its last line is true."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

DEV = Path(__file__).parents[1] / "dev"


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, DEV, *arguments], env=os.environ | environ, capture_output=True, text=True, check=False
    )


def as_python(version: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run `./dev up` as if this Python were an older one, with the programs of `path` to find."""
    pretend = f"import sys\nsys.version_info = {version}\nsys.argv = ['./dev', 'up']\n"
    script = f"{pretend}exec(compile(open({str(DEV)!r}).read(), 'dev', 'exec'))"
    return subprocess.run(
        [sys.executable, "-c", script], env={"PATH": str(path)}, capture_output=True, text=True, check=False
    )


def test_help_names_the_commands() -> None:
    done = run("--help")
    assert done.returncode == 0
    for line in ("./dev up [--port N]", "./dev test [--full] [-- ARG...]", "./dev bench [NAME...]"):
        assert line in done.stdout


@pytest.mark.parametrize("wrong", [[], ["down"], ["up", "--port", "x"], ["up", "--", "x"], ["test", "x"]])
def test_wrong_usage_is_told(wrong: list[str]) -> None:
    done = run(*wrong)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: ./dev" in done.stderr


def test_the_usage_of_a_command_can_be_typed() -> None:
    done = run("up", "--help")
    assert done.stdout.startswith("usage: ./dev up ")


def test_an_old_python_is_told_what_is_missing(tmp_path: Path) -> None:
    done = as_python("(3, 9, 2)", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Pasyans needs Python 3.11 or newer, and this is 3.9. Install a newer one and run it: python3.11 ./dev up\n"
    )


def test_an_old_python_can_read_the_script_so_far() -> None:
    ast.parse(DEV.read_text(), feature_version=(3, 7))


def test_a_newer_python_on_the_path_is_used(tmp_path: Path) -> None:
    newer = tmp_path / "python3.12"
    newer.write_text('#!/bin/sh\necho "newer: $*"\n')
    newer.chmod(0o755)
    done = as_python("(3, 9, 2)", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "newer: ./dev up\n", "")


# --- installing ---


class Checkout:
    """The script in a checkout of its own, with a note of each program that it runs instead of running it."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.script = _load()
        self.ran: list[str] = []
        self.failing = ""
        for name, value in {"ROOT": root, "VENV": root / ".venv", "STAMP": root / ".venv" / "dev-stamp.json"}.items():
            monkeypatch.setattr(self.script, name, value)
        monkeypatch.setattr(self.script, "quietly", self._quietly)
        (root / "pyproject.toml").write_text("one")
        (root / "constraints.txt").write_text("one")

    def install(self, *extras: str) -> list[str]:
        """Ask for these extras; what was run for it."""
        self.ran.clear()
        self.script.install(frozenset(extras))
        return list(self.ran)

    def _quietly(self, *command: str | Path) -> None:
        line = " ".join(str(part) for part in command).replace(f"{self.root}/", "")
        self.ran.append(line.replace(sys.executable, "python"))
        if self.failing and self.failing in line:
            raise self.script.Failure("no such thing here")
        if "-m venv" in line:
            (self.root / ".venv" / "bin").mkdir(parents=True)
            (self.root / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
            (self.root / ".venv" / "bin" / "python").touch()
        if "pip install uv" in line:
            (self.root / ".venv" / "bin" / "uv").touch()


def _load() -> ModuleType:
    loader = SourceFileLoader("dev", str(DEV))
    spec = spec_from_loader("dev", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return Checkout(tmp_path, monkeypatch)


UV = ".venv/bin/uv pip install --python .venv/bin/python --compile-bytecode -c constraints.txt -e "
PIP = ".venv/bin/python -m pip install -c constraints.txt -e "


def test_the_first_time_makes_everything_with_uv_and_the_second_nothing(checkout: Checkout) -> None:
    made, uv, packages = checkout.install("embedded")
    assert made.endswith("-m venv .venv")
    assert uv.startswith(".venv/bin/python -m pip install uv")
    assert packages == UV + ".[embedded]"
    assert checkout.install("embedded") == []


def test_what_is_there_is_kept_and_added_to(checkout: Checkout) -> None:
    checkout.install("embedded")
    assert checkout.install("dev") == [UV + ".[dev,embedded]"]
    assert checkout.install("embedded") == []
    assert checkout.install("dev", "embedded") == []


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
def test_new_requirements_are_installed(checkout: Checkout, changed: str) -> None:
    checkout.install("embedded")
    (checkout.root / changed).write_text("two")
    assert checkout.install("embedded") == [UV + ".[embedded]"]
    assert checkout.install("embedded") == []


@pytest.mark.parametrize("left", ["", "[]", "{}", '{"fingerprint": "old", "extras": ["embedded"]}'])
def test_a_stamp_that_says_nothing_is_no_stamp(checkout: Checkout, left: str) -> None:
    checkout.install("embedded")
    (checkout.root / ".venv" / "dev-stamp.json").write_text(left)
    assert checkout.install("embedded") == [UV + ".[embedded]"]


def test_another_python_in_the_environment_means_to_install_anew(checkout: Checkout) -> None:
    checkout.install("embedded")
    (checkout.root / ".venv" / "pyvenv.cfg").write_text("version_info = 3.12.1\n")
    assert checkout.install("embedded") == [UV + ".[embedded]"]


def _too_old(venv: Path) -> None:
    (venv / "pyvenv.cfg").write_text("version = 3.10.4\n")


def _gone(venv: Path) -> None:
    (venv / "bin" / "python").unlink()


@pytest.mark.parametrize("spoil", [_too_old, _gone])
def test_an_environment_without_a_python_that_will_do_is_made_anew(
    checkout: Checkout, spoil: Callable[[Path], Any]
) -> None:
    checkout.install("embedded")
    spoil(checkout.root / ".venv")
    assert len(checkout.install("embedded")) == 3
    assert checkout.install("embedded") == []


def test_a_folder_that_is_no_environment_is_left_alone(checkout: Checkout) -> None:
    (checkout.root / ".venv").mkdir()
    (checkout.root / ".venv" / "thesis.txt").touch()
    with pytest.raises(checkout.script.Failure, match="Move it away"):
        checkout.install("embedded")
    assert (checkout.root / ".venv" / "thesis.txt").exists()


@pytest.mark.parametrize("failing", ["pip install uv", "uv pip install"])
def test_pip_does_it_where_uv_cannot(checkout: Checkout, failing: str) -> None:
    checkout.failing = failing
    assert checkout.install("embedded")[-1] == PIP + ".[embedded]"
    assert checkout.install("embedded") == []


def test_an_installation_that_failed_is_tried_again(checkout: Checkout) -> None:
    checkout.failing = "pip install"
    with pytest.raises(checkout.script.Failure):
        checkout.install("embedded")
    checkout.failing = ""
    assert checkout.install("embedded")[-1] == UV + ".[embedded]"


# --- the last line ---

_TESTS = """
import pytest
def test_passes(): pass
def test_passes_too(): pass
def test_fails(): assert False
@pytest.fixture
def broken(): raise ValueError
def test_errs(broken): pass
@pytest.mark.skip(reason="so")
def test_is_skipped(): pass
@pytest.mark.full
def test_is_large(): pass
"""

_CONFTEST = """
from hypothesis import settings
settings.register_profile("full")
def pytest_addoption(parser): parser.addoption("--compiled", action="store_true")
"""


@pytest.mark.parametrize(
    ("full", "arguments", "code", "last"),
    [
        (False, [], 1, "2 passed, 2 failed, 1 skipped"),
        (True, [], 1, "5 passed, 4 failed, 2 skipped"),
        (True, ["-k", "passes or large"], 0, "3 passed, 0 failed, 0 skipped"),
        (False, ["-k", "passes"], 0, "2 passed, 0 failed, 0 skipped"),
        (False, ["-k", "skipped"], 1, "0 passed, 0 failed, 1 skipped"),
        (False, ["-k", "nothing"], 1, "0 passed, 0 failed, 0 skipped"),
        (False, ["--no-such-option"], 1, "pytest ended without a report"),
    ],
)
def test_the_last_line_is_true(
    checkout: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    full: bool,
    arguments: list[str],
    code: int,
    last: str,
) -> None:
    (checkout.root / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["full"]\n')
    (checkout.root / "conftest.py").write_text(_CONFTEST)
    (checkout.root / "test_it.py").write_text(_TESTS)
    only_tests = checkout.script.check
    monkeypatch.setattr(checkout.script, "on_compiled", lambda _extras: dict(os.environ))
    monkeypatch.setattr(checkout.script, "ON_COMPILED", ["test_it.py"])
    monkeypatch.setattr(checkout.script, "install", lambda _extras: None)
    monkeypatch.setattr(checkout.script, "program", lambda _name: Path(sys.executable))
    monkeypatch.setattr(
        checkout.script,
        "check",
        lambda name, *command: only_tests(name, *command) if name.startswith("tests") else (True, 0.0),
    )
    assert checkout.script.test(full, arguments) == code
    assert capfd.readouterr().out.splitlines()[-1] == last


def test_without_a_c_compiler_nothing_is_compiled(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout.root))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(checkout.script.Failure, match="apt-get install gcc"):
        checkout.script.on_compiled(frozenset())


def test_a_check_that_fails_fails_the_run(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checkout.script, "install", lambda _extras: None)
    monkeypatch.setattr(checkout.script, "count", lambda _report: (3, 0, 0))
    monkeypatch.setattr(checkout.script, "check", lambda name, _line: (name != "types", 1.0))
    assert checkout.script.test(False, []) == 1
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:-1]] == [
        ["format", "ok"],
        ["lint", "ok"],
        ["types", "FAILED"],
        ["imports", "ok"],
        ["tests", "ok"],
    ]


def test_folders_in_the_settings_are_seen_from_where_the_caller_stands(checkout: Checkout, tmp_path: Path) -> None:
    checkout.install("embedded")
    shutil.copy(DEV, checkout.root / "dev")
    server = checkout.root / ".venv" / "bin" / "pasyansd"
    server.write_text('#!/bin/sh\necho "$1 in $PWD"\n')
    server.chmod(0o755)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(
        [sys.executable, checkout.root / "dev", "up"], cwd=elsewhere, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"serve in {elsewhere}\n", "")
