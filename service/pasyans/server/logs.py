"""The log: one JSON object a line on stderr, or coloured text in a terminal; never a secret."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from pasyans.server.clock import microseconds
from pasyans.server.values import LogFormat, LogLevel

_SENSITIVE = frozenset({"authorization", "cookie", "password", "secret", "token", "idempotency-key"})
# A password in a URL, the token of an Authorization header, and one of our own tokens anywhere.
_SECRET = re.compile(
    r"(?i)(?P<login>\b[a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s@]*(?=@)"
    r"|(?P<scheme>\bbearer\s+)[^\s'\",;]+"
    r"|\bpasyans_[a-z0-9_-]{30,}"
)
_MASK = "***"
# One of these is in every line that has something to mask.
_HINTS = (b"pasyans_", b"bearer", b"://", *(name.encode() for name in sorted(_SENSITIVE)))

# granian sets its own handlers; with these it hands its records to ours.
GRANIAN: dict[str, Any] = {
    "formatters": {},
    "handlers": {},
    "loggers": {"_granian": {"handlers": [], "propagate": True}, "granian.access": {"handlers": []}},
}


def configure(level: LogLevel, form: LogFormat | None) -> None:
    """Set up structlog and the standard library's logging for this process; `form` as in `Settings.log_format`."""
    number = getattr(logging, level.upper())
    console = form == "console" or (form is None and sys.stderr.isatty())
    shared: list[Processor] = [
        structlog.stdlib.add_log_level if console else structlog.processors.add_log_level,
        _stamp,
    ]
    last: list[Processor]
    if console:
        last = [redact, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_plain)]
    else:
        last = [_json]
    structlog.configure(
        processors=[*shared, *last, _encoded],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=_Lines,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last, _text],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(number)
    # It tells at length what it is about to look at.
    logging.getLogger("alembic").setLevel(number if level == "debug" else logging.WARNING)


class _Lines:
    """Writes lines to stderr; those of one turn of the event loop at once, for a write costs as much as a line."""

    def __init__(self, *_names: object) -> None:
        self._file = sys.stderr.buffer

    def msg(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._file.flush()
            return
        if loop not in _FLUSHING:
            _FLUSHING.add(loop)
            loop.call_soon(self._flush, loop)

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        _FLUSHING.discard(loop)
        self._file.flush()

    debug = info = warning = error = critical = exception = msg


_FLUSHING: set[asyncio.AbstractEventLoop] = set()  # that will flush before they do anything else


def _stamp(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    second, microsecond = divmod(microseconds(), 1_000_000)
    event["timestamp"] = f"{_second(second)}.{microsecond:06}Z"
    return event


@lru_cache(4)
def _second(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Mask secrets anywhere in an event: by the names of its fields, and by how passwords and tokens look."""
    return {key: _MASK if key.lower() in _SENSITIVE else _clean(value) for key, value in event.items()}


def _clean(value: Any) -> Any:  # noqa: ANN401 - an event holds anything
    if isinstance(value, str):
        return _SECRET.sub(lambda found: f"{found['login'] or found['scheme'] or ''}{_MASK}", value)
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return {key: _MASK if str(key).lower() in _SENSITIVE else _clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    return value


def _json(logger: WrappedLogger, method: str, event: EventDict) -> bytes:
    if "exc_info" in event:
        event = structlog.processors.format_exc_info(logger, method, event)
    line = _ENCODER.encode(event)
    # A look that costs little spares most lines a closer one.
    small = line.lower()
    return _ENCODER.encode(redact(logger, method, event)) if any(hint in small for hint in _HINTS) else line


def _encoded(_logger: WrappedLogger, _method: str, line: Any) -> bytes:  # noqa: ANN401 - structlog's own signature
    return line if isinstance(line, bytes) else str(line).encode("utf-8", "backslashreplace")


def _text(_logger: WrappedLogger, _method: str, line: Any) -> str:  # noqa: ANN401 - structlog's own signature
    return line.decode() if isinstance(line, bytes) else str(line)


def _plain(sink: Any, info: Any) -> None:  # noqa: ANN401 - structlog's own signature
    sink.write(_clean(structlog.processors.format_exc_info(None, "", {"exc_info": info})["exception"]))


_ENCODER = msgspec.json.Encoder(enc_hook=lambda value: _clean(str(value)))
