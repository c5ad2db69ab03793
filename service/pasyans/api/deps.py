"""What the API is put together from. Everything is handed in; nothing here is found by itself."""

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from typing import TYPE_CHECKING
from uuid import UUID

from pasyans.api.limits import Limiter
from pasyans.api.measures import Measures, Unmeasured
from pasyans.api.recent import Recent
from pasyans.store.base import Store

if TYPE_CHECKING:
    from pasyans.api.streams import Streams


@dataclass(frozen=True, kw_only=True, slots=True)
class Dependencies:
    """The parts and values that the API works with.

    ``streams`` are those of the process, for whoever makes this to close. ``clock`` gives milliseconds since the epoch,
    UTC; ``new_id`` makes a UUIDv7 of such a time; ``random_bytes`` makes as many bytes as it is told that nobody can
    foretell. ``secret`` overrides the one in the database. ``limiter`` counts requests; ``None`` refuses none.
    ``request_s`` is the seconds until an answer must have begun. ``measures`` is told of requests.
    ``recent`` keeps the games that were written last; none unless told.
    """

    store: Store
    streams: "Streams"
    clock: Callable[[], int]
    new_id: Callable[[int], UUID]
    random_bytes: Callable[[int], bytes]
    secret: bytes | None = None
    limiter: Limiter | None = None
    request_s: float = 30.0
    measures: Measures = field(default_factory=Unmeasured)
    recent: Recent = field(default_factory=lambda: Recent(0))
    cors_origins: tuple[str, ...] = ("*",)
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
