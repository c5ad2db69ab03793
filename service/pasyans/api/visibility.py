"""Who may see what of a game: the one rule, which everything goes through that shows a card, an event or a seed.

Face-down cards are in no view, whoever looks. What is left to hide is the seed, from which every card follows, and the
game as a whole where its face-up cards would tell others of a deal that they may still play:

    deal     the game                              its seed
    shared   everybody's, always                   was never hidden
    sealed   everybody's, always                   opens when the game is over
    daily    the owner's alone until the day ends  opens when the day ends, to the owner too

The owner of a daily's game sees its seed no earlier than others, even after the game: there may be a second account.
"""

from uuid import UUID

import msgspec

from pasyans.api.members import Until
from pasyans.api.problems import DealSealed
from pasyans.api.schemas.games import GameDeal
from pasyans.deals.days import closes_at, day_of
from pasyans.deals.seeds import commitment
from pasyans.record.events import DealKind
from pasyans.record.game import Game, Status
from pasyans.record.ranking import is_ranked
from pasyans.record.result import Result
from pasyans.record.times import format_time
from pasyans.store.values import Daily, GameFilter, Head


class Sight(msgspec.Struct, frozen=True):
    """What shows of a game at one moment, beside what always does.

    ``is_open`` tells that the seed does; ``has_opened`` that it is a daily's, opened by the end of its day, which the
    ETag tells; ``is_private`` that nobody but the owner sees anything; ``is_ranked`` that the game counts, or could.
    ``opens_at`` is when all this will change by itself; ``None`` for never.
    """

    is_open: bool
    has_opened: bool
    is_private: bool
    is_ranked: bool
    opens_at: int | None


def look(head: Head, viewer: UUID | None, now: int) -> Sight:
    """Return what ``viewer``, a player or nobody known, sees of a game at the time ``now``.

    Raises:
        DealSealed: nothing, before its day ends.
    """
    sight = _sight(head.kind, head.date, head.attempt, head.status, head.finished_at, now)
    if sight.opens_at is not None and viewer != head.player_id:
        raise sealed("This is another player's game of a daily deal: look at it when the day is over.", sight.opens_at)
    return sight


def own(game: Game, at: int) -> Sight:
    """Return what the owner saw of ``game``, which may have gone on since, at the time ``at``."""
    start = game.start
    return _sight(start.deal.kind, start.deal.date, start.attempt, game.status, game.finished_at, at)


def _sight(kind: DealKind, day: str | None, attempt: int, status: Status, finished_at: int | None, now: int) -> Sight:
    ended_at = now if finished_at is None else finished_at
    ranked = is_ranked(kind, day, attempt, status, ended_at)
    if day is None:
        is_open = kind == "shared" or status != "playing"
        return Sight(is_open, has_opened=False, is_private=False, is_ranked=ranked, opens_at=None)
    over = day_is_over(day, now)
    return Sight(
        over, has_opened=over, is_private=not over, is_ranked=ranked, opens_at=None if over else closes_at(day)
    )


def day_is_over(day: str, now: int) -> bool:
    """Tell whether the daily deals of a day are open to everybody."""
    return now >= closes_at(day)


def daily_seed(daily: Daily, now: int) -> str | None:
    """Return the seed of a daily deal, once it may be known."""
    return daily.seed if day_is_over(daily.date, now) else None


def result_seed(result: Result, now: int) -> str | None:
    """Return the seed of a finished game's deal, once it may be known."""
    return result.seed if result.date is None or day_is_over(result.date, now) else None


def sealed(detail: str, opens_at: int | None) -> DealSealed:
    """Return the refusal to show a deal that opens at a time, or when its game ends."""
    return DealSealed(detail, Until(None if opens_at is None else format_time(opens_at)))


def listed(which: GameFilter, viewer: UUID | None, now: int) -> GameFilter:
    """Return which of some games are listed for ``viewer``: those that `look` does not refuse."""
    return msgspec.structs.replace(which, viewer=viewer, today=day_of(now))


def deal_seen(game: Game, *, is_open: bool) -> GameDeal:
    """Return a game's deal as it is seen; ``is_open`` tells that its seed is."""
    deal = game.start.deal
    return GameDeal(
        kind=deal.kind,
        seed=deal.seed if is_open else None,
        commitment=None if deal.kind == "shared" else commitment(deal.seed),
        date=deal.date,
    )
