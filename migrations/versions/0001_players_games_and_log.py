"""Players and tokens, games and their log, attempts, idempotency keys, the server's secret.

Tables and keys only, no triggers or functions, times and ids from the service: the tables of games can be spread by
`game_id`, which their keys contain, and those of players by `player_id`. There are no foreign keys from the log and the
heads, whose rows are written by the one statement that has just locked or made what they belong to.

Columns are ordered by how PostgreSQL aligns them (8 bytes, 4 bytes, the rest), so that rows carry no padding.
"""

import secrets

import sqlalchemy
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

PLAYERS = """
CREATE TABLE players (
    created_at timestamptz NOT NULL,
    name_changes int4 NOT NULL DEFAULT 0 CHECK (name_changes >= 0),
    player_id uuid NOT NULL PRIMARY KEY,
    guest bool NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    name_key text NOT NULL UNIQUE CHECK (name_key <> '')
)
"""

TOKENS = """
CREATE TABLE tokens (
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    token_id uuid NOT NULL PRIMARY KEY,
    player_id uuid NOT NULL REFERENCES players,
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    label text NOT NULL
) WITH (fillfactor = 80)
"""

# One row a game, changed by each of its moves. Nothing that moves is indexed, and pages keep room, so that an update
# stays in its page and touches no index.
GAMES = """
CREATE TABLE games (
    started_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    finished_at timestamptz,
    version int4 NOT NULL CHECK (version >= 1),
    attempt int4 NOT NULL CHECK (attempt >= 1),
    rules int4 NOT NULL CHECK (rules >= 1),
    date date,
    game_id uuid NOT NULL PRIMARY KEY,
    player_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 16),
    variant text NOT NULL CHECK (variant <> ''),
    kind text NOT NULL CHECK (kind IN ('sealed', 'shared', 'daily')),
    status text NOT NULL CHECK (status IN ('playing', 'won', 'lost', 'abandoned', 'void')),
    seed text NOT NULL CHECK (seed <> ''),
    snapshot bytea NOT NULL,
    CONSTRAINT games_daily_has_date CHECK ((kind = 'daily') = (date IS NOT NULL)),
    CONSTRAINT games_over_has_end CHECK ((status = 'playing') = (finished_at IS NULL))
) WITH (fillfactor = 60)
"""

# One row an append. `hash` chains it to the row before.
GAME_EVENTS = """
CREATE TABLE game_events (
    at timestamptz NOT NULL,
    first_seq int4 NOT NULL CHECK (first_seq >= 1),
    last_seq int4 NOT NULL,
    game_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 16),
    events text NOT NULL CHECK (events <> ''),
    PRIMARY KEY (game_id, first_seq),
    CONSTRAINT game_events_in_order CHECK (last_seq >= first_seq)
)
"""

# How many games a player has started on a deal.
ATTEMPTS = """
CREATE TABLE attempts (
    count int4 NOT NULL CHECK (count >= 1),
    player_id uuid NOT NULL,
    variant text NOT NULL,
    seed text NOT NULL,
    PRIMARY KEY (player_id, variant, seed)
)
"""

# Hashes of a key and of the request that used it, and what came of that.
IDEMPOTENCY = """
CREATE TABLE idempotency (
    at timestamptz NOT NULL,
    version int4 NOT NULL,
    scope uuid NOT NULL,
    subject uuid NOT NULL,
    key bytea NOT NULL CHECK (octet_length(key) = 16),
    request bytea NOT NULL CHECK (octet_length(request) = 16),
    PRIMARY KEY (scope, key)
)
"""

SECRETS = """
CREATE TABLE secrets (
    only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
    hmac bytea NOT NULL CHECK (octet_length(hmac) = 32)
)
"""

INDEXES = (
    "CREATE INDEX tokens_of_player ON tokens (player_id, token_id)",
    # Game ids are UUIDv7 and hold the time of the start: lists go by them, newest first.
    "CREATE INDEX games_of_player ON games (player_id, game_id)",
    "CREATE INDEX games_of_variant ON games (variant, game_id)",
    "CREATE INDEX games_on_seed ON games (seed, game_id)",
    # Rows come in the order of time and go by it; this costs an insert next to nothing.
    "CREATE INDEX idempotency_at ON idempotency USING brin (at) WITH (autosummarize = on)",
)

# The service adds to the log and never changes it; of a head it changes what moves, never whose game on which deal.
GRANTS = (
    "GRANT USAGE ON SCHEMA public TO pasyans_service",
    "GRANT SELECT ON alembic_version, secrets TO pasyans_service",
    "GRANT SELECT, INSERT, UPDATE (name, name_key, guest, name_changes) ON players TO pasyans_service",
    "GRANT SELECT, INSERT, UPDATE (last_used_at, revoked_at) ON tokens TO pasyans_service",
    "GRANT SELECT, INSERT ON games TO pasyans_service",
    "GRANT UPDATE (version, status, updated_at, finished_at, snapshot, hash) ON games TO pasyans_service",
    "GRANT SELECT, INSERT ON game_events TO pasyans_service",
    "GRANT SELECT, INSERT, UPDATE (count) ON attempts TO pasyans_service",
    "GRANT SELECT, INSERT, DELETE ON idempotency TO pasyans_service",
)


def upgrade() -> None:
    for table in (PLAYERS, TOKENS, GAMES, GAME_EVENTS, ATTEMPTS, IDEMPOTENCY, SECRETS):
        op.execute(table)
    for statement in INDEXES + GRANTS:
        op.execute(statement)
    keep = sqlalchemy.text("INSERT INTO secrets (hmac) VALUES (:hmac)")
    op.get_bind().execute(keep, {"hmac": secrets.token_bytes(32)})
