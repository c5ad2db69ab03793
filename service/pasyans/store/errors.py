"""What the store raises.

StoreError
├── Conflict             the game has moved on; nothing was written
├── KeyUsed              the idempotency key has been used; nothing was written
├── NameTaken            another player, or token of an admin, has this name; nothing was written
├── PlayerGone           the player is being erased, or never was; nothing was written
├── AlreadyPlaying       the player has a running game of this daily; nothing was written
├── BadRow               the database refuses the values as such; nothing was written
├── Unavailable          the database is away, slow or lost its connection; `written` says what is known
│   └── Overloaded       the queue of appends is full; nothing was written
└── Misconfigured        the operator has to do something, and the message says what
    ├── BadUrl           the database's URL can't be read, or the server refuses it
    ├── NotMigrated      the schema is missing or too old
    ├── ForeignSchema    the schema is another program's
    ├── MigrationFailed  the database refused a migration, and nothing was changed
    ├── NotDurable       the server may lose what it has acknowledged
    └── RoleRefused      the service's role is missing or may not be taken on
"""

from typing import Literal
from uuid import UUID


class StoreError(Exception):
    """Whatever goes wrong in the store. Raised as itself only for what the database should never say."""


class Conflict(StoreError):
    """The game's version is no longer the expected one: load its head and decide anew."""


class KeyUsed(StoreError):
    """The idempotency key has been used in its scope: `used_key` tells for what."""


class NameTaken(StoreError):
    """Another player has this name, whatever the case of its letters; or another token in force of an admin."""


class PlayerGone(StoreError):
    """The player's erasure has begun, or there is no such player."""


class AlreadyPlaying(StoreError):
    """The player has a running game of the same daily deal: `game_id`."""

    def __init__(self, game_id: UUID) -> None:
        super().__init__("The player has a running game of this daily deal.")
        self.game_id = game_id


class BadRow(StoreError):
    """The database refuses the values themselves (out of range, against a CHECK): a fault of the caller."""


class Unavailable(StoreError):
    """The database did not answer in time, or not at all.

    `written` is False when nothing was written for certain, and None when the connection broke (or time ran out)
    while a commit was under way, so that only the log or the idempotency key can tell.
    """

    def __init__(self, message: str, *, written: Literal[False] | None) -> None:
        super().__init__(message)
        self.written = written


class Overloaded(Unavailable):
    """More appends are waiting than the queue takes; nothing was written."""

    def __init__(self, message: str) -> None:
        super().__init__(message, written=False)


class Misconfigured(StoreError):
    """The service can't work with this database until its operator changes something."""


class BadUrl(Misconfigured):
    """The database's URL can't be read, or the server knows no such user, password or database."""


class NotMigrated(Misconfigured):
    """The schema is missing or older than this code."""


class ForeignSchema(Misconfigured):
    """The database has a schema, and it is not the service's."""


class MigrationFailed(Misconfigured):
    """The database refused a migration; all of it was undone."""


class NotDurable(Misconfigured):
    """The server runs with fsync or synchronous_commit off and could lose acknowledged moves."""


class RoleRefused(Misconfigured):
    """The service's role does not exist, or the connecting user may not take it on."""
