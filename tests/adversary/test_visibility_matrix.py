"""Who sees what of a game, when, and through what: every endpoint that shows a card, an event, a seed or a picture.

A row is an endpoint and who asks; a column a kind of deal and a moment:

    running   the game goes on, on the day of its start          late      … and its day is over
    over      it has ended, and the day goes on                  past      … and its day is over

Each cell says what is to be seen of the game:

    hid   it is shown without its seed             no    refused, until the day ends
    see   it is shown with its seed                shut  refused, until the game ends
    yes   it is shown, and has no seed anyhow      out   it is not there: not listed, not counted
    401   refused to who has no token        403   refused to who has the wrong kind of token

In no cell is there a card that lies face down, nor a seed where it does not say so.
"""

import csv
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from pasyans.api import operations
from pasyans.api.v1.routes import HANDLERS
from pasyans.engine.cards import CARD_NAMES

from tests.support.admins import Admin, new_admin
from tests.support.api import Player, code, new_player
from tests.support.clocked import Clock
from tests.support.games import replay
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.unguarded import Unguarded

KINDS = ("sealed", "shared", "daily")
MOMENTS = ("running", "over", "late", "past")
VIEWERS = ("anonymous", "owner", "other", "finisher", "admin")
VARIANT = "vokzal-52"  # one pack, a stock and a reserve: each card has one name and may lie face down

