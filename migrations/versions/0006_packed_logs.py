"""Logs of games that are over, packed: a row a game instead of one an append.

What `pasyans/store/packed.py` says is in `log` can be read without the engine. Later events of a packed game, such as
its voiding, are rows of `game_events` after it.
"""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

PACKED_LOGS = """
CREATE TABLE packed_logs (
    last_seq int4 NOT NULL CHECK (last_seq >= 1),
    game_id uuid NOT NULL PRIMARY KEY,
    log bytea NOT NULL CHECK (log <> '')
)
"""

STATEMENTS = (
    PACKED_LOGS,
    # It is compressed already; small enough for its page, or out of line.
    "ALTER TABLE packed_logs ALTER COLUMN log SET STORAGE EXTERNAL",
    # The service reads it. Packing is the owner's, who alone may take rows out of the log.
    "GRANT SELECT ON packed_logs TO pasyans_service",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
