"""Serving HTTP: the workers, the line that says they are ready, and the stop."""

from __future__ import annotations

import http.client
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import structlog
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.log import LogLevels
from granian.server.common import AbstractServer

from pasyans.server import logs
from pasyans.server.address import url
from pasyans.server.settings import Settings

_APPLICATION = "pasyans.server.asgi:create_app"
_STOP_WITHIN = 3  # seconds until a worker is ended whose clients do not come to an end; a stop takes five at most
_POLL = 0.02
_WATCH = 0.5
_WARN_AFTER = 10.0


def run(settings: Settings, port: int, *, ready: Callable[[str], None], lost: Callable[[], str | None]) -> bool:
    """Serve until a signal says stop; true when one did, false when the service could not go on.

    `ready` is called once, with the address, when requests are answered. `lost` is asked now and then and
    says what the service can't go on without, once that is gone.
    """
    server = Granian(
        _APPLICATION,
        address=settings.host,
        port=port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=settings.workers,
        loop=Loops.uvloop if sys.platform != "win32" else Loops.asyncio,
        http=HTTPModes.http1,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_WITHIN,
        log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.warning,
        log_dictconfig=logs.GRANIAN,
    )
    attendant = _Attendant(server, url(settings.host, port), ready, lost)
    hangup = signal.getsignal(signal.SIGHUP)

    @server.on_startup
    def start() -> None:
        # granian would take the end of a terminal as a wish to reload.
        stop = signal.SIG_IGN if hangup == signal.SIG_IGN else server.signal_handler_interrupt
        signal.signal(signal.SIGHUP, stop)
        attendant.start()

    try:
        server.serve()
    except SystemExit:
        # Workers that end by the same Ctrl-C count as failed with granian; a stop that was asked for is none.
        return bool(server.interrupt_signal) and not attendant.failed
    finally:
        attendant.stop()
    return not attendant.failed


class _Attendant(threading.Thread):
    """Beside the workers: tells when they answer, and ends the service when it has lost what it stands on."""

    def __init__(
        self, server: AbstractServer[Any], address: str, ready: Callable[[str], None], lost: Callable[[], str | None]
    ) -> None:
        super().__init__(name="attendant", daemon=True)
        self.failed = False
        self._server = server
        self._address = address
        self._ready = ready
        self._lost = lost
        self._over = threading.Event()
        self._log = structlog.get_logger("pasyans.server")

    def stop(self) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        # Nothing is done before the last worker was forked: a lock held here would stay locked there.
        while len(self._server.wrks) < self._server.workers:
            if self._over.wait(_POLL):
                return
        told = False
        warn_at = time.monotonic() + _WARN_AFTER
        while not self._over.wait(_WATCH if told else _POLL):
            if (loss := self._lost()) is not None:
                self._log.error("service.lost", reason=loss)
                self.failed = True
                os.kill(os.getpid(), signal.SIGTERM)
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