MATRIX = """
                             sealed               shared               daily
                             running over late past   (the same)
game            anonymous    hid see hid see      see see see see      no  no  see see
game            owner        hid see hid see      see see see see      hid hid see see
game            other        hid see hid see      see see see see      no  no  see see
game            finisher     hid see hid see      see see see see      no  no  see see
game            admin        hid see hid see      see see see see      no  no  see see
at              anonymous    hid see hid see      see see see see      no  no  see see
at              owner        hid see hid see      see see see see      hid hid see see
at              other        hid see hid see      see see see see      no  no  see see
at              finisher     hid see hid see      see see see see      no  no  see see
at              admin        hid see hid see      see see see see      no  no  see see
events          anonymous    yes yes yes yes      yes yes yes yes      no  no  yes yes
events          owner        yes yes yes yes      yes yes yes yes      yes yes yes yes
events          other        yes yes yes yes      yes yes yes yes      no  no  yes yes
events          finisher     yes yes yes yes      yes yes yes yes      no  no  yes yes
events          admin        yes yes yes yes      yes yes yes yes      no  no  yes yes
replay          anonymous    hid see hid see      see see see see      no  no  see see
replay          owner        hid see hid see      see see see see      hid hid see see
replay          other        hid see hid see      see see see see      no  no  see see
replay          finisher     hid see hid see      see see see see      no  no  see see
replay          admin        hid see hid see      see see see see      no  no  see see
ndjson          anonymous    hid see hid see      see see see see      no  no  see see
ndjson          owner        hid see hid see      see see see see      hid hid see see
ndjson          other        hid see hid see      see see see see      no  no  see see
ndjson          finisher     hid see hid see      see see see see      no  no  see see
ndjson          admin        hid see hid see      see see see see      no  no  see see
record          anonymous    hid see hid see      see see see see      no  no  see see
record          owner        hid see hid see      see see see see      hid hid see see
record          other        hid see hid see      see see see see      no  no  see see
record          finisher     hid see hid see      see see see see      no  no  see see
record          admin        hid see hid see      see see see see      no  no  see see
verify          anonymous    shut see shut see    see see see see      no  no  see see
verify          owner        shut see shut see    see see see see      no  no  see see
verify          other        shut see shut see    see see see see      no  no  see see
verify          finisher     shut see shut see    see see see see      no  no  see see
verify          admin        shut see shut see    see see see see      no  no  see see
stream          anonymous    hid see hid see      see see see see      no  no  see see
stream          owner        hid see hid see      see see see see      hid hid see see
stream          other        hid see hid see      see see see see      no  no  see see
stream          finisher     hid see hid see      see see see see      no  no  see see
stream          admin        hid see hid see      see see see see      no  no  see see
svg             anonymous    yes yes yes yes      yes yes yes yes      no  no  yes yes
svg             owner        yes yes yes yes      yes yes yes yes      yes yes yes yes
svg             other        yes yes yes yes      yes yes yes yes      no  no  yes yes
svg             finisher     yes yes yes yes      yes yes yes yes      no  no  yes yes
svg             admin        yes yes yes yes      yes yes yes yes      no  no  yes yes
svg-at          anonymous    yes yes yes yes      yes yes yes yes      no  no  yes yes
svg-at          owner        yes yes yes yes      yes yes yes yes      yes yes yes yes
svg-at          other        yes yes yes yes      yes yes yes yes      no  no  yes yes
svg-at          finisher     yes yes yes yes      yes yes yes yes      no  no  yes yes
svg-at          admin        yes yes yes yes      yes yes yes yes      no  no  yes yes
by-player       anonymous    hid see hid see      see see see see      out out see see
by-player       owner        hid see hid see      see see see see      hid hid see see
by-player       other        hid see hid see      see see see see      out out see see
by-player       finisher     hid see hid see      see see see see      out out see see
by-player       admin        hid see hid see      see see see see      out out see see
by-variant      anonymous    hid see hid see      see see see see      out out see see
by-variant      owner        hid see hid see      see see see see      hid hid see see
by-variant      other        hid see hid see      see see see see      out out see see
by-variant      finisher     hid see hid see      see see see see      out out see see
by-variant      admin        hid see hid see      see see see see      out out see see
by-seed         anonymous    out see out see      see see see see      out out see see
by-seed         owner        out see out see      see see see see      out out see see
by-seed         other        out see out see      see see see see      out out see see
by-seed         finisher     out see out see      see see see see      out out see see
by-seed         admin        out see out see      see see see see      out out see see
deal            anonymous    see see see see      see see see see      see see see see
deal            owner        see see see see      see see see see      see see see see
deal            other        see see see see      see see see see      see see see see
deal            finisher     see see see see      see see see see      see see see see
deal            admin        see see see see      see see see see      see see see see
deal-stats      anonymous    out out out out      out yes out yes      out out out out
deal-stats      owner        out out out out      out yes out yes      out out out out
deal-stats      other        out out out out      out yes out yes      out out out out
deal-stats      finisher     out out out out      out yes out yes      out out out out
deal-stats      admin        out out out out      out yes out yes      out out out out
player-stats    anonymous    out yes out yes      out out out out      out yes out yes
player-stats    owner        out yes out yes      out out out out      out yes out yes
player-stats    other        out yes out yes      out out out out      out yes out yes
player-stats    finisher     out yes out yes      out out out out      out yes out yes
player-stats    admin        out yes out yes      out out out out      out yes out yes
export          anonymous    401 401 401 401      401 401 401 401      401 401 401 401
export          owner        hid see hid see      see see see see      hid hid see see
export          other        out out out out      out out out out      out out out out
export          finisher     out out out out      out out out out      out out out out
export          admin        403 403 403 403      403 403 403 403      403 403 403 403
dailies         anonymous    out out out out      out out out out      hid hid see see
dailies         owner        out out out out      out out out out      hid hid see see
dailies         other        out out out out      out out out out      hid hid see see
dailies         finisher     out out out out      out out out out      hid hid see see
dailies         admin        out out out out      out out out out      hid hid see see
results         anonymous    401 401 401 401      401 401 401 401      401 401 401 401
results         owner        403 403 403 403      403 403 403 403      403 403 403 403
results         other        403 403 403 403      403 403 403 403      403 403 403 403
results         finisher     403 403 403 403      403 403 403 403      403 403 403 403
results         admin        out see out see      out see out see      out hid out see
results-csv     anonymous    401 401 401 401      401 401 401 401      401 401 401 401
results-csv     owner        403 403 403 403      403 403 403 403      403 403 403 403
results-csv     other        403 403 403 403      403 403 403 403      403 403 403 403
results-csv     finisher     403 403 403 403      403 403 403 403      403 403 403 403
results-csv     admin        out see out see      out see out see      out hid out see
results-by-seed anonymous    401 401 401 401      401 401 401 401      401 401 401 401
results-by-seed owner        403 403 403 403      403 403 403 403      403 403 403 403
results-by-seed other        403 403 403 403      403 403 403 403      403 403 403 403
results-by-seed finisher     403 403 403 403      403 403 403 403      403 403 403 403
results-by-seed admin        out see out see      out see out see      out out out see
verify-game     anonymous    401 401 401 401      401 401 401 401      401 401 401 401
verify-game     owner        403 403 403 403      403 403 403 403      403 403 403 403
verify-game     other        403 403 403 403      403 403 403 403      403 403 403 403
verify-game     finisher     403 403 403 403      403 403 403 403      403 403 403 403
verify-game     admin        yes yes yes yes      yes yes yes yes      yes yes yes yes
"""

