"""What a player's games came to."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest
from pasyans.api.deps import Dependencies
from pasyans.deals.days import closes_at, day_of
from pasyans.games.catalogue import VARIANTS
from pasyans.record.boards import place
from pasyans.record.events import Deal, Started
from pasyans.record.game import Game, open_game
from pasyans.record.result import result_of
from pasyans.record.times import format_time

from tests.support.api import Player, code
from tests.support.games import PLAYER
from tests.support.inside import Time, inside, play, resign, start
from tests.support.postgres import Postgres
from tests.support.vectors import wins

pytestmark = pytest.mark.anyio

_SHORT = next(win for win in wins() if win.variant == "vokzal-36" and len(win.moves) < 70)
_NOTHING = {"played": 0, "won": 0, "streak": 0, "best_streak": 0, "best": None, "median_elapsed_ms": None}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def parts(postgres: Postgres) -> AsyncIterator[tuple[Dependencies, Time]]:
    async with inside(postgres.service_url) as parts:
        yield parts


async def id_of(deps: Dependencies, player: Player) -> UUID:
    found = await deps.store.player_by_name(player.name)
    assert found is not None
    return found.player_id


def stats(http: httpx.Client, player: Player) -> dict[str, dict[str, Any]]:
    """A player's statistics by variant."""
    answer = http.get(f"/v1/players/{player.name.upper()}/stats")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.json()["player"] == player.name
    listed = answer.json()["variants"]
    assert [each["variant"] for each in listed] == list(VARIANTS)
    return {each.pop("variant"): each for each in listed}


def test_one_who_has_not_played(player: Player, http: httpx.Client) -> None:
    assert stats(http, player) == dict.fromkeys(VARIANTS, _NOTHING)
    assert code(http.get("/v1/players/nobody-at-all/stats")) == "not-found"


def test_games_as_they_are_played(player: Player, http: httpx.Client) -> None:
    shared = player.start("court", "stats")
    player.play(shared, shared["legal_moves"][0])
    player.act(shared, "resign", {})
    player.act(player.start("court"), "resign", {})
    player.start("court")
    assert stats(http, player) == dict.fromkeys(VARIANTS, _NOTHING)
    lost = player.start("court")
    lost = player.play(lost, lost["legal_moves"][0])
    assert stats(http, player)["court"] == _NOTHING
    lost = player.act(lost, "resign", {}).json()
    assert stats(http, player) == {
        **dict.fromkeys(VARIANTS, _NOTHING),
        "court": {
            "played": 1,
            "won": 0,
            "streak": 0,
            "best_streak": 0,
            "best": {
                "game": lost["id"],
                "won": False,
                "score": lost["score"],
                "redeals": 0,
                "moves": 1,
                "undos": 0,
                "elapsed_ms": lost["elapsed_ms"],
                "attempt": 1,
                "finished_at": lost["finished_at"],
            },
            "median_elapsed_ms": lost["elapsed_ms"],
        },
    }


async def test_wins_streaks_and_the_median(
    player: Player, http: httpx.Client, parts: tuple[Dependencies, Time]
) -> None:
    deps, time = parts
    player_id = await id_of(deps, player)

    async def game(elapsed: int, *, won: bool) -> UUID:
        started = await start(deps, player_id, "vokzal-36", Deal("sealed", _SHORT.seed))
        time.at += elapsed
        if won:
            await play(deps, started, _SHORT.moves)
        else:
            await play(deps, started, _SHORT.moves[:1])
            await resign(deps, started)
        time.at += 1
        return started

    await game(7_000, won=True)
    second = await game(5_000, won=True)
    await game(1_000, won=False)
    await game(9_000, won=True)
    found = stats(http, player)["vokzal-36"]
    assert found["best"]["game"] == str(second)
    assert (found["best"]["won"], found["best"]["score"], found["best"]["elapsed_ms"]) == (True, 36, 5_000)
    assert (found["best"]["moves"], found["best"]["attempt"]) == (len(_SHORT.moves), 2)
    del found["best"]
    assert found == {"played": 4, "won": 3, "streak": 1, "best_streak": 2, "median_elapsed_ms": 6_000}
    running = await start(deps, player_id, "vokzal-36", Deal("sealed", _SHORT.seed))
    assert stats(http, player)["vokzal-36"]["streak"] == 1
    await play(deps, running, _SHORT.moves[:1])
    assert stats(http, player)["vokzal-36"]["streak"] == 0
    await play(deps, running, _SHORT.moves[1:])
    assert stats(http, player)["vokzal-36"]["streak"] == 2


async def test_a_daily_counts_that_ended_before_its_day_did(
    player: Player, http: httpx.Client, parts: tuple[Dependencies, Time]
) -> None:
    deps, time = parts
    player_id = await id_of(deps, player)
    closes = closes_at(day_of(time.at)) - 7 * 86_400_000
    for minutes_before, day, seed in ((5, 0, "in-time"), (5, 0, "in-time"), (-5, 0, "late")):
        time.at = closes - 10 * 60_000
        daily = await start(deps, player_id, "vokzal-52", Deal("daily", seed, day_of(closes - 1 - day)))
        time.at = closes - minutes_before * 60_000
        await play(deps, daily, [open_game_on(seed).legal_moves[0]])
        await resign(deps, daily)
    found = stats(http, player)["vokzal-52"]
    assert (found["played"], found["median_elapsed_ms"]) == (1, 5 * 60_000)
    assert found["best"]["finished_at"] == format_time(closes - 5 * 60_000)


def open_game_on(seed: str) -> Game:
    return open_game(Started("vokzal-52", 1, Deal("sealed", seed), PLAYER, 1), 0)


def test_the_order_of_games() -> None:
    """Each game is worse than the one before it, though better in all that the order comes to later."""
    won = open_game(Started("forty-thieves", 1, Deal("sealed", "hello"), PLAYER, 1), 0)
    replace = msgspec.structs.replace

    def game(*, is_won: bool, score: int, redeals: int, moves: int, elapsed: int, started_at: int) -> Game:
        piles = list(won.position.piles)
        first = won.rules.pile_ids.index("f1")
        piles[first] = piles[first] + bytes(range(score))
        position = replace(won.position, piles=tuple(piles), redeals=redeals)
        return replace(
            won,
            position=position,
            outcome="won" if is_won else "lost",
            moves=moves,
            started_at=started_at,
            finished_at=started_at + elapsed,
        )

    worse_and_worse = [
        game(is_won=True, score=1, redeals=9, moves=99, elapsed=999, started_at=9),
        game(is_won=False, score=5, redeals=8, moves=88, elapsed=888, started_at=8),
        game(is_won=False, score=4, redeals=1, moves=77, elapsed=777, started_at=7),
        game(is_won=False, score=4, redeals=2, moves=11, elapsed=666, started_at=6),
        game(is_won=False, score=4, redeals=2, moves=12, elapsed=100, started_at=5),
        game(is_won=False, score=4, redeals=2, moves=12, elapsed=101, started_at=1),
        game(is_won=False, score=4, redeals=2, moves=12, elapsed=101, started_at=2),
    ]
    places = [place(result, is_timed=True) for each in worse_and_worse if (result := result_of(each)) is not None]
    assert len(places) == len(worse_and_worse)
    assert places == sorted(places)
    assert len(set(places)) == len(places)
