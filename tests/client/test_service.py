"""Every method of the client at the real service; nothing that the service answers is lost on the way."""

import json
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans_client import (
    AlreadyPlaying,
    Client,
    Conflict,
    DealSealed,
    Forbidden,
    GameOver,
    IllegalMove,
    InvalidRequest,
    NotFound,
    NothingLeft,
    StaleVersion,
    Unauthenticated,
    UnreadableMove,
)

from tests.client.plain import got, sent
from tests.support.service import Service
from tests.support.vectors import wins


@pytest.fixture(scope="module")
def anyone(service: Service) -> Iterator[Client]:
    with Client(service.url) as client:
        yield client


@pytest.fixture
def client(service: Service, anyone: Client) -> Iterator[Client]:
    with Client(service.url, anyone.create_player().token) as mine:
        yield mine


def test_players_and_tokens(service: Service, anyone: Client) -> None:
    name = f"p{uuid.uuid4().hex[:16]}"
    made = anyone.create_player(name)
    assert (made.name, made.guest) == (name, False)
    assert got(made) == sent(anyone)
    assert anyone.player(name.upper()).name == name
    assert got(anyone.player(name)) == sent(anyone)
    with Client(service.url, made.token) as client:
        assert client.me().name == name
        assert got(client.me()) == sent(client)
        second = client.create_token("phone")
        assert second.label == "phone"
        assert got(second) == sent(client)
        listed = list(client.tokens())
        assert [token.id for token in listed][1:] == [second.id]
        assert got(listed) == sent(client)["items"]
        with Client(service.url, second.token) as phone:
            assert phone.me().name == name
            client.revoke_token(second.id)
            with pytest.raises(Unauthenticated):
                phone.me()
        with pytest.raises(NotFound):
            client.revoke_token(second.id)


def test_a_name_is_taken_once(client: Client) -> None:
    name = f"p{uuid.uuid4().hex[:16]}"
    named = client.take_name(name)
    assert (named.name, named.guest) == (name, False)
    assert got(named) == sent(client)
    assert client.take_name(name) == named
    with pytest.raises(Conflict, match="a name is taken once"):
        client.take_name(f"q{uuid.uuid4().hex[:16]}")


def test_what_somebodys_games_came_to(client: Client) -> None:
    game = client.start_game("court")
    lost = client.resign(client.move(game.id, game.legal_moves[:1]).id)
    found = client.stats(client.me().name)
    assert got(found) == sent(client)
    court = next(each for each in found.variants if each.variant == "court")
    assert (court.played, court.won, court.median_elapsed_ms) == (1, 0, lost.elapsed_ms)
    assert court.best is not None
    assert (court.best.game, court.best.finished_at) == (game.id, lost.finished_at)
    with pytest.raises(NotFound):
        client.stats("nobody-at-all")


def test_everything_about_oneself_and_the_end(client: Client, anyone: Client) -> None:
    game = client.start_game("court", seed="hello")
    me = client.me()
    pieces = list(client.export())
    assert len(pieces) > 3
    whole = json.loads(b"".join(pieces))
    assert (whole["player"]["name"], [each["id"] for each in whole["games"]]) == (me.name, [game.id])
    client.erase()
    assert anyone.game(game.id).status == "abandoned"
    for call in (client.me, client.erase, lambda: list(client.export())):
        with pytest.raises(Unauthenticated):
            call()
    with pytest.raises(Unauthenticated):
        list(anyone.export())


def test_variants_rules_and_deals(anyone: Client) -> None:
    variants = anyone.variants()
    assert [variant.id for variant in variants] == list(VARIANTS)
    assert got(variants) == sent(anyone)["items"]
    for variant in variants:
        assert anyone.variant(variant.id) == variant
        assert got(variant) == sent(anyone)
        deal = anyone.deal(variant.id, "hello", rules=1)
        assert got(deal) == sent(anyone)
        assert {pile.id for pile in deal.piles} == {name for zone in variant.layout.zones for name in zone.piles}
    assert anyone.rules_page("congress").startswith("# ")
    with pytest.raises(NotFound):
        anyone.variant("bridge")
    with pytest.raises(InvalidRequest):
        anyone.deal("congress", "a b")


