"""How a connection to the database is made, and what has to be true of it before it serves."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import asyncpg

from pasyans.store.errors import BadUrl, NotDurable, NotMigrated, RoleRefused
from pasyans.store.schema import SERVICE_ROLE
from pasyans.store.trouble import TROUBLE, translated

Connection: TypeAlias = Any
"""An asyncpg connection, from the pool or not; asyncpg has no types of its own."""

Row: TypeAlias = Any
"""A row as asyncpg gives it, to be taken apart by position."""

_YEAR_2000: Final = 946_684_800_000  # PostgreSQL counts from here, in microseconds

_REFUSED: Final = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)


def dsn(url: str) -> str:
    """A database URL as asyncpg reads it: without the driver's name that SQLAlchemy puts behind the scheme."""
    scheme, separator, rest = url.partition("://")
    return scheme.partition("+")[0] + separator + rest


async def connect(
    url: str,
    *,
    within: float,
    patience: float | None = None,
    settings: Mapping[str, str] | None = None,
) -> Connection:
    """A new connection, made within so many seconds, with these session settings.

    A statement is cancelled from here after `patience` seconds; None leaves that to the server.
    Raises `BadUrl` or `Unavailable`.
    """
    try:
        return await asyncpg.connect(
            dsn(url),
            timeout=within,
            command_timeout=patience,
            server_settings={"application_name": "pasyans", **(settings or {})},
        )
    except _REFUSED as error:
        raise BadUrl(f"The database server refuses this user, password or database: {error}.") from error
    except TROUBLE as error:
        if isinstance(error, ValueError):  # asyncpg's words may repeat a piece of the password
            raise _unreadable() from None
        raise translated(error) from error
    except ValueError:
        raise _unreadable() from None


def _unreadable() -> BadUrl:
    return BadUrl(
        "The database's URL can't be read. It looks like postgresql://user:password@host:5432/database; "
        "characters such as @ and / in the password are written as %40 and %2F."
    )


async def prepare(connection: Connection, *, allow_data_loss: bool, as_owner: bool = False) -> None:
    """Make a new connection serve: as the service's role, durably, with times as milliseconds.

    `as_owner` leaves it the role that it came with.

    Raises `RoleRefused`, `NotMigrated` (there is no such role yet) or `NotDurable`.
    """
    user, fsync, commit = await connection.fetchrow(
        "SELECT current_user, current_setting('fsync'), current_setting('synchronous_commit')"
    )
    if not allow_data_loss and "off" in (fsync, commit):
        name = "fsync" if fsync == "off" else "synchronous_commit"
        raise NotDurable(
            f"The database runs with {name} = off and could lose moves that were acknowledged. Turn it on, "
            "or say that losing data is fine (PASYANS_ALLOW_DATA_LOSS=yes)."
        )
    if user != SERVICE_ROLE and not as_owner:
        await _take_role(connection, user)
    await connection.set_type_codec(
        "timestamptz", schema="pg_catalog", encoder=_to_microseconds, decoder=_to_milliseconds, format="tuple"
    )


async def _take_role(connection: Connection, user: str) -> None:
    try:
        await connection.execute(f"SET ROLE {SERVICE_ROLE}")
    except asyncpg.InsufficientPrivilegeError as error:
        raise RoleRefused(
            f"{user} may not act as {SERVICE_ROLE}. Connect as {SERVICE_ROLE}, or run as a superuser: "
            f'GRANT {SERVICE_ROLE} TO "{user}";'
        ) from error
    except asyncpg.InvalidParameterValueError as error:
        raise NotMigrated(f"There is no role {SERVICE_ROLE} yet: run `pasyansd migrate`.") from error


def _to_microseconds(milliseconds: int) -> tuple[int]:
    return ((milliseconds - _YEAR_2000) * 1000,)


def _to_milliseconds(microseconds: tuple[int]) -> int:
    return microseconds[0] // 1000 + _YEAR_2000
