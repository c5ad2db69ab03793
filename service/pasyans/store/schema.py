"""What the code expects of the database that it serves from."""

from typing import Final

from pasyans.store.errors import ForeignSchema

SERVICE_ROLE: Final = "pasyans_service"
"""The role that serves requests; it may add to the log and never change it."""

REVISION: Final = "0008"
"""The migration that this code needs. Migrations only go forward, so a later one serves as well."""

CURRENT: Final = "SELECT version_num FROM alembic_version"
"""Asks for the last migration that was applied; there is no such table before the first."""


def suffices(revision: str) -> bool:
    """Whether a database at this migration has what the code needs. Raises `ForeignSchema`."""
    if not revision.isdecimal():
        raise ForeignSchema(
            f"The database's schema ({revision}) was made by another program. Use a database of the service's own."
        )
    return int(revision) >= int(REVISION)
