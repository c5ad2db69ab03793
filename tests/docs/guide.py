"""The guide to front ends, taken apart: its blocks as the files that a reader makes of them."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import msgspec
from pasyans.deals.deal import deal
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS
from pasyans_client.models import Layout, Pile

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "front-end.md").read_text("utf-8")
PICTURE = ROOT / "docs" / "front-end.svg"
ADDRESS = "http://127.0.0.1:8000"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"(?://|#|<!--) (\S+)(?: -->)?\n")


def blocks(language: str, guide: str = GUIDE) -> list[str]:
    """The blocks of a language, in order."""
    return [text for name, text in _BLOCK.findall(guide) if name == language]


def so_far() -> dict[str, str]:
    """The guide up to the end of each of its steps that has code, by the number of the step."""
    parts = re.split(r"^(?=## )", GUIDE, flags=re.MULTILINE)
    ends = {part.split()[1].rstrip("."): "".join(parts[: n + 1]) for n, part in enumerate(parts) if part[3:4].isdigit()}
    return {number: text for number, text in ends.items() if int(number) > 1}


def files(language: str, address: str = ADDRESS, guide: str = GUIDE) -> dict[str, str]:
    """The files that the blocks of a language make up, by name, for a service at an address."""
    made: dict[str, str] = {}
    for text in blocks(language, guide):
        name = _NAME.match(text)
        assert name is not None, f"a block says no file: {text[:60]}"
        made[name[1]] = made.get(name[1], "") + text.replace(ADDRESS, address)
    return made


def output() -> re.Pattern[str]:
    """What the guide says that is printed; `…` stands for what is not the same each time."""
    return re.compile(re.escape("".join(blocks("text"))).replace("…", ".*"))


@contextmanager
def imported(path: Path) -> Iterator[ModuleType]:
    """A file as a module, for as long as the block runs."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[path.stem]


def drawn(table: ModuleType) -> str:
    """The picture in the guide, by its own code."""
    variant = VARIANTS["forty-thieves"]
    rules = rules_of(variant)
    piles = msgspec.convert(rules.view(deal(variant, "hello")), list[Pile], from_attributes=True)
    layout = msgspec.convert(rules.layout, Layout, from_attributes=True)
    return str(table.svg(table.picture(layout, table.lay(piles))))
