"""What the documentation shows works."""

import contextlib
import io
import re
from pathlib import Path

from tests.support.service import Service

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"


def run(number: int, service: Service) -> list[str]:
    """Run an example of the README and return the lines that it prints."""
    examples = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(examples) == 2
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(examples[number].replace("http://127.0.0.1:8000", service.url), {})  # noqa: S102
    return output.getvalue().splitlines()


def test_the_example_of_the_readme_plays(service: Service) -> None:
    moved, drawn, refused, listed = run(0, service)
    assert moved.startswith("2 moved t8-f1 (Change(card='AC', source='t8', source_index=3, to='f1', ")
    assert drawn.startswith("3 moved draw (")
    assert refused.startswith("wrong-suit KD cannot go on 5C")
    assert listed.endswith(" forty-thieves 1")


def test_the_example_of_the_readme_checks_a_deal(service: Service) -> None:
    verdict, *checks = run(1, service)
    assert verdict == "verified"
    assert [check.split()[:2] for check in checks] == [
        ["commitment", "passed"],
        ["noted", "passed"],
        ["opening", "passed"],
        ["events", "passed"],
        ["boards", "passed"],
    ]
    assert checks[2] == "opening passed The 40 cards shown at the start lie as the seed deals them."
