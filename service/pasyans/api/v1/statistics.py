"""What a player's games came to."""

from typing import Final

from litestar import Response, get

from pasyans.api.answers import FRESH, answer
from pasyans.api.problems import NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.statistics import PlayerStats
from pasyans.api.statistics import player_stats
from pasyans.api.v1.players import PlayerName, player_of

_TAGS: Final = ["Players"]


@get(
    "/v1/players/{name:str}/stats",
    operation_id="getPlayerStats",
    summary="Show what a player's games came to",
    tags=_TAGS,
    errors=(NotFound,),
)
async def stats(request: ApiRequest, name: PlayerName) -> Response[PlayerStats]:
    """Show, for each variant, how many games a player finished and won, the streaks, the best game and the median time.

    What counts are sealed games, and first attempts at dailies that ended before the day did.
    """
    deps = request.deps
    player = await player_of(deps.store, name)
    return answer(await player_stats(deps.store, player, deps.clock()), FRESH)
