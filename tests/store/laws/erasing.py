"""Names taken, and players erased."""

import asyncio
from collections import Counter

import pytest
from pasyans.store.connection import Connection
from pasyans.store.errors import NameTaken, PlayerGone
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Player

from tests.store.making import NOON, a_game, a_player, key, move, new_game, new_player, new_token, unique
from tests.store.servers import Urls, backends, eventually, raw


class Erasing:
    async def test_a_guest_takes_a_name_once(self, store: PostgresStore) -> None:
        new, token = new_player(unique("guest-"), guest=True)
        await store.create_player(new, token)
        name = unique("Ёлка")
        named = Player(new.player_id, name, guest=False, name_changes=1, created_at=NOON)
        assert await store.take_name(new.player_id, name, name.casefold()) == named
        assert await store.player_by_name(name.casefold()) == named
        assert await store.player_by_name(new.name_key) is None
        assert await store.take_name(new.player_id, unique("other"), unique("other")) == named

    async def test_a_name_that_is_taken_is_not_to_be_had(self, store: PostgresStore) -> None:
        owner, token = new_player()
        await store.create_player(owner, token)
        guest, token = new_player(unique("guest-"), guest=True)
        await store.create_player(guest, token)
        with pytest.raises(NameTaken):
            await store.take_name(guest.player_id, owner.name.upper(), owner.name_key)
        assert await store.player(guest.player_id) == Player(guest.player_id, guest.name, True, 0, NOON)
        with pytest.raises(PlayerGone):
            await store.take_name(token.token_id, unique("name"), unique("name"))

    async def test_a_name_goes_to_one_of_the_guests_who_ask_at_once(
        self, store: PostgresStore, other: PostgresStore
    ) -> None:
        guests = [new_player(unique("guest-"), guest=True) for _ in range(8)]
        for guest, token in guests:
            await store.create_player(guest, token)
        name = unique("anna")
        outcomes = await asyncio.gather(
            *((store, other)[at % 2].take_name(guest.player_id, name, name) for at, (guest, _) in enumerate(guests)),
            return_exceptions=True,
        )
        assert Counter(type(outcome) for outcome in outcomes) == {Player: 1, NameTaken: 7}

    async def test_the_name_goes_at_once_and_nothing_more_is_started(self, store: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        game = await a_game(store, new.player_id)
        deleted = unique("deleted-")
        await store.begin_erasure(new.player_id, deleted, NOON + 5)
        erased = Player(new.player_id, deleted, guest=False, name_changes=1, created_at=NOON, erased_at=NOON + 5)
        assert await store.player(new.player_id) == erased
        assert await store.player_by_name(new.name_key) is None
        owner = await store.token_owner(token.hash, NOON)
        assert owner is not None
        assert owner.player == erased
        await store.begin_erasure(new.player_id, unique("deleted-"), NOON + 6)
        assert await store.player(new.player_id) == erased
        with pytest.raises(PlayerGone):
            await store.create_game(new_game(new.player_id, seed=game.seed))
        with pytest.raises(PlayerGone):
            await store.create_token(new_token(new.player_id))
        with pytest.raises(PlayerGone):
            await store.take_name(new.player_id, unique("name"), unique("name"))
        await store.append(move(game))

    async def test_another_takes_the_name(self, store: PostgresStore) -> None:
        first, token = new_player()
        await store.create_player(first, token)
        await store.begin_erasure(first.player_id, unique("deleted-"), NOON)
        second, token = new_player(first.name)
        await store.create_player(second, token)
        third, token = new_player()
        await store.create_player(third, token)
        with pytest.raises(NameTaken):
            await store.begin_erasure(third.player_id, second.name_key, NOON)
        player = await store.player(third.player_id)
        assert player is not None
        assert (player.name, player.erased_at) == (third.name, None)

    async def test_tokens_and_keys_go_last(self, store: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        other = await a_player(store)
        for scope in (new.player_id, other):
            await store.create_token(new_token(scope), key("one", scope=scope))
            await store.create_game(new_game(scope, key=key("two", scope=scope)))
        await store.revoke_token(new.player_id, token.token_id, NOON + 1)
        assert new.player_id not in await store.erasures(1000)
        await store.begin_erasure(new.player_id, unique("deleted-"), NOON)
        assert new.player_id in await store.erasures(1000)
        assert len(await store.kept_tokens(new.player_id, None, 10)) == 2
        for _ in range(2):
            await store.end_erasure(new.player_id)
            assert new.player_id not in await store.erasures(1000)
            assert await store.kept_tokens(new.player_id, None, 10) == []
            assert await store.kept_keys(new.player_id, None, 10) == []
        assert await store.token_owner(token.hash, NOON) is None
        assert len(await store.kept_tokens(other, None, 10)) == 2
        assert len(await store.kept_keys(other, None, 10)) == 2

    @pytest.mark.parametrize("what", ["game", "token"])
    async def test_an_erasure_waits_for_what_is_being_started(
        self, store: PostgresStore, other: PostgresStore, urls: Urls, what: str
    ) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        started = new_game(new.player_id)
        # The transaction that starts something has written it and hangs before its commit.
        async with raw(urls.root) as root, raw(urls.root) as blocker, blocker.transaction():
            await blocker.execute(f"LOCK TABLE {what}s IN SHARE MODE")
            starting = asyncio.create_task(
                store.create_game(started) if what == "game" else store.create_token(new_token(new.player_id))
            )
            await _waiting(root, urls, 1)
            erasing = asyncio.create_task(other.begin_erasure(new.player_id, unique("deleted-"), NOON))
            await _waiting(root, urls, 2)
        await asyncio.gather(starting, erasing)
        if what == "game":
            assert await store.running_of(new.player_id, None, 10) == [started.game_id]
        else:
            assert len(await store.kept_tokens(new.player_id, None, 10)) == 2

    async def test_what_is_kept_comes_in_pages(self, store: PostgresStore) -> None:
        new, token = new_player()
        await store.create_player(new, token)
        more = [new_token(new.player_id, f"token {number}") for number in range(5)]
        for number, one in enumerate(more):
            await store.create_token(one, key(f"{number}", scope=new.player_id))
        await store.revoke_token(new.player_id, more[2].token_id, NOON + 7)
        tokens = await store.kept_tokens(new.player_id, None, 4)
        assert len(tokens) == 4
        tokens += await store.kept_tokens(new.player_id, tokens[-1].token_id, 4)
        assert {(one.label, one.revoked_at) for one in tokens} == {
            ("first", None),
            *((one.label, NOON + 7 if one is more[2] else None) for one in more),
        }
        keys = await store.kept_keys(new.player_id, None, 3)
        assert len(keys) == 3
        keys += await store.kept_keys(new.player_id, keys[-1].key, 3)
        assert {kept.subject for kept in keys} == {one.token_id for one in more}
        assert [kept.key for kept in keys] == sorted(kept.key for kept in keys)


async def _waiting(root: Connection, urls: Urls, count: int) -> None:
    """Return once so many sessions wait for a lock."""

    async def wait() -> bool:
        return len(await backends(root, urls.database, "wait_event_type = 'Lock'")) == count

    await eventually(wait)
