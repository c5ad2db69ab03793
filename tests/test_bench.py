"""The benchmarks: how figures are taken and judged, the load on the service, and that each of them works."""

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from pasyans.deals.deal import chance, deal
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS

from tests.bench import pgbench
from tests.bench.harness import (
    Benchmark,
    Line,
    NotMeasured,
    Of,
    Outcome,
    Plan,
    Result,
    Series,
    benchmark,
    percentile,
    rate,
    run,
)
from tests.bench.load import Ask, WrongAnswer, answers, closed_loop, open_loop
from tests.bench.scripts import PLAYED, scripts, won
from tests.bench.sizes import FULL, TINY
from tests.bench.stage import Stage
from tests.bench.table import missing, number, table

ROOT = Path(__file__).parents[1]


# ---- the harness -----------------------------------------------------------------------------------------------------


def toy(monkeypatch: pytest.MonkeyPatch, done: list[str]) -> Benchmark:
    """A benchmark whose values are known, and which notes what it did."""
    monkeypatch.setattr("tests.bench.harness.REGISTRY", {})
    values = iter([100.0, 10.0, 40.0, 30.0])

    def measure() -> Mapping[str, float]:
        done.append("round")
        return {"things": next(values), "others": 5.0}

    @benchmark("toy", "what is known")
    def toy(_stage: Stage) -> Iterator[Plan]:
        done.append("set up")
        yield Plan(measure, [Line("things", "things/s", "others", Of.RATIO, must=6.0)], notes=["This is a toy."])
        done.append("cleared up")

    return Benchmark("toy", "what is known", toy)


def test_a_benchmark_is_warmed_up_and_measured_between_its_set_up_and_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    wanted = toy(monkeypatch, done)
    with Stage(FULL, None) as stage:
        outcome = run(wanted, stage, 3, done.append)
    assert done == [
        "toy: setting up", "set up", "toy: warming up", "round", "toy: round 1 of 3", "round", "toy: round 2 of 3",
        "round", "toy: round 3 of 3", "round", "cleared up",
    ]  # fmt: skip
    (result,) = outcome.results
    assert list(result.figure.values) == [10.0, 40.0, 30.0]  # the first, 100, was for warming up
    assert result.figure.median == 30.0
    assert result.figure.spread == 1.0
    assert result.ratio == Series([2.0, 8.0, 6.0])
    assert (outcome.notes, outcome.missing) == (["This is a toy."], None)
    assert len(outcome.machine) == 4
    assert min(outcome.machine) > 0


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (NotMeasured("There is no such program."), "There is no such program."),
        (OSError("No space."), "It failed: OSError, as the traceback says."),
    ],
)
def test_what_hinders_a_benchmark_is_told_in_its_place(error: Exception, told: str) -> None:
    @contextmanager
    def hindered(stage: Stage) -> Iterator[Plan]:
        if stage.sizes is TINY:
            raise error
        yield Plan(dict, [])

    said: list[str] = []
    with Stage(TINY, None) as stage:
        outcome = run(Benchmark("hindered", "", hindered), stage, 1, said.append)
    assert (outcome.results, outcome.missing) == ((), told)
    assert list(missing({"hindered": outcome})) == [f"hindered: NOT MEASURED. {told}"]
    assert any("OSError: No space." in text for text in said) is isinstance(error, OSError)


@pytest.mark.parametrize(
    ("of", "less", "target", "met"),
    [
        (Of.FIGURE, False, None, None),
        (Of.FIGURE, False, 12.0, True),
        (Of.FIGURE, False, 12.1, False),
        (Of.FIGURE, True, 12.0, True),
        (Of.FIGURE, True, 11.9, False),
        (Of.RATIO, False, 3.0, True),
        (Of.RATIO, True, 2.9, False),
        (Of.DIFFERENCE, True, 8.0, True),
        (Of.DIFFERENCE, True, 7.9, False),
    ],
)
def test_a_target_is_met_from_its_own_side(of: Of, less: bool, target: float | None, met: bool | None) -> None:
    line = Line("things", "s", "others", of, less=less)
    result = Result(
        line, Series([11.0, 12.0, 99.0]), Series([1.0, 4.0, 33.0])
    )  # ratios 11, 3, 3; differences 10, 8, 66
    if of is Of.DIFFERENCE:
        result = Result(line, Series([11.0, 12.0, 13.0]), Series([3.0, 4.0, 5.0]))
    assert result.met(target) is met


def test_a_rate_is_what_was_done_by_the_time_it_took() -> None:
    readings = iter([100.0, 100.25, 100.5, 100.75, 101.0])
    assert rate(lambda: 50, 1.0, lambda: next(readings)) == 150 / 1.0


@pytest.mark.parametrize(("count", "percent", "value"), [(100, 50, 50), (100, 99, 99), (1_000, 99, 990), (3, 99, 2)])
def test_percentiles_are_values_that_were_measured(count: int, percent: float, value: float) -> None:
    values = [float(number) for number in range(count)]
    random.Random(1).shuffle(values)
    assert percentile(values, percent) == value


