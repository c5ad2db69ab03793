"""How the text of a setting becomes a value. Each function raises `ValueError` with what the text must be."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path
from typing import Literal, cast
from urllib.parse import SplitResult, urlsplit, urlunsplit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["json", "console"]

_MASK = "***"
# As browsers send it: in small letters, other scripts in Punycode, without the port that goes without saying.
_ORIGIN = re.compile(
    r"(?!http:.*:80$|https:.*:443$)https?://(?:[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?"
)


def address(text: str) -> str:
    """An IP address to listen on."""
    try:
        return str(ipaddress.ip_address("127.0.0.1" if text == "localhost" else text))
    except ValueError:
        raise ValueError("must be an IP address, such as 127.0.0.1 or 0.0.0.0") from None


def port(text: str) -> int:
    """A TCP port; 0 is any free one."""
    return _integer(text, 0, 65535)


def workers(text: str) -> int:
    """A number of processes."""
    return _integer(text, 1, 32)


def games(text: str) -> int:
    """A number of games; 0 is none."""
    return _integer(text, 0, 10_000_000)


def path(text: str) -> Path:
    """A folder; `~` is the home folder."""
    return Path(text).expanduser().absolute()


def folder(text: str) -> Path:
    """A folder that exists."""
    found = path(text)
    if not found.is_dir():
        raise ValueError("must be a folder that exists")
    return found


def database_url(text: str) -> str:
    """Where a PostgreSQL database is, and as whom to log in."""
    message = "must look like postgresql://user:password@host:5432/database"
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise ValueError(message) from None
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise ValueError(message)
    return urlunsplit(parts._replace(scheme="postgresql"))


def rate_limit(text: str) -> int | None:
    """Requests a minute and client; `None` for no limit."""
    if text == "off":
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,8})/min", text)
    if match is None:
        raise ValueError("must be off, or a number a minute such as 600/min")
    return int(match[1])


def seconds(text: str) -> int:
    """A time to wait, in whole seconds."""
    return _integer(text, 1, 3600)


def days(text: str) -> int:
    """A number of days."""
    return _integer(text, 0, 36_500)


def bind(text: str) -> tuple[str, int] | None:
    """An IP address and a TCP port to listen on, 0 being any free one; `None` for neither."""
    if text == "off":
        return None
    host, colon, number = text.rpartition(":")
    try:
        if not colon or (":" in host) is not host.startswith("["):
            raise ValueError
        return address(host.removeprefix("[").removesuffix("]")), port(number)
    except ValueError:
        raise ValueError("must be off, or an IP address and a port such as 127.0.0.1:9464 or [::1]:9464") from None


def yes_or_no(text: str) -> bool:
    """A choice."""
    if text not in {"yes", "no"}:
        raise ValueError("must be yes or no")
    return text == "yes"


def secret(text: str) -> str:
    """A key, as long as it must be to withstand guessing."""
    if len(text) < 32:
        raise ValueError("must have at least 32 characters; `openssl rand -hex 32` makes one")
    return text


def origins(text: str) -> tuple[str, ...]:
    """Web origins; `("*",)` is any, and `()` is none."""
    if text in {"*", "none"}:
        return ("*",) if text == "*" else ()
    found = tuple(_items(text))
    if not found or not all(map(_ORIGIN.fullmatch, found)):
        raise ValueError(
            "must be *, none, or origins as browsers send them, such as https://play.example.org, with commas between"
        )
    return found


def networks(text: str) -> tuple[Network, ...]:
    """IP addresses and networks; `()` is none."""
    if text == "none":
        return ()
    try:
        found = tuple(ipaddress.ip_network(item) for item in _items(text))
        if not found:
            raise ValueError
    except ValueError:
        raise ValueError("must be none, or addresses such as 10.0.0.0/8, with commas between") from None
    return found


def log_level(text: str) -> LogLevel:
    """How much is logged."""
    if text not in {"debug", "info", "warning", "error"}:
        raise ValueError("must be debug, info, warning or error")
    return cast("LogLevel", text)


def log_format(text: str) -> LogFormat | None:
    """How it is logged; `None` is console in a terminal and JSON elsewhere."""
    if text not in {"auto", "json", "console"}:
        raise ValueError("must be auto, json or console")
    return None if text == "auto" else cast("LogFormat", text)


def mask(text: str) -> str:
    """What may be shown of a secret: of a URL all but its password, of anything else nothing."""
    if "://" not in text:
        return _MASK
    parts: SplitResult = urlsplit(text)
    login, at, where = parts.netloc.rpartition("@")
    user, colon, _ = login.partition(":")
    # A password may stand in the query as well.
    query = re.sub(r"(?i)(password=)[^&]*", rf"\1{_MASK}", parts.query)
    return urlunsplit(parts._replace(netloc=user + (f":{_MASK}" if colon else "") + at + where, query=query))


def _integer(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise ValueError(f"must be a whole number from {least} to {most}")
    return int(text)


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]