# Where an endpoint is, as the application names it.
ROUTES = {
    "game": "GET /v1/games/{id}",
    "at": "GET /v1/games/{id}",
    "events": "GET /v1/games/{id}/events",
    "replay": "GET /v1/games/{id}/replay",
    "ndjson": "GET /v1/games/{id}/replay",
    "record": "GET /v1/games/{id}/record",
    "verify": "POST /v1/records/verify",
    "stream": "GET /v1/games/{id}/stream",
    "svg": "GET /v1/games/{id}/board.svg",
    "svg-at": "GET /v1/games/{id}/board.svg",
    "by-player": "GET /v1/games",
    "by-variant": "GET /v1/games",
    "by-seed": "GET /v1/games",
    "deal": "GET /v1/variants/{variant}/deals/{seed}",
    "deal-stats": "GET /v1/variants/{variant}/deals/{seed}/stats",
    "player-stats": "GET /v1/players/{name}/stats",
    "export": "GET /v1/players/me/export",
    "dailies": "GET /v1/daily",
    "results": "GET /v1/admin/results",
    "results-csv": "GET /v1/admin/results",
    "results-by-seed": "GET /v1/admin/results",
    "verify-game": "POST /v1/admin/games/{id}/verify",
}

# What shows nothing of any game or deal.
NOTHING = {
    "GET /",
    "GET /docs",
    "GET /docs/{version}/{name}",
    "GET /fair",
    "GET /healthz",
    "GET /problems",
    "GET /problems/{code}",
    "GET /readyz",
    "GET /v1/admin/audit",
    "GET /v1/admin/players",
    "GET /v1/openapi.json",
    "GET /v1/players/me",
    "GET /v1/players/{name}",
    "GET /v1/tokens",
    "GET /v1/variants",
    "GET /v1/variants/{variant}",
    "GET /v1/variants/{variant}/rules",
}

# What shows results of games that have ended, which the contract opens at once, and neither a card nor a seed.
RESULTS = {"GET /v1/leaderboards/{variant}", "GET /v1/leaderboards/{variant}/players/{name}"}

# What writes answers to its own player alone, or to admins; `test_attacks_on_others` and `test_admin_attacks` ask for
# another's.
WRITES = {
    "DELETE /v1/players/me",
    "DELETE /v1/tokens/{id}",
    "PATCH /v1/players/me",
    "POST /v1/admin/games/{id}/restore",
    "POST /v1/admin/games/{id}/void",
    "POST /v1/admin/players/{name}/ban",
    "POST /v1/admin/players/{name}/unban",
    "POST /v1/admin/results/void",
    "POST /v1/games",
    "POST /v1/games/{id}/moves",
    "POST /v1/games/{id}/redo",
    "POST /v1/games/{id}/resign",
    "POST /v1/games/{id}/undo",
    "POST /v1/players",
    "POST /v1/tokens",
}


def table() -> dict[tuple[str, str], list[str]]:
    rows = [line.split() for line in MATRIX.strip().splitlines()[2:]]
    return {(endpoint, viewer): cells for endpoint, viewer, *cells in rows}


def test_the_table_is_whole() -> None:
    assert list(table()) == [(endpoint, viewer) for endpoint in ROUTES for viewer in VIEWERS]
    assert {len(cells) for cells in table().values()} == {len(KINDS) * len(MOMENTS)}


