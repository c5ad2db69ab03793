"""Appends with an author: they go through only while the author is who the caller believes."""

import pytest
from msgspec import structs
from pasyans.server.clock import new_id
from pasyans.store.errors import Conflict
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Appended, Author, Head, NewPlayer, NewToken

from tests.store.making import NOON, a_game, head, move, new_player, new_token, texts, unique


async def a_seat(store: PostgresStore, *, guest: bool = False) -> tuple[NewPlayer, NewToken, Head]:
    """A player with a token, and a game of theirs."""
    new, token = new_player(guest=guest)
    await store.create_player(new, token)
    return new, token, await a_game(store, new.player_id)


class Authoring:
    async def test_an_append_of_an_author_in_force_goes_through(self, store: PostgresStore) -> None:
        _, token, game = await a_seat(store)
        await store.append(move(game, author=Author(token.token_id, 0)))
        assert await texts(store, game.game_id) == ["started 1", "moved"]
        over = await head(store, game.game_id)
        await store.append(
            move(over, "the end", status="lost", finished_at=NOON + 9000, author=Author(token.token_id, 0))
        )
        assert (await head(store, game.game_id)).status == "lost"

    async def test_a_revoked_token_appends_nothing(self, store: PostgresStore, other: PostgresStore) -> None:
        new, token, game = await a_seat(store)
        second = new_token(new.player_id, "second")
        await store.create_token(second)
        assert await other.revoke_token(new.player_id, token.token_id, NOON)
        with pytest.raises(Conflict):
            await store.append(move(game, author=Author(token.token_id, 0)))
        with pytest.raises(Conflict):
            await store.append(move(game, status="lost", finished_at=NOON + 9000, author=Author(token.token_id, 0)))
        assert await head(store, game.game_id) == game
        await store.append(move(game, author=Author(second.token_id, 0)))
        assert await texts(store, game.game_id) == ["started 1", "moved"]

    async def test_an_unknown_token_appends_nothing(self, store: PostgresStore) -> None:
        _, _, game = await a_seat(store)
        with pytest.raises(Conflict):
            await store.append(move(game, author=Author(new_id(NOON), 0)))
        assert await texts(store, game.game_id) == ["started 1"]

    async def test_a_new_name_is_a_conflict_until_it_is_known(self, store: PostgresStore, other: PostgresStore) -> None:
        new, token, game = await a_seat(store, guest=True)
        name = unique("Boris")
        await other.take_name(new.player_id, name, name.casefold())
        with pytest.raises(Conflict):
            await store.append(move(game, author=Author(token.token_id, 0)))
        await store.append(move(game, author=Author(token.token_id, 1)))
        assert (await head(store, game.game_id)).version == 2

    async def test_who_is_being_erased_appends_nothing(self, store: PostgresStore, other: PostgresStore) -> None:
        new, token, game = await a_seat(store)
        await other.begin_erasure(new.player_id, unique("deleted-"), NOON)
        for changes in (0, 1):
            with pytest.raises(Conflict):
                await store.append(move(game, author=Author(token.token_id, changes)))
        # The service itself ends the game, and is nobody's author.
        await store.append(move(game, status="abandoned", finished_at=NOON + 9000))

    async def test_in_a_group_each_author_is_judged_alone(self, store: PostgresStore) -> None:
        seats = [await a_seat(store) for _ in range(5)]
        for number in (1, 3):
            new, token, _ = seats[number]
            await store.revoke_token(new.player_id, token.token_id, NOON)
        appends = [move(game, author=Author(token.token_id, 0)) for _, token, game in seats]
        appends[4] = structs.replace(appends[4], author=None)
        outcomes = await store.append_many(appends)
        assert [type(outcome) for outcome in outcomes] == [Appended, Conflict, Appended, Conflict, Appended]
