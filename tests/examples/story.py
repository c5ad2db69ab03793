"""The story that the examples tell, played on the real service.

Its time and its chance are set, and so are the deals of its days, so that every answer is the same each time, to the
letter: ids, tokens and drawn seeds as well. What an answer has whatever it is, and what hangs on the connection, is
left out of the examples.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
from pasyans.api import examples
from pasyans.api.auth import random_admin_token, token_hash
from pasyans.api.examples import LEFT_OUT, Example, Part
from pasyans.api.v1.routes import HANDLERS
from pasyans.api.wire import GUARDS
from pasyans.deals.days import day_of, days_from
from pasyans.games.catalogue import VARIANTS
from pasyans.record.times import parse_time
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate
from pasyans.store.usage import INTERVAL

from tests.support.chance import foretold
from tests.support.clocked import Clock
from tests.support.postgres import open_folder
from tests.support.sql import query
from tests.support.waiting import until

BEGIN = "2026-11-28T09:00:00Z"
LIMIT = 600
SECRET = "no secret, so that answers are alike"
ADMIN_ID = "01a22163-8f00-7a9d-b3c5-2e1f0d4c6b8a"
ADMIN_TOKEN = random_admin_token(sha256(b"olga").digest())
# What every answer has, or the connection: `test_headers`, `test_cors` and `test_rates` are about what is promised.
_UNSAID = {
    "access-control-allow-origin",
    "access-control-expose-headers",
    "connection",
    "content-length",
    "date",
    "ratelimit",
    "ratelimit-policy",
    "server",
    "transfer-encoding",
    "x-request-id",
}
_NAMES = {"etag": "ETag", "www-authenticate": "WWW-Authenticate"}
_WIDTH = 118
_PROBLEMS = Path(examples.__file__).with_name("problems.http")


def files() -> dict[Path, list[Example]]:
    """Every file of examples, as it is."""
    paths = dict.fromkeys([*(examples.path_of(handler) for handler in HANDLERS), _PROBLEMS])
    return {path: examples.parse(path.read_text("utf-8")) for path in paths if path.exists()}


def story() -> list[Example]:
    """All examples, in the order of their times."""
    return sorted((each for found in files().values() for each in found), key=lambda each: each.at)


@dataclass
class Stage:
    """What the story is played on: a service, its database and its clock."""

    embedded: EmbeddedPostgres
    clock: Clock
    http: httpx.Client
    noted: dict[str, int] = field(default_factory=dict)

    def play(self, example: Example) -> Part:
        """Send the request of an example at its time; the answer, as examples have it."""
        self.clock.set(example.at)
        given = nullcontext(example) if example.given is None else self._given(example)
        with given as asked:
            body = asked.request.body.encode()
            headers = {"X-Request-Id": "example"} | asked.request.headers
            answer = self.http.request(asked.method, asked.target, content=body or None, headers=headers)
        self._settle(example.request.headers.get("Authorization", "").removeprefix("Bearer "))
        if "Idempotency-Replayed" in answer.headers and "token" in answer.json():
            self._settle(answer.json()["token"])
        return as_part(answer)

    def _settle(self, token: str) -> None:
        """Wait until it is noted that a token was used, which the service does in the background, once a minute."""
        now = self.clock.now()
        if not token or now - self.noted.get(token, 0) < INTERVAL:
            return
        unnoted = "SELECT FROM tokens WHERE hash = $1 AND revoked_at IS NULL AND last_used_at IS DISTINCT FROM $2"
        at = datetime.fromtimestamp(now / 1000, UTC)
        until(lambda: not query(self.embedded.admin_url, unnoted, token_hash(token), at), "the use of a token is noted")
        self.noted[token] = now

    def _given(self, example: Example) -> AbstractContextManager[Example]:
        assert example.given is not None
        words = example.given.split()
        game = next((word for word in words if word.count("-") == 4), "")
        givens: Mapping[str, Callable[[], AbstractContextManager[Example]]] = {
            "The database is away.": partial(self._away, example),
            f"The service has answered {LIMIT} requests with this token in this minute.": partial(self._often, example),
            "Spaces make the body 70,000 bytes long.": lambda: nullcontext(_filled(example, 70_000)),
            f"What is stored of the game {game} is damaged.": partial(self._damaged, example, game),
        }
        return givens[example.given]()

    @contextmanager
    def _away(self, example: Example) -> Iterator[Example]:
        self._let_in("false")
        yield example
        self._let_in("true")
        until(lambda: self.http.get("/readyz").status_code == HTTPStatus.OK, "the database is there again")

    def _let_in(self, answer: str) -> None:
        url = self.embedded.superuser_url
        query(url, f"ALTER DATABASE pasyans ALLOW_CONNECTIONS {answer}")
        query(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'pasyans'")

    @contextmanager
    def _often(self, example: Example) -> Iterator[Example]:
        headers = {"Authorization": example.request.headers["Authorization"]}
        for _ in range(LIMIT):
            assert self.http.get("/v1/players/me", headers=headers).status_code == HTTPStatus.OK
        yield example

    @contextmanager
    def _damaged(self, example: Example, game: str) -> Iterator[Example]:
        url = self.embedded.admin_url
        ((snapshot,),) = query(url, "SELECT snapshot FROM games WHERE game_id = $1", game)
        query(url, "UPDATE games SET snapshot = $1 WHERE game_id = $2", b"\x00rubbish", game)
        yield example
        query(url, "UPDATE games SET snapshot = $1 WHERE game_id = $2", snapshot, game)


def _filled(example: Example, size: int) -> Example:
    request = example.request
    longer = Part(request.line, request.headers, request.body.ljust(size))
    return Example(example.at, example.title, example.given, longer, example.answer)


@contextmanager
def stage() -> Iterator[Stage]:
    """A service at the beginning of the story, on a database of its own; it ends with the block."""
    with ExitStack() as stack:
        folder = stack.enter_context(open_folder())
        embedded = stack.enter_context(EmbeddedPostgres(folder / "postgres", durable=False))
        migrate.upgrade(embedded.admin_url)
        query(embedded.admin_url, "UPDATE secrets SET hmac = $1", sha256(SECRET.encode()).digest())
        _draw(embedded.admin_url)
        _make_admin(embedded.admin_url)
        clock = Clock(folder / "now")
        clock.set(BEGIN)
        settings = {
            "DATABASE_URL": embedded.service_url,
            "PASYANS_ADMIN_DATABASE_URL": embedded.admin_url,
            "PASYANS_ALLOW_DATA_LOSS": "yes",
            "PASYANS_RATE_LIMIT": f"{LIMIT}/min",
            "PASYANS_SECRET": SECRET,
        }
        service = stack.enter_context(foretold(folder / "log", clock, settings))
        yield Stage(embedded, clock, stack.enter_context(httpx.Client(base_url=service.url, timeout=20)))


def _draw(url: str) -> None:
    """Draw the deals of all days that the story may come to."""
    days = days_from(day_of(parse_time(BEGIN) - 86_400_000), 14)
    drawn = [
        (variant, day, sha256(f"{variant} {day}".encode()).hexdigest()[:32]) for day in days for variant in VARIANTS
    ]
    insert = """
    INSERT INTO dailies (variant, date, seed, drawn_at)
    SELECT variant, day::date, seed, now() FROM unnest($1::text[], $2::text[], $3::text[]) AS d (variant, day, seed)
    """
    query(url, insert, *(list(column) for column in zip(*drawn, strict=True)))


def _make_admin(url: str) -> None:
    """Make the token of an admin, which is the same each time."""
    insert = "INSERT INTO admin_tokens (token_id, name, hash, created_at) VALUES ($1, $2, $3, now())"
    query(url, insert, ADMIN_ID, "olga", token_hash(ADMIN_TOKEN))


def as_part(answer: httpx.Response) -> Part:
    """An answer as examples have it."""
    told = {name: value for name, value in sorted(answer.headers.items()) if not _is_unsaid(name, value)}
    headers = {_NAMES.get(name, name.title()): value for name, value in told.items()}
    line = f"HTTP/1.1 {answer.status_code} {HTTPStatus(answer.status_code).phrase}"
    is_json = headers.get("Content-Type") in ("application/json", "application/problem+json")
    return Part(line, headers, pretty(answer.json()) if is_json else answer.text.strip())


def _is_unsaid(name: str, value: str) -> bool:
    return name in _UNSAID or GUARDS.get(name.encode()) == value.encode()


def pretty(value: Any, indent: str = "", room: int = _WIDTH) -> str:
    """JSON for people: what fits on a line is on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= room or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, list):
        items = [inner + pretty(each, inner) for each in value]
        return "[\n" + ",\n".join(items) + f"\n{indent}]"
    members = []
    for name, each in value.items():
        key = f"{inner}{json.dumps(name)}: "
        members.append(key + pretty(each, inner, _WIDTH - len(key) + len(inner)))
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def fits(answer: Part, shown: Part) -> bool:
    """Whether an answer is what an example shows, which may leave out the body, or parts of a text."""
    if (answer.line, answer.headers) != (shown.line, shown.headers):
        return False
    if shown.body != LEFT_OUT and "json" in shown.headers.get("Content-Type", "json"):
        return answer.body == shown.body
    return re.fullmatch(".*".join(map(re.escape, shown.body.split(LEFT_OUT))), answer.body, re.DOTALL) is not None
