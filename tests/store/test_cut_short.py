"""What ends, judges or erases, cut off at every one of its statements: all of it is there, or nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace
from pasyans.record import decide
from pasyans.record.events import Deal, Started
from pasyans.server.clock import new_id
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.store import verify
from pasyans.store.connection import Connection
from pasyans.store.errors import KeyUsed, Unavailable
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import Append, UsedKey

from tests.store.making import NOON, key, new_player, noted
from tests.store.servers import PATIENCE, Urls, bare_database, eventually, opened, owning
from tests.support.cutting import Cutter, cutting
from tests.support.played import played
from tests.support.writing import Standing, appended, begun, ended, new_game

pytestmark = pytest.mark.anyio

_VARIANT, _SEED = "vokzal-36", "grandma"
_LATER = NOON + 3_600_000

_TABLES = (
    "tokens", "players", "games", "game_events", "attempts", "results", "board_rows", "board_counts", "board_changes",
    "audit", "idempotency",
)  # fmt: skip

# All that there is, without what is new each time.
_STATE = {
    "players": "SELECT banned_at, erased_at, name_changes, name LIKE 'deleted-%' FROM players",
    "tokens": "SELECT label, revoked_at FROM tokens",
    "heads": "SELECT kind, attempt, version, status, updated_at, finished_at FROM games",
    "log": "SELECT first_seq, last_seq, at, CASE WHEN first_seq > 1 THEN events END FROM game_events",
    "attempts": "SELECT seed, count FROM attempts",
    "results": "SELECT outcome, is_void, moves, undos, finished_at FROM results",
    "rows": "SELECT board, place, moves FROM board_rows JOIN results USING (game_id)",
    "counts": """
        SELECT board, place, sum(n) FROM (
            SELECT board, place, n FROM board_counts UNION ALL SELECT board, place, n FROM board_changes
        ) counted GROUP BY board, place HAVING sum(n) <> 0
    """,
    "audit": "SELECT at, action, reason FROM audit",
    "keys": "SELECT version, at, encode(key, 'hex') FROM idempotency",
}


@dataclass
class Deed:
    """What is cut short, and the key that it comes with, if there is one."""

    run: Callable[[PostgresStore], Awaitable[object]]
    used: UsedKey | None = None


@dataclass
class Scene:
    """A player with games, before something is done."""

    store: PostgresStore
    player: UUID
    games: int = 0

    async def begins(self, **changes: Any) -> tuple[UUID, Standing]:
        """Start a game on the one seed."""
        self.games += 1
        game_id, start = new_id(NOON + self.games), self.start(self.games)
        standing = begun(game_id, start, NOON + self.games)
        await self.store.create_game(new_game(game_id, standing, **changes))
        return game_id, standing

    def start(self, attempt: int) -> Started:
        return Started(_VARIANT, 1, Deal("shared", _SEED), str(self.player), attempt)

    async def loses(self, moves: int) -> tuple[UUID, Standing]:
        """Play a game and give it up."""
        game_id, standing = await self.begins()
        await self.store.append(ended(game_id, standing, played(_VARIANT, _SEED, moves), _LATER))
        return game_id, standing

    def key(self) -> Any:
        return key("mine", scope=self.player)

    def deed(self, append: Append) -> Deed:
        """An append with the key."""
        assert append.key is not None
        return Deed(
            lambda store: store.append(append), UsedKey(append.key.request, append.game_id, append.last_seq, append.at)
        )


async def _start(scene: Scene) -> Deed:
    game_id = new_id(NOON)
    new = new_game(game_id, begun(game_id, scene.start(1), NOON), scene.key())
    return Deed(lambda store: store.create_game(new), UsedKey(scene.key().request, game_id, 1, NOON))


async def _finish(scene: Scene) -> Deed:
    await scene.loses(3)
    game_id, standing = await scene.begins()
    return scene.deed(ended(game_id, standing, played(_VARIANT, _SEED, 2), _LATER, scene.key()))


async def _void(scene: Scene) -> Deed:
    await scene.loses(3)
    return scene.deed(_judged(scene, *await scene.loses(2), judge=decide.void))


async def _restore(scene: Scene) -> Deed:
    await scene.loses(3)
    game_id, standing = await scene.loses(2)
    decision = decide.void(standing.game, "error", _LATER)
    await scene.store.append(appended(game_id, standing, decision.events, decision.game))
    return scene.deed(_judged(scene, game_id, standing, judge=decide.restore))


def _judged(scene: Scene, game_id: UUID, standing: Standing, judge: Callable[..., decide.Decision]) -> Append:
    decision = judge(standing.game, "error", _LATER)
    append = appended(game_id, standing, decision.events, decision.game, scene.key())
    action: Any = "voided" if judge is decide.void else "restored"
    return replace(append, audit=noted(action, _LATER, game_id=game_id, player_id=scene.player, reason="error"))


async def _ban(scene: Scene) -> Deed:
    for moves in (3, 2):
        await scene.loses(moves)
    entry = noted("banned", _LATER, player_id=scene.player, reason="cheating")
    return Deed(
        lambda store: store.ban(scene.player, _LATER, entry, scene.key()),
        UsedKey(scene.key().request, scene.player, 0, _LATER),
    )


async def _unban(scene: Scene) -> Deed:
    for moves in (3, 2):
        await scene.loses(moves)
    await scene.store.ban(scene.player, NOON)
    entry = noted("unbanned", _LATER, player_id=scene.player, reason="error")
    return Deed(
        lambda store: store.unban(scene.player, _LATER, entry, scene.key()),
        UsedKey(scene.key().request, scene.player, 0, _LATER),
    )


async def _begin_erasure(scene: Scene) -> Deed:
    await scene.loses(2)
    await scene.begins()
    name = f"deleted-{scene.player.hex[-8:]}"
    return Deed(lambda store: store.begin_erasure(scene.player, name, _LATER))


async def _end_erasure(scene: Scene) -> Deed:
    await scene.begins(key=scene.key())
    await (await _begin_erasure(scene)).run(scene.store)
    return Deed(lambda store: store.end_erasure(scene.player))


_DEEDS = {
    "start": (_start, {"heads", "log", "attempts", "keys"}),
    "finish": (_finish, {"heads", "log", "results", "rows", "counts", "keys"}),
    "void": (_void, {"heads", "log", "results", "rows", "counts", "audit", "keys"}),
    "restore": (_restore, {"heads", "log", "results", "rows", "counts", "audit", "keys"}),
    "ban": (_ban, {"players", "rows", "counts", "audit", "keys"}),
    "unban": (_unban, {"players", "rows", "counts", "audit", "keys"}),
    "begin erasure": (_begin_erasure, {"players"}),
    "end erasure": (_end_erasure, {"tokens", "keys"}),
}


@pytest.fixture(scope="module")
def urls(bare_server: EmbeddedPostgres) -> Iterator[Urls]:
    with bare_database(bare_server.superuser_url, "cut_short") as urls:
        yield urls


@pytest.fixture
async def owner(urls: Urls) -> AsyncIterator[Connection]:
    async with owning(urls.root) as owner:
        yield owner


@pytest.fixture
async def store(urls: Urls) -> AsyncIterator[PostgresStore]:
    """A store whose connections hold."""
    async with opened(urls.service, allow_data_loss=True, timeout=PATIENCE) as store:
        yield store


@pytest.mark.parametrize("answered", [False, True], ids=["not run", "run"])
@pytest.mark.parametrize("deed", _DEEDS)
async def test_all_or_nothing(urls: Urls, owner: Connection, store: PostgresStore, deed: str, answered: bool) -> None:
    """The connection breaks before a statement is run or before its answer comes; first the first, at last none."""
    prepared, changed = _DEEDS[deed]
    whole = await prepared(await _scene(owner, store))
    before = await _state(owner)
    await whole.run(store)
    after = await _state(owner)
    assert {name for name in _STATE if before[name] != after[name]} == changed
    done: list[bool] = []
    with cutting(urls.service) as cutter:
        while True:
            scene = await _scene(owner, store)
            short = await prepared(scene)
            error = await _cut_short(cutter, short, len(done) + 1, store, answered=answered)
            state = await _state(owner)
            if error is None:
                assert state == after
                break
            assert state in ((before,) if error.written is False else (before, after))
            done.append(state == after)
            # Who does not know tries again.
            if state == after and short.used is not None:
                with pytest.raises(KeyUsed):
                    await short.run(store)
            else:
                await short.run(store)
            if short.used is not None:
                assert await store.used_key(scene.player, scene.key().key) == short.used
            assert await _state(owner) == after
    statements = len(done)
    # Only when the last answer is lost, that to the commit, all is done.
    assert done == [False] * (statements - 1) + [answered]
    assert (statements == 1) is (deed == "finish")


async def _cut_short(
    cutter: Cutter, deed: Deed, at: int, other: PostgresStore, *, answered: bool
) -> Unavailable | None:
    """Do something, cut off at a statement of it; None if it has no such statement, and so is done."""
    async with opened(cutter.url, allow_data_loss=True, timeout=PATIENCE) as store:
        await _hears(store, other)
        cutter.arm(at, answered=answered)
        error = None
        try:
            await deed.run(store)
        except Unavailable as caught:
            error = caught
        # A notice of what was done may have come to be the last statement.
        assert cutter.disarm() or error is None
        return error


async def _hears(store: PostgresStore, other: PostgresStore) -> None:
    """Wait until a store has its connection for notices, which sends nothing more by itself then."""
    heard = asyncio.Event()
    store.listen(lambda _: heard.set())

    async def told() -> bool:
        other.tell(b"")
        return heard.is_set()

    await eventually(told)


async def _scene(owner: Connection, store: PostgresStore) -> Scene:
    await owner.execute("; ".join(f"DELETE FROM {table}" for table in _TABLES))
    new, token = new_player()
    await store.create_player(new, token)
    return Scene(store, new.player_id)


async def _state(owner: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """What is stored, which has to be whole in itself."""
    verified = await verify.verify(owner, lambda _done, _total: None)
    assert verified.difference is None
    return {name: sorted(map(tuple, await owner.fetch(sql)), key=repr) for name, sql in _STATE.items()}
