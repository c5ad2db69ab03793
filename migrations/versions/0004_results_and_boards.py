"""Results of finished games, and the boards that are made of them.

All of it follows from the log and can be made again, so the service may change and remove it. How the tables work
together is told in `pasyans/store/boards.py`.
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# A banned player may play, and is on no board.
BANNED = "ALTER TABLE players ADD COLUMN banned_at timestamptz"

# What a finished game came to; who played what is its head's to say, and is repeated here to be searched.
RESULTS = """
CREATE TABLE results (
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    score int4 NOT NULL CHECK (score >= 0),
    redeals int4 NOT NULL CHECK (redeals >= 0),
    moves int4 NOT NULL CHECK (moves >= 0),
    undos int4 NOT NULL CHECK (undos >= 0),
    attempt int4 NOT NULL CHECK (attempt >= 1),
    rules int4 NOT NULL CHECK (rules >= 1),
    date date,
    game_id uuid NOT NULL PRIMARY KEY,
    player_id uuid NOT NULL,
    is_void bool NOT NULL,
    kind text NOT NULL CHECK (kind IN ('sealed', 'shared', 'daily')),
    outcome text NOT NULL CHECK (outcome IN ('won', 'lost', 'abandoned')),
    variant text NOT NULL CHECK (variant <> ''),
    seed text NOT NULL CHECK (seed <> '')
)
"""

# A player's best on a board. `replaced` is the place of the row that this one replaced in the same statement or an
# earlier one, which is how a statement learns what it replaced.
BOARD_ROWS = """
CREATE TABLE board_rows (
    player_id uuid NOT NULL,
    game_id uuid NOT NULL,
    board bytea NOT NULL CHECK (octet_length(board) = 16),
    place bytea NOT NULL CHECK (octet_length(place) = 22),
    replaced bytea,
    PRIMARY KEY (player_id, board)
) WITH (fillfactor = 90)
"""

# How many rows a board has from a place to the next place that is listed here, but for what BOARD_CHANGES says.
# `changes` is how many changes were added to it since the places were chosen.
BOARD_COUNTS = """
CREATE TABLE board_counts (
    n int8 NOT NULL,
    changes int8 NOT NULL,
    board bytea NOT NULL,
    place bytea NOT NULL,
    PRIMARY KEY (board, place) INCLUDE (n)
) WITH (fillfactor = 70)
"""

# Rows that came (1) or went (-1) at a place and are not in BOARD_COUNTS yet. A queue: rows stay for moments.
BOARD_CHANGES = """
CREATE TABLE board_changes (
    n int4 NOT NULL,
    board bytea NOT NULL,
    place bytea NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000)
"""

INDEXES = (
    "CREATE INDEX results_of_player ON results (player_id, variant, rules)",
    "CREATE INDEX results_on_seed ON results (seed, variant, rules, outcome) WHERE kind = 'shared' AND NOT is_void",
    "CREATE INDEX board_rows_in_order ON board_rows (board, place, game_id)",
    "CREATE INDEX board_changes_in_order ON board_changes (board, place) INCLUDE (n)",
)

GRANTS = (
    "GRANT UPDATE (banned_at) ON players TO pasyans_service",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON results, board_rows, board_counts, board_changes TO pasyans_service",
)


def upgrade() -> None:
    for statement in (BANNED, RESULTS, BOARD_ROWS, BOARD_COUNTS, BOARD_CHANGES, *INDEXES, *GRANTS):
        op.execute(statement)
