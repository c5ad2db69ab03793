"""The interface of a store.

Every method gives its value or raises an `errors.StoreError`; connection trouble and time running out come as
`Unavailable`. A value is given only after its commit. A caller may be cancelled at any moment: what it asked to be
written is then written whole or not at all, and its idempotency key tells which.
"""

from abc import abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from uuid import UUID

from pasyans.record.boards import Board
from pasyans.record.result import Result
from pasyans.store.admin_base import AdminStore
from pasyans.store.admin_values import NewAudit
from pasyans.store.errors import StoreError
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


class Store(AdminStore):
    """Players, tokens, games and their log; and, in `AdminStore`, what is for admins alone."""

    @abstractmethod
    async def open(self) -> None:
        """Connect. Raises `Misconfigured` when this database must not be served from, else `Unavailable`."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was asked for, then disconnect. Calls that come later raise `Unavailable`."""

    @abstractmethod
    async def check(self) -> None:
        """Return when the database answers and is migrated; raise `Unavailable` or `NotMigrated` otherwise."""

    @abstractmethod
    async def secret(self) -> bytes:
        """The server's own secret (32 bytes), the same for every process on this database."""

    # games

    @abstractmethod
    async def create_game(self, new: NewGame) -> Created:
        """Start a game, number its attempt and write its first event.

        Raises `KeyUsed`, `PlayerGone`, or `AlreadyPlaying` where the player has a running game of the same daily.
        """

    @abstractmethod
    async def head(self, game_id: UUID) -> Head | None:
        """The game as it stands, or None when there is no such game."""

    @abstractmethod
    async def log(self, game_id: UUID, after: int = 0, upto: int | None = None) -> list[LogRow]:
        """The log rows, in order, that hold any event with `after < seq <= upto`; whole rows, so the first and the
        last may reach beyond. Empty for an unknown game."""

    @abstractmethod
    async def games(self, which: GameFilter, before: UUID | None, limit: int) -> list[Head]:
        """At most `limit` games, newest first, with ids below `before`."""

    @abstractmethod
    async def running(self, after: UUID, before: UUID, limit: int) -> RunningPage:
        """The running ones among the first `limit` games, by id, with `after < id < before`."""

    @abstractmethod
    async def running_of(self, player_id: UUID, after: UUID | None, limit: int) -> list[UUID]:
        """At most `limit` running games of a player, by id, with ids above `after`."""

    @abstractmethod
    def watch(self, game_id: UUID, wake: Wake) -> Watch:
        """Call `wake` whenever the game may have moved, through whatever process, until the watch is closed.

        It is called in the event loop and must be quick. It tells nothing: read the game when the watch has begun, and
        again after each call. Some calls come without a move. A move through this process is told at once; one through
        another within moments, and where the connection between them is broken when it is there again, or half a
        minute later.
        """

    @abstractmethod
    def append(self, append: Append) -> Coroutine[Any, Any, Appended]:
        """Add events to a game if it still is where the caller believes it to be, and its author who.

        The call itself queues the append, so that the caller can do something else before awaiting the commit. With a
        result, the boards change in the same transaction; with an entry for the audit, so does the audit.

        Raises, when awaited, `KeyUsed` when the append's key has been used (then also when the game has moved on),
        `Conflict` when the game has moved on or the author is another, `Overloaded` when too many appends are waiting.
        """

    @abstractmethod
    async def append_many(self, appends: Sequence[Append]) -> list[Appended | StoreError]:
        """`append` for each, together; results in the order given, each judged on its own."""

    @abstractmethod
    async def void_many(self, appends: Sequence[Append]) -> set[UUID]:
        """Void different games in one transaction, which costs their players' boards once; those that had not moved on.

        The appends have no keys.
        """

    # what a player's games came to: sealed ones, and first attempts at dailies that ended before the day did

    @abstractmethod
    async def tallies(self, player_id: UUID, at: int) -> list[Tally]:
        """For each variant of which a player has games that count, what they came to.

        Void and abandoned games do not count. A running game that has moves, and could count if it ended at the time
        `at`, interrupts a streak and counts for nothing else.
        """

    @abstractmethod
    async def best_results(self, player_id: UUID) -> list[tuple[UUID, Result]]:
        """A player's best game that counts, with its id, for each variant and number of its rules."""

    # boards

    @abstractmethod
    async def board(self, board: Board, after: tuple[bytes, UUID] | None, limit: int) -> BoardPage:
        """At most `limit` rows of a board, the best first, behind a place and game."""

    @abstractmethod
    async def board_around(self, board: Board, player_id: UUID, count: int) -> BoardPage | None:
        """A player's row on a board with at most `count` rows before and behind it; None when the player has none."""

    @abstractmethod
    async def deal_games(self, variant: str, rules: int, seed: str) -> tuple[int, int]:
        """How many shared games on a deal were won or lost, and how many of them were won."""

    @abstractmethod
    async def fold_boards(self) -> int:
        """Make up the counts of the boards that have changed, which keeps ranks quick; how many changes there were."""

    @abstractmethod
    async def ban(self, player_id: UUID, at: int, audit: NewAudit | None = None, key: Key | None = None) -> bool:
        """Take a player off every board, now and later; False when the player is unknown or banned already.

        The entry for the audit is written where something changed, the key used whether it did or not: for a player
        who is off the boards already nothing is left to do. Raises `KeyUsed`.
        """

    @abstractmethod
    async def unban(self, player_id: UUID, at: int, audit: NewAudit | None = None, key: Key | None = None) -> bool:
        """Put a banned player back where the player's results belong; False when there is no such ban.

        As for the rest, see `ban`.
        """

    # daily deals

    @abstractmethod
    async def draw_dailies(self, drawn: Sequence[Daily]) -> None:
        """Draw these deals, except where one has been drawn for the same variant and date."""

    @abstractmethod
    async def dailies(self, first: str, last: str) -> list[Daily]:
        """The deals of the dates from `first` to `last`, both included, by date and variant."""

    # players and tokens

    @abstractmethod
    async def create_player(self, new: NewPlayer, token: NewToken, key: Key | None = None) -> None:
        """Make a player and its first token. Raises `KeyUsed` or `NameTaken`, the first of the two that applies."""

    @abstractmethod
    async def player(self, player_id: UUID) -> Player | None:
        """The player with this id."""

    @abstractmethod
    async def player_by_name(self, name_key: str) -> Player | None:
        """The player with this case-folded name."""

    @abstractmethod
    async def take_name(self, player_id: UUID, name: str, name_key: str) -> Player:
        """Give a guest a name; the player as it stands then, which is as before where it was no guest.

        Raises `NameTaken`, `PlayerGone`.
        """

    @abstractmethod
    async def begin_erasure(self, player_id: UUID, name: str, at: int) -> None:
        """Put `name`, which says nothing, in the place of a player's name, and let the player start nothing more.

        Does nothing where it has been done. Raises `NameTaken`.
        """

    @abstractmethod
    async def end_erasure(self, player_id: UUID) -> None:
        """Delete a player's tokens and idempotency keys. Does nothing where it has been done."""

    @abstractmethod
    async def erasures(self, limit: int) -> list[UUID]:
        """At most `limit` players whose erasure has begun and not ended."""

    @abstractmethod
    async def create_token(self, new: NewToken, key: Key | None = None) -> None:
        """Make one more token. Raises `KeyUsed`, `PlayerGone`."""

    @abstractmethod
    async def token_owner(self, token_hash: bytes, at: int) -> TokenOwner | None:
        """Who comes with a token at the time `at`; None when it is unknown or revoked.

        That it was used is noted in the background, at most once a minute.
        """

    @abstractmethod
    async def tokens(self, player_id: UUID, after: UUID | None, limit: int) -> list[Token]:
        """At most `limit` of a player's tokens in force, by id, with ids above `after`."""

    @abstractmethod
    async def revoke_token(self, player_id: UUID, token_id: UUID, at: int) -> bool:
        """End a token of this player; False when there is none such in force."""

    @abstractmethod
    async def kept_tokens(self, player_id: UUID, after: UUID | None, limit: int) -> list[KeptToken]:
        """At most `limit` of a player's tokens, in force or not, by id, with ids above `after`."""

    # idempotency

    @abstractmethod
    async def used_key(self, scope: UUID, key: bytes) -> UsedKey | None:
        """What a key (its hash) was used for, or None when it is free."""

    @abstractmethod
    async def kept_keys(self, scope: UUID, after: bytes | None, limit: int) -> list[KeptKey]:
        """At most `limit` used keys of a scope, by their hashes, with hashes above `after`."""

    @abstractmethod
    async def forget_keys(self, before: int) -> int:
        """Free the keys that were used before a time; how many."""

    # between servers, and for their operators

    @abstractmethod
    def tell(self, message: bytes) -> None:
        """Tell every other process on this database something: soon, at most 5,000 bytes, and it may be lost."""

    @abstractmethod
    def listen(self, hear: Callable[[bytes], None]) -> None:
        """Have `hear` called in the event loop with what others `tell`, from now on; it must be quick."""

    @abstractmethod
    async def board_changes(self, most: int) -> int:
        """How many changes of boards wait to be folded; `most` where there are more."""

    @abstractmethod
    def load(self) -> Load:
        """How busy this process's connections are."""
