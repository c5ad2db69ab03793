"""Random histories of some players on the boards: real games with chosen ends, written through the store."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from itertools import product
from uuid import UUID

from msgspec.structs import replace
from pasyans.deals.days import day_of
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS
from pasyans.record import decide
from pasyans.record.boards import WINDOWS, Board
from pasyans.record.boards import board as named
from pasyans.record.events import Deal, Event, Redone, Started, Undone, decode, encode
from pasyans.record.fold import History, fold
from pasyans.record.game import Game, open_game
from pasyans.record.result import result_of
from pasyans.record.snapshot import encode_snapshot
from pasyans.server.clock import new_id
from pasyans.store import rebuild
from pasyans.store.admin_values import AuditAction, NewAudit
from pasyans.store.boards import board_id
from pasyans.store.connection import Connection
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, Head, NewGame, NewPlayer, NewToken

from tests.support import vectors
from tests.support.reference.boards import Filters, board, finish

_HOUR = 3_600_000
_WINS = {(win.variant, win.seed): win.moves for win in vectors.wins() if len(win.moves) < 70}
_VARIANTS = ("vokzal-36", "congress")
_SEEDS = (*(seed for _, seed in _WINS), "grandma")


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


@dataclass
class Log:
    """What the log comes to: every game that is over, and who is banned."""

    games: dict[UUID, Game]
    banned: set[UUID]


@dataclass
class World:
    """Some players, and what may happen to their games. ``owner`` is a connection prepared as the store's are."""

    store: PostgresStore
    owner: Connection
    dice: random.Random
    borders: list[int] = field(default_factory=list)
    players: list[UUID] = field(default_factory=list)
    names: int = 0

    async def begin(self) -> None:
        await self.owner.execute(
            "TRUNCATE players, tokens, games, game_events, attempts, results, board_rows, board_counts, board_changes"
        )
        self.borders = self.dice.sample(list(_BORDERS.values()), 2)
        for _ in range(self.dice.randrange(1, 5)):
            await self._come()

    async def live(self, steps: int) -> None:
        """Let things happen."""
        for _ in range(steps):
            step = self.dice.choices(self._steps, (60, 10, 8, 4, 4, 3, 4, 3, 2))[0]
            await step()

    @property
    def _steps(self) -> list[Callable[[], Awaitable[None]]]:
        return [
            self._play, self._void, self._restore, self._ban, self._unban, self._erase, self._fold, self._rebuild,
            self._throw_away,
        ]  # fmt: skip

    async def _come(self) -> None:
        player_id, token_id = new_id(_BORDERS["a Monday"]), new_id(_BORDERS["a Monday"])
        self.names += 1
        name = f"p{player_id.hex[-20:]}"
        await self.store.create_player(
            NewPlayer(player_id, name, name, False, 0), NewToken(token_id, player_id, token_id.bytes * 2, "first", 0)
        )
        self.players.append(player_id)

    async def _play(self) -> None:
        dice = self.dice
        finished_at = dice.choice(self.borders) + dice.choice((-1, 0, -_HOUR, _HOUR, -24 * _HOUR, 25 * _HOUR))
        elapsed = dice.choice((0, 1000, 1000, 2000, 20 * _HOUR))
        player, variant = dice.choice(self.players), dice.choice(_VARIANTS)
        kind = dice.choice(("sealed", "shared", "shared", "daily"))
        started_at = finished_at - elapsed
        day = day_of(started_at)
        seed = {"sealed": new_id(0).hex, "shared": dice.choice(_SEEDS), "daily": f"{variant}.{day}"}[kind]
        deal = Deal(kind, seed, day if kind == "daily" else None)  # type: ignore[arg-type]
        start = Started(variant, 1, deal, str(player), 1)
        game_id = new_id(started_at)

        def build(attempt: int) -> tuple[str, bytes]:
            opened = open_game(replace(start, attempt=attempt), started_at)
            return encode([opened.start]), encode_snapshot(opened)

        await self.store.create_game(
            NewGame(game_id, player, variant, 1, kind, seed, deal.date, started_at, build)  # type: ignore[arg-type]
        )
        head = await self._head(game_id)
        events, game = _whole_game(replace(start, attempt=head.attempt), started_at, finished_at, dice)
        await self.store.append(_append(head, events, game))

    async def _void(self) -> None:
        await self._judge("won", "lost", judge=lambda game, at: decide.void(game, "cheating", at))

    async def _restore(self) -> None:
        await self._judge("void", judge=lambda game, at: decide.restore(game, "error", at))

    async def _judge(self, *statuses: str, judge: Callable[[Game, int], decide.Decision]) -> None:
        found = await self.owner.fetch("SELECT game_id FROM games WHERE status = ANY ($1) ORDER BY game_id", statuses)
        if found:
            head = await self._head(self.dice.choice(found)[0])
            log = await self.store.log(head.game_id)
            history = fold((event, row.at) for row in log for event in decode(row.events, row.first_seq))
            decision = judge(history.game, head.updated_at + 1000)
            append = _append(head, decision.events, decision.game)
            await self.store.append(replace(append, audit=self._noted("voided", head.player_id, head.game_id)))

    async def _ban(self) -> None:
        player = self.dice.choice(self.players)
        await self.store.ban(player, _BORDERS["a Monday"], self._noted("banned", player))

    async def _unban(self) -> None:
        for player in self.players:
            await self.store.unban(player, _BORDERS["a Monday"], self._noted("unbanned", player))

    def _noted(self, action: AuditAction, player: UUID, game: UUID | None = None) -> NewAudit:
        at = _BORDERS["a Monday"]
        return NewAudit(new_id(at), at, None, action, game, player, "other")

    async def _erase(self) -> None:
        """The name goes, and all else stays."""
        player = self.dice.choice(self.players)
        name = f"deleted-{player.hex[:8]}{self.names}"
        self.names += 1
        await self.owner.execute(
            "UPDATE players SET name = $2, name_key = $2, name_changes = name_changes + 1 WHERE player_id = $1",
            player,
            name,
        )

    async def _fold(self) -> None:
        await self.store.fold_boards()

    async def _rebuild(self) -> None:
        rebuilt = await rebuild.rebuild(self.owner, lambda _done, _total: None)
        assert (rebuilt.results, rebuilt.players, rebuilt.corrupt) == (0, 0, [])

    async def _throw_away(self) -> None:
        """Lose some or all of what follows from the log, and make it again."""
        share = self.dice.choice((0.3, 1.0))
        for table in self.dice.sample(("results", "board_rows", "board_counts", "board_changes"), 2):
            await self.owner.execute(f"DELETE FROM {table} WHERE random() < $1", share)
        rebuilt = await rebuild.rebuild(self.owner, lambda _done, _total: None)
        assert rebuilt.corrupt == []

    async def _head(self, game_id: UUID) -> Head:
        head = await self.store.head(game_id)
        assert head is not None
        return head

    async def log(self) -> Log:
        """Fold the log as it is stored."""
        games: dict[UUID, list[tuple[Event, int]]] = {}
        for game_id, first_seq, events, at in await self.owner.fetch(
            "SELECT game_id, first_seq, events, at FROM game_events ORDER BY game_id, first_seq"
        ):
            decoded = decode(events, first_seq)
            games.setdefault(game_id, []).extend((event, at) for event in decoded)
        folded = {game_id: fold(events).game for game_id, events in games.items()}
        banned = await self.owner.fetch("SELECT player_id FROM players WHERE banned_at IS NOT NULL")
        return Log({id_: game for id_, game in folded.items() if game.is_over}, {row[0] for row in banned})


