"""The one statement that adds a group of appends, of different games, to the log."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from pasyans.store import chain
from pasyans.store.values import Append

STATEMENT: Final = """
WITH b AS MATERIALIZED (
    SELECT * FROM unnest(
        $1::uuid[], $2::int4[], $3::bytea[], $4::int4[], $5::text[], $6::timestamptz[], $7::text[], $8::timestamptz[],
        $9::bytea[], $10::bytea[], $11::uuid[], $12::bytea[], $13::bytea[]
    ) AS b (
        game_id, expected, previous, last_seq, events, at, status, finished_at,
        snapshot, hash, scope, key, request
    )
),
k AS MATERIALIZED (
    SELECT b.* FROM b JOIN games g USING (game_id)
    WHERE g.version = b.expected AND g.hash = b.previous
    ORDER BY g.game_id FOR NO KEY UPDATE OF g
),
w AS (
    UPDATE games g
    SET version = k.last_seq, status = k.status, updated_at = k.at, finished_at = k.finished_at,
        snapshot = k.snapshot, hash = k.hash
    FROM k WHERE g.game_id = k.game_id
    RETURNING k.*
),
i AS (
    INSERT INTO idempotency (scope, key, request, subject, version, at)
    SELECT scope, key, request, game_id, last_seq, at FROM w WHERE scope IS NOT NULL ORDER BY scope, key
)
INSERT INTO game_events (game_id, first_seq, last_seq, events, at, hash)
SELECT game_id, expected + 1, last_seq, events, at, hash FROM w
RETURNING game_id
"""
"""Gives the games that won. Each compare-and-set is judged by itself.

`k` locks the heads in the order of their ids before anything is written, and keys are inserted in order after that, so
two groups can't wait for one another. A key that has been used fails the whole statement on purpose: its append must
not go through, and `ON CONFLICT DO NOTHING` would let it.
"""

SESSION: Final = {
    # Planned once, for any number of rows and any size of the tables: by index, row by row.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}
"""Session settings of a connection that runs the statement."""


class Sealed(Struct, frozen=True):
    """An append with its link of the chain."""

    append: Append
    hash: bytes


def seal(append: Append) -> Sealed:
    """Work out the link that the append's row will have."""
    hash_ = chain.link(append.previous, append.game_id, append.first_seq, append.at, append.events)
    return Sealed(append, hash_)


def columns(group: Iterable[Sealed]) -> Iterable[tuple[Any, ...]]:
    """The statement's parameters for a group that holds no game twice."""
    return zip(*map(_row, group), strict=True)


def _row(sealed: Sealed) -> tuple[Any, ...]:
    append, key = sealed.append, sealed.append.key
    return (
        append.game_id,
        append.expected,
        append.previous,
        append.last_seq,
        append.events,
        append.at,
        append.status,
        append.finished_at,
        append.snapshot,
        sealed.hash,
        key.scope if key else None,
        key.key if key else None,
        key.request if key else None,
    )
