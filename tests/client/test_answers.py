"""What an answer becomes: a struct, an error of its family, or the complaint that it is neither."""

from collections.abc import Callable

import pytest
from pasyans_client import (
    Admin,
    AlreadyPlaying,
    ApiError,
    BadAnswer,
    Client,
    Conflict,
    DealSealed,
    Forbidden,
    GameOver,
    IllegalMove,
    InvalidRequest,
    MoveRefused,
    NotFound,
    NothingLeft,
    ServiceError,
    StaleVersion,
    Unauthenticated,
    UnreadableMove,
)

from tests.client.conftest import Stub, answer, problem

Start = Callable[..., Stub]
PLAYER = {"name": "anna", "guest": False, "created_at": "2026-11-29T10:00:00.000Z"}


def test_fields_that_a_newer_service_adds_are_passed_over(stub: Start) -> None:
    player = Client(stub(answer(200, {**PLAYER, "title": "grandmaster"})).url).me()
    assert (player.name, player.guest) == ("anna", False)
    assert player.created_at.isoformat() == "2026-11-29T10:00:00+00:00"


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"name": "anna", "guest": False}, "missing required field `created_at`"),
        ({**PLAYER, "guest": "no"}, r"Expected `bool`, got `str` - at `\$.guest`"),
        ([PLAYER], "Expected `object`, got `array`"),
        (b"<html>Welcome</html>", "malformed"),
        (b"", "truncated"),
    ],
)
def test_what_breaks_the_contract_is_named(stub: Start, body: object, complaint: str) -> None:
    with pytest.raises(BadAnswer, match=complaint):
        Client(stub(answer(200, body)).url).me()


def test_a_refusal_that_is_no_problem_document_comes_from_another_server(stub: Start) -> None:
    with pytest.raises(BadAnswer, match="status 404 and no problem details"):
        Client(stub(answer(404, b"<html>Not here</html>")).url).me()


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid-request", InvalidRequest),
        (401, "unauthenticated", Unauthenticated),
        (403, "forbidden", Forbidden),
        (403, "deal-sealed", DealSealed),
        (404, "not-found", NotFound),
        (405, "method-not-allowed", InvalidRequest),
        (409, "game-over", GameOver),
        (409, "name-taken", Conflict),
        (409, "nothing-to-undo", NothingLeft),
        (409, "already-playing", AlreadyPlaying),
        (412, "stale-version", StaleVersion),
        (415, "unsupported-media-type", InvalidRequest),
        (422, "unreadable-move", UnreadableMove),
        (422, "illegal-move", IllegalMove),
        (422, "idempotency-mismatch", InvalidRequest),
        (500, "internal", ServiceError),
        (409, "a-code-to-come", Conflict),
        (418, "a-code-to-come", InvalidRequest),
    ],
)
def test_each_code_is_of_its_family(stub: Start, status: int, code: str, kind: type[ApiError]) -> None:
    with pytest.raises(ApiError) as raised:
        Client(stub(problem(status, code, "Do this.", extra=[1])).url).me()
    error = raised.value
    assert type(error) is kind
    assert (error.code, error.status, error.detail, str(error)) == (code, status, "Do this.", "Do this.")
    assert (error.members, error.request_id) == ({"extra": [1]}, "r-1")
    assert list(error.problem) == ["type", "title", "status", "detail", "code", "instance", "extra"]


def test_members_are_typed(stub: Start) -> None:
    client = Client(
        stub(
            problem(422, "illegal-move", move="w-f1", index=2, reason="needs-ace", legal_moves=["draw"]),
            problem(412, "stale-version", version=17),
            problem(409, "nothing-to-undo", available=3),
            problem(403, "deal-sealed", until=None),
            problem(400, "invalid-request", errors=[{"path": "count", "message": "is below 1"}]),
        ).url
    )
    with pytest.raises(MoveRefused) as move:
        client.move("g", ["w-f1"])
    assert (move.value.move, move.value.index, move.value.reason) == ("w-f1", 2, "needs-ace")
    assert move.value.legal_moves == ["draw"]
    with pytest.raises(StaleVersion) as stale:
        client.undo("g")
    assert stale.value.version == 17
    with pytest.raises(NothingLeft) as left:
        client.undo("g", 9)
    assert left.value.available == 3
    with pytest.raises(DealSealed) as sealed:
        client.record("g")
    assert sealed.value.until is None
    with pytest.raises(InvalidRequest) as invalid:
        client.undo("g", 0)
    assert invalid.value.errors == [("count", "is below 1")]


