"""Streams: a game told to one client as it goes on, as Server-Sent Events.

    retry: 2000          once, at the start
    id: 17               the version; what a client sends as Last-Event-ID to go on from here
    event: game
    data: {…}            a `StreamMessage`

    :                    a comment, which says that the line is alive

    event: end           nothing will follow
    data: {}

An idle stream has no task but its request's own, and no connection to the database.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast
from uuid import UUID

from litestar import Response
from litestar.types import Receive, Scope, Send

from pasyans.api.answers import GAME, PRIVATE
from pasyans.api.auth import is_good
from pasyans.api.feeds import Feed, Listener, Seen, Update
from pasyans.api.requests import Exchange
from pasyans.api.schemas.streams import StreamMessage
from pasyans.api.waiting import Waiting
from pasyans.api.wire import raw
from pasyans.store.base import Store
from pasyans.store.errors import StoreError
from pasyans.store.watches import Watch

MEDIA_TYPE: Final = "text/event-stream"

_UNBUFFERED: Final = {"Content-Type": MEDIA_TYPE, "X-Accel-Buffering": "no"}
_PUBLIC_HEADERS: Final = raw({**GAME, **_UNBUFFERED})
_PRIVATE_HEADERS: Final = raw({**PRIVATE, **_UNBUFFERED})

_RETRY: Final = b"retry: 2000\n"
_COMMENT: Final = b":\n\n"
_END: Final = b"event: end\ndata: {}\n\n"

_FIRST_WAIT: Final = 0.2  # seconds until a game is read again that could not be; doubled with each failure that follows
_LONGEST_WAIT: Final = 2.0
_DOUBLED_AT_MOST: Final = 10
_NEVER: Final = float("inf")


class Streams:
    """The streams of this process. ``comment_s`` is the seconds from one comment to the next."""

    def __init__(self, store: Store, clock: Callable[[], int], *, comment_s: float = 15.0) -> None:
        self.store = store
        self.clock = clock
        self.comment_s = comment_s
        self.is_closing = False
        self._feeds: dict[UUID, tuple[Feed, Watch]] = {}

    def __len__(self) -> int:
        return sum(len(feed.listeners) for feed, _ in self._feeds.values())

    def join(self, game_id: UUID, listener: Listener) -> Feed:
        """Return the feed of a game, which rouses ``listener`` from now on."""
        if game_id not in self._feeds:
            feed = Feed(self.store, self.clock, game_id)
            self._feeds[game_id] = feed, self.store.watch(game_id, feed.wake)
        feed, _ = self._feeds[game_id]
        feed.listeners.add(listener)
        if self.is_closing:
            listener.rouse()
        return feed

    def leave(self, game_id: UUID, listener: Listener) -> None:
        """End what `join` began."""
        feed, watch = self._feeds[game_id]
        feed.listeners.remove(listener)
        if not feed.listeners:
            del self._feeds[game_id]
            watch.close()

    def close(self) -> None:
        """End all streams, those too that are still to begin; their clients will come back, to whoever is there."""
        self.is_closing = True
        for feed, _ in self._feeds.values():
            feed.wake()


class GameStream:
    """The stream of one game to one client.

    ``seen`` is what the client has, and ``opens_at`` when the deal opens by itself. ``authorization`` is the header by
    which alone the client sees the game, until then: it is looked at again before each message. ``is_head`` tells that
    only the headers of the answer are asked for.
    """

    def __init__(
        self,
        streams: Streams,
        game_id: UUID,
        seen: Seen | None,
        opens_at: int | None,
        authorization: str | None,
        *,
        is_head: bool,
    ) -> None:
        self._streams = streams
        self._game_id = game_id
        self._seen = seen
        self._opens_at = opens_at
        self._authorization = authorization
        self._is_head = is_head
        self._is_last = self._is_cut = False
        self._failures = 0
        self._again_at = _NEVER

    async def run(self, receive: Receive, send: Send) -> None:
        """Answer. What can't be read at first is raised, and nothing has been sent then."""
        waiting = Waiting()
        feed = self._streams.join(self._game_id, waiting)
        try:
            update = await feed.after(self._seen)
            headers = _PUBLIC_HEADERS if self._authorization is None else _PRIVATE_HEADERS
            await send({"type": "http.response.start", "status": 200, "headers": headers.items()})
            if not self._is_head:
                self._note(update)
                waiting.listen(receive)
                await _say(send, _RETRY + (b"\n" if update is None else update.message))
                await self._go_on(feed, waiting, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            waiting.close()
            self._streams.leave(self._game_id, waiting)

    async def _go_on(self, feed: Feed, waiting: Waiting, send: Send) -> None:
        """Send what follows and comments, until the game is over or the stream."""
        comment_at = _now() + self._streams.comment_s
        while not self._is_last:
            read_at = self._read_at()
            is_roused = await waiting.until(min(comment_at, read_at))
            if waiting.is_gone or self._streams.is_closing:
                return
            if _now() >= comment_at:
                await _say(send, _COMMENT)
                comment_at += self._streams.comment_s
            if is_roused or _now() >= read_at:
                await self._tell(feed, send)
            if self._is_cut:
                return
        await _say(send, _END)

    async def _tell(self, feed: Feed, send: Send) -> None:
        """Send what follows what the client has."""
        try:
            update = await feed.after(self._seen)
            self._is_cut = update is not None and update.is_private and not await self._is_known()
        except StoreError:
            # The stream outlives the database.
            self._again_at = _now() + min(_FIRST_WAIT * 2 ** min(self._failures, _DOUBLED_AT_MOST), _LONGEST_WAIT)
            self._failures += 1
            return
        self._failures = 0
        self._note(update)
        if update is not None and not self._is_cut:
            await _say(send, update.message)

    async def _is_known(self) -> bool:
        """Tell whether the token is still good that the client came with."""
        if self._authorization is None:
            return False
        return await is_good(self._streams.store, self._authorization, self._streams.clock())

    def _note(self, update: Update | None) -> None:
        """Take note of what the client has with ``update``."""
        self._again_at = _NEVER
        if update is not None:
            self._seen, self._opens_at, self._is_last = update.seen, update.opens_at, update.is_last
            if not update.is_whole:
                self._again_at = _now()

    def _read_at(self) -> float:
        """The time of the loop to read the game at, without being roused."""
        if self._opens_at is None:
            return self._again_at
        return min(self._again_at, _now() + (self._opens_at - self._streams.clock()) / 1000)


class StreamAnswer(Response[StreamMessage]):
    """A stream, as a handler returns it; the data of its messages are `StreamMessage`.

    It runs when Litestar is through with the request, of which then nothing is kept.
    """

    def __init__(self, stream: GameStream) -> None:
        super().__init__(cast("StreamMessage", None))
        self._stream = stream

    def to_asgi_response(self, *_: object, **__: object) -> Any:  # noqa: ANN401 - an application of its own
        """Return what Litestar calls in the end."""
        return self._hand_over

    async def _hand_over(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        exchange: Exchange = scope["state"]["exchange"]
        exchange.rest = self._stream.run


async def _say(send: Send, text: bytes) -> None:
    await send({"type": "http.response.body", "body": text, "more_body": True})


def _now() -> float:
    return asyncio.get_running_loop().time()
