"""Run benchmarks: `python -m tests.bench [NAME...] [--rounds N] [--json FILE]`, or `./dev bench`."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.bench.about import about
from tests.bench.harness import REGISTRY, run
from tests.bench.sizes import FULL, TINY
from tests.bench.stage import Stage
from tests.bench.table import missing, plain, table

MODULES: Final = (
    "append", "latency", "length", "engine", "boards", "finish", "rebuild", "storage", "streams", "start", "memory",
    "edge",
)  # fmt: skip
"""In the order in which they run. What they register is all there is."""

ROUNDS: Final = 5
"""With fewer, a median and a spread say little."""


def main(arguments: Sequence[str]) -> int:
    """Run what was named, or everything; 1 when what must be reached was missed, or could not be measured."""
    for module in MODULES:
        import_module(f"tests.bench.{module}")
    given = _parsed(arguments)
    with Stage(TINY if given.tiny else FULL, given.workers) as stage:
        outcomes = {name: run(REGISTRY[name], stage, given.rounds, _tell) for name in given.names or REGISTRY}
        run_on = about(stage, given.rounds, [value for outcome in outcomes.values() for value in outcome.machine])
    print(table(outcomes), "", *missing(outcomes), *run_on.sentences(), sep="\n")
    measured = {name: plain(outcome) for name, outcome in outcomes.items()}
    given.json.write_text(json.dumps({"about": asdict(run_on), "benchmarks": measured}, indent=2) + "\n")
    print(f"The figures of every round are in {given.json}.")
    bad = any(
        outcome.missing is not None or any(result.met(result.line.must) is False for result in outcome.results)
        for outcome in outcomes.values()
    )
    return 1 if bad else 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    known = "\n".join(f"  {found.name:<9} {found.summary}" for found in REGISTRY.values())
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        description=f"Measure. What there is:\n{known}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to measure; everything unless told")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"how often, {ROUNDS} unless told and at least")
    parser.add_argument("--workers", type=int, metavar="N", help="PASYANS_WORKERS of whatever serves requests")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", default=Path("bench.json"), help="where the figures go (%(default)s)"
    )
    parser.add_argument(
        "--tiny", action="store_true", help="so little, and one round, that only whether it works can be seen"
    )
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in REGISTRY]
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are: {', '.join(REGISTRY)}")
    least = 1 if given.tiny else ROUNDS
    given.rounds = least if given.rounds is None else given.rounds
    if given.rounds < least:
        parser.error(f"--rounds must be {least} or more")
    return given


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


sys.exit(main(sys.argv[1:]))
