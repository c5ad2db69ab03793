"""A sealed deal stays sealed while its game runs, whatever is asked."""

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS

from tests.support.api import Player, code, connect, faults
from tests.support.games import choose
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query


def overheard(client: httpx.Client, heard: list[str]) -> httpx.Client:
    """The client, whose answers from now on are noted, headers too."""
    client.event_hooks["response"].append(lambda response: heard.append(f"{response.headers}\n{response.text}"))
    return client


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_answer_of_a_running_sealed_game_holds_its_seed(
    player: Player, postgres: Postgres, service: Service, variant: str
) -> None:
    said: list[str] = []
    overheard(player.http, said)
    game = player.start(variant)
    ((seed,),) = query(postgres.admin_url, "SELECT seed FROM games WHERE game_id = $1", game["id"])
    assert isinstance(seed, str)
    path = f"/v1/games/{game['id']}"
    for number in range(12):
        move = choose(game["legal_moves"], f"{variant} {number}")
        game = player.play(game, move, Idempotency_Key=f"k{number}")
        player.play(game, move, Idempotency_Key=f"k{number}")
        player.act(game, "moves", {"moves": ["x-y"]})
        player.act(game, "moves", {"moves": ["hop"]})
        if not game["legal_moves"]:
            break
    player.act(game, "undo", {"count": 1})
    player.act(game, "redo", {"count": 1})
    with connect(service.url) as anybody:
        for http in (player.http, overheard(anybody, said)):
            for rest in ("", "?at=1", "/events", "/record", "?at=999", "?x=1"):
                http.get(path + rest)
            http.get(path, headers={"If-None-Match": '"1"'})
            http.get("/v1/games?limit=200")
            http.get(f"/v1/games?player={player.name}")
            listed = http.get(f"/v1/games?seed={seed}")
            assert listed.json()["items"] == []
    assert len(said) > 30
    assert not [each for each in said if seed in each]
    assert seed not in service.log
    over = player.act(game, "resign", {}).json()
    assert over["deal"]["seed"] == seed


@pytest.mark.parametrize(
    ("variant", "moves", "index"),
    [
        ("congress", ["draw", "draw"], 0),
        ("congress", ["t1-t2", "draw", "t1-t2"], 1),
        ("vokzal-36", ["r-t1", "draw"], 0),
        ("vokzal-36", ["r-f", "draw"], 0),
        ("vokzal-36", ["redeal", "draw"], 0),
        ("dolgiy", ["redeal", "redeal"], 0),
    ],
)
def test_what_turns_up_cards_comes_last_or_the_batch_is_not_looked_at(
    player: Player, variant: str, moves: list[str], index: int
) -> None:
    game = player.start(variant)
    refused = player.act(game, "moves", {"moves": moves})
    assert list(faults(refused)) == [f"body.moves[{index}]"]
    assert player.http.get(f"/v1/games/{game['id']}").json() == game
    shared = player.start(variant, "hello")
    assert player.act(shared, "moves", {"moves": moves}).status_code != 400


def test_the_last_of_a_batch_may_turn_up_a_card(player: Player) -> None:
    game = player.start("congress")
    assert player.play(game, "draw")["version"] == 2


def test_a_refusal_before_the_draw_tells_nothing_of_the_card_after_it(player: Player) -> None:
    game = player.start("congress")
    refused = player.act(game, "moves", {"moves": ["redeal", "draw"]})
    assert list(faults(refused)) == ["body.moves[0]"]
    refused = player.act(game, "moves", {"moves": ["t1-t1", "draw"]})
    assert (code(refused), refused.json()["index"]) == ("illegal-move", 0)
    assert refused.json()["legal_moves"] == game["legal_moves"]
