"""Every operation of version 1, in the order of the documentation."""

from typing import Final

from litestar.handlers import HTTPRouteHandler

from pasyans.api.v1 import (
    dailies,
    deals,
    events,
    games,
    leaderboards,
    moves,
    myself,
    pictures,
    players,
    records,
    replays,
    statistics,
    streams,
    tokens,
    variants,
)
from pasyans.api.v1.admin import audit
from pasyans.api.v1.admin import games as admin_games
from pasyans.api.v1.admin import players as admin_players
from pasyans.api.v1.admin import results as admin_results

HANDLERS: Final[tuple[HTTPRouteHandler, ...]] = (
    variants.listed,
    variants.one,
    variants.rules,
    deals.one,
    deals.stats,
    dailies.listed,
    games.start,
    games.listed,
    games.one,
    moves.moves,
    moves.undo,
    moves.redo,
    moves.resign,
    events.listed,
    replays.frames,
    streams.one,
    pictures.board,
    records.one,
    records.verify,
    players.create,
    players.me,
    players.rename,
    myself.exported,
    myself.erased,
    players.one,
    statistics.stats,
    leaderboards.top,
    leaderboards.around,
    tokens.create,
    tokens.listed,
    tokens.revoke,
    admin_results.listed,
    admin_results.void,
    admin_games.void,
    admin_games.restore,
    admin_games.verify,
    admin_players.listed,
    admin_players.ban,
    admin_players.unban,
    audit.listed,
)
