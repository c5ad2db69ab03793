"""What PostgreSQL and asyncpg say, in the store's own errors."""

from typing import Final, Literal

import asyncpg

from pasyans.store.errors import BadRow, KeyUsed, NameTaken, NotMigrated, StoreError, Unavailable

TROUBLE: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
"""Everything that a call of the database can raise by its nature.

asyncpg's InternalClientError is among them: so it puts it when the server has just ended an idle connection.
"""

_UNIQUE: Final[dict[str, type[StoreError]]] = {"idempotency_pkey": KeyUsed, "players_name_key_key": NameTaken}

# Connection, rolled back by the server, out of resources, wrong state (locks), operator, system.
_PASSING: Final = ("08", "40", "53", "55", "57", "58")
_READ_ONLY: Final = ("25006", "25P03")  # a standby that is not yet the primary; a transaction that idled too long
_NO_SUCH: Final = ("42P01", "42703")  # table, column


def ends_connection(error: Exception) -> bool:
    """Whether after this error nobody knows what became of a statement that was under way.

    A server that answers with a plain error has rolled the statement back; values that asyncpg can't encode were never
    sent. All else may have struck after the commit.
    """
    if isinstance(error, asyncpg.DataError):
        return False
    return not (isinstance(error, asyncpg.PostgresError) and error.severity_en == "ERROR")


def translated(error: Exception, written: Literal[False] | None = False) -> StoreError:
    """The store's error for one of `TROUBLE`; `written` is what is known should the connection be at fault."""
    if isinstance(error, StoreError):
        return error
    if isinstance(error, asyncpg.UniqueViolationError) and error.constraint_name in _UNIQUE:
        return _UNIQUE[error.constraint_name](str(error))
    if isinstance(error, asyncpg.DataError | asyncpg.IntegrityConstraintViolationError):
        return BadRow(f"The database refuses these values: {error}")
    if not isinstance(error, asyncpg.PostgresError):
        return Unavailable(f"The database did not answer: {str(error) or type(error).__name__}", written=written)
    state = error.sqlstate or "08000"  # asyncpg's own: the connection is gone
    if state in _NO_SUCH:
        return NotMigrated(f"The database's schema is not what this version needs ({error}): run `pasyansd migrate`.")
    if state.startswith(_PASSING) or state in _READ_ONLY or ends_connection(error):
        return Unavailable(f"The database is not available: {error}", written=written)
    return StoreError(f"The database says what it never should: {state} {error}")
