"""The headers of every route, with every kind of answer that it gives.

A route that is not in the table fails. What holds for all answers is asserted of each of them, `lawful`.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import pytest
from pasyans.api import docs, operations
from pasyans.api.pages import CSP
from pasyans.api.v1.routes import HANDLERS
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import migrate

from tests.support.api import Player, assert_problem, new_player
from tests.support.clocked import Clock, clocked
from tests.support.postgres import Postgres, apart, open_folder
from tests.support.service import Service, pasyansd, serving
from tests.support.sql import query

ORIGIN = "https://play.example"

NO_STORE = "no-store"
FRESH = "no-cache"
PRIVATE = "private, no-cache"
ADMIN = "private, no-store"
HOUR = "public, max-age=3600"
FOR_EVER = "public, max-age=31536000, immutable"

JSON = "application/json"
PROBLEM = "application/problem+json"
HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
SVG = "image/svg+xml"
NDJSON = "application/x-ndjson"
EVENTS = "text/event-stream"
CSV = "text/csv; header=present; charset=utf-8"
SCRIPT = "text/javascript; charset=utf-8"

BY_WHO = "Authorization"
BY_FORM = "Accept"
BY_BOTH = "Accept, Authorization"
BY_CODING = "Accept-Encoding"

OWN = {
    "allow", "content-disposition", "content-encoding", "content-language", "etag", "expires", "idempotency-replayed",
    "last-modified", "link", "location", "pragma", "retry-after", "set-cookie", "www-authenticate", "x-accel-buffering",
}  # fmt: skip
"""Headers that an answer has only where its row says so."""

EXPOSED = {
    "Date", "ETag", "Idempotency-Replayed", "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After",
    "X-Request-Id",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A request, and what is to be seen of its answer.

    In ``path`` a parameter stands with the name of its value, as in `/v1/games/{id=over}`. ``own`` names the headers of
    `OWN` that there are. ``who`` sends a token.
    """

    method: str
    path: str
    status: int
    type: str | None
    cache: str | None
    vary: str | None = None
    own: frozenset[str] = frozenset()
    who: str = "anyone"
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    csp: str = CSP

    @property
    def route(self) -> str:
        path = re.sub(r"=\w+\}", "}", self.path.partition("?")[0])
        return f"{self.method} {path}"

    def __str__(self) -> str:
        return " ".join([self.method, self.path, str(self.status), self.who, *self.headers.values()])


def row(
    request: str, status: int, type_: str | None, cache: str | None, vary: str | None = None, *own: str, **more: Any
) -> Row:
    method, path = request.split(" ")
    return Row(method, path, status, type_, cache, vary, frozenset(own), **more)


def problem(request: str, status: int, *own: str, **more: Any) -> Row:
    return row(request, status, PROBLEM, NO_STORE, None, *own, **more)


REASON = {"reason": "test", "note": None}
SEALED = {"variant": "court", "deal": {"kind": "sealed"}}

