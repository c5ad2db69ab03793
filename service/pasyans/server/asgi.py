"""Where a worker is put together: the one place that knows every part."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import signal

from litestar import Litestar, get
from litestar.response import Response

from pasyans.server import logs, settings
from pasyans.server.death import end_with


def create_app() -> Litestar:
    """The application of one worker process, made from the settings in its environment."""
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        end_with(parent.pid)
    config = settings.load()
    logs.configure(config.log_level, config.log_format)

    @get("/healthz", sync_to_thread=False)
    def healthz() -> Response[dict[str, str]]:
        return Response({"status": "ok"})

    @get("/readyz", sync_to_thread=False)
    def readyz() -> Response[dict[str, str]]:
        return Response({"status": "ok"})

    return Litestar([healthz, readyz], on_startup=[settle], openapi_config=None)


async def settle() -> None:
    """What is left to do once the worker stands."""
    # Ctrl-C in a terminal reaches every process of the service; the parent alone decides what follows.
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGHUP):
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
    # What was imported and built so far stays: no collection need look at it again.
    gc.collect()
    gc.freeze()
