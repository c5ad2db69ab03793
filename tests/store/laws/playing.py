"""Players and their tokens."""

import asyncio
from collections import Counter

import pytest
from msgspec import structs
from pasyans.server.clock import new_id
from pasyans.store.errors import NameTaken
from pasyans.store.postgres import PostgresStore
from pasyans.store.usage import refresh
from pasyans.store.values import Player, Token, TokenOwner

from tests.store.making import NOON, a_player, new_player, new_token, unique
from tests.store.servers import Urls, eventually, opened, serving


class Playing:
    async def test_a_player_is_found_by_id_and_name(self, store: PostgresStore) -> None:
        new, token = new_player(unique("Анна"), guest=True)
        await store.create_player(new, token)
        player = Player(new.player_id, new.name, guest=True, name_changes=0, created_at=NOON)
        assert await store.player(new.player_id) == player
        assert await store.player_by_name(new.name_key) == player
        assert await store.player_by_name(new.name) is None
        assert await store.player(token.token_id) is None

    async def test_a_name_is_taken_whole(self, store: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        again, another = new_player(new.name.upper())
        with pytest.raises(NameTaken):
            await store.create_player(again, another)
        assert await store.player(again.player_id) is None
        assert await store.token_owner(another.hash, NOON) is None

    async def test_a_name_goes_to_one_of_those_who_ask_at_once(
        self, store: PostgresStore, other: PostgresStore
    ) -> None:
        name = unique("Anna")
        tries = [new_player(name) for _ in range(8)]
        outcomes = await asyncio.gather(
            *((store, other)[at % 2].create_player(new, token) for at, (new, token) in enumerate(tries)),
            return_exceptions=True,
        )
        assert Counter(type(outcome) for outcome in outcomes) == {type(None): 1, NameTaken: 7}

    async def test_a_token_tells_its_owner(self, store: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        owner = TokenOwner(token.token_id, Player(new.player_id, new.name, False, 0, NOON))
        assert await store.token_owner(token.hash, NOON) == owner
        assert await store.token_owner(bytes(32), NOON) is None

    async def test_a_revoked_token_is_nobodys(self, store: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        stranger = await a_player(store)
        assert not await store.revoke_token(stranger, token.token_id, NOON)
        assert not await store.revoke_token(new.player_id, new_id(NOON), NOON)
        assert await store.token_owner(token.hash, NOON) is not None
        assert await store.revoke_token(new.player_id, token.token_id, NOON)
        assert await store.token_owner(token.hash, NOON) is None
        assert not await store.revoke_token(new.player_id, token.token_id, NOON)

    async def test_tokens_in_pages(self, store: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        more = [new_token(new.player_id, f"token {number}") for number in range(6)]
        for one in more:
            await store.create_token(one)
        await store.revoke_token(new.player_id, more[3].token_id, NOON)
        left = sorted([token, *more[:3], *more[4:]], key=lambda one: one.token_id)
        met: list[Token] = []
        while page := await store.tokens(new.player_id, met[-1].token_id if met else None, 4):
            assert len(page) <= 4
            met += page
        assert met == [Token(one.token_id, one.label, NOON, None) for one in left]

    async def test_use_is_noted_once_a_minute(self, urls: Urls) -> None:
        new, token = new_player()

        async def used(*times: int) -> int | None:
            async with opened(urls.service) as store:
                for at in times:
                    assert await store.token_owner(token.hash, at) is not None
            async with opened(urls.service) as store:  # closing waited for the note
                return (await store.tokens(new.player_id, None, 1))[0].last_used_at

        async with opened(urls.service) as store:
            await store.create_player(new, token)
        assert await used(NOON) == NOON
        assert await used(NOON + 59_999) == NOON
        assert await used(NOON + 60_000) == NOON + 60_000
        assert await used(NOON + 30_000) == NOON + 60_000

    async def test_use_of_many_tokens_is_noted(self, store: PostgresStore, other: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        hashes = [token.hash]
        for number in range(20):
            one = structs.replace(new_token(new.player_id), label=f"{number}")
            await store.create_token(one)
            hashes.append(one.hash)
        await asyncio.gather(*(mine.token_owner(one, NOON + 5) for one in hashes for mine in (store, other)))

        async def noted() -> bool:
            return {one.last_used_at for one in await store.tokens(new.player_id, None, 100)} == {NOON + 5}

        await eventually(noted)

    async def test_an_earlier_use_that_is_noted_later_changes_nothing(self, store: PostgresStore, urls: Urls) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        async with serving(urls.service) as connection:
            for at in (NOON + 5, NOON + 3):
                await refresh(connection, "tokens", {token.token_id: at})
        assert (await store.tokens(new.player_id, None, 1))[0].last_used_at == NOON + 5
