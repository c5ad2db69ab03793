"""Requests sent, sent again where that is safe, and answers told apart from errors."""

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from pasyans_client.errors import ApiError, BadAnswer, ConnectionFailed, family
from pasyans_client.models import Answer
from pasyans_client.retry import Retry, Wait, retry_after

if TYPE_CHECKING:
    import httpx


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What to send. `repeatable`: sending it twice does no more than sending it once."""

    method: str
    path: str
    query: Mapping[str, str] = {}
    headers: Mapping[str, str] = {}
    body: bytes | None = None
    repeatable: bool


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
        attempt = 1
        while True:
            try:
                return self._once(request)
            except (ConnectionFailed, ApiError) as failure:
                seconds = self._retry.wait(failure, attempt, repeatable=request.repeatable)
                if seconds is None:
                    raise
                if self._on_wait is not None:
                    self._on_wait(Wait(failure, seconds, attempt, self._retry.attempts))
            time.sleep(seconds)
            attempt += 1

    def _once(self, request: Request) -> Answer:
        import httpx

        if self._http is None:
            self._http = httpx.Client(
                base_url=self._base_url,
                timeout=self._timeout,
                headers={"User-Agent": "pasyans-client", "Accept": "application/json"},
            )
        headers = dict(request.headers)
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        try:
            response = self._http.request(
                request.method, request.path, params=request.query, headers=headers, content=request.body
            )
        except httpx.RequestError as error:
            never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
            raise ConnectionFailed(self._describe(error), sent=not never_sent) from error
        answer = Answer(response.status_code, dict(response.headers), response.content)
        if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
            return answer
        raise self._problem(request, answer)

    def _describe(self, error: "httpx.RequestError") -> str:
        import httpx

        if isinstance(error, httpx.TimeoutException):
            return f"{self._base_url} did not answer within {self._timeout:g} s."
        if isinstance(error, httpx.ConnectError):
            return f"{self._base_url} cannot be reached ({error})."
        return f"The connection to {self._base_url} broke before an answer came ({error})."

    def _problem(self, request: Request, answer: Answer) -> ApiError | BadAnswer:
        """Read problem details; from a proxy that stands before a service that is away, there are none."""
        try:
            members: Any = msgspec.json.decode(answer.body)
        except msgspec.DecodeError:
            members = None
        if not isinstance(members, dict) or not isinstance(members.get("code"), str):
            if answer.status in (502, 503, 504):
                members = {"code": "unavailable", "detail": f"The server answered {answer.status}."}
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
            request_id=answer.headers.get("x-request-id"),
            retry_after=retry_after(answer.headers),
        )
