"""Voiding, restoring and verifying a game."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from threading import Barrier
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support import vectors
from tests.support.admins import Admin, new_admin
from tests.support.api import Player, code, connect, faults
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.streams import streaming

WIN = next(win for win in vectors.wins() if win.variant == "vokzal-36" and len(win.moves) < 70)
# What differs between an answer and its repetition.
OWN = {"x-request-id", "date", "idempotency-replayed"}


@pytest.fixture
def second(service: Service, postgres: Postgres) -> Iterator[Admin]:
    """Another admin."""
    someone = new_admin(service.url, postgres)
    with someone.http:
        yield someone


@pytest.fixture
def lost(player: Player) -> dict[str, Any]:
    """A shared game that was lost."""
    return lose(player)


def lose(player: Player, seed: str | None = None, moves: int = 2) -> dict[str, Any]:
    game = player.start("vokzal-36", seed or f"s{uuid4().hex}")
    for _ in range(moves):
        game = player.play(game, game["legal_moves"][0])
    return dict(player.act(game, "resign", {}).json())


def board(http: httpx.Client, game: dict[str, Any]) -> list[dict[str, Any]]:
    answer = http.get(f"/v1/leaderboards/{game['variant']}", params={"seed": game["deal"]["seed"]})
    assert answer.status_code == 200
    return list(answer.json()["items"])


def events(http: httpx.Client, game: dict[str, Any]) -> list[dict[str, Any]]:
    return list(http.get(f"/v1/games/{game['id']}/events?limit=200").json()["items"])


def assert_same(first: httpx.Response, again: httpx.Response) -> None:
    assert first.is_success, first.text
    assert (again.status_code, again.content) == (first.status_code, first.content)
    headers = [{name: value for name, value in each.headers.items() if name not in OWN} for each in (first, again)]
    assert headers[0] == headers[1]
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"


def test_a_void_game_counts_for_nothing_and_is_seen_by_all(
    admin: Admin, player: Player, http: httpx.Client, lost: dict[str, Any]
) -> None:
    assert [row["game"] for row in board(http, lost)] == [lost["id"]]
    answer = admin.judge(lost, "void", "error", note="a word among admins")
    assert (answer.status_code, answer.headers["etag"]) == (200, '"5"')
    void = answer.json()
    changed = {"status": "void", "version": 5, "updated_at": void["updated_at"]}
    assert void == {name: value for name, value in (lost | changed).items() if name != "events"}
    assert void["updated_at"] >= lost["updated_at"] == void["finished_at"]
    seen = http.get(f"/v1/games/{lost['id']}")
    assert (seen.content, seen.headers["etag"]) == (answer.content, '"5"')
    assert board(http, lost) == []
    assert http.get(f"/v1/variants/vokzal-36/deals/{lost['deal']['seed']}/stats").json()["games"] == 0
    *_, event = events(http, lost)
    assert event == {"type": "voided", "seq": 5, "at": void["updated_at"], "changes": [], "reason": "error"}
    for rest in ("", "/events", "/replay", "/record", "/board.svg"):
        assert "a word among admins" not in player.http.get(f"/v1/games/{lost['id']}{rest}").text
    assert "a word among admins" not in player.http.get("/v1/players/me/export").text


def test_a_restored_game_is_what_it_was(admin: Admin, player: Player, http: httpx.Client) -> None:
    won = player.play(player.start("vokzal-36", WIN.seed), *WIN.moves)
    assert won["status"] == "won"
    near = f"/v1/leaderboards/vokzal-36/players/{player.name}?seed={WIN.seed}&around=0"
    before = http.get(near).json()
    assert before["row"]["game"] == won["id"]
    void = admin.judge(won, "void", "test").json()
    assert void["status"] == "void"
    assert code(http.get(near)) == "not-found"
    restored = admin.judge(won, "restore", "other", note="it was no test").json()
    assert restored["status"] == "won"
    assert restored["version"] == won["version"] + 2
    for name in ("finished_at", "elapsed_ms", "score", "moves", "attempt", "piles", "ranked"):
        assert restored[name] == won[name], name
    assert http.get(near).json() == before
    *_, one, two = events(http, won)
    assert [(event["type"], event["reason"]) for event in (one, two)] == [("voided", "test"), ("restored", "other")]
    assert admin.judge(won, "void").json()["status"] == "void"


def test_a_sealed_game_counts_by_its_variant_and_in_statistics(
    admin: Admin, player: Player, http: httpx.Client
) -> None:
    game = player.play(player.start("court"), "draw")
    player.act(game, "resign", {})

    def counted() -> tuple[int, bool, bool]:
        stats = http.get(f"/v1/players/{player.name}/stats").json()["variants"]
        (played,) = (each["played"] for each in stats if each["variant"] == "court")
        on_board = http.get(f"/v1/leaderboards/court/players/{player.name}").status_code == 200
        return played, on_board, http.get(f"/v1/games/{game['id']}").json()["ranked"]

    assert counted() == (1, True, True)
    assert admin.judge(game, "void").json()["ranked"] is False
    assert counted() == (0, False, False)
    assert admin.judge(game, "restore").json()["ranked"] is True
    assert counted() == (1, True, True)


def test_the_next_best_game_takes_the_row(admin: Admin, player: Player, http: httpx.Client) -> None:
    seed = f"s{uuid4().hex}"
    best, good, _ = (lose(player, seed, moves) for moves in (1, 2, 3))
    admin.judge(best, "void")
    (row,) = board(http, best)
    assert (row["game"], row["moves"], row["attempt"]) == (good["id"], 2, 2)
    assert http.get(f"/v1/leaderboards/vokzal-36?seed={seed}&attempts=first").json()["items"] == []
    admin.judge(best, "restore")
    (row,) = board(http, best)
    assert (row["game"], row["moves"], row["attempt"]) == (best["id"], 1, 1)


def test_only_what_was_won_or_lost_is_voided_and_only_what_is_void_restored(
    admin: Admin, player: Player, lost: dict[str, Any]
) -> None:
    running = player.play(player.start("court"), "draw")
    abandoned = player.act(player.start("court"), "resign", {}).json()
    assert abandoned["status"] == "abandoned"
    for game in (running, abandoned):
        refused = admin.judge(game, "void")
        assert (refused.status_code, code(refused)) == (409, "not-finished")
        assert refused.json()["detail"] == "Only a game that was won or lost can be voided."
        assert not {"piles", "version", "legal_moves"} & set(refused.json())
    for game in (running, abandoned, lost):
        refused = admin.judge(game, "restore")
        assert (refused.status_code, code(refused)) == (409, "not-void")
    admin.judge(lost, "void")
    assert code(admin.judge(lost, "void")) == "not-finished"
    admin.judge(lost, "restore")
    assert code(admin.judge(lost, "restore")) == "not-void"
    for game, version in ((running, 2), (abandoned, 2), (lost, 6)):
        assert player.http.get(f"/v1/games/{game['id']}").json()["version"] == version
    for action in ("void", "restore"):
        assert code(admin.judge({"id": uuid4()}, action)) == "not-found"
        assert code(admin.judge({"id": "x"}, action)) == "invalid-request"


def test_a_void_game_is_over_for_its_player(admin: Admin, player: Player, lost: dict[str, Any]) -> None:
    admin.judge(lost, "void")
    for action, body in (("moves", {"moves": ["draw"]}), ("undo", {}), ("redo", {}), ("resign", {})):
        assert code(player.act(lost, action, body)) == "game-over"


def test_a_verdict_on_the_version_that_the_admin_saw(admin: Admin, lost: dict[str, Any]) -> None:
    stale = admin.judge(lost, "void", If_Match='"3"')
    assert (stale.status_code, code(stale), stale.json()["version"]) == (412, "stale-version", 4)
    # Judged first: it says nothing of whether the game could be restored.
    assert code(admin.judge(lost, "restore", If_Match='"3"')) == "stale-version"
    void = admin.judge(lost, "void", If_Match='W/"4"')
    assert void.json()["status"] == "void"
    assert code(admin.judge(lost, "restore", If_Match='"4"')) == "stale-version"
    assert admin.judge(lost, "restore", If_Match=void.headers["etag"]).json()["status"] == "lost"
    assert code(admin.judge(lost, "void", If_Match="4")) == "invalid-request"


def test_a_verdict_is_repeated_as_it_was_answered(admin: Admin, http: httpx.Client, lost: dict[str, Any]) -> None:
    void = admin.judge(lost, "void", note="a", Idempotency_Key="v", If_Match='"4"')
    assert_same(void, admin.judge(lost, "void", note="a", Idempotency_Key="v", If_Match='"4"'))
    restored = admin.judge(lost, "restore", Idempotency_Key="r")
    assert_same(restored, admin.judge(lost, "restore", Idempotency_Key="r"))
    # Long after, and when it would be judged otherwise.
    assert_same(void, admin.judge(lost, "void", note="a", Idempotency_Key="v", If_Match='"4"'))
    admin.judge(lost, "void", note="again")
    assert_same(restored, admin.judge(lost, "restore", Idempotency_Key="r"))
    assert [event["type"] for event in events(http, lost)[4:]] == ["voided", "restored", "voided"]
    assert [entry["note"] for entry in admin.audit(game=lost["id"])] == ["again", None, "a"]


def test_a_key_belongs_to_one_request_of_one_token(
    admin: Admin, second: Admin, player: Player, lost: dict[str, Any]
) -> None:
    key = uuid4().hex
    another = lose(player)
    admin.judge(lost, "void", note="a", Idempotency_Key=key)
    for refused in (
        admin.judge(lost, "void", note="b", Idempotency_Key=key),
        admin.judge(lost, "void", "test", note="a", Idempotency_Key=key),
        admin.judge(lost, "restore", note="a", Idempotency_Key=key),
        admin.judge(another, "void", note="a", Idempotency_Key=key),
    ):
        assert (refused.status_code, code(refused)) == (422, "idempotency-mismatch")
    assert code(second.judge(lost, "void", note="a", Idempotency_Key=key)) == "not-finished"
    assert second.judge(another, "void", note="a", Idempotency_Key=key).status_code == 200
    assert player.act(player.start("court"), "moves", {"moves": ["draw"]}, Idempotency_Key=key).status_code == 200


def test_a_refusal_uses_no_key(admin: Admin, player: Player) -> None:
    game = player.play(player.start("court"), "draw")
    assert code(admin.judge(game, "void", Idempotency_Key="early")) == "not-finished"
    player.act(game, "resign", {})
    void = admin.judge(game, "void", Idempotency_Key="early")
    assert void.json()["status"] == "void"
    assert "idempotency-replayed" not in void.headers


def test_each_verdict_is_in_the_audit_and_no_refusal(
    admin: Admin, second: Admin, player: Player, lost: dict[str, Any]
) -> None:
    admin.judge(lost, "restore", note="too early")
    admin.judge(lost, "void", note="one", If_Match='"1"')
    void = admin.judge(lost, "void", "test", note="two").json()
    second.judge(lost, "restore", "error")
    restored, voided = admin.audit(game=lost["id"])
    assert voided == {
        "id": voided["id"],
        "at": void["updated_at"],
        "actor": admin.name,
        "action": "voided",
        "game": lost["id"],
        "player": player.name,
        "reason": "test",
        "note": "two",
        "details": None,
    }
    assert (restored["actor"], restored["action"], restored["reason"], restored["note"]) == (
        second.name,
        "restored",
        "error",
        None,
    )


@pytest.mark.parametrize("key", [None, "the same"])
def test_of_many_who_void_a_game_at_once_one_does(
    admin: Admin, player: Player, service: Service, http: httpx.Client, key: str | None
) -> None:
    with ExitStack() as stack:
        ends = [stack.enter_context(connect(service.url, admin.token)) for _ in range(4)]
        pool = stack.enter_context(ThreadPoolExecutor(len(ends)))
        for number in range(10):
            game = lose(player, moves=1)
            headers = {} if key is None else {"Idempotency-Key": f"{key} {number} {uuid4()}"}
            barrier = Barrier(len(ends))

            def post(
                end: httpx.Client, game: dict[str, Any] = game, headers: Any = headers, barrier: Barrier = barrier
            ) -> httpx.Response:
                barrier.wait()
                return end.post(f"/v1/admin/games/{game['id']}/void", json={"reason": "test"}, headers=headers)

            answers = list(pool.map(post, ends))
            done = [answer for answer in answers if answer.is_success]
            if key is None:
                assert len(done) == 1
                assert {code(answer) for answer in answers if answer.is_error} == {"not-finished"}
            else:
                assert len(done) == len(ends)
                assert len({answer.content for answer in done}) == 1
                assert sum("idempotency-replayed" not in answer.headers for answer in done) == 1
            assert [event["type"] for event in events(http, game)[-2:]] == ["finished", "voided"]
            assert len(admin.audit(game=game["id"])) == 1


def test_voiding_and_restoring_at_once_take_turns(
    admin: Admin, player: Player, service: Service, http: httpx.Client
) -> None:
    game = lose(player)
    with ExitStack() as stack:
        ends = [stack.enter_context(connect(service.url, admin.token)) for _ in range(4)]
        pool = stack.enter_context(ThreadPoolExecutor(len(ends)))
        posts = [(end, ("void", "restore")[number % 2]) for number, end in enumerate(ends)]
        done = 0
        for _ in range(12):
            answers = list(
                pool.map(lambda post: post[0].post(f"{_path(game)}/{post[1]}", json={"reason": "test"}), posts)
            )
            assert {answer.status_code for answer in answers} <= {200, 409}
            done += sum(answer.is_success for answer in answers)
    types = [event["type"] for event in events(http, game)[4:]]
    assert len(types) == done >= 12
    assert types[0] == "voided"
    assert all(one != two for one, two in pairwise(types))
    found = admin.audit(game=game["id"], limit=200)
    assert [entry["action"] for entry in reversed(found)] == types
    standing = http.get(f"/v1/games/{game['id']}").json()["status"] == "lost"
    assert [row["game"] for row in board(http, game)] == ([game["id"]] if standing else [])
    assert admin.http.post(f"{_path(game)}/verify").json()["ok"] is True


def _path(game: dict[str, Any]) -> str:
    return f"/v1/admin/games/{game['id']}"


def test_a_stream_that_comes_back_hears_of_it(admin: Admin, service: Service, lost: dict[str, Any]) -> None:
    admin.judge(lost, "void", "error")
    with streaming(service.url, lost["id"], last=lost["version"]) as reader:
        message = reader.next()
    assert [(event["type"], event["reason"]) for event in message.data["events"]] == [("voided", "error")]
    assert message.game["status"] == "void"


# ---- verifying


def test_a_game_that_is_as_its_log_says(admin: Admin, player: Player, lost: dict[str, Any]) -> None:
    running = player.play(player.start("vokzal-52"), "draw")
    for game, version in ((running, 2), (lost, 4)):
        answer = admin.http.post(f"{_path(game)}/verify")
        assert answer.json() == {"game": game["id"], "version": version, "ok": True, "difference": None}
        assert player.http.get(f"/v1/games/{game['id']}").json()["version"] == version
    admin.judge(lost, "void")
    assert admin.http.post(f"{_path(lost)}/verify").json()["ok"] is True
    assert code(admin.http.post(f"/v1/admin/games/{uuid4()}/verify")) == "not-found"
    assert admin.audit(game=running["id"]) == []


def test_to_verify_takes_no_body_or_an_empty_object(admin: Admin, lost: dict[str, Any]) -> None:
    path = f"{_path(lost)}/verify"
    assert [admin.http.post(path).json(), admin.http.post(path, json={}).json()] == [
        {"game": lost["id"], "version": lost["version"], "ok": True, "difference": None}
    ] * 2
    assert list(faults(admin.http.post(path, json={"reason": "test"}))) == ["body.reason"]
    null = admin.http.post(path, content=b"null", headers={"Content-Type": "application/json"})
    assert list(faults(null)) == ["body"]
    words = admin.http.post(path, content=b"why", headers={"Content-Type": "text/plain"})
    assert (words.status_code, code(words)) == (415, "unsupported-media-type")


@pytest.mark.parametrize(
    ("table", "statement", "difference"),
    [
        (
            "results",
            "UPDATE results SET score = score + 1 WHERE game_id = $1",
            "Game {id}: the result has score 1, and the log says 0.",
        ),
        ("results", "DELETE FROM results WHERE game_id = $1", "Game {id}: the result is missing."),
        (
            "games",
            "UPDATE games SET status = 'won' WHERE game_id = $1",
            "Game {id}: the head has status 'won', and the log says 'lost'.",
        ),
        (
            "game_events",
            "UPDATE game_events SET events = 'redeal' WHERE game_id = $1 AND first_seq = 2",
            "Game {id}, event 2: the chain of hashes is broken.",
        ),
    ],
)  # fmt: skip
def test_the_first_difference_is_named(
    admin: Admin, player: Player, postgres: Postgres, table: str, statement: str, difference: str
) -> None:
    game = player.start("congress", f"s{uuid4().hex}")
    player.play(game, "draw")
    player.act(game, "resign", {})
    right = query(postgres.admin_url, f"SELECT each::text FROM {table} each WHERE game_id = $1", game["id"])
    query(postgres.admin_url, statement, game["id"])
    answer = admin.http.post(f"{_path(game)}/verify").json()
    assert answer == {"game": game["id"], "version": 3, "ok": False, "difference": difference.format(id=game["id"])}
    query(postgres.admin_url, f"DELETE FROM {table} WHERE game_id = $1", game["id"])
    for (row,) in right:
        query(postgres.admin_url, f"INSERT INTO {table} SELECT ($1::text::{table}).*", row)
    assert admin.http.post(f"{_path(game)}/verify").json()["ok"] is True
