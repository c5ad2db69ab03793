"""Every sentence of the contract has tests that are named here.

``api.md`` is the contract as it was given. ``sentences.tsv`` numbers its sentences, section by section, and names for
each the tests that fail when it is broken, as ``path::function``. These checks hold the table together: nothing of a
section is left out, nothing is made up, and every test that is named is there.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = HERE.parent
SECTIONS = {"G": "Games", "V": "Replays and visibility", "P": "Players and leaderboards", "A": "Admin"}


def rows() -> list[tuple[str, str, list[str]]]:
    lines = (HERE / "sentences.tsv").read_text().splitlines()
    return [(number, sentence, tests.split()) for number, sentence, tests in (line.split("\t") for line in lines)]


def section(title: str) -> str:
    """The words of a section and of its head, without its example, the marks of lists and the heads of tables."""
    found = re.search(rf"^## {title}\b(.*?)(?=^## |\Z)", (HERE / "api.md").read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    text = re.sub(r"```.*?```", "", found[1], flags=re.DOTALL)
    text = re.sub(r"^\|.*\|\n\|[ |-]*\|$|^- ", "", text, flags=re.MULTILINE)
    return " ".join(text.split())


@cache
def functions(path: Path) -> set[str]:
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    }


@pytest.mark.parametrize(("letter", "title"), SECTIONS.items())
def test_the_table_has_every_word_of_the_section(letter: str, title: str) -> None:
    sentences = [sentence for number, sentence, _ in rows() if number.startswith(letter)]
    numbers = [number for number, _, _ in rows() if number.startswith(letter)]
    assert numbers == [f"{letter}{n}" for n in range(1, len(numbers) + 1)]
    assert " ".join(" ".join(sentences).split()) == section(title)


@pytest.mark.parametrize(("number", "tests"), [(number, tests) for number, _, tests in rows()])
def test_a_sentence_has_tests_that_are_there(number: str, tests: list[str]) -> None:
    assert tests, number
    for test in tests:
        path, _, name = test.partition("::")
        assert name in functions(TESTS / path), test