def test_requests_carry_what_they_should(stub: Start) -> None:
    server = stub(problem(404, "not-found"), problem(404, "not-found"))
    client = Client(f"{server.url}/under/", "token-1")
    with pytest.raises(NotFound):
        client.move("a b", ["draw", "w-f"], if_version=17, key="k")
    with pytest.raises(NotFound):
        client.deal("congress", "a.b~c", rules=1)
    move, deal = server.seen
    assert (move.method, move.target) == ("POST", "/under/v1/games/a%20b/moves")
    assert move.body == b'{"moves":["draw","w-f"]}'
    assert {k: move.headers[k] for k in ("authorization", "if-match", "idempotency-key", "content-type")} == {
        "authorization": "Bearer token-1",
        "if-match": '"17"',
        "idempotency-key": "k",
        "content-type": "application/json",
    }
    assert (deal.method, deal.target) == ("GET", "/under/v1/variants/congress/deals/a.b~c?rules=1")
    assert "content-type" not in deal.headers


@pytest.mark.parametrize("text", ["", ".", "..", "a/b"])
def test_what_no_address_can_carry_is_refused_without_a_request(stub: Start, text: str) -> None:
    nobody = stub()
    client = Client(nobody.url)
    calls: dict[str, Callable[[], object]] = {
        "path.variant": lambda: client.rules_page(text),
        "path.seed": lambda: client.deal("congress", text),
        "path.name": lambda: client.leaderboard_around("congress", text),
        "path.id": lambda: client.resign(text),
    }
    for place, call in calls.items():
        with pytest.raises(InvalidRequest) as refused:
            call()
        assert refused.value.errors == [(place, f"does not fit into an address: {text!r}")]
    assert nobody.seen == []


def test_lists_go_on_to_their_end(stub: Start) -> None:
    token = {"id": "1", "label": "a", "created_at": PLAYER["created_at"], "last_used_at": None}
    server = stub(
        answer(200, {"items": [token, {**token, "id": "2"}], "next": "c/1"}),
        answer(200, {"items": [], "next": "c2"}),
        answer(200, {"items": [{**token, "id": "3"}], "next": None}),
    )
    assert [each.id for each in Client(server.url, "t").tokens()] == ["1", "2", "3"]
    assert [seen.target for seen in server.seen] == [
        "/v1/tokens",
        "/v1/tokens?cursor=c%2F1",
        "/v1/tokens?cursor=c2",
    ]


@pytest.mark.parametrize(
    "address", ["", "localhost:8000", "ftp://host", "http://", "http://a b", "http://h:x", "http://h?q"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="is not an address"):
        Client(address)


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "знак"])
def test_a_token_that_is_none_is_refused_without_being_shown(token: str) -> None:
    with pytest.raises(ValueError, match="a token is printable ASCII without spaces"):
        Client("http://127.0.0.1", token)


@pytest.mark.parametrize("key", ["", " ", " mine", "mine ", "line\nbreak", "é", "\udcff"])
def test_a_key_that_is_none_is_refused_before_anything_is_sent(stub: Start, key: str) -> None:
    server = stub(answer(201, PLAYER))
    with pytest.raises(ValueError, match="is no key: that is printable ASCII"):
        Client(server.url).start_game("court", key=key)
    with pytest.raises(ValueError, match="is no key: that is printable ASCII"):
        Admin(server.url).ban("anna", "cheating", key=key)
    assert server.seen == []


def test_moves_are_no_text(stub: Start) -> None:
    server = stub(answer(200, {}))
    with pytest.raises(TypeError, match=r"a sequence of texts, such as \['draw'\]"):
        Client(server.url).move("id", "draw")  # type: ignore[arg-type]
    assert server.seen == []


def test_a_client_shows_no_token() -> None:
    assert repr(Client("http://127.0.0.1:1", "secret")) == "Client('http://127.0.0.1:1')"
