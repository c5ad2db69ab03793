"""Daily deals: what was drawn for each variant and UTC day.

The service may draw and read, and neither change nor drop what was drawn: its commitment has been published.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# 128 random bits in hex. The commitment follows from the seed and is not stored.
DAILIES = """
CREATE TABLE dailies (
    drawn_at timestamptz NOT NULL,
    date date NOT NULL,
    variant text NOT NULL CHECK (variant <> ''),
    seed text NOT NULL CHECK (seed ~ '^[0-9a-f]{32}$'),
    PRIMARY KEY (date, variant)
)
"""

# Finds the game of a daily that a player has running. Its columns never change, so that no move touches it.
GAMES_OF_DAILY = "CREATE INDEX games_of_daily ON games (player_id, date, variant) WHERE kind = 'daily'"

GRANT = "GRANT SELECT, INSERT ON dailies TO pasyans_service"


def upgrade() -> None:
    for statement in (DAILIES, GAMES_OF_DAILY, GRANT):
        op.execute(statement)