def test_the_table_has_every_route_that_there_is() -> None:
    """A new one has to be put into the table, or among those that show nothing."""
    found = {
        f"{method} {re.sub(r':[a-z]+}', '}', path)}"
        for handler in (*HANDLERS, *operations.HANDLERS)
        for path in handler.paths
        for method in handler.http_methods
        if method not in ("OPTIONS", "HEAD")
    }
    assert found == {*ROUTES.values(), *NOTHING, *RESULTS, *WRITES}


@dataclass
class Scene:
    """A running game and one that was ended on its day, on a deal of one kind, and who looks at them."""

    kind: str
    day: str
    next_day: str
    owners: dict[str, Player]
    games: dict[str, dict[str, Any]]
    viewers: dict[str, Player | Admin]
    seeds: dict[str, str]
    hidden: dict[str, set[str]]


DAYS = {
    "sealed": ("2025-09-01", "2025-09-02"),
    "shared": ("2025-09-03", "2025-09-04"),
    # A day that the zones of the two services put their own borders into.
    "daily": ("2024-12-31", "2025-01-01"),
}


@pytest.fixture(scope="module")
def scenes(east: Service, west: Service, clock: Clock, clocked_postgres: Postgres) -> Iterator[Callable[[str], Scene]]:
    """The scene of each kind, made when it is first asked for."""
    made: dict[str, Scene] = {}
    players: list[Player | Admin] = []
    admin = new_admin(west.url, clocked_postgres)
    players.append(admin)

    def player(service: Service) -> Player:
        someone = new_player(service.url)
        players.append(someone)
        return someone

    def scene(kind: str) -> Scene:
        if kind not in made:
            made[kind] = _scene(kind, clock, clocked_postgres, admin, lambda: player(east), lambda: player(west))
        return made[kind]

    yield scene
    for someone in players:
        someone.http.close()


def _scene(
    kind: str, clock: Clock, postgres: Postgres, admin: Admin, here: Callable[[], Player], there: Callable[[], Player]
) -> Scene:
    day, next_day = DAYS[kind]
    clock.set(f"{day}T12:00:00.000Z")
    owners = {"running": here(), "over": there()}
    finisher = here()
    viewers: dict[str, Player | Admin] = {"other": there(), "finisher": finisher, "admin": admin}
    games = {}
    for state, owner in {**owners, "finisher": finisher}.items():
        deal = {"kind": kind} | ({"seed": f"matrix-{state}"} if kind == "shared" else {})
        answer = owner.http.post("/v1/games", json={"variant": VARIANT, "deal": deal})
        assert answer.status_code == 201, answer.text
        games[state] = owner.play(answer.json(), "draw")
        if state != "running":
            games[state] = owner.act(games[state], "resign", {}).json()
    seeds, hidden = {}, {}
    for state, game in games.items():
        ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
        seeds[state] = str(seed)
        position = replay(VARIANT, seeds[state], ["draw"])
        hidden[state] = {CARD_NAMES[card] for card in position.piles[0] + position.piles[2][:-1]}
        assert len(hidden[state]) == 52 - 4 - 1 - 3
    return Scene(kind, day, next_day, owners, games, viewers, seeds, hidden)


@dataclass
class Seen:
    """An answer: its status, its text, and whether the game is in it."""

    response: httpx.Response
    text: str
    is_there: bool


