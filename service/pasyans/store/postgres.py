"""The store in PostgreSQL: which part does what, and in which transaction."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final
from uuid import UUID

from pasyans.record.boards import Board
from pasyans.record.result import Result
from pasyans.store import boards, counting, dailies, heads, keys, log, players, settling, starting, tallies, tokens
from pasyans.store.admin_values import NewAudit
from pasyans.store.appending import seal
from pasyans.store.base import Store
from pasyans.store.database import Database
from pasyans.store.errors import BadRow, Conflict, KeyUsed, NotMigrated, StoreError
from pasyans.store.lookups import Lookups
from pasyans.store.measures import Measures, Unmeasured
from pasyans.store.notices import Notices
from pasyans.store.postgres_admin import PostgresAdminStore
from pasyans.store.schema import CURRENT, REVISION, suffices
from pasyans.store.surveys import Surveys
from pasyans.store.usage import Usage
from pasyans.store.values import (
    Append,
    Appended,
    BoardPage,
    Created,
    Daily,
    GameFilter,
    Head,
    KeptKey,
    KeptToken,
    Key,
    Load,
    LogRow,
    NewGame,
    NewPlayer,
    NewToken,
    Player,
    RunningPage,
    Tally,
    Token,
    TokenOwner,
    UsedKey,
)
from pasyans.store.watches import Wake, Watch
from pasyans.store.writer import Writer

_SECRET: Final = "SELECT hmac FROM secrets"  # noqa: S105 - the query, not the secret


class PostgresStore(PostgresAdminStore, Store):
    """A store on the database at `url`, for the use of one event loop.

    Connections: `pool_size`, one for appends and one for notices. `timeout`, in seconds, is for each statement and each
    wait for a connection; an append may wait for one statement before its own. `queue` is how many appends may wait.
    `look_again` is how often, in seconds, watched games are looked at without a notice. With `allow_data_loss` it also
    serves from a server that runs without fsync or synchronous_commit. `measures` is told of appends.

    What `result_batches` reads has up to `surveys.BATCHES_AT_ONCE` connections of its own, while it reads.
    """

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 8,
        timeout: float = 5.0,
        queue: int = 1024,
        look_again: float = 30.0,
        allow_data_loss: bool = False,
        measures: Measures | None = None,
    ) -> None:
        database = Database(url, size=pool_size, timeout=timeout, allow_data_loss=allow_data_loss)
        super().__init__(database, Surveys(database, size=pool_size))
        self._notices = Notices(database, every=look_again)
        self._writer = Writer(database, limit=queue, moved=self._notices.moved, measures=measures or Unmeasured())
        self._heads: Lookups[UUID] = Lookups(self._database, heads.HEADS)
        self._owners: Lookups[bytes] = Lookups(self._database, tokens.OWNERS)
        self._usage = Usage(database, "tokens")

    async def open(self) -> None:
        await self._database.open()
        try:
            await self.check()
            await self._writer.open()
        except BaseException:
            await self._database.close()
            raise
        self._notices.open()

    async def close(self) -> None:
        self._surveys.close()
        await self._writer.close()
        await self._notices.close()
        await self._database.close()

    async def check(self) -> None:
        try:
            row = await self._database.fetchrow(CURRENT)
        except NotMigrated:
            row = None
        if row is None or not suffices(row[0]):
            found = "no schema" if row is None else f"schema {row[0]}"
            raise NotMigrated(f"The database has {found}, this version needs {REVISION}: run `pasyansd migrate`.")

    async def secret(self) -> bytes:
        row = await self._database.fetchrow(_SECRET)
        if row is None:
            raise NotMigrated("The database has no secret; it is made by the first migration and must not be removed.")
        return bytes(row[0])

    async def create_game(self, new: NewGame) -> Created:
        return await self._database.write(lambda connection: starting.create(connection, new))

    async def head(self, game_id: UUID) -> Head | None:
        row = await self._heads.find(game_id)
        return None if row is None else heads.head_of(row)

    async def log(self, game_id: UUID, after: int = 0, upto: int | None = None) -> list[LogRow]:
        return await log.log(self._database, game_id, after, upto)

    async def games(self, which: GameFilter, before: UUID | None, limit: int) -> list[Head]:
        return await heads.games(self._database, which, before, limit)

    async def running(self, after: UUID, before: UUID, limit: int) -> RunningPage:
        return await heads.running(self._database, after, before, limit)

    async def running_of(self, player_id: UUID, after: UUID | None, limit: int) -> list[UUID]:
        return await heads.running_of(self._database, player_id, after, limit)

    async def tallies(self, player_id: UUID, at: int) -> list[Tally]:
        return await tallies.tallies(self._database, player_id, at)

    async def best_results(self, player_id: UUID) -> list[tuple[UUID, Result]]:
        return await tallies.best(self._database, player_id)

    def watch(self, game_id: UUID, wake: Wake) -> Watch:
        return self._notices.watch(game_id, wake)

    def append(self, append: Append) -> Coroutine[Any, Any, Appended]:
        return self._appended(append, self._queued(append))

    async def append_many(self, appends: Sequence[Append]) -> list[Appended | StoreError]:
        queued = [(append, self._queued(append)) for append in appends]
        return await asyncio.gather(*(self._judged(*each) for each in queued))

    async def void_many(self, appends: Sequence[Append]) -> set[UUID]:
        try:
            group = [seal(append) for append in appends]
        except (OverflowError, ValueError) as error:
            raise BadRow(f"These appends can't be stored: {error}") from error
        if not group:
            return set()
        voided = await self._database.write(lambda connection: settling.append(connection, group))
        self._notices.moved(sorted(voided))
        return voided

    async def board(self, board: Board, after: tuple[bytes, UUID] | None, limit: int) -> BoardPage:
        return await boards.page(self._database, board, after, limit)

    async def board_around(self, board: Board, player_id: UUID, count: int) -> BoardPage | None:
        return await boards.around(self._database, board, player_id, count)

    async def deal_games(self, variant: str, rules: int, seed: str) -> tuple[int, int]:
        return await boards.deal_games(self._database, variant, rules, seed)

    async def fold_boards(self) -> int:
        folded = 0
        while some := await self._database.write(counting.fold):
            folded += some
        return folded

    async def ban(self, player_id: UUID, at: int, audit: NewAudit | None = None, key: Key | None = None) -> bool:
        return await self._database.write(
            lambda connection: settling.ban(connection, player_id, at, audit, key, banned=True)
        )

    async def unban(self, player_id: UUID, at: int, audit: NewAudit | None = None, key: Key | None = None) -> bool:
        return await self._database.write(
            lambda connection: settling.ban(connection, player_id, at, audit, key, banned=False)
        )

    async def draw_dailies(self, drawn: Sequence[Daily]) -> None:
        await self._database.write(lambda connection: dailies.draw(connection, drawn))

    async def dailies(self, first: str, last: str) -> list[Daily]:
        return await dailies.listed(self._database, first, last)

    async def create_player(self, new: NewPlayer, token: NewToken, key: Key | None = None) -> None:
        await self._database.write(lambda connection: players.create(connection, new, token, key))

    async def player(self, player_id: UUID) -> Player | None:
        return await players.by_id(self._database, player_id)

    async def player_by_name(self, name_key: str) -> Player | None:
        return await players.by_name(self._database, name_key)

    async def take_name(self, player_id: UUID, name: str, name_key: str) -> Player:
        return await self._database.write(lambda connection: players.take_name(connection, player_id, name, name_key))

    async def begin_erasure(self, player_id: UUID, name: str, at: int) -> None:
        await self._database.write(lambda connection: players.begin_erasure(connection, player_id, name, at))

    async def end_erasure(self, player_id: UUID) -> None:
        await self._database.write(lambda connection: players.end_erasure(connection, player_id))

    async def erasures(self, limit: int) -> list[UUID]:
        return await players.erasures(self._database, limit)

    async def create_token(self, new: NewToken, key: Key | None = None) -> None:
        await self._database.write(lambda connection: tokens.create(connection, new, key))

    async def token_owner(self, token_hash: bytes, at: int) -> TokenOwner | None:
        row = await self._owners.find(token_hash)
        if row is None:
            return None
        owner, last_used_at = tokens.owner_of(row)
        self._usage.note(owner.token_id, last_used_at, at)
        return owner

    async def tokens(self, player_id: UUID, after: UUID | None, limit: int) -> list[Token]:
        return await tokens.after(self._database, player_id, after, limit)

    async def kept_tokens(self, player_id: UUID, after: UUID | None, limit: int) -> list[KeptToken]:
        return await tokens.kept(self._database, player_id, after, limit)

    async def revoke_token(self, player_id: UUID, token_id: UUID, at: int) -> bool:
        return await self._database.write(lambda connection: tokens.revoke(connection, player_id, token_id, at))

    async def used_key(self, scope: UUID, key: bytes) -> UsedKey | None:
        return await keys.used(self._database, scope, key)

    async def kept_keys(self, scope: UUID, after: bytes | None, limit: int) -> list[KeptKey]:
        return await keys.kept(self._database, scope, after, limit)

    async def forget_keys(self, before: int) -> int:
        return await keys.forget(self._database, before)

    def tell(self, message: bytes) -> None:
        self._notices.tell(message)

    def listen(self, hear: Callable[[bytes], None]) -> None:
        self._notices.listen(hear)

    async def board_changes(self, most: int) -> int:
        return await counting.waiting(self._database, most)

    def load(self) -> Load:
        return self._database.load()

    def _queued(self, append: Append) -> asyncio.Future[Appended | StoreError] | None:
        """Queue an append; None where it takes more than the writer's one statement, which is rare."""
        is_rare = append.status == "void" or append.audit is not None
        return None if is_rare else self._writer.queue(append)

    async def _appended(self, append: Append, queued: asyncio.Future[Appended | StoreError] | None) -> Appended:
        outcome = await self._judged(append, queued)
        if isinstance(outcome, StoreError):
            raise outcome
        return outcome

    async def _judged(
        self, append: Append, queued: asyncio.Future[Appended | StoreError] | None
    ) -> Appended | StoreError:
        """What became of an append. A key that has been used is the reason to give, if the game moved on as well."""
        outcome = await (self._append_alone(append) if queued is None else queued)
        key = append.key
        if key is None or not isinstance(outcome, Conflict):
            return outcome
        try:
            used = await self.used_key(key.scope, key.key)
        except StoreError as error:
            return error
        return outcome if used is None else KeyUsed("The game has moved on by this very key.")

    async def _append_alone(self, append: Append) -> Appended | StoreError:
        """Append in a transaction of its own what is rare, and takes more than the writer's one statement."""
        try:
            sealed = seal(append)
        except (OverflowError, ValueError) as error:
            return BadRow(f"This append can't be stored: {error}")
        try:
            added = await self._database.write(lambda connection: settling.append(connection, [sealed]))
        except StoreError as error:
            return error
        if not added:
            return Conflict("The game has moved on.")
        self._notices.moved([append.game_id])
        return Appended(sealed.hash)
