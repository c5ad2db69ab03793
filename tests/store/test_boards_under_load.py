"""Boards while everything happens at once, through two stores: what is left is what a slow fold of the log says."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace
from pasyans.record import decide
from pasyans.record.events import Deal, Started
from pasyans.server.clock import new_id
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import rebuild, verify
from pasyans.store.connection import Connection
from pasyans.store.postgres import PostgresStore

from tests.store.making import NOON, a_player, noted
from tests.store.servers import PATIENCE, Urls, bare_database, opened, owning, without_deadlock
from tests.support.played import played
from tests.support.reference.comparing import assert_boards
from tests.support.writing import HEAD, LOG, Standing, appended, begun, ended, head, log

pytestmark = pytest.mark.anyio

_VARIANT, _DAY = "vokzal-36", "2026-11-29"
_SEEDS = ("r1-140", "grandma")  # the first can be won
_DERIVED = ("results", "board_rows", "board_counts", "board_changes")

sizes = pytest.mark.parametrize("size", [250, pytest.param(3000, marks=pytest.mark.full)])


@pytest.fixture(scope="module")
def urls(bare_server: EmbeddedPostgres) -> Iterator[Urls]:
    with bare_database(bare_server.superuser_url, "under_load") as urls:
        yield urls


@dataclass
class Crowd:
    """A few players with many games on the same boards, which end and are judged through two stores."""

    stores: list[PostgresStore]
    owner: Connection
    dice: random.Random = field(default_factory=lambda: random.Random(5))
    players: list[UUID] = field(default_factory=list)
    banned: set[UUID] = field(default_factory=set)
    games: dict[UUID, Standing] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)

    async def come(self, size: int) -> None:
        self.players = [await a_player(self.stores[0]) for _ in range(6)]
        attempts: Counter[tuple[UUID, Deal]] = Counter()
        for _ in range(size):
            player, seed = self.dice.choice(self.players), self.dice.choice(_SEEDS)
            kind: Any = self.dice.choice(("shared", "shared", "daily", "sealed"))
            deal = Deal(kind, seed, _DAY if kind == "daily" else None)
            attempts[player, deal] += 1
            attempt = 1 if kind == "sealed" else attempts[player, deal]
            game_id = new_id(NOON)
            self.games[game_id] = begun(game_id, Started(_VARIANT, 1, deal, str(player), attempt), NOON)
        heads, logs = ([row(*item) for item in self.games.items()] for row in (head, log))
        await self.owner.copy_records_to_table("games", columns=HEAD, records=heads)
        await self.owner.copy_records_to_table("game_events", columns=LOG, records=logs)

    def thirds(self) -> tuple[list[UUID], list[UUID], list[UUID]]:
        """The games, in three parts."""
        games = self.dice.sample(list(self.games), len(self.games))
        return games[::3], games[1::3], games[2::3]

    async def play(self, games: list[UUID]) -> None:
        """Games end, and some of them are voided and restored; meanwhile players are banned and counts folded."""
        stop = asyncio.Event()
        at_once = asyncio.Semaphore(24)

        async def live(game_id: UUID) -> None:
            async with at_once:
                if self.dice.random() < 0.2:
                    await self._ban()
                await self._end(game_id)

        beside = [asyncio.create_task(self._fold(stop)) for _ in range(2)]
        try:
            await asyncio.gather(*map(live, games))
        finally:
            stop.set()
            await asyncio.gather(*beside)

    async def _end(self, game_id: UUID) -> None:
        standing, dice = self.games[game_id], self.dice
        done = played(_VARIANT, standing.game.start.deal.seed, dice.choice((1, 2, 2, 3, 61)), undo=dice.random() < 0.3)
        at = NOON + dice.choice((1000, 1000, 2000, 13 * 3_600_000))
        await self._store.append(ended(game_id, standing, done, at))
        self.done["ended"] += 1
        for judge, chance in ((decide.void, 0.35), (decide.restore, 0.6), (decide.void, 0.3)):
            if dice.random() > chance:
                break
            decision = judge(standing.game, "error", standing.game.updated_at + 1)
            append = appended(game_id, standing, decision.events, decision.game)
            action: Any = "restored" if judge is decide.restore else "voided"
            entry = noted(action, game_id=game_id, player_id=UUID(standing.game.start.player), reason="error")
            await self._store.append(replace(append, audit=entry))
            self.done[action] += 1

    async def _ban(self) -> None:
        """A player is banned, or one who is that is so no longer."""
        player = self.dice.choice(self.players)
        self.banned ^= {player}
        if player in self.banned:
            self.done["banned"] += await self._store.ban(player, NOON, noted("banned", player_id=player))
        else:
            self.done["unbanned"] += await self._store.unban(player, NOON, noted("unbanned", player_id=player))

    async def _fold(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            self.done["folded"] += await self._store.fold_boards()

    @property
    def _store(self) -> PostgresStore:
        return self.dice.choice(self.stores)

    async def assert_right(self) -> None:
        """What is stored follows from the log, and a rebuild in peace has nothing to do."""
        for player in self.players[1:]:
            await self.stores[0].unban(player, NOON)
        seen: Counter[str] = Counter()
        assert await assert_boards(self.owner, self.stores[1], self.dice, seen, asked_at_most=20) == 1
        assert seen["rows"] > 50
        verified = await verify.verify(self.owner, lambda _done, _total: None)
        assert (verified.difference, verified.games) == (None, len(self.games))
        again = await rebuild.rebuild(self.owner, lambda _done, _total: None)
        assert (again.games, again.results, again.players, again.corrupt) == (self.done["ended"], 0, 0, [])


@asynccontextmanager
async def crowd(urls: Urls, size: int) -> AsyncIterator[Crowd]:
    """A crowd whose games have just begun."""
    async with (
        without_deadlock(urls),
        owning(urls.root) as owner,
        opened(urls.service, allow_data_loss=True, timeout=PATIENCE, pool_size=4) as a,
        opened(urls.service, allow_data_loss=True, timeout=PATIENCE, pool_size=4) as b,
    ):
        await owner.execute(
            "TRUNCATE players, tokens, games, game_events, results, board_rows, board_counts, board_changes, audit"
        )
        crowd = Crowd([a, b], owner)
        await crowd.come(size)
        yield crowd


@sizes
async def test_games_end_while_others_are_judged_and_players_banned(urls: Urls, size: int) -> None:
    async with crowd(urls, size) as one:
        await one.play(list(one.games))
        assert {name for name, times in one.done.items() if times > 2} == {
            "ended", "voided", "restored", "banned", "unbanned", "folded",
        }  # fmt: skip
        await one.assert_right()


@sizes
async def test_a_rebuild_meanwhile_ends_with_the_same_rows(urls: Urls, size: int) -> None:
    """Nothing is lost or doubled, whatever is thrown away before the rebuild and whatever happens during it."""
    async with crowd(urls, size) as one:
        first, second, third = one.thirds()
        await one.play(first)
        for table in _DERIVED:
            await one.owner.execute(f"DELETE FROM {table} WHERE random() < 0.5")
        rebuilt = []
        # The first rebuild may take as long as all of the second part: what comes after it is met in the third.
        for games in (second, third):
            playing = asyncio.create_task(one.play(games))
            while not playing.done():
                rebuilt.append(await rebuild.rebuild(one.owner, lambda _done, _total: None))
            await playing
        assert rebuilt[0].results > len(first) / 4
        assert rebuilt[0].players == len(one.players)
        # What was sound at its beginning stayed so.
        assert [(each.results, each.players) for each in rebuilt[1:]] == [(0, 0)] * (len(rebuilt) - 1)
        await one.assert_right()