def ask(endpoint: str, scene: Scene, state: str, http: httpx.Client) -> Seen:  # noqa: C901 - a table
    """Look through an endpoint."""
    game, seed, owner = scene.games[state], scene.seeds[state], scene.owners[state]
    id_ = game["id"]
    base = f"/v1/games/{id_}"
    match endpoint:
        case "game":
            return _whole(http.get(base), id_)
        case "at":
            return _whole(http.get(f"{base}?at=1"), id_)
        case "replay":
            return _whole(http.get(f"{base}/replay"), id_)
        case "ndjson":
            return _whole(http.get(f"{base}/replay", headers={"Accept": "application/x-ndjson"}), id_)
        case "events" | "record":
            return _whole(http.get(f"{base}/{endpoint}"))
        case "verify":
            record = owner.http.get(f"{base}/record").text
            return _whole(http.post("/v1/records/verify", json={"record": record, "frames": True}))
        case "stream":
            return _first(http, f"{base}/stream", id_)
        case "svg":
            return _whole(http.get(f"{base}/board.svg"))
        case "svg-at":
            return _whole(http.get(f"{base}/board.svg?at=1"))
        case "by-player":
            return _listed(http, f"/v1/games?player={owner.name}", id_)
        case "by-variant":
            return _listed(http, f"/v1/games?variant={VARIANT}&limit=200", id_)
        case "by-seed":
            return _listed(http, f"/v1/games?seed={seed}", id_)
        case "deal":
            return _whole(http.get(f"/v1/variants/{VARIANT}/deals/{seed}"))
        case "deal-stats":
            answer = http.get(f"/v1/variants/{VARIANT}/deals/{seed}/stats")
            return Seen(answer, answer.text, answer.json()["games"] > 0)
        case "player-stats":
            answer = http.get(f"/v1/players/{owner.name}/stats")
            played = {each["variant"]: each["played"] for each in answer.json()["variants"]}
            return Seen(answer, answer.text, played[VARIANT] == 1)
        case "export":
            answer = http.get("/v1/players/me/export")
            # What else is there are the viewer's own games, which may be on the same deal.
            kept = [each for each in answer.json().get("games", []) if each["id"] == id_]
            return Seen(answer, str(kept), bool(kept))
        case "dailies":
            answer = http.get(f"/v1/daily?date={scene.day}")
            told = [item["commitment"] for item in answer.json().get("items", [])]  # none where nobody drew any
            return Seen(answer, answer.text, game["deal"]["commitment"] in told)
        case "results" | "results-by-seed":
            # On a daily's seed there are others' results as well.
            which = f"seed={seed}" if endpoint == "results-by-seed" else "sort=seed"
            return _listed(http, f"/v1/admin/results?player={owner.name}&{which}", id_)
        case "results-csv":
            answer = http.get(f"/v1/admin/results?player={owner.name}", headers={"Accept": "text/csv"})
            rows = [row for row in csv.DictReader(answer.text.splitlines()) if row.get("game") == id_]
            return Seen(answer, str(rows), bool(rows))
        case "verify-game":
            return _whole(http.post(f"/v1/admin/games/{id_}/verify"), id_)
    raise AssertionError(endpoint)


def _whole(response: httpx.Response, holds: str = "") -> Seen:
    return Seen(response, response.text, response.status_code == 200 and holds in response.text)


def _listed(http: httpx.Client, url: str, id_: str) -> Seen:
    """What a list says of the game, on whichever page."""
    texts = []
    while True:
        answer = http.get(url)
        texts.append(answer.text)
        found = [item for item in answer.json().get("items", []) if id_ in (item.get("id"), item.get("game"))]
        if found:
            (item,) = found
            return Seen(answer, str(item), is_there=True)
        if "next" not in answer.links:
            return Seen(answer, "".join(texts), is_there=False)
        url = answer.links["next"]["url"]


def _first(http: httpx.Client, url: str, id_: str) -> Seen:
    """The first message of a stream, or its refusal."""
    with http.stream("GET", url) as response:
        if response.status_code != 200:
            response.read()
            return _whole(response)
        for line in response.iter_lines():
            if line.startswith("data: "):
                return Seen(response, line, id_ in line)
    raise AssertionError("the stream had no message")


def cards_in(text: str) -> set[str]:
    """The cards that an answer names, also a picture's, whose outlines have letters as well."""
    if text.startswith("<svg"):
        (words,) = re.findall(r"<desc[^>]*>(.*?)</desc>", text)
        text = " ".join([words, *(face[:2] for face in re.findall(r'(?:id|href)="#?([A-Z0-9]{2}[a-z]*)"', text))])
    return set(re.findall(r"\b[A23456789TJQK][CDHS]\b", text))


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_who_sees_what(
    scenes: Callable[[str], Scene], east: Service, west: Service, clock: Clock, kind: str, moment: str
) -> None:
    assert differences(scenes(kind), moment, clock, [east.url, west.url]) == []


