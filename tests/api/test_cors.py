"""Which origins may read the answers."""

from pasyans.api.cors import Cors


def test_any_origin_may_by_default() -> None:
    answer = Cors(["*"]).answer("https://a.example")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert Cors(["*"]).answer(None) == answer


def test_a_list_narrows_it_and_caches_are_told() -> None:
    cors = Cors(["https://a.example"])
    assert cors.answer("https://a.example")["Access-Control-Allow-Origin"] == "https://a.example"
    assert cors.answer("https://b.example") == {"Vary": "Origin"}
    assert cors.answer(None) == {"Vary": "Origin"}


def test_none_may_where_none_is_listed() -> None:
    assert Cors([]).answer("https://a.example") == {"Vary": "Origin"}


def test_a_preflight_tells_what_may_be_sent() -> None:
    headers = Cors(["*"]).preflight("https://a.example")
    allowed = {name.strip() for name in headers["Access-Control-Allow-Headers"].split(",")}
    assert allowed == {
        "Authorization",
        "Content-Type",
        "If-Match",
        "If-None-Match",
        "Idempotency-Key",
        "Last-Event-ID",
    }
    assert "Access-Control-Allow-Methods" not in Cors([]).preflight("https://a.example")
