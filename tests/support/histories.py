"""Random histories of players on the boards: real games, written through the store, on every variant at once.

What happens on one variant touches no board of another, so each is a history by itself; they share the players, and
what is done to all boards.
"""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from msgspec.structs import replace
from pasyans.deals.days import day_of
from pasyans.games.catalogue import VARIANTS
from pasyans.record import decide
from pasyans.record.events import Deal, Started
from pasyans.store import rebuild
from pasyans.store.admin_values import AuditAction, NewAudit
from pasyans.store.connection import Connection
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, Appended

from tests.support.played import WINS, line, played
from tests.support.writing import HEAD, LOG, Standing, appended, begun, ended, head, log

_HOUR = 3_600_000
_MOST = 110  # moves of a line that is worth playing to its end
_TABLES = (
    "players, tokens, games, game_events, attempts, results, board_rows, board_counts, board_changes, audit, "
    "idempotency"
)
_DERIVED = ("results", "board_rows", "board_counts", "board_changes")


def _ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


# The first millisecond of days around which windows end.
_BORDERS = {
    "a Monday": _ms("2026-11-30"),
    "a month": _ms("2026-12-01"),
    "a day": _ms("2026-12-03"),
    "New Year's week begins": _ms("2026-12-28"),
    "the year": _ms("2027-01-01"),
    "New Year's week ends": _ms("2027-01-04"),
    "the leap day": _ms("2028-02-29"),
    "after the leap day": _ms("2028-03-01"),
    "a common February": _ms("2027-03-01"),
    "a year that begins on Monday": _ms("2029-01-01"),
}
_NOW = _ms("2029-06-01")


@dataclass
class Life:
    """What goes on with one variant."""

    variant: str
    borders: list[int]
    players: list[UUID]
    seeds: list[str]
    games: dict[UUID, Standing] = field(default_factory=dict)
    attempts: Counter[tuple[UUID, Deal]] = field(default_factory=Counter)