@pytest.mark.parametrize(
    ("guards", "kind", "moment", "endpoints"),
    [
        (["seed"], "sealed", "running", {"game", "at", "replay", "ndjson", "record", "stream", "export"}),
        (["seed"], "daily", "over", {"game", "at", "replay", "ndjson", "record", "stream", "export", "dailies"}),
        (["look"], "daily", "over", {"game", "at", "events", "replay", "ndjson", "record", "stream", "svg", "svg-at"}),
        (["seen", "look"], "daily", "over", {"by-player", "by-variant"}),
        (["open"], "sealed", "running", {"by-seed"}),
        (["face-down"], "shared", "running", {"game", "at", "replay", "ndjson", "stream", "svg", "deal"}),
        (["open", "seen", "kind", "look"], "daily", "over", {"deal-stats"}),
        (["result-seed"], "daily", "over", {"results", "results-csv"}),
        (["result-open"], "daily", "over", {"results-by-seed"}),
        (["admin"], "shared", "over", {"results", "results-csv", "results-by-seed", "verify-game"}),
    ],
)
def test_the_table_tells_when_a_guard_is_out(
    scenes: Callable[[str], Scene],
    open_service: Unguarded,
    clock: Clock,
    guards: list[str],
    kind: str,
    moment: str,
    endpoints: set[str],
) -> None:
    scene = scenes(kind)
    with open_service.without(*guards) as url:
        assert {endpoint for endpoint, _, _ in differences(scene, moment, clock, [url])} >= endpoints
    assert differences(scene, moment, clock, [open_service.url]) == []


def differences(scene: Scene, moment: str, clock: Clock, urls: list[str]) -> list[tuple[str, str, str]]:
    """Where what is seen at some servers, in turn, is not what the table says: endpoint, viewer, what was seen."""
    state = "running" if moment in ("running", "late") else "over"
    midnight = f"{scene.next_day}T00:00:00.000Z"
    column = KINDS.index(scene.kind) * len(MOMENTS) + MOMENTS.index(moment)
    # The last moment of the day, or the first after it.
    clock.set(midnight if moment in ("late", "past") else f"{scene.day}T23:59:59.999Z")
    wrong: list[tuple[str, str, str]] = []
    with ExitStack() as stack:
        ends = {
            name: [stack.enter_context(looking(url, viewer)) for url in urls]
            for name, viewer in {"anonymous": None, "owner": scene.owners[state], **scene.viewers}.items()
        }
        for number, ((endpoint, name), cells) in enumerate(table().items()):
            end = ends[name][(number + number // len(VIEWERS)) % len(urls)]
            seen = ask(endpoint, scene, state, end)
            found = _cell(endpoint, seen, scene.seeds[state], midnight)
            if found != cells[column]:
                wrong.append((endpoint, name, found))
            if down := cards_in(seen.text) & scene.hidden[state]:
                wrong.append((endpoint, name, f"{sorted(down)} lie face down"))
    return wrong


def looking(url: str, viewer: Player | Admin | None) -> httpx.Client:
    headers = {} if viewer is None else {"Authorization": f"Bearer {viewer.token}"}
    return httpx.Client(base_url=url, headers=headers, timeout=20)


def _cell(endpoint: str, seen: Seen, seed: str, until: str) -> str:
    """What the table would say of what was seen."""
    status = seen.response.status_code
    # A path or a query that names the seed may be repeated in the answer.
    if seed in seen.text and endpoint != "deal" and not seen.is_there:
        return "the seed is told"
    if status == 401:
        return "401"
    if status == 403 and code(seen.response) == "forbidden":
        return "403"
    if status == 403:
        assert code(seen.response) == "deal-sealed"
        return {until: "no", None: "shut"}.get(seen.response.json()["until"], "wrong until")
    assert status == 200, seen.text
    if not seen.is_there:
        return "out"
    if seed in seen.text:
        return "see"
    return "hid" if re.search(r"""['"]?(seed['"]|Commitment)""", seen.text) else "yes"