def boards_asked(log: Log) -> list[tuple[Filters, Board | None]]:
    """Every leaderboard on which one of the games could be, and some on which none is."""
    days = sorted({finish(game).date() for game in log.games.values()} | {date(2026, 12, 1)})
    scopes: list[dict[str, object]] = [{}]
    scopes += [{"seed": seed} for seed in _SEEDS]
    scopes += [{"daily": day} for day in days]
    windows = [("all", None), *product(WINDOWS[1:], days)]
    asked = []
    for variant, scope, (window, at), attempts, undo in product(
        _VARIANTS, scopes, windows, ("best", "first"), ("any", "none")
    ):
        filters = Filters(variant, window=window, at=at, attempts=attempts, undo=undo, **scope)  # type: ignore[arg-type]
        asked.append((filters, board_of(filters)))
    return asked


def board_of(filters: Filters) -> Board | None:
    """The board that the store is asked for."""
    return named(
        filters.variant,
        filters.rules,
        seed=filters.seed,
        daily=filters.daily.isoformat() if filters.daily else None,
        window=filters.window,  # type: ignore[arg-type]
        day=filters.at.isoformat() if filters.at else "",
        is_first=filters.attempts == "first",
        is_clean=filters.undo == "none",
    )


async def assert_boards(world: World, asked_at_most: int) -> int:
    """Every row of every board is what the reference says; ranks, totals and neighbours are, on some of them.

    Returns how many rows there were.
    """
    log = await world.log()
    stored: dict[bytes, list[tuple[UUID, UUID]]] = {}
    for id_, player, game in await world.owner.fetch(
        "SELECT board, player_id, game_id FROM board_rows ORDER BY board, place, game_id"
    ):
        stored.setdefault(id_, []).append((player, game))
    asked = boards_asked(log)
    expected = {filters: board(log.games, log.banned, filters) for filters, _ in asked}
    ids = set()
    for filters, named_board in asked:
        rows = expected[filters]
        if named_board is None:
            assert rows == [], filters
            continue
        ids.add(board_id(named_board))
        assert stored.get(board_id(named_board), []) == [(row.player, row.game) for row in rows], filters
    assert stored.keys() <= ids
    used = [(filters, named_board) for filters, named_board in asked if expected[filters] and named_board is not None]
    for filters, named_board in world.dice.sample(used, min(asked_at_most, len(used))):
        page = await world.store.board(named_board, None, 200)
        rows = expected[filters]
        assert page.total == len(rows), filters
        assert [(row.rank, row.player_id, row.game_id) for row in page.rows] == [
            (row.rank, row.player, row.game) for row in rows
        ], filters
        at = world.dice.randrange(len(rows))
        near = await world.store.board_around(named_board, rows[at].player, 1)
        assert near is not None
        assert near.rows == page.rows[max(0, at - 1) : at + 2]
    return sum(map(len, stored.values()))


