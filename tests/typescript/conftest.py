"""A project that uses the TypeScript client, with the examples and the scenarios of these tests compiled in it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import stub
from tests.support.service import Service
from tests.support.typescript import PACKAGE, Project, new_project

SCENARIOS = Path(__file__).parent / "scenarios"
ADDRESS = "http://127.0.0.1:8000"
QUICK = {"attempts": 3, "firstWait": 1}

Drive = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory, service: Service) -> Project:
    made = new_project(tmp_path_factory.mktemp("project"))
    sources = [*(PACKAGE / "examples").glob("*.ts"), *SCENARIOS.glob("*.ts")]
    [readme] = re.findall(r"^```ts\n(.*?)^```$", (PACKAGE / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    made.compile(**{source.stem: source for source in sources}, readme=readme.replace(ADDRESS, service.url))
    return made


@pytest.fixture
def drive(project: Project) -> Drive:
    """Have a client take some steps at an address, and return what it tells of them: see `scenarios/drive.ts`."""

    def run(url: str, *steps: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
        orders = {"url": url, "retry": QUICK, "steps": steps, **options}
        done = project.run("drive", stdin=json.dumps(orders))
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


__all__ = ["stub"]
