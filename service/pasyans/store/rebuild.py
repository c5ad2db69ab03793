"""Making results and boards again from the log, while the service runs.

Player by player: the finished games are replayed in one snapshot and compared with what is stored; what differs is put
right in a transaction that first locks the heads of these games and the players, in the order in which finishing games
locks them, and does nothing about a game that has moved on since, but looks again. At last the counts are made from the
rows. What is right is left as it is, so boards can be read all the time, a rebuild that was cut short did no harm, and
the next one does what is left.
"""

from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Final
from uuid import UUID

from msgspec import Struct

from pasyans.record.errors import CorruptLog
from pasyans.record.result import Result, result_of
from pasyans.store import counting, replaying, results, settling
from pasyans.store.connection import Connection

_LOCK: Final = "SELECT game_id, version FROM games WHERE game_id = ANY ($1) ORDER BY game_id FOR SHARE"
_VERSIONS: Final = "SELECT game_id, version FROM games WHERE game_id = ANY ($1)"
_BANNED: Final = "SELECT player_id FROM players WHERE player_id = ANY ($1) AND banned_at IS NOT NULL"

# What belongs to nobody: in no snapshot is there a result or row of a player who comes later.
_STRAYS: Final = (
    "DELETE FROM results r WHERE NOT EXISTS (SELECT FROM players p WHERE p.player_id = r.player_id)",
    "DELETE FROM board_rows b WHERE NOT EXISTS (SELECT FROM players p WHERE p.player_id = b.player_id)",
)


class WrongResult(Struct, frozen=True):
    """A stored result that is not the true one; either may be missing. ``version`` is the game's, if there is one."""

    owner: UUID
    version: int | None
    true: Result | None


class Wrong(Struct, frozen=True):
    """What is wrong with the results and rows of some players, as one snapshot had them.

    ``players`` are those who have a wrong result or row. ``corrupt`` are games whose log can't be replayed; their
    results are left alone.
    """

    results: dict[UUID, WrongResult]
    players: set[UUID]
    corrupt: list[tuple[UUID, CorruptLog]]


class Rebuilt(Struct):
    """What a rebuild came to: the games and events replayed, the results and the players' rows put right."""

    games: int = 0
    events: int = 0
    results: int = 0
    players: int = 0
    corrupt: list[tuple[UUID, CorruptLog]] = []


async def rebuild(connection: Connection, tell: Callable[[int, int], None]) -> Rebuilt:
    """Make the results and boards again; ``tell`` is called with the events replayed so far and those there are.

    ``connection`` is one of its own, prepared to serve, without a limit of time.
    """
    total = await replaying.events_in_all(connection, playing=False)
    done = Rebuilt()

    def count(events: int) -> None:
        done.games += 1
        done.events += events
        tell(done.events, max(total, done.events))

    async for players in replaying.players(connection):
        wrong = await examine(connection, players, count)
        done.corrupt += wrong.corrupt
        while wrong.players:
            moved = await _put_right(connection, wrong)
            done.results += len(wrong.results)
            done.players += len(wrong.players - moved)
            wrong = await examine(connection, sorted(moved), lambda _: None)
    for statement in _STRAYS:
        await connection.execute(statement)
    async with connection.transaction():
        await counting.recount(connection)
    return done


async def examine(connection: Connection, players: Sequence[UUID], count: Callable[[int], None]) -> Wrong:
    """Compare what is stored of these players with their games; ``count`` is called with the events of each."""
    wrong = Wrong({}, set(), [])
    if not players:
        return wrong
    true: dict[UUID, Result] = {}
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        stored = dict(await results.of_players(connection, players))
        strays = stored.copy()
        async with aclosing(replaying.games(connection, players, playing=False)) as games:
            async for game in games:
                game_id = game.head.game_id
                strays.pop(game_id, None)
                if isinstance(game.outcome, CorruptLog):
                    wrong.corrupt.append((game_id, game.outcome))
                    result = stored.get(game_id)
                else:
                    result = result_of(game.outcome)
                if result is not None:
                    true[game_id] = result
                if stored.get(game_id) != result:
                    wrong.results[game_id] = WrongResult(game.head.player_id, game.head.version, result)
                count(game.head.version)
        versions = dict(await connection.fetch(_VERSIONS, list(strays)))
        for game_id, result in strays.items():
            wrong.results[game_id] = WrongResult(UUID(result.player), versions.get(game_id), None)
        banned = {row[0] for row in await connection.fetch(_BANNED, players)}
        rows = await settling.rows_of(connection, players)
    wanted = settling.best((id_, result) for id_, result in true.items() if UUID(result.player) not in banned)
    wrong.players.update(result.owner for result in wrong.results.values())
    wrong.players.update(player_id for (player_id, _), _ in rows.items() ^ wanted.items())
    return wrong


async def _put_right(connection: Connection, wrong: Wrong) -> set[UUID]:
    """Put right what still is as it was; the players whose games have moved on, who are to be looked at again."""
    async with connection.transaction():
        now = dict(await connection.fetch(_LOCK, list(wrong.results)))
        still = {id_: result for id_, result in wrong.results.items() if now.get(id_) == result.version}
        come = [(id_, result.true) for id_, result in still.items() if result.true is not None]
        await results.replace(connection, list(still), come)
        await settling.settle(connection, sorted(wrong.players))
    return {result.owner for id_, result in wrong.results.items() if id_ not in still}
