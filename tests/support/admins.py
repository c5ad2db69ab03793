"""Admins of the service: a token each, made as the operator makes them, and what they do with it."""

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
from pasyans.api.auth import random_admin_token, token_hash
from pasyans.server import clock
from pasyans.store.admin_values import NewAdminToken, NewAudit
from pasyans.store.postgres import PostgresStore

from tests.support.api import connect
from tests.support.postgres import Postgres


@dataclass(frozen=True)
class Admin:
    """An admin token, and a client that has it."""

    name: str
    token: str
    http: httpx.Client

    def judge(
        self, game: dict[str, Any], action: str, reason: str = "cheating", note: str | None = None, **headers: str
    ) -> httpx.Response:
        """Void or restore a game."""
        body = {"reason": reason} | ({} if note is None else {"note": note})
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.post(f"/v1/admin/games/{game['id']}/{action}", json=body, headers=named)

    def results(self, **query: object) -> list[dict[str, Any]]:
        """All results that fit some filters, page by page."""
        found: list[dict[str, Any]] = []
        path = str(httpx.URL("/v1/admin/results", params={name: str(value) for name, value in query.items()}))
        while path:
            page = self.http.get(path)
            assert page.status_code == 200, page.text
            found += page.json()["items"]
            path = page.links["next"]["url"] if page.json()["next"] else ""
        return found

    def audit(self, **query: object) -> list[dict[str, Any]]:
        """The newest entries of the audit that fit some filters."""
        page = self.http.get("/v1/admin/audit", params={name: str(value) for name, value in query.items()})
        assert page.status_code == 200, page.text
        return list(page.json()["items"])


def new_admin(url: str, postgres: Postgres) -> Admin:
    """An admin of the service at `url`, on this database, with a name that nobody has."""
    name, token = f"admin-{uuid4().hex[:12]}", random_admin_token(clock.random_bytes(32))
    _operate(postgres, name, token)
    return Admin(name, token, connect(url, token))


def revoke(admin: Admin, postgres: Postgres) -> None:
    """End an admin's token, as the operator does."""
    _operate(postgres, admin.name, None)


def _operate(postgres: Postgres, name: str, token: str | None) -> None:
    async def run() -> None:
        store = PostgresStore(postgres.service_url, pool_size=1, allow_data_loss=True)
        await store.open()
        at = clock.Clock().now()
        id_ = clock.new_id(at)
        try:
            if token is not None:
                made = NewAdminToken(id_, name, token_hash(token), at)
                await store.create_admin_token(made, NewAudit(id_, at, None, "token-made"))
            else:
                assert await store.revoke_admin_token(name, at, NewAudit(id_, at, None, "token-revoked"))
        finally:
            await store.close()

    asyncio.run(run())
