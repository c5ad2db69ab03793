"""The statement that adds a group of appends, of different games, to the log."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from pasyans.record.boards import PLACE, RANKED, boards_of
from pasyans.store import chain
from pasyans.store.boards import BOARD, board_id
from pasyans.store.values import Append

_PLAYED: Final = """
WITH b AS MATERIALIZED (
    SELECT * FROM unnest(
        $1::uuid[], $2::int4[], $3::bytea[], $4::int4[], $5::text[], $6::timestamptz[], $7::text[], $8::timestamptz[],
        $9::bytea[], $10::bytea[], $11::uuid[], $12::bytea[], $13::bytea[], $14::uuid[], $15::int4[]{types}
    ) AS b (
        game_id, expected, previous, last_seq, events, at, status, finished_at,
        snapshot, hash, scope, key, request, token_id, name_changes{names}
    )
),
k AS MATERIALIZED (
    SELECT b.* FROM b JOIN games g USING (game_id)
    WHERE g.version = b.expected AND g.hash = b.previous AND (b.token_id IS NULL OR EXISTS (
        SELECT FROM tokens t JOIN players p USING (player_id)
        WHERE t.token_id = b.token_id AND t.revoked_at IS NULL
            AND p.erased_at IS NULL AND p.name_changes = b.name_changes
    ))
    ORDER BY g.game_id FOR NO KEY UPDATE OF g
),
w AS (
    UPDATE games g
    SET version = k.last_seq, status = k.status, updated_at = k.at, finished_at = k.finished_at,
        snapshot = k.snapshot, hash = k.hash
    FROM k WHERE g.game_id = k.game_id
    RETURNING k.*{heads}
),
i AS (
    INSERT INTO idempotency (scope, key, request, subject, version, at)
    SELECT scope, key, request, game_id, last_seq, at FROM w WHERE scope IS NOT NULL ORDER BY scope, key
){more}
INSERT INTO game_events (game_id, first_seq, last_seq, events, at, hash)
SELECT game_id, expected + 1, last_seq, events, at, hash FROM w
RETURNING game_id
"""

STATEMENT: Final = _PLAYED.format(types="", names="", heads="", more="")
"""Gives the games that won. Each compare-and-set is judged by itself.

`k` locks the heads in the order of their ids before anything is written, and keys are inserted in order after that, so
two groups can't wait for one another. A key that has been used fails the whole statement on purpose: its append must
not go through, and `ON CONFLICT DO NOTHING` would let it.
"""

_RESULTS: Final = f""",
r AS (
    INSERT INTO results (game_id, player_id, variant, rules, kind, seed, date, attempt, started_at, finished_at,
        is_void, outcome, score, redeals, moves, undos)
    SELECT game_id, player_id, variant, rules, kind, seed, date, attempt, started_at, finished_at,
        status = 'void', outcome, score, redeals, moves, undos
    FROM w WHERE outcome IS NOT NULL
    ON CONFLICT (game_id) DO UPDATE
    SET is_void = excluded.is_void, outcome = excluded.outcome, score = excluded.score, redeals = excluded.redeals,
        moves = excluded.moves, undos = excluded.undos, finished_at = excluded.finished_at
),
p AS MATERIALIZED (
    SELECT player_id, banned_at FROM players
    WHERE player_id IN (SELECT player_id FROM w WHERE standings <> '')
    ORDER BY player_id FOR KEY SHARE
),
s AS (
    SELECT DISTINCT ON (player_id, board) player_id, board, place, game_id
    FROM w JOIN p USING (player_id),
        generate_series(1, octet_length(standings), {BOARD + PLACE}) AS starts (start),
        substring(standings FROM start FOR {BOARD}) AS boards (board),
        substring(standings FROM start + {BOARD} FOR {PLACE}) AS places (place)
    WHERE banned_at IS NULL
    ORDER BY player_id, board, place, game_id
),
u AS (
    INSERT INTO board_rows AS old (player_id, board, place, game_id) SELECT player_id, board, place, game_id FROM s
    ON CONFLICT (player_id, board) DO UPDATE
    SET place = excluded.place, game_id = excluded.game_id, replaced = old.place
    WHERE (excluded.place, excluded.game_id) < (old.place, old.game_id)
    RETURNING board, place, replaced
),
c AS (
    INSERT INTO board_changes (board, place, n)
    SELECT board, substring(place FROM 1 FOR {RANKED}), 1 FROM u
    UNION ALL
    SELECT board, substring(replaced FROM 1 FOR {RANKED}), -1 FROM u WHERE replaced IS NOT NULL
)"""  # noqa: S608 - made of constants

FINISHING: Final = _PLAYED.format(
    types=", $16::text[], $17::int4[], $18::int4[], $19::int4[], $20::int4[], $21::bytea[]",
    names=", outcome, score, redeals, moves, undos, standings",
    heads=", g.player_id, g.variant, g.rules, g.kind, g.seed, g.date, g.attempt, g.started_at",
    more=_RESULTS,
)
"""The same for a group in which games end, void or restored ones among them: with their results and boards.

How it keeps the boards right is told in `boards.py`. A voided game's row is not taken off its boards here.

`p` locks banned players as well, and only what is then known of them decides: a ban may end after the statement has
begun.
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
    """Work out the link that the append's row will have. Raises `ValueError` or `OverflowError`: it can't be stored."""
    if (append.result is None) is not (append.status == "playing"):
        raise ValueError("a game that is over comes with a result, and no other does.")
    hash_ = chain.link(append.previous, append.game_id, append.first_seq, append.at, append.events)
    return Sealed(append, hash_)


def columns(group: Iterable[Sealed], *, finishing: bool = False) -> Iterable[tuple[Any, ...]]:
    """The statement's parameters, or those of `FINISHING`, for a group that holds no game twice."""
    return zip(*map(_finishing if finishing else _row, group), strict=True)


def _finishing(sealed: Sealed) -> tuple[Any, ...]:
    result = sealed.append.result
    if result is None:
        return *_row(sealed), None, None, None, None, None, b""
    counted = (result.outcome, result.score, result.redeals, result.moves, result.undos)
    return *_row(sealed), *counted, b"".join(board_id(board) + place for board, place in boards_of(result))


def _row(sealed: Sealed) -> tuple[Any, ...]:
    append, key, author = sealed.append, sealed.append.key, sealed.append.author
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
        author.token_id if author else None,
        author.name_changes if author else None,
    )