def test_a_game(client: Client) -> None:
    game = client.start_game("forty-thieves", seed="hello")
    assert (game.deal.kind, game.deal.seed, game.running) == ("shared", "hello", True)
    assert got(game) == sent(client)
    played = client.move(game.id, ["t8-f", "draw"])
    assert [event.move for event in played.events] == ["t8-f1", "draw"]
    assert [(c.source, c.source_index, c.to, c.to_index, c.card) for c in played.events[0].changes] == [
        ("t8", 3, "f1", 0, "AC")
    ]
    assert got(played) == sent(client)
    undone = client.undo(game.id, 2)
    assert (undone.moves, undone.undos, undone.redo_available) == (0, 2, 2)
    assert got(undone) == sent(client)
    assert client.redo(game.id).moves == 1
    assert client.game(game.id).version == 5
    assert got(client.game(game.id)) == sent(client)
    assert client.game(game.id, at=1).piles == game.piles
    ended = client.resign(game.id)
    assert (ended.status, ended.running, ended.legal_moves) == ("lost", False, ())
    events = list(client.events(game.id))
    assert got(events) == sent(client)["items"]
    assert [(event.type, event.move, event.count, event.outcome) for event in events] == [
        ("started", None, None, None),
        ("moved", "t8-f1", None, None),
        ("moved", "draw", None, None),
        ("undone", None, 2, None),
        ("redone", None, 1, None),
        ("finished", None, None, "lost"),
    ]
    assert [event.seq for event in client.events(game.id, after=4)] == [5, 6]


def test_a_daily(client: Client) -> None:
    today = client.dailies()
    assert got(today) == sent(client)["items"]
    assert [daily.variant for daily in today] == list(VARIANTS)
    assert {daily.seed for daily in today} == {None}
    for daily in today:
        assert daily.closes_at - daily.opens_at == timedelta(days=1)
    tomorrow = client.dailies(today[0].closes_at.date())
    assert got(tomorrow) == sent(client)["items"]
    assert tomorrow[0].opens_at == today[0].closes_at
    assert client.dailies(tomorrow[0].date) == tomorrow
    with pytest.raises(NotFound):
        client.dailies("1999-12-31")
    with pytest.raises(InvalidRequest):
        client.dailies("tomorrow")
    game = client.start_game("congress", daily=True)
    assert got(game) == sent(client)
    assert (game.deal.kind, game.deal.seed) == ("daily", None)
    try:
        playing = client.start_game("congress", daily=True)
    except AlreadyPlaying as refused:
        running = refused.game
    else:  # midnight has passed meanwhile
        running = game.id if playing.deal.date != game.deal.date else None
    assert running == game.id
    with pytest.raises(ValueError, match="not both"):
        client.start_game("congress", daily=True, seed="hello")


def test_a_game_of_a_daily_is_its_owners(client: Client, anyone: Client) -> None:
    game = client.start_game("court", daily=True)
    try:
        shown = anyone.game(game.id)
        until = None
    except DealSealed as sealed:
        shown, until = client.game(game.id), sealed.until
    (daily,) = (each for each in client.dailies(game.deal.date) if each.variant == "court")
    if client.dailies()[0].date == game.deal.date:  # else midnight has passed meanwhile, and all is shown
        assert until is not None
        assert datetime.fromisoformat(until) == daily.closes_at
        assert shown == game


