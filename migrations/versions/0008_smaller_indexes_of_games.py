"""Smaller indexes to list games by: by the stretch of time in which they were started, in place of their ids.

A game's id begins with the time of its start in milliseconds, 6 bytes. Games of a player that share the first 3 of them
(4.7 hours), and games of a variant that share the first 4 (66 seconds), are one entry of an index, which takes 6 bytes
for each beyond the first; they are sorted by their ids when they are read.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

STATEMENTS = (
    "DROP INDEX games_of_player",
    "DROP INDEX games_of_variant",
    "CREATE INDEX games_of_player ON games (player_id, substring(uuid_send(game_id) FROM 1 FOR 3))",
    "CREATE INDEX games_of_variant ON games (variant, substring(uuid_send(game_id) FROM 1 FOR 4))",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
