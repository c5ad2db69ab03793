"""Voiding, restoring and banning with what the audit says of it: all of it, or none."""

import asyncio
import random
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from msgspec import structs
from pasyans.store.admin_values import AuditEntry, AuditFilter
from pasyans.store.errors import BadRow, Conflict, KeyUsed, Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, Head, UsedKey

from tests.store.laws.boarding import finish, listed
from tests.store.making import NOON, a_game, a_player, an_admin, assert_whole, head, key, move, noted, result, unique
from tests.store.servers import PATIENCE, Urls, backends, eventually, opened, raw, without_deadlock


async def a_finished_game(store: PostgresStore, player_id: UUID | None = None, **changes: Any) -> Head:
    """A game that was lost."""
    game = await a_game(store, player_id, **changes)
    await store.append(finish(game))
    return await head(store, game.game_id)


def judged(game: Head, status: Any, actor: UUID | None = None, **changes: Any) -> Append:
    """The voiding or restoring of a game that is over, with its entry."""
    assert game.finished_at is not None
    at = game.updated_at + 1000
    return move(
        game,
        status,
        status=status,
        at=at,
        finished_at=game.finished_at,
        result=result(game, status, game.finished_at, outcome="lost"),
        audit=noted(
            "voided" if status == "void" else "restored",
            at,
            actor=actor,
            game_id=game.game_id,
            player_id=game.player_id,
            reason="error",
        ),
        **changes,
    )


async def entries_of(store: PostgresStore, player_id: UUID) -> list[AuditEntry]:
    """What the audit says of a player, the newest first."""
    return await store.audit(AuditFilter(player_id=player_id), None, 1000)