def _whole_game(start: Started, started_at: int, finished_at: int, dice: random.Random) -> tuple[list[Event], Game]:
    """A game from its first move to its end: a win where one is known, else some moves and a resignation."""
    history = History(start, started_at)
    events: list[Event] = []

    def add(decision: decide.Decision) -> None:
        for event in decision.events:
            history.add(event, finished_at)
        events.extend(decision.events)

    moves = _WINS.get((start.variant, start.deal.seed))
    if moves is None or dice.random() < 0.5:
        moves = _some_moves(start.variant, start.deal.seed)[: dice.choice((0, 1, 2, 2, 3))]
    if moves:
        add(decide.play(history.game, moves[:2], finished_at, is_sealed=False))
        if len(moves) > 1 and dice.random() < 0.4:
            for event in (Undone(1), Redone(1)):
                history.add(event, finished_at)
                events.append(event)
        if moves[2:]:
            add(decide.play(history.game, moves[2:], finished_at, is_sealed=False))
    if not history.game.is_over:
        add(decide.resign(history.game, finished_at))
    return events, history.game


@cache
def _some_moves(variant: str, seed: str) -> list[str]:
    rules = rules_of(VARIANTS[variant])
    game = open_game(Started(variant, 1, Deal("shared", seed), "", 1), 0)
    moves = []
    position = game.position
    for _ in range(3):
        move = rules.legal_moves(position)[0]
        position = rules.play(position, move, game.chance)
        moves.append(move)
    return moves


def _append(head: Head, events: list[Event], game: Game) -> Append:
    return Append(
        game_id=head.game_id,
        expected=head.version,
        previous=head.hash,
        last_seq=head.version + len(events),
        events=encode(events),
        at=game.updated_at,
        status=game.status,
        finished_at=game.finished_at,
        snapshot=encode_snapshot(game),
        result=result_of(game),
    )
