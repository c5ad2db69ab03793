"""The log: one JSON object a line on stderr, or coloured text in a terminal; never a secret."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from pasyans.server.values import LogFormat, LogLevel

_SENSITIVE = frozenset({"authorization", "cookie", "password", "secret", "token", "idempotency-key"})
# A password in a URL, the token of an Authorization header, and one of our own tokens anywhere.
_SECRET = re.compile(
    r"(?i)(?P<login>\b[a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s@]*(?=@)"
    r"|(?P<scheme>\bbearer\s+)[^\s'\",;]+"
    r"|\bpasyans_[a-z0-9_-]{30,}"
)
_MASK = "***"

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
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[Processor]
    if console:
        last = [redact, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_plain)]
    else:
        last = [_json]
    structlog.configure(
        processors=[*shared, *last, _encoded],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
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


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Mask secrets anywhere in an event: by the names of its fields, and by how passwords and tokens look."""
    return {key: _MASK if key.lower() in _SENSITIVE else _clean(value) for key, value in event.items()}


def _clean(value: Any) -> Any:  # noqa: ANN401 - an event holds anything
    if isinstance(value, str):
        # A look that costs little spares most values a closer one.
        small = value.lower()
        if "pasyans_" not in small and "bearer" not in small and "://" not in small:
            return value
        return _SECRET.sub(lambda found: f"{found['login'] or found['scheme'] or ''}{_MASK}", value)
    if isinstance(value, Mapping):
        return {key: _MASK if str(key).lower() in _SENSITIVE else _clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    return value


def _json(logger: WrappedLogger, method: str, event: EventDict) -> bytes:
    if "exc_info" in event:
        event = structlog.processors.format_exc_info(logger, method, event)
    return _ENCODER.encode(redact(logger, method, event))


def _encoded(_logger: WrappedLogger, _method: str, line: Any) -> bytes:  # noqa: ANN401 - structlog's own signature
    return line if isinstance(line, bytes) else str(line).encode("utf-8", "backslashreplace")


def _text(_logger: WrappedLogger, _method: str, line: Any) -> str:  # noqa: ANN401 - structlog's own signature
    return line.decode() if isinstance(line, bytes) else str(line)


def _plain(sink: Any, info: Any) -> None:  # noqa: ANN401 - structlog's own signature
    sink.write(_clean(structlog.processors.format_exc_info(None, "", {"exc_info": info})["exception"]))


_ENCODER = msgspec.json.Encoder(enc_hook=lambda value: _clean(str(value)))