def test_refusals(client: Client, service: Service, anyone: Client) -> None:
    game = client.start_game("forty-thieves", seed="hello")
    with pytest.raises(IllegalMove) as illegal:
        client.move(game.id, ["draw", "t1-t2"])
    assert (illegal.value.index, illegal.value.move, illegal.value.reason) == (1, "t1-t2", "wrong-suit")
    assert "draw" in illegal.value.legal_moves
    with pytest.raises(UnreadableMove) as unreadable:
        client.move(game.id, ["sing"])
    assert unreadable.value.reason is None
    with pytest.raises(NothingLeft) as nothing:
        client.undo(game.id)
    assert nothing.value.available == 0
    assert client.move(game.id, ["draw"], if_version=1).version == 2
    with pytest.raises(StaleVersion) as stale:
        client.move(game.id, ["draw"], if_version=1)
    assert stale.value.version == 2
    with Client(service.url, anyone.create_player().token) as other, pytest.raises(Forbidden):
        other.move(game.id, ["draw"])
    with pytest.raises(Unauthenticated):
        anyone.move(game.id, ["draw"])
    with pytest.raises(NotFound):
        client.game(str(uuid.uuid4()))
    with pytest.raises(InvalidRequest) as invalid:
        client.undo(game.id, 0)
    assert [path for path, _ in invalid.value.errors] == ["body.count"]
    client.resign(game.id)
    with pytest.raises(GameOver) as over:
        client.move(game.id, ["draw"])
    assert over.value.index == 0
    name = f"p{uuid.uuid4().hex[:16]}"
    anyone.create_player(name)
    with pytest.raises(Conflict) as taken:
        anyone.create_player(name)
    assert taken.value.code == "name-taken"
    assert taken.value.request_id


def test_the_same_key_does_nothing_twice(client: Client, anyone: Client) -> None:
    key = str(uuid.uuid4())
    assert anyone.create_player(key=key) == anyone.create_player(key=key)
    key = str(uuid.uuid4())
    game = client.start_game("congress", key=key)
    assert client.start_game("congress", key=key) == game
    first = client.move(game.id, ["draw"], key="k1")
    again = client.move(game.id, ["draw"], if_version=1, key="k1")
    assert again == first
    assert client.last_answer is not None
    assert client.last_answer.headers["idempotency-replayed"] == "true"
    assert client.game(game.id).moves == 1
    with pytest.raises(InvalidRequest) as mismatch:
        client.move(game.id, ["draw", "draw"], key="k1")
    assert mismatch.value.code == "idempotency-mismatch"


def test_lists_over_several_pages(client: Client) -> None:
    name = client.me().name
    made = [client.start_game("congress", seed=f"s{number}").id for number in range(5)]
    assert [game.id for game in client.games(player=name, limit=2)] == made[::-1]
    pages = list(client.game_pages(player=name, limit=2))
    assert [len(page) for page in pages] == [2, 2, 1]
    assert got(pages[-1]) == sent(client)["items"]
    assert [game.id for game in client.games(player=name, seed="s3", variant="congress", status="playing")] == [made[3]]
    assert list(client.game_pages(player=name, status="won")) == [[]]
    win = next(win for win in wins() if win.variant == "forty-thieves")
    game = client.start_game(win.variant, seed=win.seed)
    client.move(game.id, win.moves)
    assert len(win.moves) > 100
    assert [event.move for event in client.events(game.id)][1:-1] == win.moves


def test_records(client: Client) -> None:
    win = next(win for win in wins() if win.variant == "vokzal-36")
    game = client.start_game(win.variant, seed=win.seed)
    assert client.move(game.id, win.moves).status == "won"
    record = client.record(game.id)
    verified = client.verify(record, frames=True)
    assert verified.valid
    assert verified.game is not None
    assert (verified.game.status, verified.game.moves, verified.game.player) == (
        "won",
        len(win.moves),
        client.me().name,
    )
    verified = client.verify(record, frames=True)
    assert got(verified) == sent(client)
    assert verified.frames is not None
    assert [frame.event.move for frame in verified.frames[1:-1]] == win.moves
    assert client.verify(record).frames is None
    wrong = client.verify(record.replace(win.moves[0], "w-f1", 1))
    assert (wrong.valid, wrong.move, wrong.index, wrong.game) == (False, "w-f1", 0, None)
    assert wrong.line
    assert wrong.detail
    sealed = client.start_game("congress")
    with pytest.raises(DealSealed) as until:
        client.verify(client.record(sealed.id))
    assert until.value.until is None