class Judging:
    async def test_a_voiding_takes_the_game_off_and_a_restoring_puts_it_back(self, store: PostgresStore) -> None:
        admin, seed = await an_admin(store), unique("seed")
        game = await a_finished_game(store, seed=seed)
        voiding = judged(game, "void", admin.token_id)
        await store.append(voiding)
        void = await head(store, game.game_id)
        assert (void.status, void.version, void.finished_at) == ("void", game.version + 1, game.finished_at)
        assert await listed(store, seed) == []
        restoring = judged(void, "lost", admin.token_id)
        await store.append(restoring)
        restored = await head(store, game.game_id)
        assert (restored.status, restored.version) == ("lost", game.version + 2)
        assert await listed(store, seed) == [(1, game.player_id, game.game_id)]
        await assert_whole(store, game.game_id)
        assert [structs.astuple(entry)[:9] for entry in await entries_of(store, game.player_id)] == [
            structs.astuple(append.audit) for append in (restoring, voiding) if append.audit is not None
        ]

    async def test_what_is_refused_is_in_no_audit(self, store: PostgresStore) -> None:
        admin, seed = await an_admin(store), unique("seed")
        game = await a_finished_game(store, seed=seed)
        mine = key("mine", scope=admin.token_id)
        await store.append(judged(game, "void", key=mine))
        void = await head(store, game.game_id)
        with pytest.raises(Conflict):
            await store.append(judged(game, "void"))
        for used in (judged(void, "lost", key=mine), judged(game, "void", key=mine)):
            with pytest.raises(KeyUsed):
                await store.append(used)
        unknown = judged(void, "lost", UUID(int=1))
        assert unknown.audit is not None
        again = structs.replace(unknown, audit=(await _first(store, game.player_id)))
        for bad in (unknown, again, structs.replace(judged(void, "lost"), status="mislaid")):
            with pytest.raises(BadRow):
                await store.append(bad)
        assert await head(store, game.game_id) == void
        assert await listed(store, seed) == []
        assert len(await entries_of(store, game.player_id)) == 1
        assert await store.used_key(mine.scope, mine.key) == UsedKey(
            mine.request, game.game_id, void.version, void.updated_at
        )

    @pytest.mark.parametrize("table", ["game_events", "results", "board_rows", "players", "audit"])
    async def test_a_session_killed_at_any_statement_leaves_nothing(self, urls: Urls, table: str) -> None:
        async with opened(urls.service, timeout=PATIENCE) as store, raw(urls.root) as root:
            seed = unique("seed")
            game = await a_finished_game(store, seed=seed)
            mine = key("mine", scope=game.player_id)
            other = await a_finished_game(store, game.player_id, seed=seed)
            append = judged(game, "void", key=mine)
            async with raw(urls.root) as blocker, blocker.transaction():
                if table == "players":
                    await blocker.execute("SELECT FROM players WHERE player_id = $1 FOR UPDATE", game.player_id)
                else:
                    await blocker.execute(f"LOCK TABLE {table} IN SHARE MODE")
                voiding = asyncio.create_task(store.append(append))
                await _kill(root, await _waiting(root, urls))
                with pytest.raises(Unavailable) as caught:
                    await voiding
            assert caught.value.written is False
            assert await head(store, game.game_id) == game
            best = min(game.game_id, other.game_id)
            assert await listed(store, seed) == [(1, game.player_id, best)]
            assert await entries_of(store, game.player_id) == []
            assert await store.used_key(mine.scope, mine.key) is None
            await store.append(append)
            assert [entry.action for entry in await entries_of(store, game.player_id)] == ["voided"]
            assert await listed(store, seed) == [(1, game.player_id, other.game_id)]

    async def test_who_asked_and_is_gone_does_not_matter(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=PATIENCE) as store, raw(urls.root) as root:
            seed = unique("seed")
            game = await a_finished_game(store, seed=seed)
            async with raw(urls.root) as blocker, blocker.transaction():
                await blocker.execute("LOCK TABLE audit IN SHARE MODE")
                voiding = asyncio.create_task(store.append(judged(game, "void")))
                await _waiting(root, urls)
                voiding.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await voiding
            await eventually(lambda: entries_of(store, game.player_id))
            assert (await head(store, game.game_id)).status == "void"
            assert await listed(store, seed) == []

    async def test_of_two_who_void_at_once_one_is_first(self, store: PostgresStore, other: PostgresStore) -> None:
        for _ in range(5):
            game = await a_finished_game(store)
            outcomes = await asyncio.gather(
                *(one.append(judged(game, "void")) for one in (store, other) for _ in range(2)), return_exceptions=True
            )
            assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 3
            assert len(await entries_of(store, game.player_id)) == 1
            await assert_whole(store, game.game_id)

    async def test_many_are_voided_together_but_for_those_that_moved_on(self, store: PostgresStore) -> None:
        admin, seed = await an_admin(store), unique("seed")
        players = [await a_player(store) for _ in range(3)]
        games = [await a_finished_game(store, player, seed=seed) for player in players for _ in range(3)]
        kept = await a_finished_game(store, players[0], seed=seed)
        await store.append(judged(games[4], "void", admin.token_id))
        appends = [judged(game, "void", admin.token_id) for game in games]
        others = {game.game_id for game in games} - {games[4].game_id}
        assert await store.void_many(appends) == others
        assert await listed(store, seed) == [(1, players[0], kept.game_id)]
        for game in games:
            stands = await head(store, game.game_id)
            assert (stands.status, stands.version) == ("void", game.version + 1)
            await assert_whole(store, game.game_id)
        entries = [entry for player in players for entry in await entries_of(store, player)]
        assert Counter(entry.game_id for entry in entries) == Counter(game.game_id for game in games)
        assert {(entry.action, entry.actor) for entry in entries} == {("voided", admin.token_id)}
        assert await store.void_many(appends) == await store.void_many([]) == set()
        with pytest.raises(BadRow):
            await store.void_many([structs.replace(appends[0], result=None)])

    async def test_a_session_killed_while_many_are_voided_leaves_nothing(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=PATIENCE) as store, raw(urls.root) as root:
            seed, player = unique("seed"), await a_player(store)
            games = [await a_finished_game(store, player, seed=seed) for _ in range(3)]
            async with raw(urls.root) as blocker, blocker.transaction():
                await blocker.execute("LOCK TABLE audit IN SHARE MODE")
                voiding = asyncio.create_task(store.void_many([judged(game, "void") for game in games]))
                await _kill(root, await _waiting(root, urls))
                with pytest.raises(Unavailable) as caught:
                    await voiding
            assert caught.value.written is False
            assert [await head(store, game.game_id) for game in games] == games
            assert await entries_of(store, player) == []
            assert len(await listed(store, seed)) == 1

    async def test_who_watches_is_told(self, store: PostgresStore, other: PostgresStore) -> None:
        game = await a_finished_game(store)
        told = [asyncio.Event(), asyncio.Event()]
        with store.watch(game.game_id, told[0].set), other.watch(game.game_id, told[1].set):
            await store.append(judged(game, "void"))
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*(one.wait() for one in told))

    async def test_everything_at_once(self, urls: Urls) -> None:
        """Voiding, restoring, banning and finishing, of the same players' games: no deadlock, and boards that hold."""
        seed, dice = unique("seed"), random.Random(11)
        async with without_deadlock(urls), opened(urls.service) as a, opened(urls.service) as b:
            players = [await a_player(a) for _ in range(3)]
            games = [(await a_finished_game(a, player, seed=seed)).game_id for player in players for _ in range(3)]

            async def judge(store: PostgresStore) -> None:
                game = await head(store, dice.choice(games))
                await store.append_many([judged(game, "lost" if game.status == "void" else "void")])

            async def void(store: PostgresStore) -> None:
                stand = [await head(store, game_id) for game_id in dice.sample(games, 4)]
                await store.void_many([judged(game, "void") for game in stand if game.status == "lost"])

            async def ban(store: PostgresStore) -> None:
                player = dice.choice(players)
                if not await store.ban(player, NOON, noted("banned", player_id=player)):
                    await store.unban(player, NOON, noted("unbanned", player_id=player))

            async def end(store: PostgresStore) -> None:
                await a_finished_game(store, dice.choice(players), seed=seed)

            for _ in range(12):
                todo = [dice.choice((judge, judge, void, ban, end))(dice.choice((a, b))) for _ in range(8)]
                await asyncio.gather(*todo)
            for player in players:
                await a.unban(player, NOON)
            for game_id in games:
                game = await head(a, game_id)
                if game.status == "lost":
                    await a.append(judged(game, "void"))
                await assert_whole(a, game_id)
            rows = await listed(a, seed)
            assert not {game_id for *_, game_id in rows} & set(games)
            for player in players:
                noted_of = Counter(entry.action for entry in await entries_of(a, player))
                # The last ban was taken back without an entry.
                assert noted_of["banned"] - noted_of["unbanned"] in (0, 1)
                assert noted_of["voided"] > 1

    async def test_a_ban_is_in_the_audit_where_it_changes_something(self, store: PostgresStore) -> None:
        seed = unique("seed")
        player = (await a_finished_game(store, seed=seed)).player_id
        banning = noted("banned", player_id=player, note="first")
        assert not await store.unban(player, NOON, noted("unbanned", player_id=player))
        assert await store.ban(player, NOON, banning)
        assert not await store.ban(player, NOON, noted("banned", player_id=player))
        assert [entry.entry_id for entry in await entries_of(store, player)] == [banning.entry_id]
        assert await listed(store, seed) == []
        unbanning = noted("unbanned", NOON + 1, player_id=player)
        assert await store.unban(player, NOON + 1, unbanning)
        assert [entry.entry_id for entry in await entries_of(store, player)] == [unbanning.entry_id, banning.entry_id]
        assert len(await listed(store, seed)) == 1
        assert not await store.ban(UUID(int=9), NOON, noted("banned", player_id=UUID(int=9)))
        assert await entries_of(store, UUID(int=9)) == []

    async def test_a_ban_and_its_entry_are_made_together_or_not_at_all(self, store: PostgresStore) -> None:
        seed = unique("seed")
        player = (await a_finished_game(store, seed=seed)).player_id
        mine = key("mine", scope=player)
        with pytest.raises(BadRow):
            await store.ban(player, NOON, noted("banned", actor=UUID(int=1), player_id=player), mine)
        assert len(await listed(store, seed)) == 1
        assert await store.used_key(player, mine.key) is None
        assert await store.ban(player, NOON, None, mine)

    async def test_a_key_of_a_ban_is_used_once_whether_something_changed_or_not(self, store: PostgresStore) -> None:
        admin, player = await an_admin(store), await a_player(store)
        first, second = (key(word, scope=admin.token_id) for word in ("first", "second"))
        assert await store.ban(player, NOON + 1, noted("banned", player_id=player), first)
        assert not await store.ban(player, NOON + 2, noted("banned", player_id=player), second)
        assert await store.used_key(first.scope, first.key) == UsedKey(first.request, player, 0, NOON + 1)
        assert await store.used_key(second.scope, second.key) == UsedKey(second.request, player, 0, NOON + 2)
        assert await store.unban(player, NOON + 3)
        for again in (first, second):
            with pytest.raises(KeyUsed):
                await store.ban(player, NOON + 4, noted("banned", player_id=player), again)
        assert len(await entries_of(store, player)) == 1


async def _first(store: PostgresStore, player_id: UUID) -> Any:
    """An entry that is there already, as if it were new."""
    entry = (await entries_of(store, player_id))[0]
    return structs.replace(noted("restored"), entry_id=entry.entry_id)


async def _waiting(root: Any, urls: Urls) -> int:
    """The one session that waits for a lock, once it does."""
    found: list[int] = []

    async def wait() -> bool:
        found[:] = await backends(
            root, urls.database, "application_name = 'pasyans' AND wait_event_type = 'Lock' AND state = 'active'"
        )
        return len(found) == 1

    await eventually(wait)
    return found[0]


async def _kill(root: Any, pid: int) -> None:
    await root.execute("SELECT pg_terminate_backend($1)", pid)
