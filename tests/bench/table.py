"""The table that a run prints, and the same for programs."""

from collections.abc import Iterator, Mapping
from typing import Final

from tests.bench.harness import Of, Outcome, Result, Series

_HEAD: Final = ("figure", "median ±spread", "yardstick", "compared", "must", "met", "aim", "met")


def table(outcomes: Mapping[str, Outcome]) -> str:
    """One line for each line of each benchmark."""
    rows = [_HEAD, *(_cells(name, result) for name, outcome in outcomes.items() for result in outcome.results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _cells(name: str, result: Result) -> tuple[str, ...]:
    line = result.line
    return (
        f"{name}: {line.figure}, {line.unit}",
        _series(result.figure),
        f"{line.yardstick}: {_series(result.yardstick)}" if result.yardstick else "-",
        _compared(result),
        *_target(result, line.must),
        *_target(result, line.aim),
    )


def _series(series: Series | None) -> str:
    return "-" if series is None else f"{number(series.median)} ±{series.spread:.0%}"


def _compared(result: Result) -> str:
    if result.line.of is Of.DIFFERENCE:
        return f"{number(result.judged.median)} {result.line.unit} more"
    return f"{_series(result.ratio)} ×" if result.ratio else "-"


def _target(result: Result, target: float | None) -> tuple[str, str]:
    if target is None:
        return "-", "-"
    limit = f"{'<=' if result.line.less else '>='} {number(target)}{result.line.of.value}"
    return limit, "yes" if result.met(target) else "NO"


def number(value: float) -> str:
    """A number with as many digits as mean something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def missing(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    """What could not be measured, and what else there is to say."""
    for name, outcome in outcomes.items():
        if outcome.missing is not None:
            yield f"{name}: NOT MEASURED. {outcome.missing}"
        for note in outcome.notes:
            yield f"{name}: {note}"


def plain(outcome: Outcome) -> dict[str, object]:
    """What came of a benchmark, as JSON has it."""
    return {
        "lines": [_plain(result) for result in outcome.results],
        "notes": list(outcome.notes),
        "not_measured": outcome.missing,
    }


def _plain(result: Result) -> dict[str, object]:
    line = result.line
    return {
        "figure": line.figure,
        "unit": line.unit,
        "yardstick": line.yardstick,
        "values": _values(result.figure),
        "yardstick_values": _values(result.yardstick),
        "ratio": _values(result.ratio),
        "judged": {Of.FIGURE: "figure", Of.RATIO: "ratio", Of.DIFFERENCE: "difference"}[line.of],
        "judged_value": result.judged.median,
        "better": "less" if line.less else "more",
        "must": line.must,
        "must_met": result.met(line.must),
        "aim": line.aim,
        "aim_met": result.met(line.aim),
    }


def _values(series: Series | None) -> dict[str, object] | None:
    if series is None:
        return None
    return {"median": series.median, "spread": series.spread, "rounds": list(series.values)}
