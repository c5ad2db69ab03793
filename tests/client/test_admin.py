"""Every method of an admin's client at the real service, and what becomes of answers that break off."""

import csv
import io
import json
import tracemalloc
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans_client import (
    Admin,
    BadAnswer,
    Client,
    Conflict,
    ConnectionFailed,
    Forbidden,
    InvalidRequest,
    NotFound,
    Retry,
    StaleVersion,
    Unauthenticated,
)
from pasyans_client.admin_models import AdminResult

from tests.client.conftest import DROP, Stub, answer, problem
from tests.client.plain import got, sent
from tests.support.admins import Admin as Made
from tests.support.admins import new_admin, revoke
from tests.support.postgres import Postgres
from tests.support.service import Service

QUICK = Retry(attempts=3, first_wait=0.001)
HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/csv; header=present\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
VOIDED = {"dry_run": False, "matched": 1, "voided": 1}

Start = Callable[..., Stub]


@pytest.fixture(scope="module")
def made(service: Service, postgres: Postgres) -> Iterator[Made]:
    admin = new_admin(service.url, postgres)
    with admin.http:
        yield admin


@pytest.fixture
def admin(service: Service, made: Made) -> Iterator[Admin]:
    with Admin(service.url, made.token) as client:
        yield client


@pytest.fixture
def player(service: Service) -> Iterator[Client]:
    with Client(service.url) as anyone:
        token = anyone.create_player().token
    with Client(service.url, token) as client:
        yield client


@pytest.fixture
def seed() -> str:
    return uuid.uuid4().hex


def lose(client: Client, seed: str, moves: int = 1) -> str:
    game = client.start_game("congress", seed=seed)
    if moves:
        client.move(game.id, ["draw"] * moves)
    client.resign(game.id)
    return game.id


def test_results_their_order_and_their_pages(admin: Admin, player: Client, seed: str) -> None:
    games = [lose(player, seed, moves) for moves in (2, 0, 3, 1)]
    found = list(admin.results(seed=seed))
    assert got(found) == sent(admin)["items"]
    assert [result.game for result in found] == games[::-1]
    assert [(r.status, r.outcome, r.moves, r.ms_per_move is None, r.attempt) for r in found] == [
        ("lost", "lost", 1, False, 4),
        ("lost", "lost", 3, False, 3),
        ("abandoned", "abandoned", 0, True, 2),
        ("lost", "lost", 2, False, 1),
    ]
    assert {(r.player, r.variant, r.rules, r.kind, r.seed, r.date) for r in found} == {
        (player.me().name, "congress", 1, "shared", seed, None)
    }
    assert [r.moves for r in admin.results(seed=seed, sort="moves", limit=1)] == [0, 1, 2, 3]
    pages = list(admin.result_pages(seed=seed, sort="-moves", limit=2, most=3))
    assert [[r.moves for r in page] for page in pages] == [[3, 2], [1]]


def test_every_filter_of_results_reaches_the_service(admin: Admin, player: Client, seed: str) -> None:
    first, untouched = lose(player, seed, 2), lose(player, seed, 0)
    results = list(admin.results(seed=seed, sort="finished_at"))
    assert [result.game for result in results] == [first, untouched]
    ended = [result.finished_at for result in results]
    quick = {result.game for result in results if result.moves and result.elapsed_ms < 150 * result.moves}
    me = player.me().name
    whole = {untouched, first}
    for filters, games in (
        ({"variant": "congress"}, whole),
        ({"variant": "court"}, set()),
        ({"player": me.upper()}, whole),
        ({"player": "nobody-at-all"}, set()),
        ({"kind": "shared", "rules": 1}, whole),
        ({"kind": "daily"}, set()),
        ({"status": "abandoned"}, {untouched}),
        ({"outcome": "lost"}, {first}),
        ({"outcome": "abandoned", "status": "abandoned"}, {untouched}),
        ({"outcome": "lost", "status": "abandoned"}, set()),
        ({"since": ended[0]}, whole),
        ({"since": ended[0] + timedelta(milliseconds=1), "before": ended[1] + timedelta(milliseconds=1)}, {untouched}),
        ({"before": ended[0]}, set()),
        ({"fast": True}, quick),
        ({"fast": False}, whole - quick),
    ):
        assert {result.game for result in admin.results(seed=seed, **filters)} == games, filters
    admin.void(first, "test")
    assert {result.game for result in admin.results(seed=seed, outcome="lost")} == {first}
    assert list(admin.results(seed=seed, outcome="lost", status="lost")) == []
    table = b"".join(admin.results_csv(seed=seed, outcome="lost")).decode()
    assert [row["game"] for row in csv.DictReader(io.StringIO(table, newline=""))] == [first]
    with pytest.raises(InvalidRequest) as wrong:
        list(admin.results(kind="secret", outcome="void", sort="colour"))
    assert [path for path, _ in wrong.value.errors] == ["query.kind", "query.outcome", "query.sort"]
    with pytest.raises(ValueError, match="does not say its zone"):
        admin.results(since=datetime(2026, 11, 29))  # noqa: DTZ001


