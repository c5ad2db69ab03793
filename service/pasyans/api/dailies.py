"""Daily deals: drawn a week before their day by whoever comes first, and found. No HTTP here."""

from collections.abc import Sequence
from typing import Final

from pasyans.api.deps import Dependencies
from pasyans.deals.days import day_of, days_from
from pasyans.deals.seeds import commitment
from pasyans.games import catalogue
from pasyans.store.values import Daily

_AHEAD: Final = 7


async def draw_ahead(deps: Dependencies) -> None:
    """Draw what is missing of today's deals and of those of the week that follows.

    Raises:
        StoreError: it could not be read or written.
    """
    await _drawn(deps, _coming(deps.clock()))


async def of_day(deps: Dependencies, day: str, now: int) -> list[Daily]:
    """Return the deals of a day, by variant; of today and the week that follows they are drawn if need be.

    There are none of a day further ahead, nor of a past one on which nobody drew.

    Raises:
        StoreError: it could not be read or written.
    """
    coming = _coming(now)
    if day > coming[-1]:
        return []
    return await _drawn(deps, [day]) if day in coming else await deps.store.dailies(day, day)


async def of_today(deps: Dependencies, variant: str, now: int) -> Daily:
    """Return the deal that is played at the time ``now``.

    Raises:
        StoreError: it could not be read or written.
    """
    found = await of_day(deps, day_of(now), now)
    return next(daily for daily in found if daily.variant == variant)


async def still_sealed(deps: Dependencies, seed: str | None, committed: str | None) -> Daily | None:
    """Return the deal of a day that is not over which has this seed or this commitment, if there is one.

    Raises:
        StoreError: it could not be read.
    """
    coming = _coming(deps.clock())
    for daily in await deps.store.dailies(coming[0], coming[-1]):
        if seed == daily.seed or committed == commitment(daily.seed):
            return daily
    return None


async def days_ahead(deps: Dependencies) -> int:
    """Return for how many days after today every variant's deal is drawn; -1 where today's are not.

    Raises:
        StoreError: it could not be read.
    """
    coming = _coming(deps.clock())
    there = {(daily.date, daily.variant) for daily in await deps.store.dailies(coming[0], coming[-1])}
    missing = (
        number for number, day in enumerate(coming) if any((day, each) not in there for each in catalogue.VARIANTS)
    )
    return next(missing, len(coming)) - 1


def _coming(now: int) -> list[str]:
    return days_from(day_of(now), 1 + _AHEAD)


async def _drawn(deps: Dependencies, days: Sequence[str]) -> list[Daily]:
    """Return the deals of days that follow one another, every variant's drawn."""
    found = await deps.store.dailies(days[0], days[-1])
    there = {(daily.date, daily.variant) for daily in found}
    missing = [(day, variant) for day in days for variant in catalogue.VARIANTS if (day, variant) not in there]
    if not missing:
        return found
    at = deps.clock()
    await deps.store.draw_dailies(
        [Daily(variant, day, deps.random_bytes(16).hex(), drawn_at=at) for day, variant in missing]
    )
    # Others may have drawn meanwhile: what counts is what is kept.
    return await deps.store.dailies(days[0], days[-1])
