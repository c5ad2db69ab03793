"""Making results and boards from the log: how fast, and whether its memory grows with the log."""

from collections.abc import Iterator, Mapping
from typing import Final

from tests.bench.filling import fill_finished
from tests.bench.harness import Line, Of, Plan, benchmark
from tests.bench.processes import Ended, run
from tests.bench.stage import Stage, settle
from tests.support.postgres import Postgres
from tests.support.service import PASYANSD, environment
from tests.support.sql import query

_PART: Final = 4
_THROW_AWAY: Final = "TRUNCATE results, board_rows, board_counts, board_changes"


@benchmark("rebuild", "results and boards made again from the log by `pasyansd rebuild`")
def rebuild(stage: Stage) -> Iterator[Plan]:
    """On a log and on one a quarter as long: the time of the difference leaves out what a start takes."""
    few, many = stage.sizes.logged // _PART, stage.sizes.logged
    with stage.database("little_log") as little, stage.database("long_log") as long:
        events = {"little": fill_finished(little.service_url, few), "long": fill_finished(long.service_url, many)}
        for database in (little, long):
            settle(stage.root(database))

        def measure() -> Mapping[str, float]:
            short, full = _run(stage, little, events["little"]), _run(stage, long, events["long"])
            more = events["long"] - events["little"]
            return {
                "events": more / (full.seconds - short.seconds),
                "events for a second of a core of the command": more / (full.core_seconds - short.core_seconds),
                f"memory, {many:,} events": full.peak_mb,
                f"memory, {few:,} events": short.peak_mb,
            }

        yield Plan(
            measure,
            [
                Line("events", "events/s", must=100_000.0, aim=300_000.0),
                Line("events for a second of a core of the command", "events"),
                Line(f"memory, {many:,} events", "MB", f"memory, {few:,} events", Of.RATIO, 1.2, 1.1, less=True),
            ],
        )


def _run(stage: Stage, database: Postgres, events: int) -> Ended:
    """Rebuild everything from the log alone."""
    query(stage.root(database), _THROW_AWAY)
    settings = {"DATABASE_URL": database.service_url, "PASYANS_ADMIN_DATABASE_URL": database.admin_url}
    done = run([PASYANSD, "rebuild"], environment(**settings))
    assert done.returncode == 0, done.err
    assert f" games with {events:,} events. " in done.out, done.out
    assert "Put right 0 results" not in done.out, done.out
    return done
