"""The settings, and the only reader and writer of the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from platformdirs import user_data_path

from pasyans.server import values

Origin = Literal["default", "environment"]

_SHARED = "PASYANS_SHARED_MEMORY"  # between a server and its workers; nobody sets it


class SettingsError(Exception):
    """One or more settings are wrong; `faults` has the name of each and what it must be."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        self.faults = faults
        super().__init__("\n".join(f"{name} {message}." for name, message in faults))


class Setting(Struct, frozen=True):
    """What there is to know about one setting. `default` is the text that would set what holds without it."""

    name: str
    field: str
    default: str | Callable[[], str]
    parse: Callable[[str], Any]
    description: str
    secret: bool = False


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of one process. `texts` and `origins` say, by name, what was written and by whom."""

    host: str
    port: int
    data_dir: Path
    database_url: str | None
    admin_database_url: str | None
    pg_bin: Path | None
    rate_limit: int | None
    workers: int
    known_games: int
    request_timeout: int
    idle_timeout: int
    metrics_bind: tuple[str, int] | None
    allow_data_loss: bool
    pack_after: int
    secret: str | None
    cors_origins: tuple[str, ...]
    trusted_proxies: tuple[values.Network, ...]
    log_level: values.LogLevel
    log_format: values.LogFormat | None
    texts: Mapping[str, str]
    origins: Mapping[str, Origin]

    def __repr__(self) -> str:
        """The settings as they may be shown."""
        return f"Settings({', '.join(f'{row.name}={row.value}' for row in show(self))})"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        """The same for rich, which asks differently."""
        return [(row.name, row.value) for row in show(self)]


class Shown(Struct, frozen=True):
    """One setting as it may be shown to anybody: secrets are masked."""

    name: str
    value: str
    origin: Origin
    description: str


def _data_dir() -> str:
    return "/var/lib/pasyans" if os.geteuid() == 0 else str(user_data_path("pasyans"))


SETTINGS: tuple[Setting, ...] = (
    Setting("PASYANS_HOST", "host", "127.0.0.1", values.address, "the address to listen on"),
    Setting("PASYANS_PORT", "port", "8000", values.port, "the port to listen on; 0 takes any free one"),
    Setting(
        "PASYANS_DATA_DIR",
        "data_dir",
        _data_dir,
        values.path,
        "where the embedded PostgreSQL keeps its data",
    ),
    Setting(
        "DATABASE_URL",
        "database_url",
        "",
        values.database_url,
        "the PostgreSQL to use; without it, an embedded one is started",
        secret=True,
    ),
    Setting(
        "PASYANS_ADMIN_DATABASE_URL",
        "admin_database_url",
        "",
        values.database_url,
        "the same database as its owner, who migrates it; without it, DATABASE_URL is used for that too",
        secret=True,
    ),
    Setting(
        "PASYANS_PG_BIN",
        "pg_bin",
        "",
        values.folder,
        "the folder of the PostgreSQL programs (initdb, postgres) to start instead of the embedded ones",
    ),
    Setting(
        "PASYANS_RATE_LIMIT",
        "rate_limit",
        "600/min",
        values.rate_limit,
        "how many requests a client may make: off, or a number a minute",
    ),
    Setting("PASYANS_WORKERS", "workers", "1", values.workers, "how many processes serve requests"),
    Setting(
        "PASYANS_KNOWN_GAMES",
        "known_games",
        "10000",
        values.games,
        "how many games each of them knows at most without asking the database; 1,000 take some 2 MB",
    ),
    Setting(
        "PASYANS_REQUEST_TIMEOUT",
        "request_timeout",
        "30",
        values.seconds,
        "seconds until the answer to a request must have begun, the time included that its body takes to come",
    ),
    Setting(
        "PASYANS_IDLE_TIMEOUT",
        "idle_timeout",
        "30",
        values.seconds,
        "seconds that a client has for the head of a request, and that a connection may be idle before the next one",
    ),
    Setting(
        "PASYANS_METRICS_BIND",
        "metrics_bind",
        "127.0.0.1:9464",
        values.bind,
        "the address and port that serve /metrics to Prometheus, or off; keep it from the public",
    ),
    Setting(
        "PASYANS_ALLOW_DATA_LOSS",
        "allow_data_loss",
        "no",
        values.yes_or_no,
        "whether to serve from a PostgreSQL that may lose what it has acknowledged (fsync or synchronous_commit off)",
    ),
    Setting(
        "PASYANS_PACK_AFTER",
        "pack_after",
        "30",
        values.days,
        "how many days after its end `pasyansd pack` packs the log of a game",
    ),
    Setting(
        "PASYANS_SECRET",
        "secret",
        "",
        values.secret,
        "the key that tokens of repeated requests derive from; without it, the one in the database",
        secret=True,
    ),
    Setting(
        "PASYANS_CORS_ORIGINS",
        "cors_origins",
        "*",
        values.origins,
        "which web origins may call the API: *, none, or a list with commas",
    ),
    Setting(
        "PASYANS_TRUSTED_PROXIES",
        "trusted_proxies",
        "none",
        values.networks,
        "whose X-Forwarded-For is believed: none, or addresses and networks with commas",
    ),
    Setting(
        "PASYANS_LOG_LEVEL", "log_level", "info", values.log_level, "how much is logged: debug, info, warning or error"
    ),
    Setting(
        "PASYANS_LOG_FORMAT",
        "log_format",
        "auto",
        values.log_format,
        "how it is logged: json, console, or auto, which is console in a terminal and json elsewhere",
    ),
)


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from `environ`, the process's own unless told; an empty one counts as not given.

    Raises `SettingsError`, which lists every setting that is wrong.
    """
    environ = os.environ if environ is None else environ
    fields: dict[str, Any] = {}
    texts: dict[str, str] = {}
    origins: dict[str, Origin] = {}
    faults: list[tuple[str, str]] = []
    for setting in SETTINGS:
        given = environ.get(setting.name, "").strip()
        default = setting.default if isinstance(setting.default, str) else setting.default()
        text = given or default
        texts[setting.name] = text
        origins[setting.name] = "environment" if given else "default"
        try:
            fields[setting.field] = setting.parse(text) if text else None
        except ValueError as error:
            found = "" if setting.secret else f", not {text!r}"
            faults.append((setting.name, f"{error}{found}"))
    if fields.get("admin_database_url") and fields.get("database_url", "wrong") is None:
        faults.append(("PASYANS_ADMIN_DATABASE_URL", "means nothing without DATABASE_URL; set both"))
    if faults:
        raise SettingsError(tuple(faults))
    return Settings(**fields, texts=texts, origins=origins)


def show(settings: Settings) -> list[Shown]:
    """Every setting with its value and where it came from, secrets masked."""
    rows = []
    for setting in SETTINGS:
        text = settings.texts[setting.name]
        value = values.mask(text) if setting.secret and text else text
        rows.append(Shown(setting.name, value, settings.origins[setting.name], setting.description))
    return rows


def hand_down(*, port: int, database_url: str, shared: str) -> None:
    """Put into the environment what the workers that are started next need to know.

    `shared` is the path of the memory that they share. The owner's login is taken out: nothing that serves requests
    has it.
    """
    os.environ["PASYANS_PORT"] = str(port)
    os.environ["DATABASE_URL"] = database_url
    os.environ[_SHARED] = shared
    os.environ.pop("PASYANS_ADMIN_DATABASE_URL", None)


def shared_memory() -> str | None:
    """The path of the memory that the workers of a server share; None in a process that no server started."""
    return os.environ.get(_SHARED)
