"""Every figure there is: its name, what it means, and how those of several workers become one."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Kind = Literal["counter", "gauge", "histogram"]
Merge = Literal["sum", "max", "min"]


class Metric(NamedTuple):
    """One figure, or one for each choice of ``labels``.

    ``merge`` says how the figures of several workers become one; a gauge counts only while its worker lives.
    ``bounds`` are the upper ends of a histogram's buckets but for the last, which has none.
    """

    name: str
    kind: Kind
    meaning: str
    labels: tuple[str, ...] = ()
    merge: Merge = "sum"
    bounds: tuple[float, ...] = ()


_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_BATCH: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)

REQUESTS: Final = Metric(
    "pasyans_http_requests_total",
    "counter",
    "Requests that were answered. Status `gone`: the client went away before its answer began; route `unrouted`: the "
    "request was answered before it was known what it asked for.",
    ("route", "method", "status"),
)
DURATION: Final = Metric(
    "pasyans_http_request_duration_seconds",
    "histogram",
    "Seconds from a request's head to the end of its answer, without streams.",
    ("route", "method"),
    bounds=_SECONDS,
)
IN_FLIGHT: Final = Metric("pasyans_http_requests_in_flight", "gauge", "Requests being answered, without open streams.")
STREAMS: Final = Metric("pasyans_streams_open", "gauge", "Streams of games that are open.")
APPENDS: Final = Metric(
    "pasyans_appends_total",
    "counter",
    "Appends to the log: `written`; `conflict`, the game had moved on; `failed`, the database did not take it; "
    "`overloaded`, refused since too many were waiting.",
    ("outcome",),
)
BATCH: Final = Metric("pasyans_commit_batch_size", "histogram", "Appends in one commit.", bounds=_BATCH)
COMMIT: Final = Metric(
    "pasyans_commit_duration_seconds", "histogram", "Seconds that a commit of appends took.", bounds=_SECONDS
)
QUEUE: Final = Metric("pasyans_append_queue_depth", "gauge", "Appends that wait for the commit before them.")
POOL: Final = Metric(
    "pasyans_pool_connections", "gauge", "Connections to the database in the pools, `used` or `idle`.", ("state",)
)
POOL_SIZE: Final = Metric("pasyans_pool_connections_max", "gauge", "The most connections that the pools may have.")
DATABASE_UP: Final = Metric(
    "pasyans_database_up", "gauge", "1 where every worker reaches a database that it can serve from.", merge="min"
)
CHANGES: Final = Metric(
    "pasyans_board_changes_waiting",
    "gauge",
    "Changes of leaderboards that are not yet folded into their counts; no more than 100,000 are counted.",
    merge="max",
)
DAILIES: Final = Metric(
    "pasyans_dailies_ahead_days", "gauge", "For how many days after today the daily deals are drawn.", merge="min"
)
CHORE_RUNS: Final = Metric(
    "pasyans_chore_runs_total", "counter", "Chores that were done, or `failed`.", ("chore", "outcome")
)
CHORE_DONE: Final = Metric(
    "pasyans_chore_items_total", "counter", "What chores did: games ended, keys forgotten, changes folded.", ("chore",)
)
CHORE_SECONDS: Final = Metric("pasyans_chore_seconds_total", "counter", "Seconds that chores took.", ("chore",))
CHORE_LAST: Final = Metric(
    "pasyans_chore_last_success_timestamp_seconds",
    "gauge",
    "When a chore was last done by any worker, in seconds since the Unix epoch.",
    ("chore",),
    merge="max",
)
LOOP_LAG: Final = Metric(
    "pasyans_event_loop_lag_seconds",
    "gauge",
    "How late the slowest worker's event loop was, when it last looked.",
    merge="max",
)

METRICS: Final = (
    REQUESTS,
    DURATION,
    IN_FLIGHT,
    STREAMS,
    APPENDS,
    BATCH,
    COMMIT,
    QUEUE,
    POOL,
    POOL_SIZE,
    DATABASE_UP,
    CHANGES,
    DAILIES,
    CHORE_RUNS,
    CHORE_DONE,
    CHORE_SECONDS,
    CHORE_LAST,
    LOOP_LAG,
)
"""What workers measure."""

PID: Final = "pid"
"""What the cells call the id of the process that writes them."""
