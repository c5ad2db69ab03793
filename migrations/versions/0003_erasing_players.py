"""Erasing players.

A player whose erasure has begun keeps the row, under a name that says nothing, and starts nothing more. An erasure is
over when the player's tokens are gone.
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE players ADD COLUMN erased_at timestamptz",
    "CREATE INDEX players_erased ON players (player_id) WHERE erased_at IS NOT NULL",
    # What the planner learns of a column are examples from it, which would outlive an erasure.
    "ALTER TABLE players ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN name_key SET STATISTICS 0",
    "ALTER TABLE tokens ALTER COLUMN label SET STATISTICS 0",
    "GRANT UPDATE (erased_at) ON players TO pasyans_service",
    "GRANT DELETE ON tokens TO pasyans_service",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
