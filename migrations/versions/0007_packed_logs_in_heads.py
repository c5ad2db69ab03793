"""Packed logs in the heads of their games, instead of rows of their own with an index to find them.

Once its log is packed, a game that is quick to replay keeps no snapshot either; an empty one stands for it, so only
the head of a game that is packed to its end may have it.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

STATEMENTS = (
    # `packed` holds the events up to `packed_upto`; later ones, such as a voiding, are rows of the log.
    "ALTER TABLE games ADD COLUMN packed_upto int4, ADD COLUMN packed bytea",
    # It is compressed already; small enough for its page, or out of line.
    "ALTER TABLE games ALTER COLUMN packed SET STORAGE EXTERNAL",
    "UPDATE games g SET packed_upto = p.last_seq, packed = p.log FROM packed_logs p WHERE p.game_id = g.game_id",
    # Packed games take more than running ones, about as much as pages keep free for moves.
    "ALTER TABLE games SET (fillfactor = 70)",
    """
    ALTER TABLE games
        ADD CONSTRAINT games_packed_whole CHECK ((packed IS NULL) = (packed_upto IS NULL)),
        ADD CONSTRAINT games_packed CHECK (packed <> '' AND packed_upto BETWEEN 1 AND version),
        ADD CONSTRAINT games_snapshot_or_packed CHECK (snapshot <> '' OR packed_upto IS NOT DISTINCT FROM version)
    """,
    "DROP TABLE packed_logs",
    # The service reads it. Packing is the owner's, who alone may take rows out of the log.
    "REVOKE INSERT ON games FROM pasyans_service",
    """
    GRANT INSERT (game_id, player_id, variant, rules, kind, seed, date, attempt, version, status, started_at,
        updated_at, finished_at, snapshot, hash) ON games TO pasyans_service
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
