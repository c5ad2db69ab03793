"""Requests sent, sent again where that is safe, and answers told apart from errors."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from pasyans_client.errors import ApiError, BadAnswer, ConnectionFailed, family
from pasyans_client.models import Answer
from pasyans_client.retry import Attempts, Retry, Wait, retry_after

if TYPE_CHECKING:
    import httpx

JSON = "application/json"


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What to send.

    `repeatable`: sending it twice does no more than sending it once. `silence` is how many seconds may pass before the
    answer, and between two pieces of it; the client's timeout unless told.
    """

    method: str
    path: str
    query: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    body: bytes | None = None
    repeatable: bool
    silence: float | None = None


class Opened(msgspec.Struct, frozen=True):
    """An answer that is still coming: what stands before its body, and the pieces of that, once."""

    answer: Answer
    pieces: Iterator[bytes]


class Transport:
    """One connection pool to one service. httpx is imported with the first request, as it takes its time."""

    def __init__(
        self,
        base_url: str,
        token: str | None,
        *,
        timeout: float,
        retry: Retry,
        on_wait: Callable[[Wait], None] | None,
    ) -> None:
        self._base_url = base_url
        self._token = token
        self._timeout = timeout
        self._retry = retry
        self._on_wait = on_wait
        self._http: httpx.Client | None = None

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def send(self, request: Request) -> Answer:
        """Send a request and return its answer of class 2xx or 304.

        Raises:
            ConnectionFailed: no answer came, however often it was tried.
            ApiError: the service refused.
            BadAnswer: something answered that is not this API.
        """
        attempts = self._attempts(request)
        while True:
            try:
                return self._once(request)
            except (ConnectionFailed, ApiError) as failure:
                attempts.wait(failure)

    def lines(self, request: Request, following: Callable[[bytes], Request]) -> Iterator[bytes]:
        """Send a request and yield the lines of its answer as they come.

        Where the connection breaks, `following`, given the last line that came, makes the request for the rest.

        Raises:
            ConnectionFailed, ApiError, BadAnswer: as `send`, also midway.
        """
        attempts = self._attempts(request)
        while True:
            last = None
            try:
                for line in self._lines(request):
                    yield line
                    last = line
            except (ConnectionFailed, ApiError) as failure:
                if last is not None:
                    request = following(last)
                    attempts = self._attempts(request)
                attempts.wait(failure)
            else:
                return

    def pieces(self, request: Request) -> Iterator[bytes]:
        """Send a request, and yield the body of its answer in pieces as they come.

        It is sent again, as by `send`, until the first piece has come, and not after that.

        Raises:
            ConnectionFailed: no answer came, or it broke off: what came is not whole.
            ApiError, BadAnswer: as `send`.
        """
        attempts, has_begun = self._attempts(request), False
        while True:
            try:
                with self.open(request) as opened:
                    check_type(request, opened.answer)
                    self._check_end(opened.answer)
                    for piece in opened.pieces:
                        has_begun = True
                        yield piece
                    return
            except (ConnectionFailed, ApiError) as failure:
                if has_begun:
                    raise
                attempts.wait(failure)

    def _check_end(self, answer: Answer) -> None:
        """Raise where an answer that breaks off would look like a whole one."""
        if "content-length" not in answer.headers and "chunked" not in answer.headers.get("transfer-encoding", ""):
            raise BadAnswer(
                f"{self._base_url}: the answer does not tell where it ends, so that nobody could know it to be whole."
            )

    def _attempts(self, request: Request) -> Attempts:
        return Attempts(self._retry, self._on_wait, repeatable=request.repeatable)

    @contextmanager
    def open(self, request: Request) -> Iterator[Opened]:
        """Send a request once, and have its answer of class 2xx or 304 while the body is still coming.

        Raises:
            ConnectionFailed, ApiError, BadAnswer: as `send`; the first also midway.
        """
        import httpx

        if self._http is None:
            self._http = httpx.Client(
                base_url=self._base_url,
                timeout=self._timeout,
                headers={"User-Agent": "pasyans-client", "Accept": JSON},
            )
        headers = dict(request.headers)
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        if request.body is not None:
            headers["Content-Type"] = JSON
        try:
            with self._http.stream(
                request.method,
                request.path,
                params=request.query,
                headers=headers,
                content=request.body,
                timeout=httpx.Timeout(self._timeout, read=request.silence or self._timeout),
            ) as response:
                if not response.is_success and response.status_code != httpx.codes.NOT_MODIFIED:
                    raise self._problem(request, _answer(response, response.read()))
                yield Opened(_answer(response, b""), response.iter_bytes())
        except httpx.RequestError as error:
            never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
            raise ConnectionFailed(self._describe(request, error), sent=not never_sent) from error

    def _once(self, request: Request) -> Answer:
        with self.open(request) as opened:
            return msgspec.structs.replace(opened.answer, body=b"".join(opened.pieces))

    def _lines(self, request: Request) -> Iterator[bytes]:
        with self.open(request) as opened:
            rest = b""
            for piece in opened.pieces:
                *whole, rest = (rest + piece).split(b"\n")
                yield from whole
            if rest:
                raise BadAnswer(f"{self._base_url}: the answer ends in the midst of a line.")

    def _describe(self, request: Request, error: "httpx.RequestError") -> str:
        import httpx

        if isinstance(error, httpx.TimeoutException):
            seconds = (request.silence if isinstance(error, httpx.ReadTimeout) else None) or self._timeout
            return f"{self._base_url} did not answer within {seconds:g} s."
        if isinstance(error, httpx.ConnectError):
            return f"{self._base_url} cannot be reached ({error})."
        return f"The connection to {self._base_url} broke before the answer was whole ({error})."

    def _problem(self, request: Request, answer: Answer) -> ApiError | BadAnswer:
        """Read problem details; from a proxy that stands before a service that is away, there are none."""
        try:
            members: Any = msgspec.json.decode(answer.body)
        except msgspec.DecodeError:
            members = None
        if not isinstance(members, dict) or not isinstance(members.get("code"), str):
            if answer.status in (502, 503, 504):
                members = {
                    "status": answer.status,
                    "detail": f"The server answered {answer.status}.",
                    "code": "unavailable",
                }
            else:
                return BadAnswer(
                    f"{request.method} {request.path} was answered with status {answer.status} and no problem "
                    f"details: is {self._base_url} a Pasyans service?"
                )
        known = {"type", "title", "status", "detail", "code", "instance"}
        kind = family(members["code"], 503 if answer.status in (502, 504) else answer.status)
        return kind(
            code=members["code"],
            status=answer.status,
            detail=str(members.get("detail") or members.get("title") or members["code"]),
            members={name: value for name, value in members.items() if name not in known},
            problem=members,
            request_id=answer.headers.get("x-request-id"),
            retry_after=retry_after(answer.headers),
        )


def check_type(request: Request, answer: Answer) -> None:
    """Raise `BadAnswer` unless an answer is what the request said to be accepted."""
    wanted = request.headers.get("Accept", JSON)
    media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != wanted:
        raise BadAnswer(f"{request.path} was answered with {media_type or 'no type'}, and not with {wanted}.")


def _answer(response: "httpx.Response", body: bytes) -> Answer:
    return Answer(response.status_code, dict(response.headers), body)
