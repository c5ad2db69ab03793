"""Admins' tokens: named, revocable, each in the audit."""

import asyncio
import json
from collections import Counter

import pytest
from msgspec import structs
from pasyans.server.clock import new_id
from pasyans.store.admin_values import AdminToken, AuditEntry, AuditFilter, NewAdminToken
from pasyans.store.errors import BadRow, NameTaken
from pasyans.store.postgres import PostgresStore

from tests.store.making import NOON, an_admin, new_player, noted, unique
from tests.store.servers import eventually


class Administering:
    async def test_a_token_tells_whose_it_is(self, store: PostgresStore) -> None:
        new = await an_admin(store)
        token = AdminToken(new.token_id, new.name, NOON, None, None)
        assert await store.admin_token(new.hash, NOON) == token
        assert await store.admin_token(bytes(32), NOON) is None

    async def test_players_and_admins_are_not_mixed_up(self, store: PostgresStore) -> None:
        player, token = new_player()
        await store.create_player(player, token)
        new = await an_admin(store)
        assert await store.admin_token(token.hash, NOON) is None
        assert await store.token_owner(new.hash, NOON) is None

    async def test_a_revoked_token_is_nobodys_at_once_and_stays_listed(
        self, store: PostgresStore, other: PostgresStore
    ) -> None:
        new = await an_admin(store)
        assert await other.admin_token(new.hash, NOON) is not None
        assert await store.revoke_admin_token(new.name, NOON + 5, noted("token-revoked", NOON + 5))
        assert await store.admin_token(new.hash, NOON) is None
        assert await other.admin_token(new.hash, NOON) is None
        assert not await store.revoke_admin_token(new.name, NOON + 6, noted("token-revoked", NOON + 6))
        (listed,) = [token for token in await store.admin_tokens() if token.token_id == new.token_id]
        assert (listed.name, listed.revoked_at) == (new.name, NOON + 5)

    async def test_a_name_is_one_tokens_as_long_as_that_is_in_force(self, store: PostgresStore) -> None:
        first = await an_admin(store)
        with pytest.raises(NameTaken):
            await an_admin(store, first.name)
        assert [token.name for token in await store.admin_tokens()].count(first.name) == 1
        await store.revoke_admin_token(first.name, NOON, noted("token-revoked"))
        second = await an_admin(store, first.name)
        assert await store.admin_token(first.hash, NOON) is None
        assert (await store.admin_token(second.hash, NOON)) is not None
        await store.revoke_admin_token(first.name, NOON + 9, noted("token-revoked"))
        revoked = {token.token_id: token.revoked_at for token in await store.admin_tokens()}
        assert (revoked[first.token_id], revoked[second.token_id]) == (NOON, NOON + 9)

    async def test_a_name_goes_to_one_of_those_who_ask_at_once(
        self, store: PostgresStore, other: PostgresStore
    ) -> None:
        name = unique("boss")
        outcomes = await asyncio.gather(
            *((store, other)[at % 2].create_admin_token(_new(name), noted("token-made")) for at in range(8)),
            return_exceptions=True,
        )
        assert Counter(type(outcome) for outcome in outcomes) == {type(None): 1, NameTaken: 7}

    async def test_the_audit_has_each_token_that_was_made_and_revoked_and_no_refusal(
        self, store: PostgresStore
    ) -> None:
        new = await an_admin(store)
        with pytest.raises(NameTaken):
            await an_admin(store, new.name)
        revoking = noted("token-revoked", NOON + 7)
        await store.revoke_admin_token(new.name, NOON + 7, revoking)
        await store.revoke_admin_token(new.name, NOON + 7, noted("token-revoked", NOON + 7))
        entries = [entry for entry in await _audit(store) if json.loads(entry.details or "{}").get("name") == new.name]
        assert [(entry.action, entry.at, entry.actor) for entry in entries] == [
            ("token-revoked", NOON + 7, None),
            ("token-made", NOON, None),
        ]
        assert entries[0].entry_id == revoking.entry_id
        assert [json.loads(entry.details or "") for entry in entries] == [
            {"token": str(new.token_id), "name": new.name}
        ] * 2

    async def test_a_token_and_its_entry_are_made_together_or_not_at_all(self, store: PostgresStore) -> None:
        new = await an_admin(store)
        again, making = _new(unique("boss")), noted("token-made")
        await store.note_audit(structs.replace(making, details="it was there before"))
        with pytest.raises(BadRow):
            await store.create_admin_token(again, making)
        assert await store.admin_token(again.hash, NOON) is None
        revoking = structs.replace(noted("token-revoked"), entry_id=making.entry_id)
        with pytest.raises(BadRow):
            await store.revoke_admin_token(new.name, NOON, revoking)
        assert await store.admin_token(new.hash, NOON) is not None

    async def test_use_is_noted_at_most_once_a_minute(self, store: PostgresStore) -> None:
        new = await an_admin(store)

        async def used(at: int) -> int | None:
            token = await store.admin_token(new.hash, at)
            assert token is not None
            return token.last_used_at

        await used(NOON + 1000)

        async def noted() -> int | None:
            (last,) = [token.last_used_at for token in await store.admin_tokens() if token.token_id == new.token_id]
            return last

        async def noted_once() -> bool:
            return await noted() == NOON + 1000

        async def noted_again() -> bool:
            return await noted() == NOON + 61_000

        await eventually(noted_once)
        assert await used(NOON + 60_000) == NOON + 1000
        assert await used(NOON + 61_000) == NOON + 1000
        await eventually(noted_again)


def _new(name: str) -> NewAdminToken:
    token_id = new_id(NOON)
    return NewAdminToken(token_id, name, token_id.bytes * 2, NOON)


async def _audit(store: PostgresStore) -> list[AuditEntry]:
    return await store.audit(AuditFilter(actions=("token-made", "token-revoked")), None, 1000)
