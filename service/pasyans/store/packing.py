"""Packing the logs of games that were over long ago, while the service runs.

Some games at a time: each is replayed, compared with all that is stored of it, packed, and the packed log is unpacked
again. It is put into the game's head, committed, read back and compared with the rows of the log once more before these
are removed, so at no moment is there less than one whole log that was checked. Cut short between the two, rows that are
packed are passed over by whoever reads, and removed by the next run. With the rows goes the snapshot of a game that is
quick to replay. A game that is not what its log says stays as it is, and is named.
"""

from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct

from pasyans.store import log, replaying, results
from pasyans.store.connection import Connection
from pasyans.store.packed import BadPack, pack, unpack
from pasyans.store.values import LogRow
from pasyans.store.verify import game_fault

_AT_ONCE: Final = 100
_PARTS: Final = 10
_QUICK: Final = 500
"""Events that are replayed in a few milliseconds."""

_BEFORE_ALL: Final = UUID(int=0)

# A game that was voided or restored after it had been packed is packed anew.
_OPEN: Final = "FROM games WHERE status <> 'playing' AND updated_at < $1 AND packed_upto IS DISTINCT FROM version"

# Two that pack at once would be in each other's way. It is let go when the connection is closed.
_ALONE: Final = "SELECT pg_advisory_lock(hashtext('pasyans: packing'))"

_COUNT: Final = f"SELECT COALESCE(sum(version), 0)::int8 {_OPEN}"
_NEXT: Final = f"SELECT game_id {_OPEN} AND game_id > $2 ORDER BY game_id LIMIT $3"

# Heads are locked in the order of their ids, as appending does. One that has moved on waits for another run.
_KEEP: Final = """
WITH k AS MATERIALIZED (
    SELECT g.game_id, b.packed
    FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS b (game_id, hash, packed) JOIN games g USING (game_id)
    WHERE g.hash = b.hash ORDER BY g.game_id FOR NO KEY UPDATE OF g
)
UPDATE games g SET packed_upto = g.version, packed = k.packed FROM k WHERE g.game_id = k.game_id
RETURNING g.game_id, g.version, octet_length(k.packed)
"""

_LEFT: Final = """
SELECT game_id FROM games g
WHERE packed IS NOT NULL AND game_id > $1
    AND EXISTS (SELECT FROM game_events e WHERE e.game_id = g.game_id AND e.first_seq <= g.packed_upto)
ORDER BY game_id LIMIT $2
"""
_PACKED: Final = """
SELECT game_id, packed_upto, packed FROM games
WHERE game_id = ANY ($1) AND packed IS NOT NULL ORDER BY game_id FOR NO KEY UPDATE
"""
_ROWS: Final = """
SELECT game_id, first_seq, last_seq, events, at, hash FROM game_events
WHERE game_id = ANY ($1) ORDER BY game_id, first_seq
"""
_REMOVE: Final = """
DELETE FROM game_events e USING unnest($1::uuid[], $2::int4[]) AS packed (game_id, last_seq)
WHERE e.game_id = packed.game_id AND e.last_seq <= packed.last_seq
"""
_STRIP: Final = "UPDATE games SET snapshot = '' WHERE game_id = ANY ($1) AND packed_upto = version AND version <= $2"


class Packed(Struct):
    """What packing came to: the games and events packed, the bytes they take now, and what was wrong with others."""

    games: int = 0
    events: int = 0
    bytes: int = 0
    faults: list[str] = []


async def pack_before(connection: Connection, before: int, tell: Callable[[int, int], None]) -> Packed:
    """Pack the games that ended, and were last voided or restored, before a time.

    ``tell`` is called with the events looked at so far and those there are. ``connection`` is one of its own, of the
    database's owner, with times as milliseconds.
    """
    await connection.execute(_ALONE)
    done, seen = Packed(), 0
    total = int(await connection.fetchval(_COUNT, before))
    await _remove_left(connection, done)
    last = _BEFORE_ALL
    while found := [row[0] for row in await connection.fetch(_NEXT, before, last, _AT_ONCE)]:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            games = await replaying.some(connection, found)
            stored = dict(await results.of_games(connection, found))
        packed: list[tuple[UUID, bytes, bytes]] = []
        for game in games:
            game_id = game.head.game_id
            seen += game.head.version
            wrong = game_fault(game, stored.get(game_id)) or _wrong_pack(game_id, game.rows)
            if wrong is None:
                packed.append((game_id, game.head.hash, pack(game.rows)))
            else:
                done.faults.append(wrong)
        # Games that follow one another share a page. Few of each page at a time, and it has room for what they become:
        # the heads stay where they are, and fill the room that was kept for moves.
        for part in range(_PARTS):
            await _put(connection, packed[part::_PARTS], done)
        tell(seen, max(total, seen))
        last = found[-1]
    return done


async def _put(connection: Connection, packed: Sequence[tuple[UUID, bytes, bytes]], done: Packed) -> None:
    """Put packed logs into heads that have the same last link still, then remove the rows."""
    if not packed:
        return
    kept = await connection.fetch(_KEEP, *zip(*packed, strict=True))
    await _remove(connection, [game_id for game_id, _, _ in kept], done)
    done.games += len(kept)
    done.events += sum(version for _, version, _ in kept)
    done.bytes += sum(size for _, _, size in kept)


async def _remove_left(connection: Connection, done: Packed) -> None:
    """Remove the rows that a run left which was cut short."""
    last = _BEFORE_ALL
    while found := [row[0] for row in await connection.fetch(_LEFT, last, _AT_ONCE)]:
        await _remove(connection, found, done)
        last = found[-1]


async def _remove(connection: Connection, game_ids: Sequence[UUID], done: Packed) -> None:
    """Remove the rows of packed games, where the packed log has these very rows, and snapshots with them."""
    async with connection.transaction():
        rows: dict[UUID, list[LogRow]] = {game_id: [] for game_id in game_ids}
        for game_id, *row in await connection.fetch(_ROWS, game_ids):
            rows[game_id].append(LogRow(*row))
        whole: list[tuple[UUID, int]] = []
        for game_id, last_seq, packed in await connection.fetch(_PACKED, game_ids):
            kept = log.unpacked(game_id, packed)
            known = {row.first_seq: row for row in kept}
            if (
                kept[-1:]
                and kept[-1].last_seq == last_seq
                and all(known.get(row.first_seq) == row for row in rows[game_id] if row.first_seq <= last_seq)
            ):
                whole.append((game_id, last_seq))
            else:
                done.faults.append(f"Game {game_id}: the packed log is not that of its rows, which stay.")
        if whole:
            await connection.execute(_REMOVE, *zip(*whole, strict=True))
            await connection.execute(_STRIP, [game_id for game_id, _ in whole], _QUICK)


def _wrong_pack(game_id: UUID, rows: list[LogRow]) -> str | None:
    """What is wrong with a log once it is packed, if anything is."""
    try:
        same = unpack(game_id, pack(rows)) == rows
    except (BadPack, ValueError) as error:
        return f"Game {game_id}: the log can't be packed. {error}"
    return None if same else f"Game {game_id}: the log is another one when it is packed."
