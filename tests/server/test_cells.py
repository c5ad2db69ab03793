"""Figures in a region of memory: added by one, read by others, gone on with by the next."""

import random

from pasyans.server.metrics.cells import Cells, read
from pasyans.server.metrics.definitions import METRICS
from structlog.testing import capture_logs


def region(size: int = 65_536) -> memoryview:
    return memoryview(bytearray(size))


def test_what_is_written_is_read_under_its_name() -> None:
    memory = region()
    assert read(memory) == {}
    cells = Cells(memory)
    names = ["a", "eight678", "nine56789", "Имя", '["x","y"]', ""]
    for number, name in enumerate(names):
        at = cells.place(name, number + 1)
        assert cells.values[at : at + number + 1].tolist() == [0.0] * (number + 1)
        for figure in range(number + 1):
            cells.values[at + figure] = number + figure / 10
    assert read(memory) == {
        name: [number + figure / 10 for figure in range(number + 1)] for number, name in enumerate(names)
    }


def test_a_name_has_one_place() -> None:
    cells = Cells(region())
    places = [cells.place(name, 3) for name in ("a", "b", "a", "b")]
    assert places[:2] == places[2:]
    assert abs(places[0] - places[1]) >= 3


def test_the_next_worker_goes_on_with_what_lies_there() -> None:
    memory = region()
    first = Cells(memory)
    for number in range(50):
        first.values[first.place(str(number), 1)] = number
    second = Cells(memory)
    for number in reversed(range(60)):
        second.values[second.place(str(number), 1)] += 1
    assert read(memory) == {str(number): [number + 1.0 if number < 50 else 1.0] for number in range(60)}


def test_what_has_no_room_is_told_once_and_does_no_harm() -> None:
    memory = region(4096)
    cells = Cells(memory)
    with capture_logs() as logs:
        for number in range(500):
            cells.values[cells.place(f"figure {number}", 9)] += 1
    assert [(line["event"], line["log_level"]) for line in logs] == [("metrics.full", "warning")]
    kept = read(memory)
    assert 10 < len(kept) < 60
    assert set(map(tuple, kept.values())) == {(1.0, *[0.0] * 8)}


def test_any_names_and_counts_come_back() -> None:
    dice = random.Random(3)
    memory = region()
    cells = Cells(memory)
    expected = {}
    for number in range(200):
        name = f"{number}" + "x" * dice.randrange(40)
        figures = [float(dice.randrange(2**53)) for _ in range(dice.randrange(1, 20))]
        at = cells.place(name, len(figures))
        for place, figure in enumerate(figures):
            cells.values[at + place] = figure
        expected[name] = figures
    assert read(memory) == expected


def test_metrics_have_names_of_their_own_in_the_fields_style() -> None:
    names = [metric.name for metric in METRICS]
    assert len(set(names)) == len(names)
    for metric in METRICS:
        assert metric.name.startswith("pasyans_")
        assert metric.name.endswith("_total") == (metric.kind == "counter")
        assert bool(metric.bounds) == (metric.kind == "histogram")
        assert list(metric.bounds) == sorted(set(metric.bounds))
        assert metric.meaning.endswith(".")