@dataclass
class World:
    """Some players, and what may happen to their games. ``owner`` is a connection prepared as the store's are."""

    store: PostgresStore
    owner: Connection
    dice: random.Random = field(default_factory=random.Random)
    lives: list[Life] = field(default_factory=list)
    names: dict[UUID, str] = field(default_factory=dict)
    erased: set[UUID] = field(default_factory=set)
    seen: Counter[str] = field(default_factory=Counter)

    async def begin(self, number: int) -> None:
        """Forget all that was, and let there be players."""
        self.dice = dice = random.Random(number)
        await self.owner.execute(f"TRUNCATE {_TABLES}")
        players = [self._id(0) for _ in range(5)]
        self.names, self.erased = {player: f"p{player.hex[-12:]}" for player in players}, set()
        await self.owner.copy_records_to_table(
            "players",
            columns=["player_id", "name", "name_key", "guest", "created_at"],
            records=[(player, name, name, False, 0) for player, name in self.names.items()],
        )
        self.lives = []
        for variant in VARIANTS:
            seeds = [*(seed for of, seed in WINS if of == variant), "grandma", "1", "open"]
            borders = dice.sample(list(_BORDERS.values()), 2)
            self.lives.append(Life(variant, borders, dice.sample(players, dice.randrange(1, 6)), dice.sample(seeds, 3)))

    async def live(self) -> None:
        """Let things happen."""
        for _ in range(self.dice.randrange(3, 6)):
            await self._play()
            await self._judge()
            await self._ban()
            if self.dice.random() < 0.15:
                await self._erase()
            await self.dice.choices((_nothing, self._fold, self._rebuild, self._throw_away), (6, 3, 2, 2))[0]()

    async def _play(self) -> None:
        """Games are started and, most of them, played to an end. They are started past the store, which is faster."""
        heads, logs, ends = [], [], []
        for life in self.lives:
            here = [player for player in life.players if player not in self.erased]
            for _ in range(self.dice.choice((0, 1, 2, 3, 5)) if here else 0):
                start, started_at, finished_at = self._start(life, self.dice.choice(here))
                game_id = self._id(started_at)
                life.games[game_id] = standing = begun(game_id, start, started_at)
                heads.append(head(game_id, standing))
                logs.append(log(game_id, standing))
                if self.dice.random() < 0.93:
                    ends.append(self._end(game_id, standing, finished_at))
        await self.owner.copy_records_to_table("games", columns=HEAD, records=heads)
        await self.owner.copy_records_to_table("game_events", columns=LOG, records=logs)
        await self._append(ends)

    def _start(self, life: Life, player: UUID) -> tuple[Started, int, int]:
        dice = self.dice
        finished_at = dice.choice(life.borders) + dice.choice((-1, 0, -_HOUR, _HOUR, -24 * _HOUR, 25 * _HOUR))
        started_at = finished_at - dice.choice((0, 1000, 1000, 2000, 20 * _HOUR))
        kind = dice.choice(("sealed", "shared", "shared", "daily"))
        deal = Deal(kind, dice.choice(life.seeds), day_of(started_at) if kind == "daily" else None)  # type: ignore[arg-type]
        attempt = 1
        if kind != "sealed":  # of which each is drawn anew
            life.attempts[player, deal] += 1
            attempt = life.attempts[player, deal]
        return Started(life.variant, 1, deal, str(player), attempt), started_at, finished_at

    def _end(self, game_id: UUID, standing: Standing, at: int) -> Append:
        start = standing.game.start
        moves = self.dice.choice((0, 1, 2, 2, 3, 11, _MOST))
        if moves == _MOST and len(line(start.variant, start.deal.seed)) > _MOST:
            moves = 4
        done = played(start.variant, start.deal.seed, moves, undo=self.dice.random() < 0.3)
        return ended(game_id, standing, done, at)

    async def _judge(self) -> None:
        appends = []
        for life in self.lives:
            over = [id_ for id_, standing in life.games.items() if standing.game.status in ("won", "lost", "void")]
            for game_id in self.dice.sample(over, min(len(over), self.dice.choice((0, 0, 1, 2)))):
                standing = life.games[game_id]
                is_void = standing.game.is_void
                judge = decide.restore if is_void else decide.void
                decision = judge(standing.game, "error", standing.game.updated_at + 1000)
                append = appended(game_id, standing, decision.events, decision.game)
                self.seen["restored" if is_void else "voided"] += 1
                if self.dice.random() < 0.7:
                    action: AuditAction = "restored" if is_void else "voided"
                    append = replace(append, audit=self._noted(action, UUID(decision.game.start.player), game_id))
                appends.append(append)
        await self._append(appends)

    async def _append(self, appends: list[Append]) -> None:
        outcomes = await self.store.append_many(appends)
        assert all(isinstance(outcome, Appended) for outcome in outcomes), outcomes

    async def _ban(self) -> None:
        player = self.dice.choice(list(self.names))
        what = self.dice.random()
        if what < 0.4:
            self.seen["banned"] += await self.store.ban(player, _NOW, self._noted("banned", player))
        elif what < 0.6:
            for each in self.names:
                self.seen["unbanned"] += await self.store.unban(each, _NOW, self._noted("unbanned", each))

    async def _erase(self) -> None:
        """The name goes, running games end, and all else stays."""
        player = self.dice.choice(list(self.names))
        if player in self.erased or len(self.erased) == len(self.names) - 1:
            return
        self.erased.add(player)
        self.names[player] = f"deleted-{player.hex[-8:]}"
        await self.store.begin_erasure(player, self.names[player], _NOW)
        ends = []
        for life in self.lives:
            for game_id, standing in life.games.items():
                if not standing.game.is_over and standing.game.start.player == str(player):
                    decision = decide.abandon(standing.game, _NOW)
                    ends.append(appended(game_id, standing, decision.events, decision.game))
        await self._append(ends)
        await self.store.end_erasure(player)
        self.seen["erased"] += 1

    async def _fold(self) -> None:
        self.seen["folded"] += await self.store.fold_boards()

    async def _rebuild(self) -> None:
        rebuilt = await rebuild.rebuild(self.owner, lambda _done, _total: None)
        assert (rebuilt.results, rebuilt.players, rebuilt.corrupt) == (0, 0, [])
        self.seen["rebuilt"] += 1

    async def _throw_away(self) -> None:
        """Lose some or all of what follows from the log, and make it again."""
        share = self.dice.choice((0.3, 1.0))
        for table in self.dice.sample(_DERIVED, 2):
            await self.owner.execute(f"DELETE FROM {table} WHERE random() < $1", share)
        rebuilt = await rebuild.rebuild(self.owner, lambda _done, _total: None)
        assert rebuilt.corrupt == []
        self.seen["put right"] += rebuilt.players

    def _noted(self, action: AuditAction, player: UUID, game: UUID | None = None) -> NewAudit:
        return NewAudit(self._id(_NOW), _NOW, None, action, game, player, "other")

    def _id(self, at: int) -> UUID:
        """An id that begins with a time, as all do, and goes on by the dice."""
        return UUID(int=at << 80 | self.dice.getrandbits(80))


async def _nothing() -> None:
    await asyncio.sleep(0)
