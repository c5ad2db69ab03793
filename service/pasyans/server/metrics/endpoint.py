"""The address at which Prometheus finds the figures: of its own, so that it need not be as public as the API."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from socketserver import TCPServer
from typing import Final

import structlog
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from pasyans.server.address import AddressError, explain, url
from pasyans.server.metrics.reading import Workers
from pasyans.server.shared import Shared

PATH: Final = "/metrics"
_SETTING: Final = "PASYANS_METRICS_BIND"
_POLL: Final = 0.05  # seconds at most from a stop to its end
_PATIENCE: Final = 10.0  # seconds for a request to come, and an answer to go

_log = structlog.get_logger("pasyans.metrics")


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ip_address(address[0]).version == 6 else socket.AF_INET
        super().__init__(address, handler)

    def server_bind(self) -> None:
        """Bind the address, without asking what its name is."""
        TCPServer.server_bind(self)


class Endpoint:
    """An address that is bound already, and answers from `start` on."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self._is_started = False

    def start(self, shared: Shared, living: Callable[[], list[int]]) -> None:
        """Answer from now on, in threads of its own. Call it once the workers have been forked."""
        registry = CollectorRegistry()
        registry.register(Workers(shared, living))
        self._server.RequestHandlerClass = _handler(registry)
        threading.Thread(target=self._server.serve_forever, args=(_POLL,), name="metrics", daemon=True).start()
        self._is_started = True
        host, port = self._server.server_address[:2]
        _log.info("metrics.served", url=url(str(host), port) + PATH)

    def stop(self) -> None:
        """Answer no more."""
        if self._is_started:
            self._server.shutdown()


@contextlib.contextmanager
def bound(host: str, port: int) -> Iterator[Endpoint]:
    """Hold an address for the figures, for as long as the block runs. Raises `AddressError`."""
    try:
        server = _Server((host, port), BaseHTTPRequestHandler)
    except OSError as error:
        raise AddressError(explain(host, port, error, _SETTING, _SETTING)) from error
    with server:
        endpoint = Endpoint(server)
        try:
            yield endpoint
        finally:
            endpoint.stop()


def _handler(registry: CollectorRegistry) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = _PATIENCE

        def do_GET(self) -> None:
            if self.path.partition("?")[0] != PATH:
                self.send_error(HTTPStatus.NOT_FOUND, explain=f"There is nothing here but {PATH}.")
                return
            encode, content_type = choose_encoder(self.headers.get("Accept", ""))
            body = encode(registry)
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def version_string(self) -> str:
            return "Pasyans"

        def log_message(self, *_: object) -> None:
            """Say nothing: it is asked several times a minute."""

    return Handler
