"""Starting a game: on a deal that is drawn, on the day's, or on one that the player names. No HTTP here."""

from uuid import UUID

import msgspec

from pasyans.api import dailies
from pasyans.api.deps import Dependencies
from pasyans.api.idempotency import once
from pasyans.api.members import Running
from pasyans.api.play import Played, game_of, replayed
from pasyans.api.problems import AlreadyPlaying
from pasyans.api.schemas.games import DailyDeal, SealedDeal, SharedDeal
from pasyans.games import catalogue
from pasyans.record.events import Deal, Started
from pasyans.record.game import Game, open_game
from pasyans.record.lines import encode
from pasyans.record.snapshot import encode_snapshot
from pasyans.store import errors as store
from pasyans.store.values import Created, Head, Key, NewGame, Player, UsedKey


async def start(
    deps: Dependencies,
    player: Player,
    variant: str,
    wanted: SealedDeal | SharedDeal | DailyDeal,
    key: Key | None,
) -> Played:
    """Start a game of ``variant`` on the deal that is wanted. The day is that of the service's clock, in UTC.

    Raises:
        AlreadyPlaying: the player has a running game of the same daily.
        IdempotencyMismatch, StoreError: as the modules say.
    """

    async def do() -> Played:
        at = deps.clock()
        game_id = deps.new_id(at)
        rules = catalogue.variant(variant).rules
        deal = await _deal(deps, variant, wanted, at)
        opened = open_game(Started(variant, rules, deal, str(player.player_id), 1), at)

        def build(attempt: int) -> tuple[str, bytes]:
            return encode([msgspec.structs.replace(opened.start, attempt=attempt)]), encode_snapshot(opened)

        new = NewGame(game_id, player.player_id, variant, rules, deal.kind, deal.seed, deal.date, at, build, key)
        try:
            created = await deps.store.create_game(new)
        except store.AlreadyPlaying as error:
            raise AlreadyPlaying(
                "You have a running game of this daily deal: go on with it, or end it first.", Running(error.game_id)
            ) from error
        # Not read back: a failure to read would say that nothing was written.
        head = _new_head(opened, player, game_id, created)
        return Played(head, game_of(head), [])

    async def repeat(used: UsedKey) -> Played:
        return await replayed(deps.store, used)

    return await once(deps.store, key, do, repeat)


async def _deal(deps: Dependencies, variant: str, wanted: SealedDeal | SharedDeal | DailyDeal, at: int) -> Deal:
    match wanted:
        case SharedDeal(seed):
            return Deal("shared", seed)
        case DailyDeal():
            daily = await dailies.of_today(deps, variant, at)
            return Deal("daily", daily.seed, daily.date)
        case SealedDeal():
            return Deal("sealed", deps.random_bytes(16).hex())


def _new_head(opened: Game, player: Player, game_id: UUID, created: Created) -> Head:
    start, deal = opened.start, opened.start.deal
    return Head(
        game_id=game_id,
        player_id=player.player_id,
        player=player.name,
        name_changes=player.name_changes,
        variant=start.variant,
        rules=start.rules,
        kind=deal.kind,
        seed=deal.seed,
        date=deal.date,
        attempt=created.attempt,
        version=opened.version,
        status=opened.status,
        started_at=opened.started_at,
        updated_at=opened.updated_at,
        finished_at=None,
        snapshot=encode_snapshot(opened),
        hash=created.hash,
    )
