"""Games: started, shown, listed."""

import re
from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid4

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS

from tests.support.api import Player, code, faults
from tests.support.vectors import wins

FIELDS = {
    "id",
    "variant",
    "rules",
    "deal",
    "player",
    "attempt",
    "ranked",
    "version",
    "status",
    "stuck",
    "score",
    "moves",
    "undos",
    "redeals",
    "redeals_left",
    "undo_available",
    "redo_available",
    "started_at",
    "updated_at",
    "finished_at",
    "elapsed_ms",
}
CARDS = {"piles", "legal_moves", "finish"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def test_a_sealed_game_starts_with_a_commitment_and_no_seed(player: Player, http: httpx.Client) -> None:
    response = player.http.post("/v1/games", json={"variant": "vokzal-36", "deal": {"kind": "sealed"}})
    assert response.status_code == 201
    game = response.json()
    assert set(game) == FIELDS | CARDS
    assert response.headers["location"] == f"/v1/games/{game['id']}"
    assert response.headers["etag"] == '"1"'
    assert game["deal"]["kind"] == "sealed"
    assert (game["deal"]["seed"], game["deal"]["date"]) == (None, None)
    assert re.fullmatch(r"[0-9a-f]{64}", game["deal"]["commitment"])
    assert (game["variant"], game["rules"], game["player"]) == ("vokzal-36", 1, player.name)
    assert (game["attempt"], game["ranked"], game["version"], game["status"]) == (1, True, 1, "playing")
    assert (game["stuck"], game["score"], game["moves"], game["undos"]) == (False, 0, 0, 0)
    assert (game["redeals"], game["redeals_left"]) == (0, None)
    assert (game["undo_available"], game["redo_available"]) == (0, 0)
    assert game["started_at"] == game["updated_at"]
    assert TIME.fullmatch(game["started_at"])
    assert (game["finished_at"], game["elapsed_ms"], game["finish"]) == (None, 0, None)
    assert game["piles"][0] == {"id": "s", "kind": "stock", "hidden": 23, "cards": []}
    assert http.get(response.headers["location"]).json() == game


def test_the_time_in_the_id_is_the_start(player: Player) -> None:
    game = player.start()
    started_at = datetime.fromisoformat(game["started_at"])
    assert UUID(game["id"]).version == 7
    assert (UUID(game["id"]).int >> 80) == round(started_at.timestamp() * 1000)


def test_a_shared_game_is_on_the_deal_of_its_seed(player: Player, http: httpx.Client) -> None:
    game = player.start("dolgiy", "hello")
    assert game["deal"] == {"kind": "shared", "seed": "hello", "commitment": None, "date": None}
    assert game["ranked"] is False
    assert game["redeals_left"] == 2
    deal = http.get("/v1/variants/dolgiy/deals/hello").json()
    assert (game["piles"], game["legal_moves"]) == (deal["piles"], deal["legal_moves"])


def test_a_grid_is_four_rows_of_14_cells(player: Player) -> None:
    game = player.start("dolgiy", "hello")
    assert [(pile["id"], pile["kind"], pile["hidden"], len(pile["cards"])) for pile in game["piles"]] == [
        (row, "row", 0, 14) for row in "abcd"
    ]
    assert [(pile["cards"][0], pile["cards"].index("--")) for pile in game["piles"]] == [
        ("AS", 1), ("AC", 1), ("AD", 1), ("AH", 1),
    ]  # fmt: skip
    assert sum(pile["cards"].count("--") for pile in game["piles"]) == 4


def test_a_status_is_one_of_five(player: Player, http: httpx.Client) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    games = {
        "playing": player.start("court"),
        "abandoned": player.act(player.start("court"), "resign", {}).json(),
        "lost": player.act(player.play(player.start("court"), "draw"), "resign", {}).json(),
        "won": player.play(player.start(win.variant, win.seed), *win.moves),
    }
    for status, game in games.items():
        assert game["status"] == status
        assert [each["id"] for each in listed(http, player=player.name, status=status)] == [game["id"]]
    assert listed(http, player=player.name, status="void") == []
    document = http.get("/v1/openapi.json").json()
    assert document["components"]["schemas"]["Game"]["properties"]["status"]["enum"] == [*sorted([*games, "void"])]


def test_sealed_deals_are_drawn_and_opened_at_the_end(player: Player) -> None:
    ended = [player.act(player.start(), "resign", {}).json() for _ in range(2)]
    seeds = [game["deal"]["seed"] for game in ended]
    assert all(re.fullmatch(r"[0-9a-f]{32}", seed) for seed in seeds)
    assert seeds[0] != seeds[1]
    for game, seed in zip(ended, seeds, strict=True):
        assert game["deal"]["commitment"] == sha256(f"pasyans-commit-1/{seed}".encode()).hexdigest()


def test_attempts_are_counted_by_player_variant_and_seed(player: Player, other: Player) -> None:
    assert [player.start("court", "hello")["attempt"] for _ in range(3)] == [1, 2, 3]
    assert player.start("congress", "hello")["attempt"] == 1
    assert other.start("court", "hello")["attempt"] == 1
    seed = player.act(player.start("court"), "resign", {}).json()["deal"]["seed"]
    assert player.start("court", seed)["attempt"] == 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_can_be_started(player: Player, variant: str) -> None:
    game = player.start(variant)
    assert game["variant"] == variant
    assert game["legal_moves"]


def test_every_fault_of_a_start_is_listed(player: Player) -> None:
    wrong = player.http.post(
        "/v1/games?x=1",
        json={"variant": "klondike", "deal": {"kind": "shared", "seed": "a b", "date": None}, "rules": 1},
        headers={"Idempotency-Key": "x" * 256},
    )
    assert set(faults(wrong)) == {
        "query.x",
        "header.Idempotency-Key",
        "body.variant",
        "body.deal.seed",
        "body.deal.date",
        "body.rules",
    }
    assert faults(wrong)["body.variant"].startswith("is not a variant: those are congress, court")


@pytest.mark.parametrize("kind", ["weekly", "Sealed", "", None, 1])
def test_a_kind_of_deal_that_there_is_not(player: Player, kind: object) -> None:
    wrong = player.http.post("/v1/games", json={"variant": "court", "deal": {"kind": kind}})
    assert faults(wrong) == {"body.deal.kind": 'should be "sealed", "shared" or "daily"'}


def test_an_unknown_game_is_not_found_and_no_uuid_is_wrong(player: Player) -> None:
    for path in ("", "/events", "/record"):
        assert code(player.http.get(f"/v1/games/{uuid4()}{path}")) == "not-found"
        assert list(faults(player.http.get(f"/v1/games/{'x' * 36}{path}"))) == ["path.id"]
    for action, body in (("moves", {"moves": ["draw"]}), ("undo", {"count": 1}), ("redo", {}), ("resign", {})):
        assert code(player.act({"id": uuid4()}, action, body)) == "not-found"


def test_an_earlier_state_is_shown_as_it_was(player: Player, http: httpx.Client) -> None:
    states = [player.start("congress", "hello")]
    path = f"/v1/games/{states[0]['id']}"
    for _ in range(3):
        states.append(player.play(states[0], "draw"))
    states.append(player.act(states[0], "undo", {"count": 2}).json())
    states.append(player.act(states[0], "resign", {}).json())
    for number, state in enumerate(states, 1):
        state.pop("events", None)
        assert http.get(f"{path}?at={number}").json() == state
    for number in (0, 7):
        assert code(http.get(f"{path}?at={number}")) == "not-found"
    for wrong in ("-1", "x", "1.0", "99999999999", ""):
        assert list(faults(http.get(f"{path}?at={wrong}"))) == ["query.at"]


def test_an_earlier_state_keeps_what_is_known_now(player: Player, http: httpx.Client) -> None:
    game = player.start("court")
    path = f"/v1/games/{game['id']}?at=1"
    assert http.get(path).json()["deal"]["seed"] is None
    ended = player.act(game, "resign", {}).json()
    early = http.get(path).json()
    assert early["deal"] == ended["deal"]
    assert early["deal"]["seed"] is not None
    assert (early["status"], early["ranked"]) == ("playing", False)


# ---- lists


def listed(http: httpx.Client, **query: object) -> list[dict[str, object]]:
    """All games of a list, page by page."""
    found: list[dict[str, object]] = []
    path = str(httpx.URL("/v1/games", params={name: str(value) for name, value in query.items()}))
    while True:
        page = http.get(path)
        assert page.status_code == 200, page.text
        assert page.headers["cache-control"] == "no-cache"
        assert "etag" not in page.headers
        found += page.json()["items"]
        if page.json()["next"] is None:
            assert "link" not in page.headers
            return found
        path = page.links["next"]["url"]


def test_games_are_listed_newest_first_without_their_cards(player: Player, http: httpx.Client) -> None:
    started = [player.start("court", f"seed-{number}") for number in range(5)]
    found = listed(http, player=player.name, limit=2)
    assert [game["id"] for game in found] == [game["id"] for game in reversed(started)]
    expected = {name: value for name, value in started[-1].items() if name in FIELDS}
    assert found[0] == expected


def test_games_are_listed_by_player_variant_status_and_seed(player: Player, other: Player, http: httpx.Client) -> None:
    seed = f"s{uuid4().hex}"
    mine = player.start("court", seed)
    mine_lost = player.play(player.start("court", seed), "draw")
    player.act(mine_lost, "resign", {})
    congress = player.start("congress", seed)
    theirs = other.start("court", seed)

    def ids(**query: object) -> list[object]:
        return [game["id"] for game in listed(http, **query)]

    assert ids(seed=seed) == [theirs["id"], congress["id"], mine_lost["id"], mine["id"]]
    assert ids(seed=seed, player=player.name.upper()) == [congress["id"], mine_lost["id"], mine["id"]]
    assert ids(seed=seed, variant="court") == [theirs["id"], mine_lost["id"], mine["id"]]
    assert ids(seed=seed, variant="court", status="playing", player=player.name) == [mine["id"]]
    assert ids(player=player.name, status="lost") == [mine_lost["id"]]
    assert ids(player="nobody-at-all") == []
    assert ids(seed=seed, player=other.name, variant="congress") == []


def test_nothing_is_met_twice_or_missed_while_games_are_added(player: Player, http: httpx.Client) -> None:
    started = [player.start("court", "x")["id"] for _ in range(6)]
    page = http.get("/v1/games", params={"player": player.name, "limit": 3})
    found = [game["id"] for game in page.json()["items"]]
    player.start("court", "x")
    page = http.get("/v1/games", params={"player": player.name, "limit": 3, "cursor": page.json()["next"]})
    found += [game["id"] for game in page.json()["items"]]
    assert found == started[::-1]
    assert page.json()["next"] is None


def test_a_sealed_game_is_found_by_its_seed_once_it_is_over(player: Player, http: httpx.Client) -> None:
    game = player.start()
    other = player.start()
    seed = player.act(game, "resign", {}).json()["deal"]["seed"]
    assert [found["id"] for found in listed(http, seed=seed)] == [game["id"]]
    assert {found["id"] for found in listed(http, player=player.name)} == {game["id"], other["id"]}


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("limit=0", "query.limit"),
        ("limit=201", "query.limit"),
        ("limit=x", "query.limit"),
        ("limit=1e2", "query.limit"),
        ("limit=", "query.limit"),
        ("cursor=", "query.cursor"),
        ("cursor=x", "query.cursor"),
        ("cursor=WyJ0b2tlbnMiLCJ4Il0", "query.cursor"),
        ("status=running", "query.status"),
        ("variant=klondike", "query.variant"),
        ("seed=a%20b", "query.seed"),
        ("player=", "query.player"),
        ("player=a%00b", "query.player"),
        ("order=asc", "query.order"),
        ("player=anna&player=anna", "query.player"),
        ("player=%ff", "query"),
        ("player=%ED%A0%80", "query"),
    ],
)
def test_a_wrong_query_is_refused(http: httpx.Client, query: str, path: str) -> None:
    assert list(faults(http.get(f"/v1/games?{query}"))) == [path]


def test_every_fault_of_a_query_is_listed(http: httpx.Client) -> None:
    wrong = http.get("/v1/games?limit=0&status=x&variant=x&cursor=x&foo=1")
    assert set(faults(wrong)) == {"query.limit", "query.status", "query.variant", "query.cursor", "query.foo"}
