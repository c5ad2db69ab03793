"""Run benchmarks: `python -m tests.bench [NAME...] [--rounds N] [--json FILE]`, or `./dev bench`."""

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.bench.harness import REGISTRY, Result, run


def main(arguments: Sequence[str]) -> int:
    """Run what was named, or everything; 1 when a target is missed."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem not in {"__main__", "harness"}:
            import_module(f"tests.bench.{path.stem}")
    known = "\n".join(f"  {found.name:<12} {found.summary}" for found in REGISTRY.values())
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        description=f"Measure. What there is:\n{known}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to measure; everything unless told")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in REGISTRY]
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are: {', '.join(REGISTRY)}")
    if given.rounds < 1:
        parser.error("--rounds must be 1 or more")
    results = {name: run(REGISTRY[name], given.rounds) for name in given.names or REGISTRY}
    for name, found in results.items():
        print(f"\n{name}: {REGISTRY[name].summary} ({given.rounds} rounds, Python {platform.python_version()})\n")
        print(table(found))
    if given.json is not None:
        given.json.write_text(json.dumps({name: list(map(plain, found)) for name, found in results.items()}, indent=2))
    return 1 if any(result.met is False for found in results.values() for result in found) else 0


def table(results: Sequence[Result]) -> str:
    """One line a figure."""
    head = ("figure", "median", "spread", "yardstick", "ratio", "target", "met")
    rows = [head, *map(cells, results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) if not column else cell.rjust(width) for column, (cell, width) in enumerate(pairs))
        for pairs in (list(zip(row, widths, strict=True)) for row in rows)
    )


def cells(result: Result) -> tuple[str, ...]:
    """The texts of one line of the table."""
    figure = result.figure
    limit = "" if figure.target is None else f"{'<=' if figure.less else '>='} {number(figure.target)}"
    met = {True: "yes", False: "NO", None: "-"}[result.met]
    return (
        f"{figure.name}, {figure.unit}",
        number(result.median),
        f"{result.spread:.0%}",
        number(result.yardstick),
        number(result.ratio),
        limit or "-",
        met,
    )


def number(value: float | None) -> str:
    """A number with as many digits as mean something."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def plain(result: Result) -> dict[str, object]:
    """The result as JSON has it."""
    figure = result.figure
    return {
        "figure": figure.name,
        "unit": figure.unit,
        "median": result.median,
        "spread": result.spread,
        "values": result.values,
        "yardstick": result.yardstick,
        "ratio": result.ratio,
        "target": figure.target,
        "met": result.met,
    }


sys.exit(main(sys.argv[1:]))