def test_the_csv_has_every_result_as_it_comes(admin: Admin, player: Client, seed: str) -> None:
    for moves in (1, 2):
        lose(player, seed, moves)
    target = io.BytesIO()
    admin.write_results(target, seed=seed, sort="moves")
    text = target.getvalue().decode()
    assert text.endswith("\r\n")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    results = list(admin.results(seed=seed, sort="moves"))
    assert [row["game"] for row in rows] == [result.game for result in results]
    assert tuple(rows[0]) == AdminResult.__struct_fields__
    assert [int(row["moves"]) for row in rows] == [1, 2]
    nothing = io.BytesIO()
    admin.write_results(nothing, seed=f"{seed}-none")
    assert nothing.getvalue() == text.splitlines(keepends=True)[0].encode()


def test_voiding_and_restoring(admin: Admin, player: Client, seed: str) -> None:
    game = lose(player, seed)
    void = admin.void(game, "cheating", note="too quick", if_version=3)
    assert got(void) == sent(admin)
    assert (void.status, void.version, void.legal_moves) == ("void", 4, ())
    assert [event.reason for event in player.events(game, after=3)] == ["cheating"]
    with pytest.raises(Conflict) as over:
        admin.void(game, "cheating")
    assert over.value.code == "not-finished"
    with pytest.raises(StaleVersion):
        admin.restore(game, "error", if_version=3)
    restored = admin.restore(game, "error", key="again")
    assert (restored.status, restored.version) == ("lost", 5)
    assert admin.restore(game, "error", key="again") == restored
    with pytest.raises(Conflict) as whole:
        admin.restore(game, "error")
    assert whole.value.code == "not-void"
    with pytest.raises(NotFound):
        admin.void(str(uuid.uuid4()), "test")
    with pytest.raises(InvalidRequest):
        admin.void(game, "spite")


def test_the_game_of_a_daily_is_voided_without_its_piles(admin: Admin, player: Client) -> None:
    game = player.start_game("court", daily=True)
    player.move(game.id, game.legal_moves[:1])
    player.resign(game.id)
    assert admin.void(game.id, "test").piles == ()


def test_voiding_by_a_filter(admin: Admin, player: Client, seed: str) -> None:
    games = [lose(player, seed, moves) for moves in (0, 1, 2)]
    counted = admin.void_results("test", seed=seed, dry_run=True)
    assert got(counted) == sent(admin)
    assert (counted.dry_run, counted.matched, counted.voided) == (True, 2, 0)
    since = datetime.now(UTC) - timedelta(hours=1)
    key = str(uuid.uuid4())
    done = admin.void_results("test", note="a trial", seed=seed, since=since, status="lost", key=key)
    assert (done.dry_run, done.matched, done.voided) == (False, 2, 2)
    assert [player.game(game).status for game in games] == ["abandoned", "void", "void"]
    assert admin.void_results("test", note="a trial", seed=seed, since=since, status="lost", key=key) == done
    assert admin.void_results("test", seed=seed).matched == 0
    admin.restore(games[1], "error")
    assert admin.void_results("test", seed=seed, outcome="won").matched == 0
    again = admin.void_results("test", seed=seed, outcome="lost")
    assert (again.matched, again.voided) == (1, 1)
    with pytest.raises(InvalidRequest) as untouched:
        admin.void_results("test", seed=seed, outcome="abandoned")
    assert [path for path, _ in untouched.value.errors] == ["body.filter.outcome"]
    with pytest.raises(InvalidRequest) as everything:
        admin.void_results("test")
    assert [path for path, _ in everything.value.errors] == ["body.filter"]


