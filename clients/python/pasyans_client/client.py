"""The client: one method an operation of the API."""

from collections.abc import Generator, Iterator
from datetime import date
from itertools import chain

import msgspec

from pasyans_client.accounts import Accounts
from pasyans_client.calls import Texts, part, queried
from pasyans_client.leaderboards import Leaderboards
from pasyans_client.models import (
    Daily,
    Deal,
    Event,
    Frame,
    Game,
    GameSummary,
    Page,
    Played,
    StreamMessage,
    Variant,
    Verification,
)
from pasyans_client.results import DealStats
from pasyans_client.streams import SILENCE, follow
from pasyans_client.transport import Request


class Client(Accounts, Leaderboards):
    """A client of one service, for one player or, without a token, for reading what is public.

    Every method raises `ApiError` (by family, see `pasyans_client.errors`) where the service refuses,
    `ConnectionFailed` where no answer comes, and `BadAnswer` where the answer breaks the contract; before anything
    is sent, `ValueError` or `TypeError` where an argument cannot be sent, such as a text with lone surrogates.

    Reads, and POSTs (each with an Idempotency-Key of its own), are sent again after a lost connection, a 503 or a 429,
    as `retry` says and Retry-After asks; so is `take_name`, which can be repeated as it is. `revoke_token` and `erase`,
    which have no key, are sent again only where nothing can have been written, and `export` until it begins to come.
    The other writing methods take `key`: pass one to be able to repeat the very same request later. It is 1-255
    characters of printable ASCII, with no blank at its ends, and `ValueError` is raised where it has others or none.

    A client may be shared by threads, except for `last_answer`. It is a context manager; `close` ends its connections.
    """

    # Variants and deals

    def variants(self) -> list[Variant]:
        """Every kind of solitaire there is."""
        return list(chain.from_iterable(self.variant_pages()))

    def variant_pages(self, *, limit: int | None = None, most: int | None = None) -> Iterator[list[Variant]]:
        """The pages of `variants`, at least one; `limit` is the size of a page, `most` how many there are to be."""
        return self._pages("/v1/variants", queried({"limit": limit}), Variant, most=most)

    def variant(self, variant: str) -> Variant:
        """One kind of solitaire, by id."""
        return self._get(f"/v1/variants/{part(variant, 'variant')}", Variant)

    def rules_page(self, variant: str, lang: str = "en") -> str:
        """The rules, as Markdown, in English (`en`) or Russian (`ru`)."""
        path = f"/v1/variants/{part(variant, 'variant')}/rules"
        return self._text(path, {"lang": lang}, "text/markdown")

    def deal(self, variant: str, seed: str, *, rules: int | None = None) -> Deal:
        """The opening that a seed gives, under the current rules unless told."""
        path = f"/v1/variants/{part(variant, 'variant')}/deals/{part(seed, 'seed')}"
        return self._get(path, Deal, queried({"rules": rules}))

    def deal_stats(self, variant: str, seed: str, *, rules: int | None = None) -> DealStats:
        """What the shared games on a deal came to, under the current rules unless told."""
        path = f"/v1/variants/{part(variant, 'variant')}/deals/{part(seed, 'seed')}/stats"
        return self._get(path, DealStats, queried({"rules": rules}))

    def dailies(self, day: date | str | None = None) -> list[Daily]:
        """The deals of a UTC day, today unless told: up to a week ahead, with their commitments."""
        return list(chain.from_iterable(self.daily_pages(day)))

    def daily_pages(
        self, day: date | str | None = None, *, limit: int | None = None, most: int | None = None
    ) -> Iterator[list[Daily]]:
        """The pages of `dailies`, at least one; `limit` is the size of a page, `most` how many there are to be."""
        return self._pages("/v1/daily", queried({"date": day, "limit": limit}), Daily, most=most)

    # Games

    def start_game(self, variant: str, *, seed: str | None = None, daily: bool = False, key: str | None = None) -> Game:
        """Start a game: on the public deal of `seed`, on today's daily deal, or else on a sealed one.

        Raises:
            AlreadyPlaying: there is a running game of the same daily: `game`.
            ValueError: `seed` and `daily` are both given.
        """
        if daily and seed is not None:
            raise ValueError("a game is on the deal of a seed or on the day's, not both")
        deal = {"kind": "daily"} if daily else {"kind": "sealed"} if seed is None else {"kind": "shared", "seed": seed}
        return self._post("/v1/games", {"variant": variant, "deal": deal}, Game, key=key)

    def game(self, game: str, *, at: int | None = None) -> Game:
        """A game as it stands, or as it stood at a version."""
        return self._get(f"/v1/games/{part(game, 'id')}", Game, queried({"at": at}))

    def games(
        self,
        *,
        player: str | None = None,
        variant: str | None = None,
        status: str | None = None,
        seed: str | None = None,
        limit: int | None = None,
    ) -> Iterator[GameSummary]:
        """Games, newest first, page after page as they are asked for; `limit` is the size of a page (1-200)."""
        pages = self.game_pages(player=player, variant=variant, status=status, seed=seed, limit=limit)
        return chain.from_iterable(pages)

    def game_pages(
        self,
        *,
        player: str | None = None,
        variant: str | None = None,
        status: str | None = None,
        seed: str | None = None,
        limit: int | None = None,
        most: int | None = None,
    ) -> Iterator[list[GameSummary]]:
        """The pages of `games`, at least one; `most` is how many games they are to have in all."""
        query = {"player": player, "variant": variant, "status": status, "seed": seed, "limit": limit}
        return self._pages("/v1/games", queried(query), GameSummary, most=most)

    def move(self, game: str, moves: Texts, *, if_version: int | None = None, key: str | None = None) -> Played:
        """Play 1-500 moves, all or none.

        With `if_version` nothing is played unless the game still stands there (`StaleVersion`). While the seed is
        sealed, a `draw`, a `redeal` or a move from the reserve can only be the last of its batch.

        Raises:
            MoveRefused: the first move that cannot be played, and why.
            TypeError: `moves` is a text, and no sequence of them.
        """
        if isinstance(moves, str):
            raise TypeError(f"moves are a sequence of texts, such as [{moves!r}]")
        return self._game_post(game, "moves", {"moves": list(moves)}, if_version, key)

    def undo(self, game: str, count: int = 1, *, if_version: int | None = None, key: str | None = None) -> Played:
        """Take moves back. Raises `NothingLeft` where there are fewer."""
        return self._game_post(game, "undo", {"count": count}, if_version, key)

    def redo(self, game: str, count: int = 1, *, if_version: int | None = None, key: str | None = None) -> Played:
        """Play moves again that were taken back. Raises `NothingLeft` where there are fewer."""
        return self._game_post(game, "redo", {"count": count}, if_version, key)

    def resign(self, game: str, *, if_version: int | None = None, key: str | None = None) -> Played:
        """End a game as lost (as abandoned where nothing was played)."""
        return self._game_post(game, "resign", {}, if_version, key)

    def events(self, game: str, *, after: int = 0) -> Iterator[Event]:
        """What happened in a game, in order, from the event that follows `after`."""
        pages = self._pages(f"/v1/games/{part(game, 'id')}/events", queried({"after": after}), Event, next_name="after")
        return chain.from_iterable(pages)

    def stream(self, game: str, last_event_id: int | None = None) -> Generator[StreamMessage, None, None]:
        """A game as it goes on, message by message, until it is over; each waits for the next.

        The first message is the present game, with no events. With `last_event_id`, a version that was seen, it is what
        followed that; nothing is lost or doubled. (The opening of a daily's seed, a message with no events, may be told
        again.) `last_answer` has the message as it came.

        A connection that breaks is made again, after the wait that the service asks for, and the stream goes on where
        it was. `retry` bounds the attempts in a row that bring no message. To leave early, close the iterator.
        """
        request = Request(
            method="GET",
            path=f"/v1/games/{part(game, 'id')}/stream",
            headers={"Accept": "text/event-stream"},
            repeatable=True,
            silence=SILENCE,
        )
        last = None if last_event_id is None else str(last_event_id)
        for answer in follow(self._transport, request, last, retry=self._retry, on_wait=self._on_wait):
            self.last_answer = answer
            yield self._decode(answer, StreamMessage)

    def replay(self, game: str, *, after: int = 0) -> Iterator[Frame]:
        """How a game went up to now, from the event that follows `after`: each event with the game after it.

        It comes as one stream, however long the game is, and is decoded as it is taken. Where the connection breaks,
        it goes on after the last frame.
        """
        return (self._decode_part("the answer", line, Frame) for line in self.replay_lines(game, after=after))

    def replay_lines(self, game: str, *, after: int = 0) -> Iterator[bytes]:
        """The frames of `replay` as the service sends them: JSON, a line each."""

        def request(after: int) -> Request:
            return Request(
                method="GET",
                path=f"/v1/games/{part(game, 'id')}/replay",
                query={"after": str(after)},
                headers={"Accept": "application/x-ndjson"},
                repeatable=True,
            )

        def following(line: bytes) -> Request:
            return request(self._decode_part("the answer", line, _Numbered).event.seq)

        return self._transport.lines(request(after), following)

    def frames(self, game: str, *, after: int = 0, limit: int = 50) -> list[Frame]:
        """A few frames of `replay`, 1-200, at once: those that follow `after`; fewer where the game has no more."""
        page = self._get(f"/v1/games/{part(game, 'id')}/replay", Page, {"after": str(after), "limit": str(limit)})
        return [self._decode_part("the answer", item, Frame) for item in page.items]

    def board_svg(self, game: str, *, at: int | None = None) -> str:
        """A picture of the board, as it stands or as it stood at a version: SVG, light or dark as the reader likes."""
        return self._text(f"/v1/games/{part(game, 'id')}/board.svg", queried({"at": at}), "image/svg+xml")

    # Records

    def record(self, game: str) -> str:
        """The portable text record of a game; the seed is left out while the deal is sealed."""
        return self._text(f"/v1/games/{part(game, 'id')}/record", {}, "text/plain")

    def verify(self, record: str, *, frames: bool = False) -> Verification:
        """Replay a record on the engine; with `frames`, also the board after each event.

        Raises:
            DealSealed: the record has no seed, as it was written while the deal was sealed.
        """
        body = {"record": record, "frames": frames}
        return self._decode(self._write("POST", "/v1/records/verify", body, {}, repeatable=True), Verification)


class _Event(msgspec.Struct, frozen=True):
    seq: int


class _Numbered(msgspec.Struct, frozen=True):
    """What tells a frame from others."""

    event: _Event
