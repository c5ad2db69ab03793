"""What the API answers admins, as frozen structs; see `pasyans_client.models`."""

from datetime import datetime
from typing import Any

import msgspec


class AdminResult(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over; `game` is its id.

    `status` is `won`, `lost`, `abandoned` or `void`, `outcome` what it was before it was voided. `seed` is `None` until
    the day of a daily is over, `date` is `None` but on dailies, `ms_per_move` where no move stands.
    """

    game: str
    player: str
    variant: str
    rules: int
    kind: str
    seed: str | None
    date: str | None
    attempt: int
    status: str
    outcome: str
    score: int
    redeals: int
    moves: int
    undos: int
    elapsed_ms: int
    ms_per_move: int | None
    started_at: datetime
    finished_at: datetime


class AdminPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player as admins see them: banned and erased since when, `None` where not, and how many games there are."""

    name: str
    guest: bool
    created_at: datetime
    banned_at: datetime | None
    erased_at: datetime | None
    games: int
    running: int
    finished: int


class VoidedResults(msgspec.Struct, frozen=True, kw_only=True):
    """How many results a filter matched, and how many of them were voided: none where it was a `dry_run`."""

    dry_run: bool
    matched: int
    voided: int


class GameCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a game that was replayed from nothing, at a version.

    `difference` is a sentence about the first thing that is stored otherwise; `None` where it is `ok`.
    """

    game: str
    version: int
    ok: bool
    difference: str | None


class AuditDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What else there is to say of an entry: of results the filter and the numbers, of an admin token id and name."""

    filter: dict[str, Any] | None = None
    matched: int | None = None
    voided: int | None = None
    token: str | None = None
    name: str | None = None


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an admin did, or the operator on the command line: then `actor` is `None`.

    `action` is `voided`, `restored`, `results-voided`, `banned`, `unbanned`, `token-made` or `token-revoked`.
    """

    id: str
    at: datetime
    actor: str | None
    action: str
    game: str | None
    player: str | None
    reason: str | None
    note: str | None
    details: AuditDetails | None
