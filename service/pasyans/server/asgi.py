"""Where a worker is put together: the one place that knows every part."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import signal
from collections.abc import Callable
from types import FrameType

from litestar.types import ASGIApp, LifespanHook

from pasyans.api import dailies
from pasyans.api.app import Dependencies
from pasyans.api.app import create_app as create_api
from pasyans.api.endings import IdleSweep
from pasyans.api.erasing import finish_erasures
from pasyans.api.recent import Recent
from pasyans.api.streams import Streams
from pasyans.server import clock, logs, settings
from pasyans.server.chores import Chore, Chores
from pasyans.server.counts import Counts, limiter_of
from pasyans.server.death import end_with
from pasyans.server.metrics.cells import Cells
from pasyans.server.metrics.looking import Look
from pasyans.server.metrics.recording import Recorder, chore_told
from pasyans.server.shared import Shared
from pasyans.store.postgres import PostgresStore

_CONNECTIONS = 90  # of all workers together; PostgreSQL takes 100 unless told
_POOL_AT_MOST = 8
_ALLOCATED = 50_000  # objects, between two collections of garbage
_HOUR = 3600.0  # seconds
_FOLD_EVERY = 2.0  # seconds
_LOOK_EVERY = 2.0
_LOOK_AT_DATABASE_EVERY = 15.0
_TELL_EVERY = 0.5
_FINISH_WITHIN = 1.5  # seconds from a stop; the server ends a worker after three
_KEYS_KEPT = 25 * 3_600_000  # milliseconds: the 24 hours that are promised, and one for clocks that differ


def create_app() -> ASGIApp:
    """The application of one worker process, made from the settings in its environment."""
    return build(clock.Clock().now)


def build(now: Callable[[], int]) -> ASGIApp:
    """The application whose time is `now`, in milliseconds since the Unix epoch; all else is as in `create_app`."""
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        end_with(parent.pid)
    config = settings.load()
    logs.configure(config.log_level, config.log_format)
    memory = settings.shared_memory()
    if config.database_url is None or memory is None:
        raise RuntimeError("A worker is started by `pasyansd serve`, which tells it of the database.")
    shared = Shared(memory, config.workers)
    column = shared.claim()
    recorder = Recorder(Cells(shared.region(column)))
    limiter = limiter_of(config.rate_limit, shared, column, config.workers)
    store = PostgresStore(
        config.database_url,
        pool_size=pool_size(config.workers),
        allow_data_loss=config.allow_data_loss,
        measures=recorder,
    )
    streams = Streams(store, now)
    dependencies = Dependencies(
        store=store,
        streams=streams,
        clock=now,
        new_id=clock.new_id,
        random_bytes=clock.random_bytes,
        secret=config.secret.encode() if config.secret is not None else None,
        limiter=limiter,
        request_s=config.request_timeout,
        measures=recorder,
        recent=Recent(config.known_games),
        cors_origins=config.cors_origins,
        trusted_proxies=config.trusted_proxies,
    )
    look = Look(recorder, dependencies)
    work = [
        Chore("draw dailies", _HOUR / 6, lambda: dailies.draw_ahead(dependencies)),
        Chore("forget keys", _HOUR, lambda: store.forget_keys(now() - _KEYS_KEPT)),
        Chore("end idle games", _HOUR, IdleSweep(dependencies).run),
        Chore("finish erasures", _HOUR, lambda: finish_erasures(dependencies)),
        Chore("fold boards", _FOLD_EVERY, store.fold_boards),
        Chore("look at load", _LOOK_EVERY, look.at_load),
        Chore("look at database", _LOOK_AT_DATABASE_EVERY, look.at_database),
    ]
    on_startup: list[LifespanHook] = [store.open]
    if limiter is not None:
        counts = Counts(limiter.windows, store, shared, now)
        on_startup.append(counts.open)
        work.append(Chore("tell counts", _TELL_EVERY, counts.tell))
    chores = Chores(work, clock.fraction, chore_told(recorder, now))

    def stop() -> None:
        streams.close()
        api.hurry(_FINISH_WITHIN)

    api = create_api(
        dependencies,
        on_startup=[*on_startup, chores.start, _settle, lambda: _when_told_to_stop(stop)],
        on_shutdown=[chores.stop, store.close],
    )
    return api


def pool_size(workers: int) -> int:
    """How many connections the pool of one worker has, beside the one for appends and the one for notices."""
    return max(1, min(_POOL_AT_MOST, _CONNECTIONS // workers - 2))


async def _settle() -> None:
    # Ctrl-C in a terminal reaches every process of the service; the parent alone decides what follows.
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGHUP):
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
    # What was imported and built so far stays: no collection need look at it again.
    gc.collect()
    gc.freeze()
    # Hardly anything here is part of a cycle; the usual threshold, 700, is reached with every few requests.
    gc.set_threshold(_ALLOCATED)


def _when_told_to_stop(act: Callable[[], None]) -> None:
    """Have `act` called in the event loop when SIGTERM comes, beside what the server does then.

    The lifespan ends only when every answer has, and some answers end only when they are told to.
    """
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGTERM)

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(act)
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGTERM, stop)
