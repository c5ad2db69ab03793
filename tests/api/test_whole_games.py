"""Every game, played over HTTP from the deal to where it can't go on; its record verifies."""

from itertools import count

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans.record import decide
from pasyans.record.events import Deal, Started
from pasyans.record.game import Game, open_game

from tests.support.api import Player
from tests.support.games import PLAYER, choose

_MOVES_AT_MOST = 1500


def to_the_end(variant: str) -> tuple[str, list[str], Game]:
    """A seed, and moves on its deal that end in a game that is stuck, or else won."""
    for seed in map(str, count()):
        game = open_game(Started(variant, 1, Deal("shared", seed), PLAYER, 1), 0)
        moves: list[str] = []
        while game.legal_moves and not game.stuck and len(moves) < _MOVES_AT_MOST:
            moves.append(choose(game.legal_moves, f"{variant} {seed} {len(moves)}"))
            game = decide.play(game, moves[-1:], 0, is_sealed=False).game
        if game.stuck or game.is_over:
            return seed, moves, game
    raise AssertionError("unreachable")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_to_its_end(player: Player, http: httpx.Client, variant: str) -> None:
    seed, moves, end = to_the_end(variant)
    game = player.start(variant, seed)
    for first in range(0, len(moves), 500):
        assert game["stuck"] is False
        game = player.play(game, *moves[first : first + 500])
    assert (game["stuck"], game["status"]) == (end.stuck, end.status)
    assert (game["moves"], game["score"], game["legal_moves"]) == (len(moves), end.score, end.legal_moves)
    if game["status"] == "playing":
        game = player.act(game, "resign", {}).json()
        assert game["status"] == "lost"
    record = http.get(f"/v1/games/{game['id']}/record").text
    verified = http.post("/v1/records/verify", json={"record": record}).json()
    assert verified["valid"] is True
    for name in ("piles", "score", "moves", "status", "stuck"):
        assert verified["game"][name] == game[name], name
