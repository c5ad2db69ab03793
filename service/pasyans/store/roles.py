"""Seeing to it that the service's role exists, as whoever migrates."""

import asyncpg

from pasyans.store.connection import Connection
from pasyans.store.errors import RoleRefused
from pasyans.store.schema import SERVICE_ROLE


async def ensure(connection: Connection) -> None:
    """Make the service's role unless it is there, and let the present user take it on where it may be granted.

    A role belongs to the server, not to a database, so it is no part of the schema. Where requests are served by a user
    of its own, the owner needs no grant, and not being able to give one is no fault.
    Raises `RoleRefused` when there is no role and the user may not make one.
    """
    user = await connection.fetchval("SELECT current_user")
    if not await connection.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", SERVICE_ROLE):
        await _create(connection, user)
    try:
        async with connection.transaction():
            await connection.execute(f"SET LOCAL ROLE {SERVICE_ROLE}")
    except asyncpg.InsufficientPrivilegeError:
        await _grant(connection)


async def _create(connection: Connection, user: str) -> None:
    try:
        await connection.execute(f"CREATE ROLE {SERVICE_ROLE} NOLOGIN")
    except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError):
        return  # another database of this server was migrated at the same time
    except asyncpg.InsufficientPrivilegeError as error:
        raise RoleRefused(
            f"There is no role {SERVICE_ROLE}, and {user} may not make one. Run as a superuser: "
            f'CREATE ROLE {SERVICE_ROLE} NOLOGIN; GRANT {SERVICE_ROLE} TO "{user}";'
        ) from error


async def _grant(connection: Connection) -> None:
    try:
        await connection.execute(f"GRANT {SERVICE_ROLE} TO CURRENT_USER")
    except asyncpg.InsufficientPrivilegeError:
        return
