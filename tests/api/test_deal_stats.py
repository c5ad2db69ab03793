"""What the games on a deal came to: how many, how many won, and the best of them."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import httpx

from tests.support.api import Player, code, faults
from tests.support.games import choose
from tests.support.vectors import wins

WIN = next(win for win in wins() if win.variant == "vokzal-36")
NOTHING = {"games": 0, "wins": 0, "best": None}


def stats(http: httpx.Client, variant: str, seed: str) -> dict[str, Any]:
    answer = http.get(f"/v1/variants/{variant}/deals/{seed}/stats")
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-cache"
    return dict(answer.json())


def fresh() -> str:
    """A seed on which nobody has played."""
    return f"s{uuid4().hex}"


def lose(player: Player, variant: str, seed: str, moves: Sequence[str] = ("draw",)) -> dict[str, Any]:
    game = player.play(player.start(variant, seed), *moves)
    return dict(player.act(game, "resign", {}).json())


def row(player: Player, game: dict[str, Any]) -> dict[str, Any]:
    """The first row of a board, where it is this game."""
    assert game["status"] in ("won", "lost")
    shared = ("score", "redeals", "moves", "undos", "elapsed_ms", "attempt", "finished_at")
    won = game["status"] == "won"
    return {"rank": 1, "player": player.name, "game": game["id"], "won": won} | {name: game[name] for name in shared}


def test_a_deal_that_nobody_has_played(http: httpx.Client) -> None:
    for variant in ("congress", "dolgiy"):
        assert stats(http, variant, fresh()) == NOTHING


def test_only_what_was_won_or_lost_counts(player: Player, http: httpx.Client) -> None:
    seed = fresh()
    game = player.start("congress", seed)
    assert stats(http, "congress", seed) == NOTHING
    player.play(game, "draw")
    assert stats(http, "congress", seed) == NOTHING
    untouched = player.act(player.start("congress", seed), "resign", {}).json()
    assert untouched["status"] == "abandoned"
    assert stats(http, "congress", seed) == NOTHING
    lost = player.act(game, "resign", {}).json()
    assert stats(http, "congress", seed) == {"games": 1, "wins": 0, "best": row(player, lost)}


def test_a_deal_is_a_variant_and_a_seed_whose_case_counts(player: Player, http: httpx.Client) -> None:
    seed = fresh()
    lost = lose(player, "congress", seed)
    assert stats(http, "congress", seed)["best"]["game"] == lost["id"]
    assert stats(http, "court", seed) == NOTHING
    assert stats(http, "congress", seed.upper()) == NOTHING


def test_a_sealed_game_does_not_count_even_when_its_seed_is_known(player: Player, http: httpx.Client) -> None:
    game = player.play(player.start("congress"), "draw")
    seed = player.act(game, "resign", {}).json()["deal"]["seed"]
    assert http.get(f"/v1/games?seed={seed}").json()["items"]
    assert stats(http, "congress", seed) == NOTHING
    again = lose(player, "congress", seed)
    assert again["attempt"] == 2
    assert stats(http, "congress", seed) == {"games": 1, "wins": 0, "best": row(player, again)}


def play_to_the_foundations(player: Player, seed: str, count: int) -> dict[str, Any]:
    """Lose a game of Congress in which so many cards came to the foundations."""
    game = player.start("congress", seed)
    for number in range(400):
        if game["score"] == count:
            return dict(player.act(game, "resign", {}).json())
        up = [move for move in game["legal_moves"] if "-f" in move]
        game = player.play(game, up[0] if up else choose(game["legal_moves"], f"{seed} {number}"))
    raise AssertionError("the cards did not come")


def test_more_on_the_foundations_is_better_than_fewer_moves(player: Player, other: Player, http: httpx.Client) -> None:
    seed = fresh()
    better = play_to_the_foundations(player, seed, 2)
    worse = lose(other, "congress", seed)
    assert (better["score"], worse["score"]) == (2, 0)
    assert better["moves"] > worse["moves"]
    assert stats(http, "congress", seed) == {"games": 2, "wins": 0, "best": row(player, better)}


def best_of(found: dict[str, Any], *rows: dict[str, Any]) -> dict[str, Any]:
    """The best of some rows and of the one that was the best before; the earlier of equals."""
    every = [each for each in (found["best"], *rows) if each is not None]
    return min(every, key=lambda row: (not row["won"], -row["score"], row["redeals"], row["moves"], row["finished_at"]))


def test_a_win_is_better_than_any_loss(player: Player, other: Player, http: httpx.Client) -> None:
    """On a deal that other tests win as well."""
    before = stats(http, WIN.variant, WIN.seed)
    # All cards but one are up, in fewer moves than the win takes.
    lost = lose(other, WIN.variant, WIN.seed, WIN.moves[:-1])
    winner = player.play(player.start(WIN.variant, WIN.seed), *WIN.moves)
    assert (winner["status"], winner["score"], lost["score"]) == ("won", 36, 35)
    after = stats(http, WIN.variant, WIN.seed)
    assert after["best"]["won"]
    assert after == {
        "games": before["games"] + 2,
        "wins": before["wins"] + 1,
        "best": best_of(before, row(player, winner), row(other, lost)),
    }


def test_fewer_redeals_are_better_than_fewer_moves(player: Player, other: Player, http: httpx.Client) -> None:
    seed = "redeals-1"  # no other test plays on it
    fewer_moves = lose(other, "vokzal-36", seed, [*["draw"] * 8, "redeal"])
    fewer_redeals = lose(player, "vokzal-36", seed, [*["draw"] * 8, "t4-t3", "r-t4", "r-t3"])
    assert [(game["score"], game["redeals"], game["moves"]) for game in (fewer_moves, fewer_redeals)] == [
        (0, 1, 9),
        (0, 0, 11),
    ]
    assert stats(http, "vokzal-36", seed) == {"games": 2, "wins": 0, "best": row(player, fewer_redeals)}


def test_fewer_moves_are_better_and_undone_ones_do_not_count(player: Player, other: Player, http: httpx.Client) -> None:
    seed = fresh()
    more = lose(player, "congress", seed, ["draw", "draw"])
    assert stats(http, "congress", seed)["best"] == row(player, more)
    game = other.play(other.start("congress", seed), "draw", "draw", "draw")
    other.act(game, "undo", {"count": 2})
    fewer = other.act(game, "resign", {}).json()
    assert (fewer["moves"], fewer["undos"]) == (1, 2)
    assert stats(http, "congress", seed) == {"games": 2, "wins": 0, "best": row(other, fewer)}


def test_of_equals_the_earlier_finish_is_shown_whoever_started_first_or_was_faster(
    player: Player, other: Player, http: httpx.Client
) -> None:
    """Time plays no part on a seed: a replay of another's moves would be the fastest."""
    seed = fresh()
    started_first = player.play(player.start("congress", seed), "draw")
    slow = other.play(other.start("congress", seed), "draw")
    for _ in range(30):
        stats(http, "congress", seed)
    first = other.act(slow, "resign", {}).json()
    stats(http, "congress", seed)
    last = player.act(started_first, "resign", {}).json()
    stats(http, "congress", seed)
    fast = [lose(player, "congress", seed)]
    while fast[-1]["elapsed_ms"] >= first["elapsed_ms"]:  # the machine was busy with something else
        fast.append(lose(player, "congress", seed))
    assert first["elapsed_ms"] < last["elapsed_ms"]
    assert first["finished_at"] < last["finished_at"] < fast[0]["finished_at"]
    assert stats(http, "congress", seed) == {"games": 2 + len(fast), "wins": 0, "best": row(other, first)}


def test_more_games_than_are_read_at_once(player: Player, http: httpx.Client) -> None:
    seed = fresh()
    first = lose(player, "congress", seed)
    for _ in range(200):
        lose(player, "congress", seed, ["draw", "draw"])
    assert stats(http, "congress", seed) == {"games": 201, "wins": 0, "best": row(player, first)}


def test_wrong_requests(http: httpx.Client) -> None:
    unknown = http.get("/v1/variants/klondike/deals/hello/stats")
    assert (unknown.status_code, code(unknown)) == (404, "not-found")
    path = "/v1/variants/congress/deals/hello/stats"
    rules = http.get(f"{path}?rules=2")
    assert (rules.status_code, code(rules)) == (404, "not-found")
    assert http.get(f"{path}?rules=1").status_code == 200
    wrong = http.get(f"/v1/variants/CONGRESS/deals/{'x' * 65}/stats?rules=x&limit=1")
    assert set(faults(wrong)) == {"path.variant", "path.seed", "query.rules", "query.limit"}
    refused = http.get(path, headers={"Accept": "text/html"})
    assert (refused.status_code, code(refused)) == (406, "not-acceptable")
    assert http.head(path).status_code == 200
    assert http.head(path).content == b""
    refused = http.delete(path)
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
