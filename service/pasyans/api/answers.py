"""Answers: the headers that go with each kind of resource."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, Final, TypeVar, cast
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar import Response
from litestar.response import Stream

from pasyans.api.door import JSON
from pasyans.api.errors import problem_of
from pasyans.api.etag import game_tag, unchanged
from pasyans.api.play import Played
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.games import Game
from pasyans.api.visibility import Sight
from pasyans.store.values import Head

T = TypeVar("T")

_ENCODER: Final = msgspec.json.Encoder()

HOUR: Final = {"Cache-Control": "public, max-age=3600"}
FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
FRESH: Final = {"Cache-Control": "no-cache"}
GAME: Final = {"Cache-Control": "no-cache", "Vary": "Authorization"}
PRIVATE: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
SECRET: Final = {"Cache-Control": "no-store"}
ADMIN: Final = {"Cache-Control": "private, no-store"}


class Reply(Response[T]):
    """An answer as it is sent: ``body`` is JSON, or ``None``. It has nothing that Litestar would have to look at."""

    background = None
    cookies = ()  # type: ignore[assignment]
    encoding = "utf-8"
    media_type = JSON
    response_type_encoders = {}  # noqa: RUF012

    def __init__(self, body: bytes | None, status: int, headers: Mapping[str, str]) -> None:
        self.body = body
        self.content = cast("T", body)
        self.status = self.status_code = status
        self.headers = dict(headers)


def answer(content: T, headers: Mapping[str, str], status: int = 200) -> Response[T]:
    """Return an answer in JSON."""
    return Reply(_ENCODER.encode(content), status, headers)


def empty(status: int, headers: Mapping[str, str]) -> Response[Any]:
    """Return an answer without a body."""
    return Reply(None, status, headers)


async def in_pieces(
    request: ApiRequest, pieces: AsyncGenerator[bytes], form: str, headers: Mapping[str, str]
) -> Response[Any]:
    """Return an answer that is sent piece by piece, no faster than the client takes it; to HEAD, without any.

    What keeps the first piece from being made is raised. Later it is too late to answer it: the log tells of it, and
    the connection breaks, so that nobody takes what was sent for the whole.
    """
    first = b"" if request.is_head else await anext(pieces, b"")
    return Stream(_sent(request, first, pieces), media_type=form, headers=dict(headers))


async def _sent(request: ApiRequest, first: bytes, pieces: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    async with aclosing(pieces):
        if not first:
            return
        try:
            yield first
            async for piece in pieces:
                yield piece
        except Exception as error:
            problem_of(error, request.exchange)
            raise


def kept(sight: Sight) -> dict[str, str]:
    """Return the headers that say who may keep what shows of a game."""
    return PRIVATE if sight.is_private else GAME


def game_headers(head: Head, version: int, sight: Sight) -> dict[str, str]:
    """Return the headers of what shows a game, which is at ``version``."""
    return {**kept(sight), "ETag": game_tag(version, head.name_changes, has_opened=sight.has_opened)}


def not_modified(head: Head, sight: Sight, if_none_match: str | None) -> Response[Any] | None:
    """Return 304 when the client has the game as it stands."""
    headers = game_headers(head, head.version, sight)
    return empty(304, headers) if unchanged(headers["ETag"], if_none_match) else None


def written(
    played: Played, content: Game, sight: Sight, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[Any]:
    """Return the answer to a write on a game, of which ``sight`` shows."""
    replay = {"Idempotency-Replayed": "true"} if played.is_replay else {}
    own = game_headers(played.head, played.game.version, sight)
    return answer(content, {**own, **replay, **(headers or {})}, status)


def link_next(request: ApiRequest, name: str, value: object) -> dict[str, str]:
    """Return the Link header to the next page, which begins where the parameter ``name`` is ``value``."""
    if value is None:
        return {}
    given = parse_qsl(request.scope["query_string"].decode("ascii"), keep_blank_values=True)
    query = urlencode([*((key, text) for key, text in given if key != name), (name, str(value))])
    return {"Link": f'<{request.scope["path"]}?{query}>; rel="next"'}


def replay_headers(is_replay: bool) -> dict[str, str]:
    """Return the header that tells a repeated answer from the first."""
    return {"Idempotency-Replayed": "true"} if is_replay else {}
