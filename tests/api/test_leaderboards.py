"""Leaderboards over HTTP: who stands where, filters, pages, neighbours."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support import vectors
from tests.support.admins import Admin
from tests.support.api import Player, code, faults, new_player
from tests.support.service import Service

_WIN = next(win for win in vectors.wins() if win.variant == "vokzal-36" and len(win.moves) < 70)
_PATH = "/v1/leaderboards/vokzal-36"


@pytest.fixture
def seed() -> str:
    """A seed of the test's own."""
    return f"s{uuid4().hex}"


@pytest.fixture
def players(service: Service) -> Iterator[list[Player]]:
    """Five players."""
    with ExitStack() as stack:
        found = [new_player(service.url) for _ in range(5)]
        for each in found:
            stack.enter_context(each.http)
        yield found


def lose(player: Player, seed: str, moves: int, undo: int = 0) -> dict[str, Any]:
    """Play the first legal moves on a shared deal, and resign."""
    game = player.start("vokzal-36", seed)
    for _ in range(moves):
        game = player.play(game, game["legal_moves"][0])
    for _ in range(undo):
        player.act(game, "undo", {})
    return dict(player.act(game, "resign", {}).json())


def board(http: httpx.Client, **filters: object) -> dict[str, Any]:
    answer = http.get(_PATH, params={name: str(value) for name, value in filters.items()})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def ranks(page: dict[str, Any]) -> list[tuple[int, str]]:
    return [(row["rank"], row["player"]) for row in page["items"]]


def test_a_row_is_there_for_who_reads_after_the_answer(player: Player, http: httpx.Client, seed: str) -> None:
    game = lose(player, seed, 3, undo=1)
    (row,) = board(http, seed=seed)["items"]
    assert row == {
        "rank": 1,
        "player": player.name,
        "game": game["id"],
        "won": False,
        "score": game["score"],
        "redeals": 0,
        "moves": 2,
        "undos": 1,
        "elapsed_ms": game["elapsed_ms"],
        "attempt": 1,
        "finished_at": game["finished_at"],
    }


def test_ties_share_a_rank_and_the_earlier_finish_is_first(
    players: list[Player], http: httpx.Client, seed: str
) -> None:
    a, b, c, d, e = players
    for each, moves in ((a, 3), (b, 1), (c, 1), (d, 2)):
        lose(each, seed, moves)
    lose(e, seed, 1)
    scores = {row["player"]: row["score"] for row in board(http, seed=seed)["items"]}
    assert len(set(scores.values())) == 1  # or the order below would be another
    expected = [(1, b.name), (1, c.name), (1, e.name), (4, d.name), (5, a.name)]
    page = board(http, seed=seed)
    assert (ranks(page), page["total"], page["resets_at"], page["next"]) == (expected, 5, None, None)
    first = board(http, seed=seed, limit=2)
    assert ranks(first) == expected[:2]
    met, following = ranks(first), first["next"]
    while following:
        page = board(http, seed=seed, limit=1, cursor=following)
        assert page["total"] == 5
        met, following = met + ranks(page), page["next"]
    assert met == expected
    for place, (_, name) in enumerate(expected):
        near = http.get(f"{_PATH}/players/{name.upper()}", params={"seed": seed, "around": 1}).json()
        assert near["row"]["player"] == name
        assert ranks(near) == expected[max(0, place - 1) : place + 2]


def test_a_player_is_always_among_the_neighbours(
    players: list[Player], http: httpx.Client, seed: str, admin: Admin
) -> None:
    def near(player: Player, around: int) -> httpx.Response:
        return http.get(f"{_PATH}/players/{player.name}", params={"seed": seed, "around": around})

    def refused(player: Player) -> bool:
        answer = near(player, 5)
        if answer.is_success:
            return False
        return code(answer) == "not-found" and f"{player.name} has no row on this leaderboard" in answer.text

    a, b, c, d, e = players
    assert refused(a)  # nobody is there
    lose(a, seed, 2)
    alone = near(a, 0).json()
    assert (ranks(alone), alone["row"], alone["total"]) == ([(1, a.name)], alone["items"][0], 1)
    for each, moves in ((b, 1), (c, 2), (d, 2)):
        lose(each, seed, moves)
    expected = ranks(board(http, seed=seed))
    assert [rank for rank, _ in expected] == [1, 2, 2, 2]
    by_name = {player.name: player for player in players}
    for place, (rank, name) in enumerate(expected):
        for around in (0, 1, 2, 3, 50):
            found = near(by_name[name], around).json()
            assert (found["row"]["rank"], found["row"]["player"], found["total"]) == (rank, name, 4)
            assert found["row"] in found["items"]
            assert ranks(found) == expected[max(0, place - around) : place + around + 1]
    assert refused(e)
    for action, total in (("ban", 3), ("unban", 4)):
        assert admin.http.post(f"/v1/admin/players/{c.name}/{action}", json={"reason": "test"}).status_code == 200
        assert refused(c) is (action == "ban")
        assert near(d, 50).json()["total"] == total


def test_the_next_page_is_linked(players: list[Player], http: httpx.Client, seed: str) -> None:
    for each in players[:2]:
        lose(each, seed, 1)
    first = http.get(_PATH, params={"seed": seed, "limit": 1, "window": "month"})
    link = first.headers["link"].partition(">")[0].removeprefix("<")
    assert ranks(http.get(link).json()) == [(1, players[1].name)]


