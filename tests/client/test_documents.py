"""What the documentation shows works."""

import contextlib
import io
import re
from pathlib import Path

from tests.support.service import Service

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"


def test_the_example_of_the_readme_plays(service: Service) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(code.replace("http://127.0.0.1:8000", service.url), {})  # noqa: S102
    moved, drawn, refused, listed = output.getvalue().splitlines()
    assert moved.startswith("2 moved t8-f1 (Change(card='AC', source='t8', source_index=3, to='f1', ")
    assert drawn.startswith("3 moved draw (")
    assert refused.startswith("wrong-suit KD cannot go on 5C")
    assert listed.endswith(" forty-thieves 1")