TABLE = [
    row("GET /v1/variants", 200, JSON, HOUR),
    row("GET /v1/variants?limit=2", 200, JSON, HOUR, None, "link"),
    row("GET /v1/variants/{variant=court}", 200, JSON, HOUR),
    problem("GET /v1/variants/{variant=nothing}", 404),
    row("GET /v1/variants/{variant=court}/rules", 200, MARKDOWN, HOUR, BY_FORM, "content-language"),
    row(
        "GET /v1/variants/{variant=court}/rules?lang=ru", 200, HTML, HOUR, BY_FORM, "content-language",
        headers={"Accept": "text/html"},
    ),
    problem("GET /v1/variants/{variant=nothing}/rules", 404),
    row("GET /v1/variants/{variant=court}/deals/{seed=seed}", 200, JSON, HOUR),
    row("GET /v1/variants/{variant=court}/deals/{seed=seed}?rules=1", 200, JSON, FOR_EVER),
    problem("GET /v1/variants/{variant=court}/deals/{seed=seed}?rules=99", 404),
    row("GET /v1/variants/{variant=court}/deals/{seed=seed}/stats", 200, JSON, FRESH),
    problem("GET /v1/variants/{variant=nothing}/deals/{seed=seed}/stats", 404),
    row("GET /v1/daily", 200, JSON, FRESH),
    problem("GET /v1/daily?date=2999-01-01", 404),
    row("POST /v1/games", 201, JSON, FRESH, BY_WHO, "etag", "location", who="owner", body=SEALED),
    row(
        "POST /v1/games", 201, JSON, FRESH, BY_WHO, "etag", "location", "idempotency-replayed", who="owner",
        body=SEALED, headers={"Idempotency-Key": "again"},
    ),
    problem("POST /v1/games", 401, "www-authenticate", body=SEALED),
    problem("POST /v1/games", 400, who="owner", body={}),
    row("GET /v1/games", 200, JSON, FRESH, BY_WHO),
    row("GET /v1/games?limit=1", 200, JSON, FRESH, BY_WHO, "link"),
    row("GET /v1/games?player={name=name}", 200, JSON, PRIVATE, BY_WHO, who="owner"),
    row("GET /v1/games/{id=game}", 200, JSON, FRESH, BY_WHO, "etag"),
    row("GET /v1/games/{id=game}?at=1", 200, JSON, FRESH, BY_WHO, "etag"),
    row("GET /v1/games/{id=daily}", 200, JSON, PRIVATE, BY_WHO, "etag", who="owner"),
    row("GET /v1/games/{id=game}", 304, None, FRESH, BY_WHO, "etag", headers={"If-None-Match": "*"}),
    problem("GET /v1/games/{id=daily}", 403),
    problem("GET /v1/games/{id=nobody}", 404),
    row("POST /v1/games/{id=game}/moves", 200, JSON, FRESH, BY_WHO, "etag", who="owner", body={"moves": ["draw"]}),
    problem("POST /v1/games/{id=game}/moves", 403, who="admin", body={"moves": ["draw"]}),
    problem("POST /v1/games/{id=over}/moves", 409, who="owner", body={"moves": ["draw"]}),
    problem(
        "POST /v1/games/{id=game}/moves", 412, who="owner", body={"moves": ["draw"]}, headers={"If-Match": '"1"'}
    ),
    problem("POST /v1/games/{id=game}/moves", 422, who="owner", body={"moves": ["t1-t1"]}),
    row("POST /v1/games/{id=played}/undo", 200, JSON, FRESH, BY_WHO, "etag", who="owner", body={"count": 1}),
    problem("POST /v1/games/{id=fresh}/undo", 409, who="owner", body={"count": 1}),
    row("POST /v1/games/{id=undone}/redo", 200, JSON, FRESH, BY_WHO, "etag", who="owner", body={"count": 1}),
    problem("POST /v1/games/{id=fresh}/redo", 409, who="owner", body={"count": 1}),
    row("POST /v1/games/{id=given_up}/resign", 200, JSON, FRESH, BY_WHO, "etag", who="owner"),
    problem("POST /v1/games/{id=over}/resign", 409, who="owner"),
    row("GET /v1/games/{id=over}/events", 200, JSON, FRESH, BY_WHO),
    row("GET /v1/games/{id=over}/events?limit=1", 200, JSON, FRESH, BY_WHO, "link"),
    problem("GET /v1/games/{id=nobody}/events", 404),
    row("GET /v1/games/{id=over}/replay", 200, JSON, FRESH, BY_BOTH),
    row("GET /v1/games/{id=over}/replay", 200, NDJSON, FRESH, BY_BOTH, "etag", headers={"Accept": NDJSON}),
    row(
        "GET /v1/games/{id=over}/replay", 304, None, FRESH, BY_BOTH, "etag",
        headers={"Accept": NDJSON, "If-None-Match": "*"},
    ),
    problem("GET /v1/games/{id=daily}/replay", 403),
    row("GET /v1/games/{id=over}/stream", 200, EVENTS, FRESH, BY_WHO, "x-accel-buffering"),
    row("GET /v1/games/{id=over}/stream", 204, None, FRESH, BY_WHO, headers={"Last-Event-ID": "3"}),
    problem("GET /v1/games/{id=daily}/stream", 403),
    row(
        "GET /v1/games/{id=over}/board.svg", 200, SVG, FRESH, BY_WHO, "etag",
        csp="default-src 'none'; style-src 'unsafe-inline'",
    ),
    row("GET /v1/games/{id=over}/board.svg", 304, None, FRESH, BY_WHO, "etag", headers={"If-None-Match": "*"}),
    problem("GET /v1/games/{id=nobody}/board.svg", 404),
    row("GET /v1/games/{id=over}/record", 200, TEXT, FRESH, BY_WHO, "etag"),
    row("GET /v1/games/{id=over}/record", 304, None, FRESH, BY_WHO, "etag", headers={"If-None-Match": "*"}),
    problem("GET /v1/games/{id=daily}/record", 403),
    row("POST /v1/records/verify", 200, JSON, NO_STORE, body={"record": "nonsense"}),
    problem("POST /v1/records/verify", 415, body="nonsense"),
    row("POST /v1/players", 201, JSON, NO_STORE, None, "location", body={}),
    problem("POST /v1/players", 409, body={"name": "{name}"}),
    problem("POST /v1/players", 413, body={"name": "x" * 70_000}),
    row("GET /v1/players/me", 200, JSON, PRIVATE, BY_WHO, who="owner"),
    problem("GET /v1/players/me", 401, "www-authenticate"),
    problem("GET /v1/players/me", 403, who="admin"),
    row("PATCH /v1/players/me", 200, JSON, PRIVATE, BY_WHO, who="guest", body={"name": "{new}"}),
    problem("PATCH /v1/players/me", 409, who="owner", body={"name": "{new}x"}),
    row("GET /v1/players/me/export", 200, JSON, NO_STORE, None, "content-disposition", who="owner"),
    problem("GET /v1/players/me/export", 401, "www-authenticate"),
    row("DELETE /v1/players/me", 204, None, NO_STORE, who="leaver"),
    problem("DELETE /v1/players/me", 401, "www-authenticate"),
    row("GET /v1/players/{name=name}", 200, JSON, FRESH),
    problem("GET /v1/players/{name=nothing}", 404),
    row("GET /v1/players/{name=name}/stats", 200, JSON, FRESH),
    problem("GET /v1/players/{name=nothing}/stats", 404),
    row("GET /v1/leaderboards/{variant=court}", 200, JSON, FRESH),
    problem("GET /v1/leaderboards/{variant=nothing}", 404),
    row("GET /v1/leaderboards/{variant=court}/players/{name=name}?seed=hello", 200, JSON, FRESH),
    problem("GET /v1/leaderboards/{variant=court}/players/{name=nothing}", 404),
    row("POST /v1/tokens", 201, JSON, NO_STORE, who="owner", body={"label": "x"}),
    problem("POST /v1/tokens", 401, "www-authenticate", body={"label": "x"}),
    row("GET /v1/tokens", 200, JSON, PRIVATE, BY_WHO, who="owner"),
    row("GET /v1/tokens?limit=1", 200, JSON, PRIVATE, BY_WHO, "link", who="owner"),
    problem("GET /v1/tokens", 401, "www-authenticate"),
    row("DELETE /v1/tokens/{id=token}", 204, None, NO_STORE, who="owner"),
    problem("DELETE /v1/tokens/{id=nobody}", 404, who="owner"),
    row("GET /v1/admin/results", 200, JSON, ADMIN, BY_FORM, who="admin"),
    row("GET /v1/admin/results", 200, CSV, ADMIN, BY_FORM, "content-disposition", who="admin",
        headers={"Accept": "text/csv"}),
    problem("GET /v1/admin/results", 403, who="owner"),
    row(
        "POST /v1/admin/results/void", 200, JSON, ADMIN, who="admin",
        body={"filter": {"player": "{name}"}, **REASON, "dry_run": True},
    ),
    problem("POST /v1/admin/results/void", 401, "www-authenticate", body={}),
    row("POST /v1/admin/games/{id=lost}/void", 200, JSON, ADMIN, BY_WHO, "etag", who="admin", body=REASON),
    problem("POST /v1/admin/games/{id=fresh}/void", 409, who="admin", body=REASON),
    row("POST /v1/admin/games/{id=void}/restore", 200, JSON, ADMIN, BY_WHO, "etag", who="admin", body=REASON),
    problem("POST /v1/admin/games/{id=fresh}/restore", 409, who="admin", body=REASON),
    row("POST /v1/admin/games/{id=over}/verify", 200, JSON, ADMIN, who="admin"),
    problem("POST /v1/admin/games/{id=nobody}/verify", 404, who="admin"),
    row("GET /v1/admin/players", 200, JSON, ADMIN, who="admin"),
    problem("GET /v1/admin/players", 403, who="owner"),
    row("POST /v1/admin/players/{name=banned}/ban", 200, JSON, ADMIN, who="admin", body=REASON),
    problem("POST /v1/admin/players/{name=nothing}/ban", 404, who="admin", body=REASON),
    row("POST /v1/admin/players/{name=banned}/unban", 200, JSON, ADMIN, who="admin", body=REASON),
    problem("POST /v1/admin/players/{name=nothing}/unban", 404, who="admin", body=REASON),
    row("GET /v1/admin/audit", 200, JSON, ADMIN, who="admin"),
    problem("GET /v1/admin/audit", 401, "www-authenticate"),
    row("GET /healthz", 200, JSON, NO_STORE),
    row("GET /readyz", 200, JSON, NO_STORE),
    row("GET /v1/openapi.json", 200, JSON, HOUR, BY_CODING),
    row("GET /v1/openapi.json", 200, JSON, HOUR, BY_CODING, "content-encoding", headers={"Accept-Encoding": "gzip"}),
    row("GET /docs", 200, HTML, HOUR, csp=docs.CSP),
    row("GET /docs/{version=version}/{name=script}", 200, SCRIPT, FOR_EVER, BY_CODING),
    problem("GET /docs/{version=version}/{name=nothing}", 404),
    row("GET /problems", 200, HTML, HOUR),
    row("GET /problems/{code=internal}", 200, HTML, HOUR),
    problem("GET /problems/{code=nothing}", 404),
    row("GET /fair", 200, HTML, HOUR),
    row("GET /", 200, HTML, HOUR),
]  # fmt: skip

