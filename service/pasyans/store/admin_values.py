"""The values of what admins do: their tokens, the audit, and what they look for among results and players.

Times are integer milliseconds since the Unix epoch, UTC; hashes are bytes; ids are UUIDs made by the caller.
"""

from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from pasyans.record.events import DealKind, Outcome, VoidReason
from pasyans.record.result import Result

Reason = VoidReason

AuditAction = Literal["voided", "restored", "banned", "unbanned", "results-voided", "token-made", "token-revoked"]

ResultStatus = Literal["won", "lost", "abandoned", "void"]

ResultSort = Literal[
    "game",
    "player",
    "variant",
    "rules",
    "kind",
    "seed",
    "date",
    "attempt",
    "status",
    "outcome",
    "score",
    "redeals",
    "moves",
    "undos",
    "elapsed_ms",
    "ms_per_move",
    "started_at",
    "finished_at",
]

TEXT_SORTS: Final[frozenset[ResultSort]] = frozenset(
    ("game", "player", "variant", "kind", "seed", "date", "status", "outcome")
)
"""The columns that are sorted as text; the others as numbers of 64 bits."""

SortValue = int | str | None
"""What a row is sorted by; None where its column is empty, which comes last in both directions."""

FAST_MS: Final = 150
"""Milliseconds a move under which a game is fast."""


class NewAdminToken(Struct, frozen=True):
    """An admin's token to be made; `hash` is the SHA-256 (32 bytes) of its text, which is kept nowhere."""

    token_id: UUID
    name: str
    hash: bytes
    created_at: int


class AdminToken(Struct, frozen=True):
    """An admin's token, in force or not, without its hash. No two in force have one name."""

    token_id: UUID
    name: str
    created_at: int
    last_used_at: int | None
    revoked_at: int | None


class NewAudit(Struct, frozen=True):
    """An entry for the audit: who did what, when and why.

    `entry_id` is a UUIDv7 of the time `at`, by which the audit is ordered. `actor` is the id of an admin's token, None
    for the operator on the command line. `details` is JSON, without names of players.

    `note` is an admin's own words, for other admins alone. It is kept for ever, whoever is erased: nobody should be
    named in it.
    """

    entry_id: UUID
    at: int
    actor: UUID | None
    action: AuditAction
    game_id: UUID | None = None
    player_id: UUID | None = None
    reason: Reason | None = None
    note: str | None = None
    details: str | None = None


class AuditEntry(Struct, frozen=True):
    """An entry of the audit, with the name of the actor's token and the present name of the player."""

    entry_id: UUID
    at: int
    actor: UUID | None
    action: AuditAction
    game_id: UUID | None
    player_id: UUID | None
    reason: Reason | None
    note: str | None
    details: str | None
    actor_name: str | None
    player: str | None


class AuditFilter(Struct, frozen=True, kw_only=True):
    """Which entries to list; what is None (or empty) does not count, the rest counts all together.

    Of times, `since` is the first that matches and `before` the first that no longer does.
    """

    actor_name: str | None = None
    actions: tuple[AuditAction, ...] = ()
    game_id: UUID | None = None
    player_id: UUID | None = None
    since: int | None = None
    before: int | None = None


class ResultFilter(Struct, frozen=True, kw_only=True):
    """Which finished games to look for; what is None (or empty) does not count, the rest counts all together.

    `today` is the present UTC date (`2026-11-29`): the seed of a daily of that day or a later one neither matches nor
    decides an order. `statuses` are how games stand now; `outcome` is how they ended, whether or not they were voided
    since. `since` and `before` are of the finish: the first time that matches, and the first that no longer does.
    `fast` games took less than `FAST_MS` a move; those without moves are not fast.
    """

    today: str
    variant: str | None = None
    player_id: UUID | None = None
    seed: str | None = None
    kind: DealKind | None = None
    statuses: tuple[ResultStatus, ...] = ()
    outcome: Outcome | None = None
    rules: int | None = None
    since: int | None = None
    before: int | None = None
    fast: bool | None = None


class ResultRow(Struct, frozen=True):
    """A finished game in a list; `player` is the owner's present name.

    `value` is what the list is sorted by: with the id it is the place behind which the next page begins.
    """

    game_id: UUID
    player: str
    result: Result
    value: SortValue


class PlayerFilter(Struct, frozen=True, kw_only=True):
    """Which players to look for. `search` is a part of a name, case-folded; `banned` tells who is from who is not."""

    search: str | None = None
    banned: bool | None = None


class PlayerRow(Struct, frozen=True):
    """A player in a list, with the games ever started, those that run, and those that are over."""

    player_id: UUID
    name: str
    guest: bool
    created_at: int
    banned_at: int | None
    erased_at: int | None
    games: int
    running: int
    finished: int


class VerifiedGame(Struct, frozen=True):
    """A game that was replayed from nothing: the version it is at, and the first difference from what is stored.

    `difference` is a sentence, None where all is as the log says.
    """

    version: int
    difference: str | None
