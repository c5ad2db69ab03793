"""Finding the games that run."""

from uuid import UUID

from pasyans.server.clock import new_id
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Running, RunningPage

from tests.store.making import NOON, a_game, a_player, head, move

# A time that no other test starts games at: pages go over those of all players.
_THEN = NOON - 10**10


class Sweeping:
    async def test_pages_of_what_runs(self, store: PostgresStore) -> None:
        start, end = UUID(int=_THEN << 80), UUID(int=(_THEN + 100) << 80)
        player_id = await a_player(store)
        games = [await a_game(store, player_id, at=_THEN + number) for number in range(1, 8)]
        for number in (0, 2, 3, 4, 6):
            await store.append(move(games[number], status="lost", finished_at=_THEN + 50))
        await store.append(move(games[5], at=_THEN + 77))
        running = [Running(games[1].game_id, _THEN + 2), Running(games[5].game_id, _THEN + 77)]
        ids = [game.game_id for game in games]
        assert await store.running(start, end, 100) == RunningPage(running, ids[6])
        assert await store.running(start, end, 3) == RunningPage(running[:1], ids[2])
        assert await store.running(ids[2], end, 3) == RunningPage(running[1:], ids[5])
        assert await store.running(ids[2], ids[5], 3) == RunningPage([], ids[4])
        assert await store.running(ids[6], end, 3) == RunningPage([], None)

    async def test_what_runs_of_one_player(self, store: PostgresStore) -> None:
        player_id = await a_player(store)
        games = [await a_game(store, player_id, at=NOON + number) for number in range(4)]
        await a_game(store)
        await store.append(move(games[1], status="won", finished_at=NOON + 50))
        ids = [game.game_id for game in games]
        assert await store.running_of(player_id, None, 2) == [ids[0], ids[2]]
        assert await store.running_of(player_id, ids[2], 2) == [ids[3]]
        assert await store.running_of(new_id(NOON), None, 2) == []
        assert (await head(store, ids[1])).status == "won"
