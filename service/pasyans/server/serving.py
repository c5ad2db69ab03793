"""Serving HTTP: the workers, the line that says they are ready, and the stop."""

from __future__ import annotations

import http.client
import sys
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import structlog
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.common import AbstractServer

from pasyans.server import logs
from pasyans.server.address import url
from pasyans.server.settings import Settings
from pasyans.server.signals import StopSignals

_STOP_WITHIN = 3  # seconds until a worker is ended whose clients do not come to an end; a stop takes five at most
_CONNECTIONS = 16_384  # that a worker holds at once; those of streams stay for hours
_OTHER_FILES = 256
_HEAD_AT_MOST = 65_536  # bytes of a request's line and headers; a connection holds so much memory at most
_POLL = 0.02
_WATCH = 0.5
_WARN_AFTER = 10.0


def run(
    settings: Settings,
    port: int,
    application: str,
    *,
    spawned: Callable[[Callable[[], list[int]]], None],
    ready: Callable[[str], None],
    lost: Callable[[], str | None],
) -> bool:
    """Serve until a signal says stop; true when one did, false when the service could not go on.

    `application` names what makes the application of a worker, as `module:function`. `spawned` is called once, when the
    workers have been, with what tells the ids of those that run; `ready` once, with the address, when requests are
    answered. `lost` is asked now and then and says what the service can't go on without, once that is gone.
    """
    server = Granian(
        application,
        address=settings.host,
        port=port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=settings.workers,
        loop=Loops.uvloop if sys.platform != "win32" else Loops.asyncio,
        http=HTTPModes.http1,
        websockets=False,
        backpressure=_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=settings.idle_timeout * 1000, max_buffer_size=_HEAD_AT_MOST),
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_WITHIN,
        log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.warning,
        log_dictconfig=logs.GRANIAN,
    )
    _allow_files(_CONNECTIONS + _OTHER_FILES)
    with StopSignals() as signals:
        attendant = _Attendant(server, signals, url(settings.host, port), spawned, ready, lost)

        @server.on_startup
        def start() -> None:
            signals.take()  # granian has just set handlers of its own
            attendant.start()

        try:
            server.serve()
        except SystemExit:
            attendant.failed = True
        finally:
            attendant.stop()
    return not attendant.failed


def _allow_files(wanted: int) -> None:
    """Raise the limit of open files of this process, and so of its workers, as far as that is allowed."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


class _Attendant(threading.Thread):
    """Beside the workers: hears the signals, tells when requests are answered, and sees when something is lost."""

    def __init__(
        self,
        server: AbstractServer[Any],
        signals: StopSignals,
        address: str,
        spawned: Callable[[Callable[[], list[int]]], None],
        ready: Callable[[str], None],
        lost: Callable[[], str | None],
    ) -> None:
        super().__init__(name="attendant", daemon=True)
        self.failed = False
        self._server = server
        self._signals = signals
        self._address = address
        self._spawned = spawned
        self._ready = ready
        self._lost = lost
        self._over = False
        self._log = structlog.get_logger("pasyans.server")

    def stop(self) -> None:
        self._over = True
        self._signals.rouse()
        if self.ident is not None:
            self.join()

    def run(self) -> None:
        try:
            self._attend()
        except Exception:  # noqa: BLE001 - whatever it is, without this thread nobody would hear a signal
            self._log.exception("service.unattended")
            self.failed = True
        finally:
            self._server.signal_handler_interrupt()  # type: ignore[no-untyped-call]

    def _attend(self) -> None:
        """Return when the service is to stop."""
        # Nothing is done before the last worker was forked: a lock held here would stay locked there.
        while len(self._server.wrks) < self._server.workers:
            if self._signals.wait(_POLL) or self._over:
                return
        self._spawned(self._running)
        told = False
        warn_at = time.monotonic() + _WARN_AFTER
        while not self._signals.wait(_WATCH if told else _POLL) and not self._over:
            if (loss := self._lost()) is not None:
                self._log.error("service.lost", reason=loss)
                self.failed = True
                return
            if told:
                continue
            answer = _ask(self._address)
            if answer == "200":
                self._ready(self._address)
                told = True
            elif time.monotonic() > warn_at:
                self._log.warning("service.not_ready", answer=answer)
                warn_at += _WARN_AFTER

    def _running(self) -> list[int]:
        """The ids of the workers' processes."""
        pids = [worker._id() for worker in list(self._server.wrks) if worker.is_alive()]
        return [pid for pid in pids if pid is not None]


def _ask(address: str) -> str:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return str(connection.getresponse().status)
    except OSError as error:
        return str(error)
    except http.client.HTTPException as error:
        return type(error).__name__
    finally:
        connection.close()
