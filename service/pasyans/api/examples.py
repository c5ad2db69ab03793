"""Examples: requests and what the service answered, as the document and the pages of problems show them.

They lie beside what they exemplify: those of the operations of ``v1/games.py`` in ``v1/games.http``, those of problems
that any request may meet in ``problems.http``. An example is a line with its time and its title, a request, and the
answer, in the words of HTTP:

    ### 2026-11-28T10:00:00Z A player with a name
    POST /v1/players
    Content-Type: application/json

    {"name": "anna"}

    HTTP/1.1 201 Created
    Content-Type: application/json
    Location: /v1/players/anna

    {"name": "anna", "guest": false, …}

All of them, by their times, are one story, which the tests play on the real service and compare to the letter;
`python -m tests.examples` writes the answers anew. A line ``# given: …`` says what is so only meanwhile. An answer has
every header but those of the connection and of each answer whatever it is. A body that
is ``…`` alone is left out, and in a text that is not JSON ``…`` stands for parts that are.
"""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

import msgspec
from litestar.handlers import HTTPRouteHandler

from pasyans.api.v1.routes import HANDLERS

LEFT_OUT: Final = "…"

_TITLE: Final = re.compile(r"### (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (\S.*)")
_GIVEN: Final = "# given: "
_ANSWER: Final = re.compile(r"^HTTP/1\.1 (\d{3}) .*$", re.MULTILINE)
_PROBLEMS: Final = Path(__file__).with_name("problems.http")


class BadExample(ValueError):
    """A text that is no example."""


class Part(msgspec.Struct, frozen=True):
    """A request or an answer: its first line, its headers and its body, as they are written."""

    line: str
    headers: dict[str, str]
    body: str

    def __str__(self) -> str:
        head = "\n".join([self.line, *(f"{name}: {value}" for name, value in self.headers.items())])
        return f"{head}\n\n{self.body}" if self.body else head


class Example(msgspec.Struct, frozen=True):
    """One request with its answer, which is ``None`` where it is not known yet. ``given`` is what is so meanwhile."""

    at: str
    title: str
    given: str | None
    request: Part
    answer: Part | None

    @property
    def method(self) -> str:
        """The method of the request."""
        return self.request.line.partition(" ")[0]

    @property
    def target(self) -> str:
        """The path of the request, with its query."""
        return self.request.line.partition(" ")[2]

    @property
    def status(self) -> int:
        """The status of the answer; 0 where it is not known yet."""
        return 0 if self.answer is None else int(self.answer.line.split()[1])

    @property
    def form(self) -> str | None:
        """The media type of the answer, ``None`` where it has no body."""
        if self.answer is None or "Content-Type" not in self.answer.headers:
            return None
        return self.answer.headers["Content-Type"].partition(";")[0]

    @property
    def code(self) -> str | None:
        """The code of the problem that is answered, if one is."""
        if self.answer is None or self.status < HTTPStatus.BAD_REQUEST:
            return None
        return str(json.loads(self.answer.body)["code"])

    @property
    def sent(self) -> object:
        """The body of the request, as the document describes it."""
        return json.loads(self.request.body)

    @property
    def value(self) -> object:
        """What the answer says, as the document describes it: of a stream, its first line or message."""
        body = "" if self.answer is None else self.answer.body
        match self.form:
            case "application/json" | "application/problem+json":
                return json.loads(body)
            case "application/x-ndjson":
                return json.loads(body.splitlines()[0])
            case "text/event-stream":
                return json.loads(next(line for line in body.splitlines() if line.startswith("data: "))[6:])
        return body

    @property
    def name(self) -> str:
        """What names it in the document."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")

    def __str__(self) -> str:
        head = f"### {self.at} {self.title}\n" + (f"{_GIVEN}{self.given}\n" if self.given else "")
        return head + str(self.request) + ("" if self.answer is None else f"\n\n{self.answer}")


def parse(text: str) -> list[Example]:
    """Return the examples of a file.

    Raises:
        BadExample: it is not written as they are.
    """
    before, *texts = re.split(r"^(?=### )", text, flags=re.MULTILINE)
    if before.strip():
        raise BadExample(f"Before the first title: {before.strip()}")
    return [_parse(each.strip()) for each in texts]


def _parse(text: str) -> Example:
    title, _, rest = text.partition("\n")
    titled = _TITLE.fullmatch(title)
    if titled is None:
        raise BadExample(f"Not a time and a title: {title}")
    given = None
    if rest.startswith(_GIVEN):
        line, _, rest = rest.partition("\n")
        given = line.removeprefix(_GIVEN)
    answer = _ANSWER.search(rest)
    request = rest if answer is None else rest[: answer.start()]
    return Example(
        titled[1], titled[2], given, _part(request.strip()), None if answer is None else _part(rest[answer.start() :])
    )


def _part(text: str) -> Part:
    head, _, body = text.partition("\n\n")
    line, *headers = head.split("\n")
    pairs = [header.partition(": ") for header in headers]
    if not all(colon for _, colon, _ in pairs):
        raise BadExample(f"Not a header in: {text}")
    return Part(line, {name: value for name, _, value in pairs}, body)


def path_of(handler: HTTPRouteHandler) -> Path:
    """Return where the examples of an operation are."""
    return Path(str(sys.modules[handler.fn.__module__].__file__)).with_suffix(".http")


@cache
def read(path: Path) -> tuple[Example, ...]:
    """Return the examples of a file; none where there is no file."""
    return tuple(parse(path.read_text("utf-8"))) if path.exists() else ()


def of(handler: HTTPRouteHandler) -> list[Example]:
    """Return the examples of an operation that have an answer."""
    return [each for each in read(path_of(handler)) if each.answer is not None and operation_of(each) is handler]


def operation_of(example: Example) -> HTTPRouteHandler | None:
    """Return the operation that an example asks for, if there is one."""
    path = example.target.partition("?")[0]
    found = [handler for handler in HANDLERS if handler.http_methods == {example.method} and _fits(handler, path)]
    # `/v1/players/me` is no name.
    return min(found, key=lambda handler: _template(handler).count("{"), default=None)


def _fits(handler: HTTPRouteHandler, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{[a-z]+:str\}", "[^/]+", _template(handler)), path) is not None


def _template(handler: HTTPRouteHandler) -> str:
    (template,) = handler.paths
    return template


def shared() -> Iterator[Example]:
    """Yield the examples of the problems that any request may meet."""
    yield from (each for each in read(_PROBLEMS) if each.answer is not None)


def of_problems() -> Iterator[Example]:
    """Yield the examples of all problems: of those that any request may meet, then of the operations' own."""
    yield from shared()
    for handler in HANDLERS:
        yield from (each for each in of(handler) if each.code is not None)
