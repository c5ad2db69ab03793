"""The values that the store takes and gives.

Times are integer milliseconds since the Unix epoch, UTC; hashes are bytes; ids are UUIDs made by the caller.
"""

from collections.abc import Callable
from typing import Literal
from uuid import UUID

from msgspec import Struct

from pasyans.record.events import Outcome
from pasyans.record.result import Result
from pasyans.store.admin_values import NewAudit

Kind = Literal["sealed", "shared", "daily"]
Status = Literal["playing", "won", "lost", "abandoned", "void"]


class Key(Struct, frozen=True):
    """An idempotency key about to be used: hashes (16 bytes each) of the key and of the request it came with.

    `scope` keeps the keys of one client apart from those of another: the player's id, or that of an admin's token.
    """

    scope: UUID
    key: bytes
    request: bytes


class UsedKey(Struct, frozen=True):
    """What an idempotency key was used for.

    `subject` is the game, player, token or entry of the audit that was written, `version` the version that a game
    reached (0 for the others), `request` the hash of the request that did it.
    """

    request: bytes
    subject: UUID
    version: int
    at: int


class KeptKey(Struct, frozen=True):
    """A used idempotency key as it is kept: its hash, and what it was used for."""

    key: bytes
    request: bytes
    subject: UUID
    version: int
    at: int


class Head(Struct, frozen=True, gc=False):
    """A game as it stands: who plays what, how far it is, and a snapshot from which its position is read.

    `player` is the owner's present name and `name_changes` how often it changed. `seed` is the deal's true seed,
    sealed or not; `date` the day of a daily deal (`2026-11-29`). `hash` is the last link of the log's chain.
    """

    game_id: UUID
    player_id: UUID
    player: str
    name_changes: int
    variant: str
    rules: int
    kind: Kind
    seed: str
    date: str | None
    attempt: int
    version: int
    status: Status
    started_at: int
    updated_at: int
    finished_at: int | None
    snapshot: bytes
    hash: bytes


class LogRow(Struct, frozen=True):
    """What one append wrote: the events `first_seq` to `last_seq`, encoded, and the link that seals them."""

    first_seq: int
    last_seq: int
    events: str
    at: int
    hash: bytes


class NewGame(Struct, frozen=True):
    """A game to be started. `at` is when, and the time of its first event.

    `build` is called with the attempt's number, once, inside the transaction; it gives the encoded first event and the
    snapshot. It must be quick and must not wait.
    """

    game_id: UUID
    player_id: UUID
    variant: str
    rules: int
    kind: Kind
    seed: str
    date: str | None
    at: int
    build: Callable[[int], tuple[str, bytes]]
    key: Key | None = None


class Created(Struct, frozen=True):
    """A game that was started: which attempt of this player on this deal it is, and its first link."""

    attempt: int
    hash: bytes


class Daily(Struct, frozen=True):
    """The deal of a variant on a UTC date (`2026-11-29`): its seed, 32 lower-case hex digits, and when it was drawn."""

    variant: str
    date: str
    seed: str
    drawn_at: int


class Author(Struct, frozen=True):
    """Who adds events, as the caller knows them: by which token, and how often the name of its player has changed."""

    token_id: UUID
    name_changes: int


class Append(Struct, frozen=True):
    """Events for the end of a game's log, and what the head becomes with them.

    Valid only while the game is at version `expected` with the link `previous`, and, where there is an `author`, while
    the token is in force and its player, who is not being erased, has had no other change of name.
    `last_seq` is the number of the last event added, and so the new version; `at` the time of them all. `result` is
    what the game came to: there is one unless it is still being played.
    """

    game_id: UUID
    expected: int
    previous: bytes
    last_seq: int
    events: str
    at: int
    status: Status
    finished_at: int | None
    snapshot: bytes
    key: Key | None = None
    result: Result | None = None
    audit: NewAudit | None = None
    author: Author | None = None

    @property
    def first_seq(self) -> int:
        """The number of the first event added."""
        return self.expected + 1


class Appended(Struct, frozen=True):
    """An append that is committed; `hash` is the game's new last link."""

    hash: bytes


class BoardRow(Struct, frozen=True):
    """A player's best result on a board. `player` is the present name; `place` what the board is ordered by."""

    rank: int
    place: bytes
    player_id: UUID
    game_id: UUID
    player: str
    outcome: Outcome
    score: int
    redeals: int
    moves: int
    undos: int
    attempt: int
    started_at: int
    finished_at: int


class BoardPage(Struct, frozen=True):
    """Rows of a board, the best first, and how many it has in all."""

    rows: list[BoardRow]
    total: int


class GameFilter(Struct, frozen=True):
    """Which games to list; what is None (or empty) does not count, the rest counts all together.

    Dailies of a day before `today` are everybody's; the others are there for their owner alone, if that is the
    `viewer`. A seed matches only where anybody may know it: in shared games, in sealed ones that are over, and in
    dailies of a day before `today`.
    """

    player_id: UUID | None = None
    variant: str | None = None
    statuses: tuple[Status, ...] = ()
    seed: str | None = None
    rules: int | None = None
    kind: Kind | None = None
    viewer: UUID | None = None
    today: str | None = None


class Running(Struct, frozen=True):
    """A game that was running when it was looked at, and the time of its last event."""

    game_id: UUID
    updated_at: int


class RunningPage(Struct, frozen=True):
    """The running games among some that follow one another; `last` is the last id looked at, None where none was."""

    games: list[Running]
    last: UUID | None


class Tally(Struct, frozen=True):
    """What a player's games of one variant came to; only those that count for it do.

    `played` and `won` are of finished games; `streak` is the wins since the last game that was not won, `best_streak`
    the most there ever were in a row, by the start of the games. `median_elapsed_ms` is None where nothing was played.
    """

    variant: str
    played: int
    won: int
    streak: int
    best_streak: int
    median_elapsed_ms: int | None


class NewPlayer(Struct, frozen=True):
    """A player to be made. `name_key` is the name as it must be unique: case-folded."""

    player_id: UUID
    name: str
    name_key: str
    guest: bool
    created_at: int


class Player(Struct, frozen=True):
    """A player; `name_changes` counts how often the name has changed.

    `erased_at` is when the player's erasure began; the name is gone since then.
    """

    player_id: UUID
    name: str
    guest: bool
    name_changes: int
    created_at: int
    erased_at: int | None = None


class NewToken(Struct, frozen=True):
    """A token to be made; `hash` is the SHA-256 (32 bytes) of its text, which is kept nowhere."""

    token_id: UUID
    player_id: UUID
    hash: bytes
    label: str
    created_at: int


class Token(Struct, frozen=True):
    """A token in force, as its owner may see it."""

    token_id: UUID
    label: str
    created_at: int
    last_used_at: int | None


class KeptToken(Struct, frozen=True):
    """A token as it is kept, in force or not, without its hash."""

    token_id: UUID
    label: str
    created_at: int
    last_used_at: int | None
    revoked_at: int | None


class TokenOwner(Struct, frozen=True):
    """Who comes with a token."""

    token_id: UUID
    player: Player


class Load(Struct, frozen=True):
    """The connections of a pool: in use, idle, and the most that there may be."""

    used: int
    idle: int
    most: int