def test_the_table_has_each_line_with_what_it_is_held_to() -> None:
    outcome = Outcome(
        [
            Result(
                Line("things", "things/s", "others", Of.RATIO, must=0.5, aim=0.75),
                Series([1_000.0, 1_200.0, 1_100.0]),
                Series([2_000.0, 2_000.0, 2_000.0]),
            ),
            Result(Line("wait", "ms", "rest", Of.DIFFERENCE, must=2.0, less=True), Series([4.5]), Series([1.5])),
            Result(Line("room", "bytes", less=True), Series([0.0123]), None),
        ]
    )
    assert table({"toy": outcome}).splitlines() == [
        "figure                 median ±spread          yardstick     compared       must  met        aim  met",
        "toy: things, things/s      1,100 ±18%  others: 2,000 ±0%  0.55 ±18% ×   >= 0.5 ×  yes  >= 0.75 ×   NO",
        "toy: wait, ms                 4.5 ±0%      rest: 1.5 ±0%    3 ms more  <= 2 more   NO          -    -",
        "toy: room, bytes           0.0123 ±0%                  -            -          -    -          -    -",
    ]


@pytest.mark.parametrize(("value", "shown"), [(1234567.8, "1,234,568"), (99.94, "99.9"), (-3.456, "-3.46"), (0.0, "0")])
def test_numbers_have_as_many_digits_as_mean_something(value: float, shown: str) -> None:
    assert number(value) == shown


# ---- the load --------------------------------------------------------------------------------------------------------


