"""Requests as the handlers see them: who asks, and what the API works with."""

from collections.abc import Awaitable, Callable
from typing import Any, cast
from uuid import UUID

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.types import HTTPScope, Receive, Scope, Send

from pasyans.api.auth import NOBODY, Caller
from pasyans.api.deps import Dependencies
from pasyans.api.problems import Forbidden, Unauthenticated
from pasyans.store.admin_values import AdminToken
from pasyans.store.values import Player


class ApiRequest(Request[Any, Any, State]):
    """A request to the API. Of what Litestar's own requests can do, it does what needs nothing prepared."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = cast("HTTPScope", scope)
        self.receive = receive
        self.send = send
        # This request and its answer, as the edge of the API tells of it.
        self.exchange: Exchange = scope["state"]["exchange"]

    @property
    def deps(self) -> Dependencies:
        """The parts and values that the API was put together from."""
        deps: Dependencies = self.scope["state"]["deps"]
        return deps

    @property
    def caller(self) -> Caller:
        """Who asks, as the edge of the API made it out."""
        return self.exchange.caller

    async def confirm(self) -> None:
        """Look up who asks, where that was only assumed.

        Raises:
            StoreError: it could not be looked up.
        """
        exchange = self.exchange
        if exchange.confirm is not None:
            exchange.caller = await exchange.confirm()
            exchange.confirm = None

    def header(self, name: bytes) -> str | None:
        """Return the header of a name in small letters; several of one name are one list (RFC 9110, 5.3)."""
        value = self.exchange.headers.get(name)
        return None if value is None else value.decode("latin-1")

    @property
    def is_head(self) -> bool:
        """Whether only the headers of the answer are asked for."""
        return self.exchange.is_head

    @property
    def viewer(self) -> UUID | None:
        """The player who looks; ``None`` where that is nobody known, or an admin, who sees what anybody sees."""
        return None if self.caller.player is None else self.caller.player.player_id

    @property
    def player(self) -> Player:
        """The player whose token came with the request.

        Raises:
            Unauthenticated: there was no token, or a wrong one.
            Forbidden: it was an admin's.
        """
        player = self.caller.player
        if player is not None:
            return player
        if self.caller.admin is not None:
            raise Forbidden("An admin is no player: use the token of a player.")
        if self.caller.refusal is not None:
            raise Unauthenticated(self.caller.refusal)
        raise Unauthenticated("Send the token of a player: `Authorization: Bearer <token>`.")

    @property
    def admin(self) -> AdminToken:
        """The admin token that came with the request.

        Raises:
            Unauthenticated: there was no token, or a wrong one.
            Forbidden: it was a player's.
        """
        admin = self.caller.admin
        if admin is not None:
            return admin
        if self.caller.player is not None:
            raise Forbidden("This is for admins: use an admin token, which is made on the server's command line.")
        raise Unauthenticated("Send an admin token: `Authorization: Bearer <token>`.")


class Exchange(msgspec.Struct, eq=False):
    """One request and its answer, as the log and the headers tell of it.

    ``headers`` are those of the request, by name in small letters. ``caller`` is who asks. ``is_head`` tells that the
    answer's body goes nowhere. ``rest`` is the rest of an answer that takes long; it runs when the request has been
    dealt with, and needs nothing of it; the exchange is a stream from then on. ``is_late`` tells that the answer did
    not begin in time.
    ``confirm`` looks up who asks, where that was only assumed.
    """

    request_id: str
    started: float
    headers: dict[bytes, bytes] = msgspec.field(default_factory=dict)
    caller: Caller = NOBODY
    is_head: bool = False
    status: int | None = None
    code: str | None = None
    rest: Callable[[Receive, Send], Awaitable[None]] | None = None
    is_stream: bool = False
    is_late: bool = False
    confirm: Callable[[], Awaitable[Caller]] | None = None

    @property
    def has_key(self) -> bool:
        """Whether the request has an idempotency key, and so may be one that was made before."""
        return b"idempotency-key" in self.headers
