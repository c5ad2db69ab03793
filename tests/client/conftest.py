"""A server that answers as a test tells it, for what a real service does only when it is in trouble."""

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import pytest

DROP = b""
"""Close the connection without an answer, after the request was read."""


class Seen(NamedTuple):
    """A request as it came in."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    at: float


class Stub:
    """Answers one connection after the other, each with the next of the given answers, then closes it."""

    def __init__(self, answers: list[bytes]) -> None:
        self.seen: list[Seen] = []
        self._answers = answers
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        if not answers:
            self._socket.close()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for a connection
        self._socket.close()
        self._thread.join(5)

    def _serve(self) -> None:
        answers = deque(self._answers)
        while answers:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self.seen.append(_read(connection))
                answer = answers.popleft()
                if not answers:
                    self._socket.close()  # whoever has the last answer finds nobody here
                connection.sendall(answer)


def _read(connection: socket.socket) -> Seen:
    stream = connection.makefile("rb")
    method, target, _ = stream.readline().decode().split(" ", 2)
    headers = {}
    while line := stream.readline().decode().strip():
        name, value = line.split(": ", 1)
        headers[name.lower()] = value
    body = stream.read(int(headers.get("content-length", 0)))
    return Seen(method, target, headers, body, time.monotonic())


def answer(status: int, body: object, **headers: str) -> bytes:
    """An HTTP answer with a JSON body (or bytes as they are); `retry_after` stands for `Retry-After`."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Some", f"Content-Length: {len(data)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + data


def problem(status: int, code: str, detail: str = "So it is.", **members: object) -> bytes:
    """A problem document."""
    retry = {"retry_after": str(members.pop("retry_after"))} if "retry_after" in members else {}
    body = {"type": f"/problems/{code}", "title": code, "status": status, "detail": detail, "code": code}
    return answer(status, {**body, "instance": "/v1", **members}, x_request_id="r-1", **retry)


@pytest.fixture
def stub() -> Iterator[Callable[..., Stub]]:
    """Start a stub with its answers in order; once they are used up, connecting is refused."""
    stubs: list[Stub] = []

    def start(*answers: bytes) -> Stub:
        stubs.append(Stub(list(answers)))
        return stubs[-1]

    yield start
    for each in stubs:
        each.close()