def test_a_player_is_found_by_name(admin: Admin, player: Client) -> None:
    me = player.me()
    assert admin.player(me.name.upper()) == me
    with pytest.raises(NotFound):
        admin.player("nobody-at-all")


def test_players_and_bans(admin: Admin, player: Client, seed: str) -> None:
    lose(player, seed)
    player.start_game("court")
    me = player.me().name
    (found,) = admin.players(search=me[2:].upper())
    assert got(found) == sent(admin)["items"][0]
    assert (found.name, found.guest, found.banned_at, found.games, found.running, found.finished) == (
        me, True, None, 2, 1, 1,
    )  # fmt: skip
    banned = admin.ban(me, "cheating", note="again")
    assert got(banned) == sent(admin)
    assert banned.banned_at is not None
    assert player.leaderboard("congress", seed=seed).items == ()
    assert admin.ban(me.upper(), "cheating") == banned
    assert [each.name for each in admin.players(search=me, banned=True)] == [me]
    assert list(admin.players(search=me, banned=False)) == []
    assert admin.unban(me, "error").banned_at is None
    assert [row.player for row in player.leaderboard("congress", seed=seed).items] == [me]
    with pytest.raises(NotFound):
        admin.ban("nobody-at-all", "test")


def test_players_come_by_name_and_page_by_page(admin: Admin, service: Service, seed: str) -> None:
    names = [f"q{seed[:16]}{letter}" for letter in "abc"]
    with Client(service.url) as anyone:
        for name in reversed(names):
            anyone.create_player(name)
    assert [player.name for player in admin.players(search=seed[:16], limit=1)] == names
    pages = list(admin.player_pages(search=seed[:16].upper(), limit=1, most=2))
    assert [[player.name for player in page] for page in pages] == [names[:1], names[1:2]]


def test_a_game_is_verified(admin: Admin, player: Client, seed: str) -> None:
    game = lose(player, seed)
    check = admin.verify(game)
    assert got(check) == sent(admin)
    assert (check.game, check.version, check.ok, check.difference) == (game, 3, True, None)
    with pytest.raises(NotFound):
        admin.verify(str(uuid.uuid4()))


def test_the_audit_and_its_filters(admin: Admin, made: Made, player: Client, seed: str) -> None:
    game, me = lose(player, seed), player.me().name
    admin.void(game, "cheating", note="too quick")
    admin.restore(game, "error")
    admin.ban(me, "other")
    admin.void_results("test", player=me, kind="shared")
    mine = list(admin.audit(actor=made.name, player=me))
    assert got(mine) == sent(admin)["items"]
    assert [(entry.action, entry.game, entry.reason, entry.note) for entry in mine] == [
        ("results-voided", None, "test", None),
        ("voided", game, "test", None),
        ("banned", None, "other", None),
        ("restored", game, "error", None),
        ("voided", game, "cheating", "too quick"),
    ]
    assert {(entry.actor, entry.player) for entry in mine} == {(made.name, me)}
    details = mine[0].details
    assert details is not None
    assert (details.matched, details.voided) == (1, 1)
    assert details.filter is not None
    assert {name: value for name, value in details.filter.items() if value is not None} == {
        "player": me, "kind": "shared",
    }  # fmt: skip
    assert [entry.action for entry in admin.audit(game=game, action="voided")] == ["voided", "voided"]
    assert [entry.id for entry in admin.audit(game=game, limit=1)] == [mine[1].id, mine[3].id, mine[4].id]
    assert [len(page) for page in admin.audit_pages(game=game, limit=2, most=3)] == [2, 1]
    assert list(admin.audit(game=game, before=mine[4].at)) == []
    assert len(list(admin.audit(game=game, since=mine[4].at))) == 3
    assert {entry.actor for entry in admin.audit(action="token-made")} == {None}


