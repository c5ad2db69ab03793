"""The calls about leaderboards."""

from collections.abc import Iterator
from datetime import date
from typing import TypedDict, Unpack

from pasyans_client.calls import Caller, part, queried
from pasyans_client.results import Leaderboard, Neighbourhood


class BoardFilters(TypedDict, total=False):
    """Which games a leaderboard counts; what is left out, or `None`, is as the service has it unless told."""

    seed: str | None
    """Only shared games on this seed."""
    daily: date | str | None
    """Only the daily deal of this UTC date. With neither, the whole variant counts."""
    window: str | None
    """The `day`, `week` (from Monday) or `month` of the UTC calendar in which games ended; `all` is the default."""
    at: date | str | None
    """A date in that window; today unless told."""
    attempts: str | None
    """`best`, or `first`: only games with `attempt` 1, which is the default on a daily."""
    undo: str | None
    """`any`, which is the default, or `none`: only games in which nothing was undone."""
    rules: int | None
    """The number of the rules; the present one unless told."""


class Leaderboards(Caller):
    """Leaderboards: of a variant, of a daily deal, of a seed; see `Client`."""

    def leaderboard(self, variant: str, *, limit: int | None = None, **filters: Unpack[BoardFilters]) -> Leaderboard:
        """The top of a leaderboard: one row a player, the best first, `limit` of them (1-200, 50 unless told)."""
        return next(self.leaderboard_pages(variant, limit=limit, **filters))

    def leaderboard_pages(
        self, variant: str, *, limit: int | None = None, most: int | None = None, **filters: Unpack[BoardFilters]
    ) -> Iterator[Leaderboard]:
        """A leaderboard page after page, at least one, as they are asked for.

        `limit` is the size of a page, `most` how many rows there are to be in all. A row that moves meanwhile may be
        met twice or not at all.
        """
        query = queried({**filters, "limit": limit})
        return self._whole_pages(f"/v1/leaderboards/{part(variant, 'variant')}", query, Leaderboard, most=most)

    def leaderboard_around(
        self, variant: str, player: str, *, around: int | None = None, **filters: Unpack[BoardFilters]
    ) -> Neighbourhood:
        """A player's row on a leaderboard, and `around` rows above and below it (0-100, 5 unless told).

        Raises:
            NotFound: there is no such player, or no game of theirs counts there.
        """
        path = f"/v1/leaderboards/{part(variant, 'variant')}/players/{part(player, 'name')}"
        return self._get(path, Neighbourhood, queried({**filters, "around": around}))
