"""The part of a store's interface that is for admins; `base` says what holds for all of it."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from uuid import UUID

from pasyans.store.admin_values import (
    AdminToken,
    AuditEntry,
    AuditFilter,
    NewAdminToken,
    NewAudit,
    PlayerFilter,
    PlayerRow,
    ResultFilter,
    ResultRow,
    ResultSort,
    SortValue,
    VerifiedGame,
)
from pasyans.store.values import Key


class AdminStore(ABC):
    """Admins' tokens, what admins look for, and the audit of what they did."""

    # tokens

    @abstractmethod
    async def create_admin_token(self, new: NewAdminToken, audit: NewAudit) -> None:
        """Make a token, and note it; the details of the entry say which.

        Raises `NameTaken` where a token in force has this name.
        """

    @abstractmethod
    async def revoke_admin_token(self, name: str, at: int, audit: NewAudit) -> bool:
        """End the token in force that has this name, and note it; False when there is none, and nothing is noted."""

    @abstractmethod
    async def admin_token(self, token_hash: bytes, at: int) -> AdminToken | None:
        """Which admin comes with a token at the time `at`; None when it is unknown or revoked.

        That it was used is noted in the background, at most once a minute.
        """

    @abstractmethod
    async def admin_tokens(self) -> list[AdminToken]:
        """Every token there ever was, in the order of making."""

    # looking for results and players; each in one snapshot, with more time than other reads

    @abstractmethod
    async def results(
        self, which: ResultFilter, sort: ResultSort, descending: bool, after: tuple[SortValue, UUID] | None, limit: int
    ) -> list[ResultRow]:
        """At most `limit` finished games, sorted by a column and then by id, behind a value of it and an id.

        Raises `BadRow` where the value is none of that column.
        """

    @abstractmethod
    async def count_results(self, which: ResultFilter) -> int:
        """How many finished games there are of those."""

    @abstractmethod
    def result_batches(
        self, which: ResultFilter, sort: ResultSort, descending: bool
    ) -> AsyncGenerator[list[ResultRow], None]:
        """All of them, some at a time, from one snapshot, however many there are.

        Close the generator when it is not taken to its end. Raises `Unavailable` also where several are under way
        already, or where the next rows are asked for too late.
        """

    @abstractmethod
    async def search_players(self, which: PlayerFilter, after: str | None, limit: int) -> list[PlayerRow]:
        """At most `limit` players, by their case-folded names, with names behind `after`."""

    @abstractmethod
    async def player_row(self, player_id: UUID) -> PlayerRow | None:
        """One player as `search_players` has it."""

    @abstractmethod
    async def verify_game(self, game_id: UUID) -> VerifiedGame | None:
        """Replay a game's log from nothing, and compare it with all that is stored; None when there is no such game.

        That is the chain of hashes, every move by the rules, the head and its snapshot, the result, and the player's
        rows on leaderboards; what is read is one snapshot.
        """

    # the audit

    @abstractmethod
    async def note_audit(self, audit: NewAudit, key: Key | None = None) -> None:
        """Add an entry; the key's subject is its id. Raises `KeyUsed`."""

    @abstractmethod
    async def audit_entry(self, entry_id: UUID) -> AuditEntry | None:
        """The entry with this id."""

    @abstractmethod
    async def audit(self, which: AuditFilter, before: UUID | None, limit: int) -> list[AuditEntry]:
        """At most `limit` entries, newest first, with ids below `before`."""
