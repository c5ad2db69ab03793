"""What the code expects of the database that it serves from."""

from typing import Final

SERVICE_ROLE: Final = "pasyans_service"
"""The role that serves requests; it may add to the log and never change it."""

REVISION: Final = "0001"
"""The migration that this code needs. Migrations only go forward, so a later one serves as well."""