UNLIMITED = {"GET /healthz", "GET /readyz"}
WITHOUT_DATABASE = {
    "GET /", "GET /docs", "GET /docs/{version}/{name}", "GET /fair", "GET /healthz", "GET /problems",
    "GET /problems/{code}", "GET /v1/openapi.json", "GET /v1/variants", "GET /v1/variants/{variant}",
    "GET /v1/variants/{variant}/deals/{seed}", "POST /v1/records/verify", "GET /v1/variants/{variant}/rules",
}  # fmt: skip


def routes() -> set[str]:
    """Every route of the application, as `METHOD /path/{parameter}`."""
    found = set()
    for handler in (*HANDLERS, *operations.HANDLERS):
        (path,) = handler.paths
        found |= {f"{method} {path.replace(':str}', '}')}" for method in handler.http_methods if method != "OPTIONS"}
    return found


class Stage:
    """A service, who asks it, and what they ask for."""

    def __init__(self, service: Service, settings: dict[str, str], stack: ExitStack) -> None:
        self.http = stack.enter_context(httpx.Client(base_url=service.url, timeout=30))
        self.tokens: dict[str, str] = {}
        self.values = {"court": "court", "seed": "hello", "script": "docs.js", "internal": "internal"}
        self.values |= {"version": docs.version(), "nothing": "nothing", "nobody": str(uuid4()), "again": uuid4().hex}
        owner, leaver, banned = players = [new_player(service.url) for _ in range(3)]
        for player in players:
            stack.callback(player.http.close)
        guest = self.http.post("/v1/players", json={}).json()
        made = pasyansd("admin-token", "new", f"boss-{uuid4().hex[:8]}", **settings)
        assert made.returncode == 0, made.stderr
        self.tokens = {
            "owner": owner.token,
            "leaver": leaver.token,
            "guest": guest["token"],
            "admin": made.stdout.strip(),
        }
        self.values |= {"name": owner.name, "banned": banned.name, "new": f"g{uuid4().hex[:12]}"}
        self._play(owner)

    def _play(self, owner: Player) -> None:
        for name in ("game", "played", "undone", "given_up", "over", "lost", "void", "fresh", "broken"):
            game = owner.start("court", "hello")
            if name != "fresh":
                owner.play(game, "draw")
            if name == "undone":
                owner.act(game, "undo", {"count": 1})
            if name in ("over", "lost", "void"):
                owner.act(game, "resign", {})
            self.values[name] = game["id"]
        deal = {"variant": "court", "deal": {"kind": "daily"}}
        self.values["daily"] = owner.http.post("/v1/games", json=deal).json()["id"]
        self.values["token"] = owner.http.post("/v1/tokens", json={"label": "y"}).json()["id"]
        own = {"Authorization": f"Bearer {self.tokens['admin']}"}
        voided = self.http.post(f"/v1/admin/games/{self.values['void']}/void", json=REASON, headers=own)
        assert voided.status_code == 200, voided.text
        owner.http.post("/v1/games", json=SEALED, headers={"Idempotency-Key": "again"})

    def ask(self, asked: Row, method: str | None = None, **headers: str) -> httpx.Response:
        """Send the request of a row, or one with another method and more headers."""
        path = re.sub(r"\{\w+=(\w+)\}", lambda found: self.values[found[1]], asked.path)
        own = {"Accept-Encoding": "identity"} | asked.headers | headers
        if asked.who in self.tokens:
            own["Authorization"] = f"Bearer {self.tokens[asked.who]}"
        content: dict[str, Any] = {"json": _filled(asked.body, self.values)} if asked.body is not None else {}
        if isinstance(asked.body, str):
            content = {"content": asked.body.encode()}
            own["Content-Type"] = "text/plain"
        with self.http.stream(method or asked.method, path, headers=own, **content) as answer:
            answer.read()
        return answer


