"""Admins: their tokens, the audit of what they did, and an index to list results by.

The audit is append-only, as the log is: the service adds to it and never changes it. It holds ids, never names; only
what an admin writes in a note is beyond the database's reach, and so is no example of it in the planner's statistics.
"""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ADMIN_TOKENS = """
CREATE TABLE admin_tokens (
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    token_id uuid NOT NULL PRIMARY KEY,
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    name text NOT NULL CHECK (name <> '')
)
"""

# No actor is the operator, on the command line.
AUDIT = """
CREATE TABLE audit (
    at timestamptz NOT NULL,
    entry_id uuid NOT NULL PRIMARY KEY,
    actor uuid REFERENCES admin_tokens,
    game_id uuid,
    player_id uuid,
    action text NOT NULL CHECK (action IN (
        'voided', 'restored', 'banned', 'unbanned', 'results-voided', 'token-made', 'token-revoked'
    )),
    reason text CHECK (reason IN ('cheating', 'error', 'test', 'other')),
    note text,
    details text
)
"""

INDEXES = (
    "CREATE UNIQUE INDEX admin_tokens_in_force ON admin_tokens (name) WHERE revoked_at IS NULL",
    # Entry ids are UUIDv7 and hold the time: lists go by them, newest first.
    "CREATE INDEX audit_of_game ON audit (game_id, entry_id) WHERE game_id IS NOT NULL",
    "CREATE INDEX audit_of_player ON audit (player_id, entry_id) WHERE player_id IS NOT NULL",
    "CREATE INDEX audit_of_actor ON audit (actor, entry_id) WHERE actor IS NOT NULL",
    # Rows come in about this order, so each is added at the end; those of one time are sorted when they are read.
    "CREATE INDEX results_finished ON results (finished_at)",
)

STATISTICS = "ALTER TABLE audit ALTER COLUMN note SET STATISTICS 0"

GRANTS = (
    "GRANT SELECT, INSERT, UPDATE (last_used_at, revoked_at) ON admin_tokens TO pasyans_service",
    "GRANT SELECT, INSERT ON audit TO pasyans_service",
)


def upgrade() -> None:
    for statement in (ADMIN_TOKENS, AUDIT, *INDEXES, STATISTICS, *GRANTS):
        op.execute(statement)
