"""Boards when much happens at once: many finishes, voidings and bans, and connections that break."""

import asyncio
import random
from typing import Any
from uuid import UUID

import pytest
from pasyans.record.boards import board
from pasyans.store.errors import BadRow, Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, Appended, Head

from tests.store.making import NOON, a_game, a_player, head, move, result, unique
from tests.store.servers import APPENDING, PATIENCE, Urls, backends, eventually, locked, opened, raw, without_deadlock


def finish(game: Head, status: Any = "lost", after: int = 1000, **changes: Any) -> Append:
    """The end of a game."""
    at = game.started_at + after
    return move(game, status=status, at=at, finished_at=at, result=result(game, status, at, **changes))


async def listed(store: PostgresStore, seed: str) -> list[tuple[int, UUID, UUID]]:
    """Ranks, players and games of a seed's board."""
    on_seed = board("congress", 1, seed=seed)
    assert on_seed is not None
    page = await store.board(on_seed, None, 200)
    assert page.total == len(page.rows)
    return [(row.rank, row.player_id, row.game_id) for row in page.rows]


class Boarding:
    async def test_a_game_that_is_over_comes_with_a_result_and_no_other_does(self, store: PostgresStore) -> None:
        game = await a_game(store)
        for append in (
            move(game, status="lost", finished_at=NOON, result=None),
            move(game, result=result(game, "lost", NOON)),
            move(game, status="void", finished_at=NOON, result=None),
        ):
            (outcome,) = await store.append_many([append])
            assert isinstance(outcome, BadRow)
        assert (await head(store, game.game_id)).version == 1

    async def test_finishes_at_once_on_the_same_boards(self, urls: Urls) -> None:
        seed, dice = unique("seed"), random.Random(7)
        async with without_deadlock(urls), opened(urls.service) as a, opened(urls.service) as b:
            players = [await a_player(a) for _ in range(12)]
            games = [await a_game(a, player, seed=seed) for player in players for _ in range(5)]
            dice.shuffle(games)
            moves = {game.game_id: dice.randrange(10, 16) for game in games}
            sides = [(store, games[at::2]) for at, store in enumerate((a, b))]
            outcomes = await asyncio.gather(
                *(store.append(finish(game, moves=moves[game.game_id])) for store, side in sides for game in side),
                a.fold_boards(),
                b.fold_boards(),
            )
            assert sum(isinstance(outcome, Appended) for outcome in outcomes) == len(games)
            rows = await listed(a, seed)
            best = {
                player: min(moves[game.game_id] for game in games if game.player_id == player) for player in players
            }
            assert {player: moves[game_id] for _, player, game_id in rows} == best
            assert [rank for rank, _, _ in rows] == sorted(
                1 + sum(other < mine for other in best.values()) for mine in best.values()
            )

    async def test_two_games_of_a_player_end_while_a_better_one_is_voided(self, urls: Urls) -> None:
        """Whatever comes first, the best of what stands is on the board."""
        async with without_deadlock(urls), opened(urls.service) as a, opened(urls.service) as b:
            for _ in range(15):
                seed, player = unique("seed"), await a_player(a)
                best = await a_game(a, player, seed=seed)
                await a.append(finish(best, moves=1))
                best = await head(a, best.game_id)
                games = [await a_game(a, player, seed=seed) for _ in range(2)]
                await asyncio.gather(
                    a.append(finish(games[0], moves=3)),
                    b.append(move(best, status="void", finished_at=best.finished_at)),
                    b.append(finish(games[1], moves=2)),
                )
                assert await listed(a, seed) == [(1, player, games[1].game_id)]
                voided = await head(a, best.game_id)
                await b.append(finish(voided, moves=1))
                assert await listed(a, seed) == [(1, player, best.game_id)]

    async def test_a_ban_waits_for_a_finish_and_a_finish_for_a_ban(self, urls: Urls) -> None:
        async with opened(urls.service, timeout=PATIENCE) as store, raw(urls.root) as root:
            seed, player = unique("seed"), await a_player(store)
            game = await a_game(store, player, seed=seed)
            async with raw(urls.root) as banning, banning.transaction():
                await banning.execute("SELECT FROM players WHERE player_id = $1 FOR UPDATE", player)
                finishing = asyncio.create_task(store.append(finish(game)))
                await eventually(lambda: _waiting(root, urls))
                await banning.execute("UPDATE players SET banned_at = now() WHERE player_id = $1", player)
            await finishing
            assert await listed(store, seed) == []
            assert await store.unban(player, NOON)
            assert await listed(store, seed) == [(1, player, game.game_id)]
            assert not await store.unban(player, NOON)
            assert await store.ban(player, NOON)
            assert not await store.ban(player, NOON)
            assert await listed(store, seed) == []
            another = await a_game(store, player, seed=seed)
            await store.append(finish(another, moves=1))
            assert await listed(store, seed) == []
            await store.unban(player, NOON)
            assert await listed(store, seed) == [(1, player, another.game_id)]
            assert not await store.ban(UUID(int=5), NOON)

    @pytest.mark.parametrize("is_banned", [False, True])
    async def test_a_ban_comes_or_ends_while_a_finish_has_begun(self, urls: Urls, is_banned: bool) -> None:
        """The finish sees the player as they are when it gets to the boards, not as they were when it began."""
        async with opened(urls.service, timeout=PATIENCE) as store, raw(urls.root) as root:
            seed, player = unique("seed"), await a_player(store)
            game = await a_game(store, player, seed=seed)
            if is_banned:
                await store.ban(player, NOON)
            async with locked(urls, game.game_id):
                finishing = asyncio.create_task(store.append(finish(game)))
                await eventually(lambda: _waiting(root, urls))
                assert await (store.unban if is_banned else store.ban)(player, NOON)
            await finishing
            assert await listed(store, seed) == ([(1, player, game.game_id)] if is_banned else [])

    async def test_sessions_killed_while_games_end(self, urls: Urls) -> None:
        """A game is over with its row, or neither is."""
        seed = unique("seed")
        async with opened(urls.service) as store, raw(urls.root) as root:
            games = [await a_game(store, await a_player(store), seed=seed) for _ in range(40)]

            async def end(game: Head) -> None:
                while (await _head_at_last(store, game)).status == "playing":
                    await store.append_many([finish(game)])

            async def kill() -> None:
                for _ in range(12):
                    await asyncio.sleep(0.01)
                    for pid in await backends(root, urls.database, f"query LIKE '{APPENDING}%'"):
                        await root.execute("SELECT pg_terminate_backend($1)", pid)

            await asyncio.gather(kill(), *map(end, games))
            assert {game_id for _, _, game_id in await listed(store, seed)} == {game.game_id for game in games}
            assert await root.fetchval("SELECT count(*) FROM results WHERE seed = $1", seed) == len(games)

    async def test_a_rank_shared_by_many(self, store: PostgresStore) -> None:
        """More than a range of the counts has; who comes behind them is not counted one by one."""
        seed = unique("seed")
        games = [await a_game(store, await a_player(store), seed=seed) for _ in range(320)]
        await store.append_many([finish(game, moves=9) for game in games[:310]])
        await store.fold_boards()
        await store.append_many([finish(game, moves=10 + at % 2) for at, game in enumerate(games[310:])])
        on_seed = board("congress", 1, seed=seed)
        assert on_seed is not None
        for _ in range(2):
            for at, rank in ((0, 1), (309, 1), (310, 311), (311, 316)):
                near = await store.board_around(on_seed, games[at].player_id, 0)
                assert near is not None
                assert (near.rows[0].rank, near.total) == (rank, 320)
            await store.fold_boards()


async def _waiting(root: Any, urls: Urls) -> bool:
    return bool(await backends(root, urls.database, f"query LIKE '{APPENDING}%' AND wait_event_type = 'Lock'"))


async def _head_at_last(store: PostgresStore, game: Head) -> Head:
    while True:
        try:
            return await head(store, game.game_id)
        except Unavailable:
            continue