@contextmanager
def answering(answer: Callable[[bytes], list[bytes]], *, hangs_up: bool = False) -> Iterator[str]:
    """A server that answers each request with the pieces that `answer` makes; its URL."""

    def serve(connection: socket.socket) -> None:
        with connection, suppress(ConnectionError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while request := connection.recv(65_536):
                for piece in answer(request):
                    connection.sendall(piece)
                if hangs_up:
                    return

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


def whole(body: bytes, status: int = 200) -> bytes:
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


def echoed(request: bytes) -> list[bytes]:
    """The answer that says what was asked, in two pieces."""
    answer = whole(b"you said " + request)
    return [answer[:30], answer[30:]]


def said(word: str) -> Ask:
    return Ask(word.encode(), b"you said " + word.encode())


def test_every_lane_is_asked_in_order_to_its_end() -> None:
    with answering(echoed) as url:
        heard: list[tuple[int, bytes]] = []
        lanes = [[said(f"{lane}-{number}") for number in range(5)] for lane in range(3)]
        load = closed_loop(url, lanes, heard=lambda lane, body: heard.append((lane, body)))
    assert len(load.times) == 15
    assert 0 < max(load.times) <= load.elapsed
    for lane in range(3):
        assert [body for at, body in heard if at == lane] == [b"you said %d-%d" % (lane, number) for number in range(5)]


def test_a_load_for_a_time_ends_when_a_lane_has_nothing_left() -> None:
    with answering(echoed) as url:
        load = closed_loop(url, [[said("short")] * 20, [said("long")] * 100_000], seconds=60.0)
    assert 20 <= len(load.times) < 100_000


def test_answers_come_in_the_order_of_the_requests() -> None:
    with answering(echoed) as url:
        bodies = answers(url, [said(f"{number}") for number in range(10)], at_once=4)
    assert bodies == [b"you said %d" % number for number in range(10)]


def test_requests_that_come_at_random_wait_from_the_moment_when_they_were_due() -> None:
    """There is one connection, and it is held up by the first request until all others are due."""
    held = threading.Event()

    def late(request: bytes) -> list[bytes]:
        held.wait(0.5)  # from when the first one has come, and so from its being due at the earliest
        held.set()
        return echoed(request)

    with answering(late) as url:
        load = open_loop(url, [[said("x")] * 1_000], rate=100.0, seconds=0.4, dice=random.Random(1))
    assert 20 < len(load.times) < 80  # 40 of a Poisson process
    assert min(load.times) > 0.1 - 0.01  # due at 0.4 at the latest, answered at 0.5 at the earliest
    assert max(load.times) > 0.4


@pytest.mark.parametrize(
    "answer",
    [whole(b"you said something else"), whole(b"you said x", 500), b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nyou"],
    ids=["another body", "another status", "an end too soon"],
)
def test_a_wrong_answer_ends_the_load(answer: bytes) -> None:
    with answering(lambda _: [answer], hangs_up=True) as url, pytest.raises(WrongAnswer):
        closed_loop(url, [[said("x")]])


# ---- games that are known in advance ---------------------------------------------------------------------------------


def test_scripts_are_whole_games_of_each_variant_and_legal_to_the_end() -> None:
    some = scripts(20)
    assert {script.variant for script in some} == set(PLAYED)
    assert len({(script.variant, script.seed) for script in some}) == 20
    assert {script.is_won for script in some} == {True, False}
    for script in some:
        rules, shuffle = rules_of(VARIANTS[script.variant]), chance(VARIANTS[script.variant], script.seed)
        position = deal(VARIANTS[script.variant], script.seed)
        for move in script.moves:
            position = rules.play(position, move, shuffle)
        assert rules.is_won(position) is script.is_won
        assert len(script.moves) >= 60
        assert script.version(1) == 2
        assert script.version(len(script.moves)) == len(script.moves) + (2 if script.is_won else 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_there_is_a_win_of_each_variant(variant: str) -> None:
    assert won(variant).is_won
    assert won(variant).variant == variant


# ---- pgbench ---------------------------------------------------------------------------------------------------------

REPORT = """\
transaction type: insert.sql
scaling factor: 1
query mode: prepared
number of clients: 64
number of transactions actually processed: 22577
latency average = 11.339 ms
initial connection time = 85.263 ms
tps = 5644.123456 (without initial connection time)
"""


def test_the_report_of_pgbench_is_read() -> None:
    assert pgbench.read(REPORT) == (22_577, 5644.123456, 11.339)
    with pytest.raises(NotMeasured, match="can't be read"):
        pgbench.read("pgbench: error")


def test_without_pgbench_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pgbench, "_DEBIAN", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PASYANS_PG_BIN", raising=False)
    with pytest.raises(NotMeasured, match="apt-get install"):
        pgbench.find()
    mine = tmp_path / "16" / "bin" / "pgbench"
    mine.parent.mkdir(parents=True)
    shutil.copy(sys.executable, mine)
    assert pgbench.find() == mine


# ---- each benchmark, so small that only whether it works can be seen -------------------------------------------------


def bench(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.bench", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, Any]]:
    """The lines that a run of everything printed, and what it wrote."""
    written = tmp_path_factory.mktemp("bench") / "figures.json"
    done = bench("--tiny", "--json", written)
    assert done.returncode in {0, 1}, done.stderr
    assert written.exists(), done.stderr
    return done.stdout.splitlines(), json.loads(written.read_text())


COMPILED = (1_000_000, 3_000_000), (100_000, 250_000)
PLAIN = (200_000, 400_000), (20_000, 40_000)

# What each benchmark's lines are judged by: what they must reach and are to aim at. Other lines only tell.
TARGETS = {
    "append": [(0.5, 0.75), (0.5, 0.8)],
    "latency": [(6, 4), (4, 2.5)],
    "length": [(1.1, 1.0)],
    "engine": 8,
    "legal": 4,
    "boards": [(10, 5), (1.5, 1.2)] * 2,
    "finish": [(2, 1)],
    "rebuild": [(100_000, 300_000), (1.2, 1.1)],
    "storage": [(160, 125), (8, 5)],
    "streams": [(30, 15), (50, 20), (50, 20)],
    "start": [(120, 80), (3, 2)],
    "memory": [(200, 120)],
    "edge": [(10, 5)] * 3,
}


def test_everything_is_run_in_one_go(everything: tuple[list[str], dict[str, Any]]) -> None:
    printed, written = everything
    assert list(written["benchmarks"]) == list(TARGETS)
    lines = [(name, line) for name, found in written["benchmarks"].items() for line in found["lines"]]
    shown = printed[1 : printed.index("")]
    assert len(shown) == len(lines)
    for (name, line), text in zip(lines, shown, strict=True):
        assert text.startswith(f"{name}: {line['figure']}, {line['unit']} ")
    about = written["about"]
    assert (about["rounds"], about["cores"]) == (1, os.cpu_count())
    assert "fsync on, synchronous_commit on, full_page_writes on" in about["database"]
    assert any(text.startswith("The machine was ") for text in printed)


@pytest.mark.parametrize("name", TARGETS)
def test_a_benchmark_measures_what_it_is_about(name: str, everything: tuple[list[str], dict[str, Any]]) -> None:
    found = everything[1]["benchmarks"][name]
    if name in {"append", "latency"} and found["not_measured"] == pgbench.HOW_TO_GET_IT:
        with pytest.raises(NotMeasured):
            pgbench.find()
        return
    assert found["not_measured"] is None
    targets = [(line["must"], line["aim"]) for line in found["lines"] if line["must"] is not None]
    expected = TARGETS[name]
    if isinstance(expected, int):
        is_compiled = found["notes"] == ["The engine is compiled."]
        expected = [(COMPILED if is_compiled else PLAIN)[name == "legal"]] * expected
    assert targets == expected
    for line in found["lines"]:
        values = [line["values"], *([line["yardstick_values"], line["ratio"]] if line["yardstick"] else [])]
        for each in values:
            assert len(each["rounds"]) == 1
            # The difference of two tiny sizes or times may be anything.
            assert each["median"] > 0 or name in {"storage", "rebuild"} or line["unit"] == "µs"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing"], "there is no benchmark nothing; there are: append, latency, length, engine, legal, boards"),
        (["engine", "--rounds", "4"], "--rounds must be 5 or more"),
        (["engine", "--tiny", "--rounds", "0"], "--rounds must be 1 or more"),
    ],
)
def test_a_wrong_command_line_is_told(arguments: list[str], told: str) -> None:
    done = bench(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
