"""The benchmarks' harness: its figures, its table, and that the engine's benchmark runs."""

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pasyans.games.catalogue import VARIANTS

from tests.bench.harness import Benchmark, Figure, Result, benchmark, rate, run

ROOT = Path(__file__).parents[1]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> tuple[Benchmark, list[str]]:
    """A benchmark whose values are known, and what it did in which order."""
    monkeypatch.setattr("tests.bench.harness.REGISTRY", {})
    done: list[str] = []
    values = itertools.count(10.0, 10.0)

    def measure() -> float:
        done.append("measure")
        return next(values)

    def yardstick() -> float:
        done.append("yardstick")
        return 5.0

    @benchmark("toy", "what is known")
    def toy() -> Iterator[Sequence[Figure]]:
        done.append("set up")
        yield [Figure("things", "things/s", measure, yardstick, target=30.0)]
        done.append("cleared up")

    return Benchmark("toy", "what is known", toy), done


def test_a_benchmark_is_warmed_up_and_measured_between_its_set_up_and_its_end(
    toy: tuple[Benchmark, list[str]],
) -> None:
    wanted, done = toy
    (result,) = run(wanted, rounds=3)
    assert done == ["set up", *["yardstick", "measure"] * 4, "cleared up"]
    assert result.values == [20.0, 30.0, 40.0]  # the first, 10, was for warming up
    assert (result.median, result.yardstick, result.ratio, result.met) == (30.0, 5.0, 6.0, True)
    assert result.spread == pytest.approx(20 / 30)


@pytest.mark.parametrize(
    ("target", "less", "met"), [(None, False, None), (10.0, False, True), (11.0, False, False), (9.0, True, False)]
)
def test_a_target_is_met_from_its_own_side(target: float | None, less: bool, met: bool | None) -> None:
    figure = Figure("things", "s", lambda: 10.0, target=target, less=less)
    assert Result(figure, [10.0], []).met is met


def test_a_rate_is_what_was_done_by_the_time_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = itertools.count(100.0, 0.25)  # seconds
    monkeypatch.setattr("time.perf_counter", lambda: next(readings))
    assert rate(lambda: 50, seconds=1.0) == 150 / 1.0


def test_the_engines_benchmark_shows_a_table_and_writes_its_figures(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "engine", "--rounds", "1", "--json", written],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    figures = json.loads(written.read_text())["engine"]
    shown = done.stdout.splitlines()[4:]
    assert len(figures) == len(shown) == 2 * len(VARIANTS)
    for figure, line in zip(figures, shown, strict=True):
        assert line.startswith(f"{figure['figure']}, {figure['unit']} ")
        assert figure["median"] > 0
        assert (figure["met"] is None) == (figure["target"] is None)
    targets = {figure["figure"]: figure["target"] for figure in figures if figure["target"]}
    assert targets == {"forty-thieves: checked moves": 100_000, "forty-thieves: all legal moves": 10_000}


def test_an_unknown_benchmark_is_told_with_those_there_are() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "nothing"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no benchmark nothing; there are: engine" in done.stderr