def _filled(body: Any, values: dict[str, str]) -> Any:
    if isinstance(body, dict):
        return {key: _filled(value, values) for key, value in body.items()}
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], body) if isinstance(body, str) else body


@pytest.fixture(scope="module")
def alone() -> Iterator[Postgres]:
    """A database that no other tests fill: a list that is longer than a page has a header more."""
    with apart() as postgres:
        yield postgres


@pytest.fixture(scope="module")
def stage(alone: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    settings = {
        "DATABASE_URL": alone.service_url,
        "PASYANS_ADMIN_DATABASE_URL": alone.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("stage")
        clock = Clock(folder / "now")  # the day is not over before the daily's rows are asked for
        clock.set("2024-06-05T12:00:00Z")
        service = stack.enter_context(clocked(folder / "log", clock, settings | {"PASYANS_RATE_LIMIT": "100000/min"}))
        yield Stage(service, settings, stack)


def lawful(answer: httpx.Response, *, limited: bool = True, csp: str = CSP) -> None:
    """What holds for every answer."""
    headers = answer.headers
    assert re.fullmatch(r"[0-9a-f]{32}", headers["x-request-id"])
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert headers["content-security-policy"] == csp
    assert headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in headers
    assert set(headers["access-control-expose-headers"].split(", ")) == EXPOSED
    assert "date" in headers
    if limited:
        assert headers["ratelimit-policy"] == '"requests";q=100000;w=60'
        assert re.fullmatch(r'"requests";r=\d+;t=([1-9]|[1-5]\d|60)', headers["ratelimit"])
    else:
        assert "ratelimit" not in headers
        assert "ratelimit-policy" not in headers
    if answer.status_code in (204, 304):
        assert answer.content == b""
        assert "content-type" not in headers
    if answer.is_error:
        assert_problem(answer)
    for name in headers:
        assert len(headers.get_list(name)) == 1, name


def test_every_route_is_in_the_table_and_no_other() -> None:
    assert {row.route for row in TABLE} == routes()
    good = {row.route for row in TABLE if row.status < 300}
    assert good == routes()
    assert len(set(map(str, TABLE))) == len(TABLE)
    bad = {row.route for row in TABLE if row.status >= 400}
    assert {each for each in routes() - bad if "/v1/" in each} == {
        "GET /v1/variants",
        "GET /v1/games",
        "GET /v1/openapi.json",
    }


@pytest.mark.parametrize(
    ("expected", "origin"),
    [(each, origin) for each in TABLE for origin in (None, ORIGIN) if origin is None or each.method == "GET"],
    ids=str,
)
def test_an_answer_has_the_headers_of_its_row(stage: Stage, expected: Row, origin: str | None) -> None:
    answer = stage.ask(expected, **({"Origin": origin} if origin else {}))
    assert answer.status_code == expected.status, answer.text
    lawful(answer, limited=expected.route not in UNLIMITED, csp=expected.csp)
    assert answer.headers.get("content-type") == expected.type
    assert answer.headers.get("cache-control") == expected.cache
    assert answer.headers.get("vary") == expected.vary
    assert OWN & set(answer.headers) == expected.own


def test_head_is_answered_as_get_without_the_body(stage: Stage) -> None:
    changing = {"date", "x-request-id", "ratelimit", "transfer-encoding"}
    done = 0
    for each in TABLE:
        if each.method != "GET":
            continue
        got, headed = (stage.ask(each, method) for method in ("GET", "HEAD"))
        assert headed.status_code == got.status_code == each.status, each
        assert headed.content == b"", each
        first, second = (
            {name: value for name, value in answer.headers.items() if name not in changing} for answer in (got, headed)
        )
        assert first == second, each
        done += 1
    assert done > 60


def _first(rows: Sequence[Row]) -> list[Row]:
    """The first row of each path."""
    return list({row.route.partition(" ")[2]: row for row in reversed(rows)}.values())


def test_options_and_preflights_are_answered_everywhere(stage: Stage) -> None:
    for each in _first(TABLE):
        path = each.route.partition(" ")[2]
        methods = {route.split(" ")[0] for route in routes() if route.split(" ")[1] == path}
        allowed = methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())
        asked = stage.ask(each, "OPTIONS")
        assert asked.status_code == 204, each
        lawful(asked, limited=each.route not in UNLIMITED)
        assert set(asked.headers["allow"].split(", ")) == allowed
        preflight = stage.ask(each, "OPTIONS", Origin=ORIGIN, **{"Access-Control-Request-Method": each.method})
        assert preflight.status_code == 204, each
        assert preflight.headers["access-control-allow-origin"] == "*"
        assert each.method in preflight.headers["access-control-allow-methods"].split(", ")
        assert preflight.headers["access-control-max-age"] == "7200"
        assert "ratelimit" not in preflight.headers
        assert preflight.headers["x-content-type-options"] == "nosniff"


def test_what_is_wrong_with_any_request_is_a_problem(stage: Stage) -> None:
    for each in TABLE:
        if each.status >= 400 or each.who in ("leaver", "guest"):
            continue
        own = each.route not in UNLIMITED
        other = stage.ask(each, "PUT")
        assert other.status_code == 405, each
        lawful(other, limited=own)
        assert OWN & set(other.headers) == {"allow"}
        if "/v1/" not in each.route or each.path.startswith("/v1/openapi"):
            continue
        if each.status != 204:
            unfit = stage.ask(each, Accept="application/xml")
            assert unfit.status_code == 406, each
            lawful(unfit)
        wrong = stage.ask(_asking(each, "&" if "?" in each.path else "?"))
        assert wrong.status_code == 400, each
        lawful(wrong)
        assert OWN & set(wrong.headers) == set()


def _asking(asked: Row, separator: str) -> Row:
    return Row(asked.method, f"{asked.path}{separator}nonsense=1", 400, PROBLEM, NO_STORE, None, frozenset(), asked.who,
               asked.body, asked.headers)  # fmt: skip


def test_a_fault_of_the_service_is_as_lawful(stage: Stage, alone: Postgres) -> None:
    broken = stage.values["broken"]
    query(alone.admin_url, "UPDATE games SET snapshot = 'rubbish' WHERE game_id = $1", broken)
    for path in ("", "/board.svg", "/stream"):
        answer = stage.ask(problem(f"GET /v1/games/{{id=broken}}{path}", 500))
        assert answer.status_code == 500
        lawful(answer)
        assert OWN & set(answer.headers) == set()
    for table in ("game_events", "games"):
        query(alone.admin_url, f"DELETE FROM {table} WHERE game_id = $1", broken)


def test_without_the_database_every_answer_is_as_lawful(tmp_path_factory: pytest.TempPathFactory) -> None:
    with open_folder() as folder, ExitStack() as stack:
        embedded = EmbeddedPostgres(folder, durable=False)
        with embedded:
            migrate.upgrade(embedded.admin_url)
            settings = {
                "DATABASE_URL": embedded.service_url,
                "PASYANS_ADMIN_DATABASE_URL": embedded.admin_url,
                "PASYANS_ALLOW_DATA_LOSS": "yes",
            }
            log = tmp_path_factory.mktemp("cut") / "log"
            service = stack.enter_context(serving(log, settings | {"PASYANS_RATE_LIMIT": "100000/min"}))
            cut = Stage(service, settings, stack)
        answered = set()
        for each in TABLE:
            answer = cut.ask(each)
            if answer.status_code != 503:
                assert answer.status_code == each.status, each
                answered.add(each.route)
                continue
            # A caller who can't be told from others is not counted; a player who came some moments ago can be.
            is_told = each.who == "anyone" or (each.who != "admin" and "ratelimit" in answer.headers)
            lawful(answer, limited=is_told and each.route not in UNLIMITED)
            assert OWN & set(answer.headers) == {"retry-after"}
        good = {each.route for each in TABLE if each.status < 300 and cut.ask(each).status_code < 300}
        assert good == WITHOUT_DATABASE
        assert good <= answered
