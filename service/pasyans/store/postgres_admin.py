"""The part of the store in PostgreSQL that is for admins."""

from collections.abc import AsyncGenerator
from uuid import UUID

from pasyans.store import admins, finding, searching, verify
from pasyans.store import audit as audits
from pasyans.store.admin_base import AdminStore
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
from pasyans.store.database import Database
from pasyans.store.surveys import Surveys
from pasyans.store.usage import Usage
from pasyans.store.values import Key


class PostgresAdminStore(AdminStore):
    """What admins ask of a database; `surveys` reads it where it may be much."""

    def __init__(self, database: Database, surveys: Surveys) -> None:
        self._database = database
        self._surveys = surveys
        self._admin_usage = Usage(database, "admin_tokens")

    async def create_admin_token(self, new: NewAdminToken, audit: NewAudit) -> None:
        await self._database.write(lambda connection: admins.create(connection, new, audit))

    async def revoke_admin_token(self, name: str, at: int, audit: NewAudit) -> bool:
        return await self._database.write(lambda connection: admins.revoke(connection, name, at, audit))

    async def admin_token(self, token_hash: bytes, at: int) -> AdminToken | None:
        token = await admins.in_force(self._database, token_hash)
        if token is not None:
            self._admin_usage.note(token.token_id, token.last_used_at, at)
        return token

    async def admin_tokens(self) -> list[AdminToken]:
        return await admins.every(self._database)

    async def results(
        self, which: ResultFilter, sort: ResultSort, descending: bool, after: tuple[SortValue, UUID] | None, limit: int
    ) -> list[ResultRow]:
        return await finding.page(self._surveys, which, sort, descending, after, limit)

    async def count_results(self, which: ResultFilter) -> int:
        return await finding.count(self._surveys, which)

    def result_batches(
        self, which: ResultFilter, sort: ResultSort, descending: bool
    ) -> AsyncGenerator[list[ResultRow], None]:
        return finding.batches(self._surveys, which, sort, descending)

    async def search_players(self, which: PlayerFilter, after: str | None, limit: int) -> list[PlayerRow]:
        return await searching.search(self._surveys, which, after, limit)

    async def player_row(self, player_id: UUID) -> PlayerRow | None:
        return await searching.row(self._surveys, player_id)

    async def verify_game(self, game_id: UUID) -> VerifiedGame | None:
        return await verify.verify_game(self._surveys, game_id)

    async def note_audit(self, audit: NewAudit, key: Key | None = None) -> None:
        await self._database.write(lambda connection: audits.note(connection, audit, key))

    async def audit_entry(self, entry_id: UUID) -> AuditEntry | None:
        return await audits.entry(self._database, entry_id)

    async def audit(self, which: AuditFilter, before: UUID | None, limit: int) -> list[AuditEntry]:
        return await audits.listed(self._surveys, which, before, limit)
