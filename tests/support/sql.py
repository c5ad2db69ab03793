"""One statement on a database, for tests that look behind the service."""

import asyncio

import asyncpg


def query(url: str, statement: str, *values: object) -> list[tuple[object, ...]]:
    """Run `statement` in a session of its own; its rows."""

    async def run() -> list[tuple[object, ...]]:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            return [tuple(row) for row in await connection.fetch(statement, *values)]
        finally:
            await connection.close()

    return asyncio.run(run())