def test_only_admins_are_let_in_and_only_to_what_is_theirs(service: Service, postgres: Postgres) -> None:
    with Admin(service.url) as nobody, pytest.raises(Unauthenticated):
        list(nobody.results())
    with Client(service.url) as anyone, Admin(service.url, anyone.create_player().token) as other:
        with pytest.raises(Forbidden):
            list(other.players())
        with pytest.raises(Forbidden):
            list(other.results_csv())
    gone = new_admin(service.url, postgres)
    gone.http.close()
    with Client(service.url, gone.token) as as_player:
        with pytest.raises(Forbidden):
            as_player.me()
        assert len(as_player.variants()) == len(VARIANTS)
    with Admin(service.url, gone.token) as revoked:
        list(revoked.audit(action="banned"))
        revoke(gone, postgres)
        with pytest.raises(Unauthenticated):
            list(revoked.audit())


def test_a_csv_that_breaks_off_is_an_error_and_not_asked_for_again(stub: Start) -> None:
    server = stub(CHUNKED + b"6\r\ngame\r\n\r\n", answer(200, b""))
    target = io.BytesIO()
    with pytest.raises(ConnectionFailed, match="broke before the answer was whole"):
        Admin(server.url, "t", retry=QUICK).write_results(target)
    assert target.getvalue() == b"game\r\n"
    assert [seen.headers["accept"] for seen in server.seen] == ["text/csv"]


def test_a_csv_of_any_size_takes_little_memory(stub: Start, tmp_path: Path) -> None:
    server = stub(CHUNKED + (b"10000\r\n" + b"x" * 0x10000 + b"\r\n") * 1000 + b"0\r\n\r\n")
    target = tmp_path / "results.csv"
    with Admin(server.url, "t") as admin, target.open("wb") as file:
        tracemalloc.start()
        try:
            admin.write_results(file)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert target.stat().st_size == 1000 * 0x10000
    assert peak < 8_000_000


@pytest.mark.parametrize("failure", [DROP, problem(503, "unavailable"), CHUNKED])
def test_a_csv_is_asked_for_again_until_it_begins(stub: Start, failure: bytes) -> None:
    server = stub(failure, CHUNKED + b"6\r\ngame\r\n\r\n0\r\n\r\n")
    target = io.BytesIO()
    Admin(server.url, "t", retry=QUICK).write_results(target, sort="-moves", fast=True)
    assert target.getvalue() == b"game\r\n"
    assert [seen.target for seen in server.seen] == ["/v1/admin/results?fast=true&sort=-moves"] * 2


@pytest.mark.parametrize(
    ("whole", "complaint"),
    [
        (HEAD + b"\r\ngame\r\n", "does not tell where it ends"),
        (answer(200, {"items": []}, content_type="application/json"), "and not with text/csv"),
    ],
)
def test_an_answer_that_cannot_be_known_to_be_a_whole_csv_is_none(stub: Start, whole: bytes, complaint: str) -> None:
    target = io.BytesIO()
    with pytest.raises(BadAnswer, match=complaint):
        Admin(stub(whole).url, "t", retry=QUICK).write_results(target)
    assert target.getvalue() == b""


def test_a_voiding_whose_answer_is_lost_is_sent_again_with_the_same_key(stub: Start) -> None:
    server = stub(DROP, problem(503, "unavailable", written=None), answer(200, VOIDED))
    done = Admin(server.url, "t", retry=QUICK).void_results("test", seed="s", since=datetime(2026, 11, 29, tzinfo=UTC))
    assert done.voided == 1
    assert len({(seen.headers["idempotency-key"], seen.body) for seen in server.seen}) == 1
    assert len(server.seen) == 3
    assert json.loads(server.seen[0].body) == {
        "filter": {"seed": "s", "since": "2026-11-29T00:00:00Z"},
        "reason": "test",
        "note": None,
        "dry_run": False,
    }