def test_a_win_stands_above_and_counts_variant_wide_only_where_sealed(player: Player, http: httpx.Client) -> None:
    game = player.start("vokzal-36", _WIN.seed)
    won = player.play(game, *_WIN.moves)
    assert won["status"] == "won"
    near = http.get(f"{_PATH}/players/{player.name}", params={"seed": _WIN.seed}).json()
    assert near["row"]["game"] == game["id"]
    assert near["row"]["won"] is True
    assert near["row"]["rank"] == 1
    answer = http.get(f"{_PATH}/players/{player.name}")
    assert code(answer) == "not-found"
    assert "no row" in answer.json()["detail"]


def test_attempts_and_undo(player: Player, http: httpx.Client, seed: str) -> None:
    first = lose(player, seed, 3)
    again = lose(player, seed, 2, undo=1)
    third = lose(player, seed, 2)
    assert [again["attempt"], third["attempt"]] == [2, 3]

    def shown(**filters: str) -> list[str]:
        return [row["game"] for row in board(http, seed=seed, **filters)["items"]]

    assert shown() == [again["id"]]
    assert shown(undo="none") == [third["id"]]
    assert shown(attempts="first") == [first["id"]]
    assert shown(attempts="best", undo="any") == [again["id"]]


def test_an_untouched_game_is_on_no_board(player: Player, http: httpx.Client, seed: str) -> None:
    lose(player, seed, 0)
    assert board(http, seed=seed) == {"items": [], "next": None, "total": 0, "resets_at": None}


def test_windows(player: Player, http: httpx.Client, seed: str) -> None:
    day = lose(player, seed, 1)["finished_at"][:10]
    for window in ("day", "week", "month"):
        here = board(http, seed=seed, window=window, at=day)
        assert ranks(here) == [(1, player.name)]
        assert here["resets_at"] > day
        assert ranks(board(http, seed=seed, window=window, at="2020-02-29")) == []
    ends = {
        ("day", "2026-12-31"): "2027-01-01",
        ("week", "2027-01-03"): "2027-01-04",
        ("week", "2026-12-28"): "2027-01-04",
        ("month", "2028-02-29"): "2028-03-01",
        ("month", "2026-12-01"): "2027-01-01",
    }
    for (window, at), end in ends.items():
        assert board(http, window=window, at=at)["resets_at"] == f"{end}T00:00:00.000Z"


def test_a_daily_shows_first_attempts_unless_told(player: Player, http: httpx.Client) -> None:
    games = []
    for moves in (2, 1):
        game = player.http.post("/v1/games", json={"variant": "vokzal-36", "deal": {"kind": "daily"}}).json()
        for _ in range(moves):
            game = player.play(game, game["legal_moves"][-1])
        games.append(player.act(game, "resign", {}).json())
    date = games[0]["deal"]["date"]
    if http.get("/v1/daily").json()["items"][0]["date"] != date:
        return  # midnight has passed meanwhile, and what ends after its day is on no board

    def mine(**filters: str) -> str:
        answer = http.get(f"{_PATH}/players/{player.name}", params={"daily": date, **filters})
        return str(answer.json()["row"]["game"])

    assert mine() == mine(attempts="first") == games[0]["id"]
    assert mine(window="month", at=date) == games[0]["id"]
    assert code(http.get(f"{_PATH}/players/{player.name}?daily={date}&window=day&at=2020-01-01")) == "not-found"
    best = min(games, key=lambda game: (-game["score"], game["moves"]))
    assert mine(attempts="best") == best["id"]


def test_a_cursor_is_of_one_board(players: list[Player], http: httpx.Client, seed: str) -> None:
    for moves, player in enumerate(players, 1):
        lose(player, seed, moves)
    cursor = board(http, seed=seed, limit=2)["next"]
    assert len(board(http, seed=seed, cursor=cursor)["items"]) == 3
    for other in ({"seed": seed.upper()}, {}, {"seed": seed, "window": "day"}, {"seed": seed, "undo": "none"}):
        refused = http.get(_PATH, params={**other, "cursor": cursor})
        assert faults(refused) == {"query.cursor": "is of another board: take it from `next`, or leave it out"}
    assert list(faults(http.get("/v1/leaderboards/court", params={"seed": seed, "cursor": cursor}))) == ["query.cursor"]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("seed=a&daily=2026-11-29", "query.daily"),
        ("at=2026-11-29", "query.at"),
        ("window=all&at=2026-11-29", "query.at"),
        ("window=day&at=2026-02-29", "query.at"),
        ("window=day&at=9999-12-31", "query.at"),
        ("window=year", "query.window"),
        ("daily=tomorrow", "query.daily"),
        ("attempts=last", "query.attempts"),
        ("undo=some", "query.undo"),
        ("rules=0", "query.rules"),
        ("limit=201", "query.limit"),
        ("cursor=abc", "query.cursor"),
        ("around=1", "query.around"),
    ],
)
def test_what_is_wrong_is_named(http: httpx.Client, query: str, path: str) -> None:
    assert list(faults(http.get(f"{_PATH}?{query}"))) == [path]


def test_what_is_not_there(http: httpx.Client, player: Player) -> None:
    assert code(http.get("/v1/leaderboards/klondike")) == "not-found"
    assert code(http.get(_PATH, params={"rules": 999})) == "not-found"
    assert code(http.get(f"{_PATH}/players/nobody-{uuid4().hex[:9]}")) == "not-found"
    assert code(http.get(f"{_PATH}/players/{player.name}", params={"seed": "empty"})) == "not-found"
